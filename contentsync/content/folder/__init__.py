"""Read a whole folder: find its files, read each one, and check what only all entries together can show."""
