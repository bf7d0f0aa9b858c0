"""Listings that are found equal while the server is read, so that no record of them needs to be in memory."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain

from ...model import Entry, Kind
from ...model.entry import NO_NOTES
from ...remote.synced_records import NotSynced
from ..comparing.base import UNKNOWN_BASE, Base, custom_label
from ..comparing.diff import is_plainly_equal
from .synced_listings import SyncedRow, may_have_left_out_record, synced_records


class EqualListings:
    """The listings of the `entries` of a folder that are left out of its plan; `rows` are these listings, by key."""

    def __init__(self, entries: Iterable[Entry], base: Base) -> None:
        self._entries = {entry.key: entry for entry in entries if entry.kind is Kind.LISTING}
        # After a stopped rename or a pull, the record of a listing may have another key. Then leave out no listing.
        has_other_keys = any(applied.moving or applied.before_pull for applied in base.values())
        self._base = UNKNOWN_BASE if has_other_keys else base
        self._names_by_label = {
            custom_label(key, applied.id): key
            for (kind, key), applied in self._base.items()
            if kind is Kind.CUSTOM_FIELD
        }
        self._equal: dict[int, SyncedRow] = {}
        self.rows: Mapping[str, SyncedRow] = {}

    def is_equal(self, record: Entry) -> bool:
        """Return whether the plan has nothing to do for a record, because its listing is certainly equal."""
        entry, applied = self._entries.get(record.key), self._base.get((Kind.LISTING, record.key))
        if entry is None or applied is None or record.id is None or entry.notes != NO_NOTES:
            return False
        names: Iterable[str] = applied.fields
        if self._names_by_label:
            names = [self._names_by_label.get(name, name) for name in names]
        if not is_plainly_equal(entry, record, names) or not applied.is_current(entry, record):
            return False
        self._equal[record.id] = SyncedRow(record.key, str(record.fields.get("slug") or ""), record.id)
        return True

    def leave_out(self, ids: Collection[int], base: Base, actual: Sequence[Entry]) -> Base:
        """Set `rows` to the equal records with the ids, and return the base without them.

        `actual` are the server's other entries. Raise NotSynced if one of them, or another listing of the folder, has a
        key or a slug of the rows, because the plan may have to compare it with a left-out one.
        """
        rows = [self._equal[id_] for id_ in ids]
        records = synced_records(rows)
        self.rows = {row.key: row for row in rows}
        has_duplicate = len(self.rows) != len(rows)
        other_listings = (entry for entry in self._entries.values() if entry.key not in self.rows)
        if has_duplicate or may_have_left_out_record(chain(other_listings, actual), records):
            raise NotSynced
        return base.with_updates(removals=((Kind.LISTING, key) for key in self.rows)) if rows else base
