"""Entries in short."""

from typing import Any

from contentsync.model import Entry, Kind, Notes, Source

NO_NOTES = Notes()


def desired(kind: Kind, key: str, line: int = 1, notes: Notes = NO_NOTES, **fields: Any) -> Entry:
    """Return an entry of the folder, in `<kind>.md`."""
    return Entry(kind, key, fields, Source(f"{kind}.md", line), notes)


def actual(kind: Kind, key: str, id_: int, **fields: Any) -> Entry:
    """Return an entry of the server."""
    return Entry(kind, key, fields, id=id_)


def page(key: str) -> Entry:
    """Return a page of the folder, which needs no more."""
    return desired(Kind.PAGE, key, slug=key, title=key.upper())
