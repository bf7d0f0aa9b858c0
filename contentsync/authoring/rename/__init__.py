"""Rename an entry: its files, its key, and every link and reference to it (docs/rename.md)."""
