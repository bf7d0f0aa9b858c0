"""What the sync must survive, at length (`make torture`); the short forms are in tests/sync_faults."""
