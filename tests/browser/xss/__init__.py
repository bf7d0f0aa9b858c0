"""Content that would take a page over, in every field, seen by a real browser (docs/faults.md, XS)."""
