"""Entries that must come along: what is named in a text that is written has to be in the folder too."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...model import RECORDS, Entry, Kind
from ..folder import Content
from .incoming import Identity, Incoming
from .values import Definitions


def with_companions(content: Content, incoming: Incoming, definitions: Definitions) -> list[Entry]:
    """The new entries, and those of the server that they or changed fields name and the folder lacks."""
    held = {(entry.kind, entry.key) for entry in content.entries}
    there = {(entry.kind, entry.key): entry for entry in incoming.actual}
    new = {(entry.kind, entry.key): entry for entry in incoming.new}
    named = [it for (kind, _), fields in incoming.changes.items() for it in _named(kind, fields, definitions)]
    named += [it for entry in incoming.new for it in _named(entry.kind, entry.fields, definitions)]
    while named:
        identity = named.pop()
        if identity in there and identity not in held and identity not in new:
            new[identity] = entry = there[identity]
            named += _named(entry.kind, entry.fields, definitions)
    return list(new.values())


def _named(kind: Kind, fields: Mapping[str, Any], definitions: Definitions) -> Iterator[Identity]:
    for name, referred in RECORDS[kind].references.items():
        value = fields.get(name)
        yield from ((referred, key) for key in _keys(value))
    for name in definitions.get(kind, ()):
        if fields.get(name) not in (None, "", [], {}):
            yield Kind.CUSTOM_FIELD, name


def _keys(value: Any) -> Iterable[str]:
    return value if isinstance(value, list) else [value] if value else []
