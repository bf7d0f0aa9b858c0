"""TODO."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...content.unit import DOCUMENTS
from ...model import RECORDS, Entry, Kind, Reference
from .base import Applied, Base, Records, labelled
from .entry_fields import BODIES, Identity, given_fields, referring
from .fingerprint import digest, fingerprint_sent

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
    return path.lower().endswith(DOCUMENTS)


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


@dataclass(frozen=True, slots=True)
class Match:
    """What belongs to an entry of the folder: the server's entry, and the base's line."""

    actual: Entry | None = None
    applied: Applied | None = None

    @property
    def known(self) -> bool:
        """Whether we made or adopted it."""
        return self.applied is not None


class Matching:
    """Every entry of the folder with its match; each of the server's entries belongs to one at most.

    `moved` says which file had another path in the base, as git tells it: new path, old path. `is_left_out` tells
    that an applied entry's file is no content by the config as it is now.
    """

    def __init__(
        self,
        desired: Sequence[Entry],
        actual: Sequence[Entry],
        base: Base,
        moved: Mapping[str, str] | None = None,
        is_left_out: Callable[[Applied], bool] = lambda applied: False,
    ) -> None:
        self._base = base.lines  # whose own `get` is slow
        self._records = Records(actual)
        self._matches: dict[Identity, Match] = {}
        self._taken: set[int] = set()  # of the server's entries, by identity of the object
        self._used: set[Identity] = set()  # of the base's lines

        wanted = {(entry.kind, entry.key): entry for entry in desired}
        self._evidence = Evidence(base, wanted, self._records, moved or {}, is_left_out)
        claims = self._tenable([*self._evidence.claims(), *self._renamed_there(wanted)], wanted)
        for identity, claim in claims.items():
            self._take(identity, claim.record, self._base.get(claim.was))
        new = [identity for identity in wanted if identity not in claims and not self._take_own(identity)]
        left = []
        for identity in new:
            record = self._records.under(identity)
            if record is not None and id(record) not in self._taken:
                self._take(identity, record, None)
            else:
                left.append(identity)
        slugs = _free_slugs(actual, wanted, self._taken)
        for identity in left:
            entry = wanted[identity]
            # A slug is unique, so a listing under a new URL can only be written over the one that has its slug.
            slug = entry.fields.get("slug") if entry.kind is Kind.LISTING else None
            found = slugs.get(slug) if slug else None
            if found is not None and id(found) not in self._taken:
                self._take(identity, found, None)
            else:
                self._used.add(identity)
                self._matches[identity] = Match()

    def of(self, entry: Entry) -> Match:
        return self._matches[entry.kind, entry.key]

    def lost(self, entry: Entry) -> Applied | None:
        """Return the line of an entry that was applied and that the server has no more, under whatever name."""
        for identity in ((entry.kind, entry.key), *self._evidence.former(entry)):
            applied = self._base.get(identity)
            if applied is not None and self._records.of(applied) is None:
                return applied
        return None

    def keep(self, applied: Applied) -> None:
        """Leave a line as it is: it is no orphan, although no entry of the server belongs to it."""
        self._used.add(applied.identity)

    def is_taken(self, actual: Entry) -> bool:
        """Whether an entry of the server belongs to one of the folder."""
        return id(actual) in self._taken

    def orphans(self) -> Iterator[tuple[Applied, Entry | None]]:
        """The lines of the base that no entry of the folder belongs to, with what the server surely has for each."""
        for identity, applied in self._base.items():
            if identity not in self._used:
                record = self._records.surely_of(applied)
                yield applied, None if record is None or id(record) in self._taken else record

    def managed(self) -> Iterator[Entry]:
        """The server's entries that we made or adopted."""
        for applied in self._base.values():
            record = self._records.of(applied)
            if record is not None:
                yield record

    def _own(self, identity: Identity) -> Entry | None:
        """The server's entry of a key, or the one that had it when it was applied."""
        record = self._records.under(identity)
        applied = self._base.get(identity)
        return self._records.of(applied) if record is None and applied is not None else record

    def _renamed_there(self, wanted: Iterable[Identity]) -> Iterator[Claim]:
        """Yield the entries whose own record got another key on the server.

        They keep it unless their key went to a record that stays: records may have swapped their keys.
        """
        for identity in wanted:
            applied = self._base.get(identity)
            record = None if applied is None else self._records.of(applied)
            if record is not None and record is not self._records.under(identity):
                yield Claim(identity, identity, record)

    def _take_own(self, identity: Identity) -> bool:
        """Take the record of a key if it is the one that was applied, unless another entry has it."""
        applied = self._base.get(identity)
        record = self._records.under(identity)
        if applied is None or record is None or id(record) in self._taken or self._records.of(applied) is not record:
            return False
        self._take(identity, record, applied)
        return True

    def _take(self, identity: Identity, record: Entry, applied: Applied | None) -> None:
        self._matches[identity] = Match(record, applied)
        self._taken.add(id(record))
        self._used.add(identity)
        if applied is not None:
            self._used.add(applied.identity)

    def _tenable(self, claims: list[Claim], wanted: Mapping[Identity, Entry]) -> dict[Identity, Claim]:
        """The claims that can hold together; whenever one falls, what it wanted is another one's to claim.

        One falls if the key it wants is an entry's that stays, or if its record is that of an entry of the folder
        that leaves none itself.
        """
        while True:
            held: dict[Identity, Claim] = {}
            leaving: set[int] = set()
            for claim in claims:
                if claim.identity not in held and id(claim.record) not in leaving:
                    held[claim.identity] = claim
                    leaving.add(id(claim.record))
            fallen = set()
            for claim in held.values():
                holder = self._records.under(claim.identity)
                is_free = holder is None or holder is claim.record or id(holder) in leaving
                is_kept = claim.was in wanted and claim.was not in held and self._own(claim.was) is claim.record
                if is_kept or not is_free:
                    fallen.add(id(claim))
            if not fallen:
                return held
            claims = [claim for claim in claims if id(claim) not in fallen]


def _free_slugs(actual: Iterable[Entry], wanted: Mapping[Identity, Entry], taken: set[int]) -> dict[object, Entry]:
    return {
        entry.fields.get("slug"): entry
        for entry in actual
        if entry.kind is Kind.LISTING and (entry.kind, entry.key) not in wanted and id(entry) not in taken
    }
