"""Base, desired and actual: what differs, what to write, and writing it."""
