"""Long tests of faults in a sync (`make torture`); the short forms are in tests/sync_faults."""
