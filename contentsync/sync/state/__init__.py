"""What a run has on disk: the state, the journals, the lock; and the base from a git commit."""
