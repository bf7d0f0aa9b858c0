"""The disk: which files are content, opened without following links, as checked text."""
