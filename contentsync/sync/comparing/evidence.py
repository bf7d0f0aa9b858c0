"""What tells that an entry of the folder was called otherwise: its notes, its file, its text, its row."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from ...content.scan import DOCUMENT_SUFFIXES
from ...model import RECORDS, Entry, Kind, Reference
from .base import Applied, Base, Identity, labelled
from .fingerprint import digest, fingerprint_sent
from .given import BODIES, given_fields
from .records import Records
from .referring import referring

LIKE = 0.5  # the share of equal fields from which on an entry without a file is one in a new file, as in git


class Claim(NamedTuple):
    """An entry of the folder that may be one of the server's under another name."""

    identity: Identity
    was: Identity  # the base's line, or else the name that the record has
    record: Entry


class Evidence:
    """The names that entries may have had.

    `moved` says which file had another path in the base: new path, old path. What is protected or left out by the
    config (`is_left_out`) has no file of its own any more, so only `sync.previous` may name it.
    """

    def __init__(
        self,
        base: Base,
        wanted: Mapping[Identity, Entry],
        records: Records,
        moved: Mapping[str, str],
        is_left_out: Callable[[Applied], bool],
    ) -> None:
        self._base = base.lines  # whose own `get` is slow
        self._wanted = wanted
        self._records = records
        self._moved = moved
        self._is_left_out = is_left_out
        self._custom = {key: line.id for (kind, key), line in base.items() if kind is Kind.CUSTOM_FIELD and line.id}
        in_file = [line for line in base.values() if _is_document(line.path) and not line.protect]
        counts = Counter((line.kind, line.path) for line in in_file)
        self._by_path = {(line.kind, line.path): line for line in in_file if counts[line.kind, line.path] == 1}
        self._moving = {(line.kind, line.moving): line.identity for line in base.values() if line.moving}
        self._alike: dict[tuple[Kind, frozenset[tuple[str, str]]], list[Applied]] = defaultdict(list)
        self._rows: dict[tuple[str, str], list[Applied]] = defaultdict(list)
        for identity, line in base.items():
            if identity not in wanted:
                self._note_orphan(line)

    def claims(self) -> list[Claim]:
        """What entries may be besides the record of their key, the surest first; several may want one record."""
        ranked = []
        for identity, entry in self._wanted.items():
            applied = self._base.get(identity)
            if applied and entry.source and applied.path == entry.source.path and not entry.notes.previous:
                continue  # most entries are where they were
            for rank, names in enumerate((self._told(entry), self._of_file(entry), self._of_text(entry))):
                ranked += [(rank, claim) for was in names if (claim := self._claim(identity, was)) is not None]
        return [claim for _, claim in sorted(ranked, key=lambda pair: pair[0])]

    def former(self, entry: Entry) -> Iterator[Identity]:
        """Return the names that an entry's notes or its file give it, whether the server has them or not."""
        yield from self._told(entry)
        yield from self._of_file(entry)

    def _note_orphan(self, line: Applied) -> None:
        if line.protect or self._is_left_out(line):
            return
        if line.kind is Kind.LISTING:
            self._rows["slug", line.slug].append(line)
            self._rows["name", line.title].append(line)
        elif _is_document(line.path):
            self._alike[line.kind, _bodies(_sent(line))].append(line)

    def _claim(self, identity: Identity, was: Identity) -> Claim | None:
        line = self._base.get(was)
        record = self._records.under(was) if line is None else self._records.of(line)
        return None if record is None else Claim(identity, was, record)

    def _told(self, entry: Entry) -> Iterator[Identity]:
        """The names in `sync.previous`, those aside that the entry was applied with.

        One that has its record still takes none that is not ours. Where a run was cut off in the middle of a swap, it
        has noted which entry was about to have the name.
        """
        if (entry.kind, entry.key) in self._moving:
            yield self._moving[entry.kind, entry.key]
        own = self._base.get((entry.kind, entry.key))
        spent = own.previous if own is not None and self._records.of(own) is not None else None
        for key in entry.notes.previous:
            if spent is None or (key not in spent and (entry.kind, key) in self._base):
                yield entry.kind, key

    def _of_file(self, entry: Entry) -> Iterator[Identity]:
        """The name that the entry of this file had, by the file's path or by the one that it had."""
        path = entry.source.path if entry.source else ""
        if not _is_document(path):
            return
        for before in (path, self._moved.get(path, "")):
            line = self._by_path.get((entry.kind, before))
            if line is not None and line.key != entry.key and not self._is_left_out(line):
                own = self._base.get((entry.kind, entry.key))
                if own is None or not self._stays(entry, own, line):
                    yield line.identity

    def _stays(self, entry: Entry, own: Applied, other: Applied) -> bool:
        """Whether an entry has kept its name and has only taken the other's file."""
        if self._records.of(own) is None:
            return False
        marks = self._marks(entry)
        return own.digest == digest(entry.fields) or _equal(marks, own) > _equal(marks, other)

    def _of_text(self, entry: Entry) -> Iterator[Identity]:
        """The one entry that has lost its row, or its file, and is like this one, whose name is new on both sides."""
        identity = (entry.kind, entry.key)
        if identity in self._base or self._records.under(identity) is not None:
            return
        if entry.kind is Kind.LISTING:
            for name in ("slug", "name"):
                if entry.fields.get(name):
                    yield from _only(self._rows.get((name, str(entry.fields[name])), []))
        elif self._alike and entry.source and _is_document(entry.source.path):
            marks = self._marks(entry)
            yield from _only([line for line in self._alike.get((entry.kind, _bodies(marks)), []) if _like(marks, line)])

    def _marks(self, entry: Entry) -> dict[str, str]:
        """Return the fingerprints of an entry's fields, its name aside, with names read as the base has them."""

        def named(kind: Kind, key: str) -> Reference:
            line = self._base.get((kind, key))
            return Reference(key, None if line is None else line.id)

        return {
            labelled(entry.kind, name, self._custom): fingerprint_sent(entry.kind, name, value)
            for name, _, value in given_fields(referring(entry, named), None)
            if name != RECORDS[entry.kind].key_field
        }


def _is_document(path: str) -> bool:
    """Whether a file holds one entry by nature, so that its path says which."""
    return path.lower().endswith(DOCUMENT_SUFFIXES)


def _only(lines: list[Applied]) -> Iterator[Identity]:
    if len(lines) == 1:
        yield lines[0].identity


def _sent(line: Applied) -> dict[str, str]:
    """The fingerprints of the fields as they were sent, the name aside."""
    return {name: mark.partition("/")[0] for name, mark in line.fields.items() if name != RECORDS[line.kind].key_field}


def _bodies(marks: Mapping[str, str]) -> frozenset[tuple[str, str]]:
    return frozenset((name, marks[name]) for name in BODIES & marks.keys())


def _equal(marks: Mapping[str, str], line: Applied) -> int:
    return len(marks.items() & _sent(line).items())


def _like(marks: Mapping[str, str], line: Applied) -> bool:
    return _equal(marks, line) > LIKE * len(marks.keys() | _sent(line).keys())
