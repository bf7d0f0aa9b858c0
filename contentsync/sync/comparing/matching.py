"""Which of the server's entries an entry of the folder is: under its key, or under the one that it had."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...model import RECORDS, Entry, Kind
from .base import Applied, Base, Identity
from .fingerprint import fingerprint
from .given import given_fields, value_at

_BODIES = ("markdown", "content")
LIKE = 0.5  # the share of equal fields from which on an entry without a file is one in a new file, as in git


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

    `moved` says which file had another path in the base, as git tells it: new path, old path.
    """

    def __init__(
        self, desired: Sequence[Entry], actual: Sequence[Entry], base: Base, moved: Mapping[str, str] | None = None
    ) -> None:
        self._base = base
        self._there = {(entry.kind, entry.key): entry for entry in actual}
        self._by_id = {(entry.kind, entry.id): entry for entry in actual}
        self._matches: dict[Identity, Match] = {}
        self._taken: set[int] = set()  # of the server's entries, by identity of the object
        self._used: set[Identity] = set()  # of the base's lines

        wanted = {(entry.kind, entry.key): entry for entry in desired}
        claims = _tenable(dict(self._claims(wanted, moved or {})), self._there, wanted)
        for identity, (was, held) in claims.items():
            self._take(identity, held, self._base.get(was))
        left = []
        for identity in wanted:
            if identity not in claims:
                record = self._under(identity)
                if record is not None and id(record) not in self._taken:
                    self._take(identity, record, self._ours(identity, record))
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

    def is_taken(self, actual: Entry) -> bool:
        """Whether an entry of the server belongs to one of the folder."""
        return id(actual) in self._taken

    def orphans(self) -> Iterator[tuple[Applied, Entry | None]]:
        """The lines of the base that no entry of the folder belongs to, with what the server has for each."""
        for identity, applied in self._base.items():
            if identity not in self._used:
                record = self.record_of(applied)
                yield applied, None if record is None or id(record) in self._taken else record

    def record_of(self, applied: Applied) -> Entry | None:
        """The server's entry that a line of the base is about; one that somebody made anew is not.

        Ids begin again where a database does: one of another key has to look like what was applied.
        """
        if applied.id is None:
            return self._there.get(applied.identity)
        record = self._by_id.get((applied.kind, applied.id))
        if record is None or record.key == applied.key or _is_still(record, applied):
            return record
        return None

    def _under(self, identity: Identity) -> Entry | None:
        """The server's entry of a key, or the one that had it when it was applied."""
        record = self._there.get(identity)
        applied = self._base.get(identity)
        return self.record_of(applied) if record is None and applied is not None else record

    def _ours(self, identity: Identity, record: Entry) -> Applied | None:
        applied = self._base.get(identity)
        return applied if applied is not None and applied.id in (None, record.id) else None

    def _take(self, identity: Identity, record: Entry, applied: Applied | None) -> None:
        self._matches[identity] = Match(record, applied)
        self._taken.add(id(record))
        self._used.add(identity)
        if applied is not None:
            self._used.add(applied.identity)

    def _claims(
        self, wanted: Mapping[Identity, Entry], moved: Mapping[str, str]
    ) -> Iterator[tuple[Identity, tuple[Identity, Entry]]]:
        """Entries that were called otherwise: their identity, the one they had, and the server's entry of it."""
        free = dict(self._records_of_others(wanted))
        evidence = _Evidence(self._base, wanted, moved, free)
        for identity, entry in wanted.items():
            applied = self._base.get(identity)
            if applied and entry.source and applied.path == entry.source.path and not entry.notes.previous:
                continue  # most entries are where they were
            for was in evidence.names(entry):
                record = free.get(was)
                if record is not None:
                    del free[was]
                    yield identity, (was, record)
                    break

    def _records_of_others(self, wanted: Mapping[Identity, Entry]) -> Iterator[tuple[Identity, Entry]]:
        """What the server has under each name that an entry may have had."""
        for identity, applied in self._base.items():
            record = self.record_of(applied)
            if record is not None:
                yield identity, record
        for entry in wanted.values():
            for key in entry.notes.previous:
                record = self._there.get((entry.kind, key))
                if record is not None and (entry.kind, key) not in self._base:
                    yield (entry.kind, key), record


class _Evidence:
    """The names that an entry may have had, the surest first (sync.previous, its file, its text, its row)."""

    def __init__(
        self,
        base: Base,
        wanted: Mapping[Identity, Entry],
        moved: Mapping[str, str],
        free: Mapping[Identity, Entry],
    ) -> None:
        self._moved = moved
        self._base = base
        self._free = free
        self._alone = _alone(wanted.values())
        in_file = Counter((line.kind, line.path) for line in base.values() if line.path)
        self._by_path = {
            (line.kind, line.path): line.identity for line in base.values() if in_file[line.kind, line.path] == 1
        }
        self._orphans: dict[Kind, list[Applied]] = defaultdict(list)
        self._rows: dict[tuple[str, str], list[Identity]] = defaultdict(list)
        for identity, line in base.items():
            if identity not in wanted:
                self._orphans[line.kind].append(line)
                if line.kind is Kind.LISTING:
                    self._rows["slug", line.slug].append(identity)
                    self._rows["name", line.title].append(identity)

    def names(self, entry: Entry) -> Iterator[Identity]:
        identity = (entry.kind, entry.key)
        for key in entry.notes.previous:
            yield entry.kind, key
        path = entry.source.path if entry.source else ""
        if (entry.kind, path) in self._alone:
            for before in (path, self._moved.get(path, "")):
                was = self._by_path.get((entry.kind, before))
                if was is not None and was != identity:
                    yield was
        if identity in self._base or identity in self._free:
            return
        if entry.kind is Kind.LISTING:
            yield from self._row(entry)
        elif self._orphans[entry.kind]:
            yield from self._alike(entry)

    def _row(self, entry: Entry) -> Iterator[Identity]:
        for name in ("slug", "name"):
            found = self._rows.get((name, str(entry.fields.get(name) or "")), []) if entry.fields.get(name) else []
            if len(found) == 1:
                yield found[0]

    def _alike(self, entry: Entry) -> Iterator[Identity]:
        """The one entry that has lost its file and had the same text, or else mostly the same fields."""
        fields = {
            name: fingerprint(entry.kind, name, value)
            for name, _, value in given_fields(entry, None)
            if name != RECORDS[entry.kind].key_field
        }
        alike = [line for line in self._orphans[entry.kind] if _is_alike(fields, line)]
        if len(alike) == 1:
            yield alike[0].identity


def _is_still(record: Entry, line: Applied) -> bool:
    """Whether most fields of a record, its name aside, are as they were applied."""
    names = [name for name in line.fields if name not in ("slug", "url", "name", "title")]
    equal = sum(_as_applied(record, line, name) for name in names)
    return equal > LIKE * len(names) or (not names and _as_applied(record, line, RECORDS[line.kind].title_field))


def _as_applied(record: Entry, line: Applied, name: str) -> bool:
    kept = line.kept(name)
    return kept is not None and fingerprint(record.kind, name, value_at(record.fields, name)) == kept.there


def _is_alike(fields: Mapping[str, str], line: Applied) -> bool:
    before = {name: line.fields[name].partition("/")[0] for name in line.fields if name != RECORDS[line.kind].key_field}
    if any(fields.get(name) != before.get(name) for name in _BODIES):
        return False
    equal = sum(before.get(name) == value for name, value in fields.items())
    return equal > LIKE * len(fields.keys() | before.keys())


def _tenable(
    claims: dict[Identity, tuple[Identity, Entry]],
    there: Mapping[Identity, Entry],
    wanted: Mapping[Identity, Entry],
) -> dict[Identity, tuple[Identity, Entry]]:
    """The claims that can hold together.

    One falls if the key it wants is an entry's that stays, or if the key it leaves is the key of an entry of the
    folder that leaves none itself: that one is the record by its exact key.
    """
    while True:
        leaving = {id(record) for _, record in claims.values()}
        kept = {
            identity: (was, record)
            for identity, (was, record) in claims.items()
            if (there.get(identity) is None or there[identity] is record or id(there[identity]) in leaving)
            and (was not in wanted or was in claims or there.get(was) is not record)
        }
        if len(kept) == len(claims):
            return kept
        claims = kept


def _alone(entries: Iterable[Entry]) -> set[tuple[Kind, str]]:
    """The files that hold a single entry of their kind."""
    counts = Counter((entry.kind, entry.source.path) for entry in entries if entry.source)
    return {place for place, count in counts.items() if count == 1}


def _free_slugs(actual: Iterable[Entry], wanted: Mapping[Identity, Entry], taken: set[int]) -> dict[object, Entry]:
    return {
        entry.fields.get("slug"): entry
        for entry in actual
        if entry.kind is Kind.LISTING and (entry.kind, entry.key) not in wanted and id(entry) not in taken
    }
