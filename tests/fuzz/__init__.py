"""Content folders that nobody should write, and what must hold of them all the same.

`documents` draws files that are almost sound, `mutations` harms them, `promises` looks at what the reader says.
The short form is a part of the tests; `python -m tests.fuzz` (`make fuzz`) is the long one.
"""
