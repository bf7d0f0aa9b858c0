"""Base, desired and actual, entry by entry and field by field: which belong together, who changed what."""
