"""Which of the server's entries an entry of the folder is: under its key, or under the one that it had."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...model import Entry, Kind
from .base import Applied, Base, Identity
from .evidence import Claim, Evidence
from .records import Records


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
