"""Checks the external addresses of a folder with lychee, and remembers which of them fail (docs/links.md)."""
