"""Comparing base, desired and actual: which entries belong together, what differs, and who changed it."""
