"""The references of an entry to others: list them, or replace each."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .entry import Entry, EntryKey, Kind
from .rules import RECORDS


def references_in(kind: Kind, fields: Mapping[str, Any]) -> Iterator[EntryKey]:
    """Yield each entry to which the fields of an entry of this kind refer."""
    for name, referred_kind in RECORDS[kind].references.items():
        value = fields.get(name)
        yield from ((referred_kind, key) for key in (value if isinstance(value, list) else [value]) if key)


def map_references(entry: Entry, map_key: Callable[[Kind, str], str]) -> Entry:
    """Return an entry with `map_key(kind, key)` in place of each reference; the same object if it has no references."""
    changed = {
        name: map_reference(value, kind, map_key)
        for name, kind in RECORDS[entry.kind].references.items()
        if (value := entry.fields.get(name))
    }
    return entry.with_fields({**entry.fields, **changed}) if changed else entry


def map_reference(value: Any, kind: Kind, map_key: Callable[[Kind, str], str]) -> Any:
    """Return `map_key(kind, key)` for a reference, or the list of these for a list; other values unchanged."""
    if isinstance(value, list):
        return [map_key(kind, key) if isinstance(key, str) else key for key in value]
    return map_key(kind, value) if isinstance(value, str) else value
