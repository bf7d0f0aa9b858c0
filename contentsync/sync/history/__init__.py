"""The history of an entry, from the commits that changed it and the runs that wrote it."""
