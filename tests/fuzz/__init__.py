"""Malformed content folders, and the promises that the reader keeps for them.

`documents` draws files that are almost sound, `mutations` harms them, `promises` looks at what the reader says.
The short form is a part of the tests; `python -m tests.fuzz` (`make fuzz`) is the long one.
"""
