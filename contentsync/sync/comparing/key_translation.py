"""TODO."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...model import FIELDABLE, RECORDS, Entry, Kind, Reference
from .base import Applied, Base, label
from .diff import UNCHANGED, Differences, compare, is_plainly_equal
from .entry_fields import Identity, mapped, referring, renamed
from .fingerprint import fingerprint, fingerprint_sent
from .matching import Match, Matching

REFERRED = frozenset({Kind.CUSTOM_FIELD, *(kind for model in RECORDS.values() for kind in model.references.values())})


_OTHER = "?"  # no key begins so


@dataclass(frozen=True, slots=True)
class Compared:
    """An entry of the folder, its record and its line in the folder's words, and how they differ."""

    entry: Entry
    actual: Entry | None
    applied: Applied | None
    differences: Differences


class Names:
    """What the folder calls the records that entries refer to."""

    def __init__(self, matching: Matching, desired: Sequence[Entry], actual: Sequence[Entry], base: Base) -> None:
        self.here: dict[Identity, str] = {}  # the folder's name, by the server's
        self._base = base.lines
        self._named: dict[Identity, Reference] = {}  # what a name means in the folder
        self._taken_over: set[Identity] = set()  # names of ours that a record of somebody else has now
        self._then: dict[tuple[Kind, int | None], str] = {}  # how the base's lines call a record
        self._labels: dict[str, str] = {}  # custom fields: the folder's name, by the one in a line
        self._former = {(line.kind, line.id): line.former for line in base.values() if line.former is not None}
        self._alive = {(record.kind, record.id) for record in actual if record.kind in REFERRED}
        lines = [(applied, record.id) for applied, record in matching.orphans() if record is not None]
        for entry in desired:
            if entry.kind in REFERRED:
                match = matching.of(entry)
                if match.actual is not None and match.applied is not None:
                    lines.append((match.applied, match.actual.id))
                if not entry.notes.skip:
                    self._note(entry, match)
        self._then = {(line.kind, id_): line.key for line, id_ in lines if line.kind in REFERRED}
        for record in actual:
            if record.kind in REFERRED:
                self._note_record(record)
        fields = {key: named.id for (kind, key), named in self._named.items() if kind is Kind.CUSTOM_FIELD}
        for (kind, key), line in self._base.items():
            if kind is Kind.CUSTOM_FIELD:  # one of which the records were not read
                self._labels.setdefault(label(key, line.id), key)
                fields.setdefault(key, line.id)
        self.custom = {key: id_ for key, id_ in fields.items() if id_ is not None}

    def _note(self, entry: Entry, match: Match) -> None:
        identity = entry.kind, entry.key
        record, line = match.actual, match.applied
        own = self._base.get(identity)
        if record is not None:
            self._named[identity] = Reference(entry.key, record.id)
            if line is None and own is not None and own.id not in (None, record.id):
                self._taken_over.add(identity)
            if record.key != entry.key:
                self.here[entry.kind, record.key] = entry.key
        elif own is not None and (own.kind, own.id) not in self._alive:  # it was deleted there: what lost it did not
            self._named[identity] = Reference(entry.key, own.id)
        else:
            self._named[identity] = Reference(entry.key, None)
        if entry.kind is Kind.CUSTOM_FIELD:
            if line is not None:
                self._labels[line.key] = entry.key
            id_ = self._named[identity].id
            for known in filter(None, (id_, self._former.get((entry.kind, id_)))):
                self._labels[label(entry.key, known)] = entry.key

    def _note_record(self, record: Entry) -> None:
        identity = record.kind, record.key
        named = self._named.get(identity)
        if identity not in self.here and named is not None and named.id != record.id:
            self.here[identity] = f"#{record.id}"  # the folder means another record by this name
        reference = Reference(self.here.get(identity, record.key), record.id)
        self._named.setdefault(identity, reference)
        if record.kind is Kind.CUSTOM_FIELD:
            self._labels.setdefault(label(record.key, record.id), str(reference))

    def compare(self, entry: Entry, match: Match) -> Compared:
        """Compare an entry with its record and its line, all in the folder's words."""
        actual, applied = None if match.actual is None else self.there(match.actual), match.applied
        if actual is not None and is_plainly_equal(entry, actual, self._names_in(applied)):
            return Compared(entry, actual, applied, UNCHANGED)
        entry = self.identified(entry)
        if applied is not None and actual is not None:
            applied = self.line(applied, entry, actual)
        return Compared(entry, actual, applied, compare(entry, actual, applied))

    def there(self, record: Entry) -> Entry:
        """Return a record of the server in the folder's words."""
        return renamed(record, self.here)

    def identified(self, entry: Entry) -> Entry:
        """Return an entry of the folder with the ids of what it refers to."""
        return referring(entry, lambda kind, key: self._named.get((kind, key), key))

    def line(self, applied: Applied, entry: Entry, record: Entry) -> Applied:
        """Return a line in the folder's words; `entry` and `record` are in them already.

        Where a line has fingerprints of names, as the lines of a commit and of older releases have, they are replaced
        by those of ids if they stand for what the entry or the record refers to.
        """
        fields = {self._labels.get(name, name): known for name, known in applied.fields.items()}
        for name, kind in RECORDS[applied.kind].references.items():
            kept = applied.kept(name)
            if kept is None:
                continue
            here, there = entry.fields.get(name), record.fields.get(name)
            sent, then = kept
            if sent in (fingerprint_sent(applied.kind, name, value) for value in self._in_base(here, kind)):
                sent = fingerprint_sent(applied.kind, name, here)
            if then in (fingerprint(applied.kind, name, value) for value in self._in_base(there, kind)):
                then = fingerprint(applied.kind, name, there)
            if any((kind, key) in self._taken_over for key in (here if isinstance(here, list) else [here])):
                then = _OTHER  # somebody has changed what the name means
            fields[name] = sent if sent == then else f"{sent}/{then}"
        return replace(applied, fields=fields)

    def _in_base(self, value: Any, kind: Kind) -> tuple[Any, Any]:
        """Return references as lines may have them: by the names then, and by the ids of what was created again since.

        One that the base knows under no name is as none that it has.
        """

        def then(kind: Kind, key: str) -> str:
            if not isinstance(key, Reference):
                return key
            line = self._base.get((kind, str(key)))
            is_its = line is None or line.id == key.id
            return self._then.get((kind, key.id)) or (str(key) if is_its else f"{_OTHER}{key}")

        def former(kind: Kind, key: str) -> str:
            id_ = self._former.get((kind, key.id)) if isinstance(key, Reference) else None
            return key if id_ is None else Reference(str(key), id_)

        return mapped(value, kind, then), mapped(value, kind, former)

    def _names_in(self, applied: Applied | None) -> Iterable[str]:
        if applied is None:
            return ()
        if applied.kind not in FIELDABLE:
            return applied.fields
        return [self._labels.get(name, name) for name in applied.fields]
