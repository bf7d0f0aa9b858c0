"""What an entry refers to, under other names: its references, and its custom fields."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ...model import FIELDABLE, RECORDS, Entry, Kind, Reference
from .base import Identity, is_custom

Called = Mapping[Identity, str]  # another name for what has this one


def renamed(entry: Entry, called: Called) -> Entry:
    """Return an entry with what it refers to and its custom fields as they are called; the same one if nothing is."""
    if not called:
        return entry
    entry = referring(entry, lambda kind, key: _called(called, kind, key))
    if entry.kind in FIELDABLE and any((Kind.CUSTOM_FIELD, name) in called for name in entry.fields):
        fields = {
            called.get((Kind.CUSTOM_FIELD, name), name) if is_custom(entry.kind, name) else name: value
            for name, value in entry.fields.items()
        }
        entry = replace(entry, fields=fields)
    if entry.unknown:
        unknown = frozenset(called.get((Kind.CUSTOM_FIELD, name), name) for name in entry.unknown)
        entry = replace(entry, unknown=unknown)
    return entry


def _called(called: Called, kind: Kind, key: str) -> str:
    name = called.get((kind, key))
    return key if name is None else Reference(name, key.id if isinstance(key, Reference) else None)


def referring(entry: Entry, named: Callable[[Kind, str], str]) -> Entry:
    """Return an entry with each of its references as `named`; the same one if it has none."""
    changed = {
        name: mapped(value, kind, named)
        for name, kind in RECORDS[entry.kind].references.items()
        if (value := entry.fields.get(name))
    }
    return replace(entry, fields={**entry.fields, **changed}) if changed else entry


def mapped(value: Any, kind: Kind, named: Callable[[Kind, str], str]) -> Any:
    """Return a reference, or each of a list, as `named`."""
    if isinstance(value, list):
        return [mapped(key, kind, named) for key in value]
    return named(kind, value) if isinstance(value, str) else value
