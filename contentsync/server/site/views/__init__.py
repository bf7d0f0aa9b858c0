"""The kinds of pages; each module's `show` answers one, or raises NotFound."""
