"""The content folder: its files become entries and problems, each with its place. The door of PyYAML and Markdown.

Nothing is imported here, so that `recall` can answer before the rest is there.
"""
