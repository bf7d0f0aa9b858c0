"""What entries refer to, in the words of the folder.

A record may have another name on the server (it is about to be renamed, or somebody has renamed it there), and another
one in the base. References are keys, and custom fields are names of fields; so all sides are read as the folder calls
things before they are compared. What merely follows a rename is then no difference, and what has changed its meaning
is one.
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import Any

from ...model import FIELDABLE, RECORDS, Entry, Kind
from .base import Applied, Base, Identity
from .fingerprint import fingerprint, fingerprint_sent
from .matching import Match, Matching

Called = Mapping[Identity, str]  # another name for what has this one

_REFERRED = frozenset({Kind.CUSTOM_FIELD, *(kind for model in RECORDS.values() for kind in model.references.values())})
_OTHER = "?"  # no key begins so, and no fingerprint is it


class Names:
    """What the folder calls otherwise than the server, or than the base."""

    def __init__(self, matching: Matching, desired: Iterable[Entry], actual: Iterable[Entry], base: Base) -> None:
        self.here: dict[Identity, str] = {}  # the folder's name, by the server's
        self._then: dict[Identity, str] = {}  # the base's, by the server's
        self._sent: dict[Identity, str] = {}  # the base's, by the folder's
        self._folder: set[Identity] = set()
        self._fields: dict[str, str] = {}  # custom fields: the folder's name, by the base's
        lines = {
            id(record): applied
            for applied, record in matching.orphans()
            if record is not None and applied.kind in _REFERRED
        }
        referred = [(entry, matching.of(entry)) for entry in desired if entry.kind in _REFERRED]
        # Where nothing has the name there, it is the base's own for what the folder has, unless that has its record.
        held = {line.identity for line in lines.values()}
        held |= {match.applied.identity for _, match in referred if match.applied is not None}
        for entry, match in referred:
            if entry.notes.skip:
                continue
            self._folder.add((entry.kind, entry.key))
            _note(self._sent, entry, match.applied, held if match.actual is None else base.keys())
            if match.actual is not None and match.actual.key != entry.key:
                self.here[entry.kind, match.actual.key] = entry.key
            if match.actual is not None and match.applied is not None:
                lines[id(match.actual)] = match.applied
            if entry.kind is Kind.CUSTOM_FIELD and match.applied is not None:
                self._fields[match.applied.key] = entry.key
        self._only_there = {was: name for was, name in self.here.items() if was not in self._folder}
        for record in actual:
            if record.kind in _REFERRED:
                _note(self._then, record, lines.get(id(record)), base.keys())

    def read(self, entry: Entry, match: Match) -> tuple[Entry, Match]:
        """An entry of the folder and its match, in the folder's words; the same objects where nothing differs.

        A name that only the server still has is read as the folder's new one.
        """
        if not (self.here or self._then or self._sent):
            return entry, match
        entry = renamed(entry, self._only_there)
        if match.actual is None:
            return entry, match
        applied = None if match.applied is None else self._line(match.applied, entry, match.actual)
        return entry, Match(self.there(match.actual), applied)

    def there(self, record: Entry) -> Entry:
        """A record of the server's in the folder's words."""
        return renamed(record, self.here)

    def as_applied(self, record: Entry) -> Entry:
        """A record of the server's in the words of the base."""
        return renamed(record, self._then)

    def _line(self, applied: Applied, entry: Entry, record: Entry) -> Applied:
        """The line with each mark of references in the folder's words as far as it holds, and else as no value's."""
        fields = dict(applied.fields)
        if applied.kind in FIELDABLE:
            fields = {self._fields.get(name, name): known for name, known in fields.items()}
        for name, kind in RECORDS[applied.kind].references.items():
            kept = applied.kept(name)
            here, there = entry.fields.get(name), record.fields.get(name)
            sent = _keys(here, kind, self._sent)
            then, now = _keys(there, kind, self._then), _keys(there, kind, self.here)
            if kept is None or (sent == here and then == there and now == there):
                continue
            ours = fingerprint_sent(applied.kind, name, here)
            theirs = fingerprint(applied.kind, name, now)
            if fingerprint_sent(applied.kind, name, sent) != kept.sent:
                ours = _OTHER
            if fingerprint(applied.kind, name, then) != kept.there:
                theirs = _OTHER
            fields[name] = ours if ours == theirs else f"{ours}/{theirs}"
        return replace(applied, fields=fields)


def _note(called: dict[Identity, str], entry: Entry, line: Applied | None, held: Container[Identity]) -> None:
    """What the base calls an entry; nothing that it knows where it holds the name for another one."""
    identity = entry.kind, entry.key
    if line is not None and line.key != entry.key:
        called[identity] = line.key
    elif line is None and identity in held:
        called[identity] = f"{_OTHER}{entry.key}"


def renamed(entry: Entry, called: Called) -> Entry:
    """An entry, with what it refers to and its custom fields as they are called; the same one if nothing is."""
    if not called:
        return entry
    changed = {
        name: keys
        for name, kind in RECORDS[entry.kind].references.items()
        if (keys := _keys(entry.fields.get(name), kind, called)) != entry.fields.get(name)
    }
    fields = {**entry.fields, **changed}
    if entry.kind in FIELDABLE:
        fields = {called.get((Kind.CUSTOM_FIELD, name), name): value for name, value in fields.items()}
    if not changed and fields.keys() == entry.fields.keys() and not entry.unknown:
        return entry
    unknown = frozenset(called.get((Kind.CUSTOM_FIELD, name), name) for name in entry.unknown)
    return replace(entry, fields=fields, unknown=unknown)


def _keys(value: Any, kind: Kind, called: Called) -> Any:
    if isinstance(value, list):
        return [_keys(key, kind, called) for key in value]
    return called.get((kind, value), value) if isinstance(value, str) else value
