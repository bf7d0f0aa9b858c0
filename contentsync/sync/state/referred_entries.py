"""What listings may refer to: categories, tags, organizers and custom fields, and whether only new ones were added."""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from ...model import RECORDS, Entry, Kind
from ..planning.plan import Plan

_REFERRED = frozenset({*RECORDS[Kind.LISTING].references.values(), Kind.CUSTOM_FIELD})


class ReferredEntry(NamedTuple):
    """One of them on one side, with the names that listings use for it."""

    kind: str
    key: str
    title: str
    id: int | None
    digest: str  # of all else


class ReferredEntries(NamedTuple):
    """All of them in the folder, on the server and in the base."""

    folder: frozenset[ReferredEntry]
    server: frozenset[ReferredEntry]
    base: frozenset[ReferredEntry]

    @classmethod
    def find(cls, entries: Iterable[Entry], plan: Plan) -> "ReferredEntries":
        """Return them for the `entries` of a folder, and for the server and the base of its plan."""
        return cls(
            frozenset(_referred(entry, entry.notes) for entry in entries if entry.kind in _REFERRED),
            frozenset(_referred(record, ()) for record in plan.actual if record.kind in _REFERRED),
            frozenset(
                ReferredEntry(applied.kind.value, applied.key, "", applied.id, "")
                for applied in plan.base.values()
                if applied.kind in _REFERRED
            ),
        )

    @classmethod
    def from_rows(cls, rows: Sequence[Iterable[Iterable[Any]]]) -> "ReferredEntries":
        """Return what these rows of JSON were made of."""
        folder, server, base = (frozenset(ReferredEntry(*row) for row in side) for side in rows)
        return cls(folder, server, base)

    def are_extended_by(self, later: "ReferredEntries") -> bool:
        """Return whether every listing refers to the same in `later`: all are as they were, or new.

        A new one must not have the key, title or id of an older one, and must not be the first of its kind in the
        folder: only then it is an error to name an unknown one. With a new custom field, each record has a new value.
        """
        if not (self.folder <= later.folder and self.server <= later.server and self.base <= later.base):
            return False
        older = self.folder | self.server | self.base
        added = (later.folder | later.server | later.base) - older
        names = {(entry.kind, name) for entry in older for name in (entry.key, entry.title)}
        ids = {(entry.kind, entry.id) for entry in older if entry.id is not None}
        kinds = {entry.kind for entry in self.folder}
        return not any(
            entry.kind == Kind.CUSTOM_FIELD
            or entry.kind not in kinds
            or (entry.kind, entry.id) in ids
            or not names.isdisjoint({(entry.kind, entry.key), (entry.kind, entry.title or entry.key)})
            for entry in added
        )


def _referred(entry: Entry, notes: object) -> ReferredEntry:
    title = str(entry.fields.get(RECORDS[entry.kind].title_field) or "")
    text = repr((sorted(entry.fields.items()), notes))
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
    return ReferredEntry(entry.kind.value, entry.key, title, entry.id, digest)
