"""What a sync keeps on disk: the state, the journals of runs, the lock, saved plans; and the past that git keeps."""
