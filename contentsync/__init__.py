"""Git-ops for the content of a directory website."""

__version__ = "0.1.0"
