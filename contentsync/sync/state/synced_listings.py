"""Listings that are equal to their records, so that a plan leaves them out on all three sides (decision 18).

Listings of tables are stored when an empty plan is cached, and left out of later plans. `EqualListings` finds the equal
listings of `plan` while the server is read, so that no record of them needs to be in memory.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

import orjson

from ...content.files.cache_file import read_with_stamp
from ...content.folder.load import Content, digest_rows
from ...content.formats.table_rows import TABLE_SUFFIXES, SyncedRows
from ...file_writes import write_file
from ...model import Entry, Kind
from ...model.entry import NO_NOTES
from ...remote.synced_records import ListingDigests, NotSynced, SyncedRecords
from ..comparing.base import UNKNOWN_BASE, Base, custom_label
from ..comparing.change import Action
from ..comparing.diff import is_plainly_equal
from ..planning.plan import Plan
from .state_dir import StateDir


class SyncedRow(NamedTuple):
    """The key of the listing of a row, and the slug, id and digest of its record.

    Other listings must not share key or slug. Without a digest, it only counts while the list is unchanged.
    """

    key: str
    slug: str
    id: int
    digest: str = ""


class StoredRows(NamedTuple):
    """All synced rows of a folder, and what their comparison depended on."""

    rows: Mapping[str, SyncedRow]  # by the digest of the row in its table
    unknown: frozenset[str]  # the fields of listings that the service does not return
    organizers: str = ""  # the result of `digest_organizers`
    names: frozenset[str] | None = None  # of the fields of all listings; None if their list is as it was

    def with_listings(self, listings: ListingDigests) -> "StoredRows":
        """Return the rows whose records have not changed."""
        rows = {digest: row for digest, row in self.rows.items() if listings.of_records.get(row.id) == row.digest}
        return self._replace(rows=rows, names=listings.names)


NO_ROWS = StoredRows({}, frozenset())


class SyncedListings(NamedTuple):
    """The keys of listings that are left out of a plan, and their records."""

    keys: frozenset[str]
    records: SyncedRecords


def find_synced_rows(
    content: Content,
    plan: Plan,
    record_digests: Mapping[int, str],
    unknown: frozenset[str] = frozenset(),
    equal: Mapping[str, SyncedRow] = MappingProxyType({}),
) -> StoredRows:
    """Return the synced rows of a folder whose plan is empty; `record_digests` are the digests of the records, by id.

    `unknown` are the fields of listings that the service does not return, and `equal` are the listings that are left
    out of the plan, by key.

    Leave out tables with a warning, which may depend on several rows, and rows with `sync` settings. Leave out listings
    whose key several records have, or whose slug is another one on the server.
    """
    flawed = {problem.where.path for problem in content.problems}
    listings: dict[tuple[str, int], Entry] = {}
    for entry in content.entries:
        if entry.kind is Kind.LISTING and entry.source and entry.notes == NO_NOTES:  # without `sync` settings
            path = entry.source.path
            if path not in flawed and path.lower().endswith(TABLE_SUFFIXES):
                listings[path, entry.source.line] = entry
    records: dict[str, list[Entry]] = defaultdict(list)
    for record in plan.actual:
        if record.kind is Kind.LISTING:
            records[record.key].append(record)
    rows: dict[str, SyncedRow] = {}
    for path, line, row_digest in digest_rows(content.folder, content.config, {path for path, _line in listings}):
        listing = listings.get((path, line))
        if listing is None:
            continue
        row = equal.get(listing.key) or _synced_row(listing, records.get(listing.key, ()), plan.base)
        if row is not None:
            rows[row_digest] = row._replace(digest=record_digests.get(row.id, ""))
    return StoredRows(rows, unknown, organizers=digest_organizers(plan.actual))


def digest_organizers(actual: Iterable[Entry]) -> str:
    """Return a digest of the organizers on the server, without what they contain of listings."""
    organizers = [entry for entry in actual if entry.kind is Kind.ORGANIZER]
    rows = sorted([entry.id or 0, entry.key, orjson.dumps(entry.fields)] for entry in organizers)
    return _digest(repr(rows).encode())


def _synced_row(listing: Entry, records: Sequence[Entry], base: Base) -> SyncedRow | None:
    """Return the synced row of a listing, without the digest of its record.

    `records` are those with its key. Return None unless there is exactly one, and it is the record of the listing's
    applied entry and has the listing's slug.
    """
    applied = base.get((Kind.LISTING, listing.key))
    if applied is None or applied.id is None or applied.moving:  # moving: the applied key is a temporary one
        return None
    if len(records) != 1 or records[0].id != applied.id:
        return None
    slug = records[0].fields.get("slug")
    if listing.fields.get("slug", slug) != slug:
        return None
    return SyncedRow(listing.key, str(slug or ""), applied.id)


def select_synced_listings(found: SyncedRows, stored: StoredRows, entries: Iterable[Entry]) -> SyncedListings | None:
    """Return the listings of the stored rows that the folder still has (`found`), and their records.

    Return None if there are none, if a row was found twice, or if one of the other `entries` may be the listing of a
    found row.
    """
    rows = [stored.rows[digest] for digest in found.found]
    records = synced_records(rows, stored.unknown, stored.names)
    has_duplicate = len(records.keys) != len(rows)
    if not rows or has_duplicate or may_have_left_out_record(entries, records):
        return None
    return SyncedListings(frozenset(records.keys), records)


def synced_records(
    rows: Iterable[SyncedRow], unknown: frozenset[str] = frozenset(), names: frozenset[str] | None = None
) -> SyncedRecords:
    """Return the records of rows; `unknown` and `names` are those of SyncedRecords."""
    return SyncedRecords(
        {row.id for row in rows}, {row.key for row in rows}, {row.slug for row in rows}, unknown, names
    )


def may_have_left_out_record(entries: Iterable[Entry], records: SyncedRecords) -> bool:
    """Return whether a listing among the entries may have one of the left-out `records`, by its keys or its slug."""
    return any(
        entry.key in records.keys
        or entry.fields.get("slug") in records.slugs
        or any(key in records.keys for key in entry.notes.previous)
        for entry in entries
        if entry.kind is Kind.LISTING
    )


def read_synced_rows(state_dir: StateDir, digest: str) -> StoredRows | None:
    """Return the stored rows of a target; None unless their file has the digest."""
    path = state_dir.synced_rows.relative_to(state_dir.root).as_posix()
    data, _stamp = read_with_stamp(state_dir.root, path)
    if not data or _digest(data) != digest:
        return None
    stored = orjson.loads(data)
    rows = map(SyncedRow, stored["keys"], stored["slugs"], stored["ids"], stored["records"])
    by_digest = dict(zip(stored["digests"], rows, strict=True))
    return StoredRows(by_digest, frozenset(stored["unknown"]), stored["organizers"])


def write_synced_rows(state_dir: StateDir, stored: StoredRows) -> str:
    """Store the rows; return the digest of their file for `read_synced_rows`. Raise OSError.

    Without rows, return "" and write nothing; a file of earlier rows is not read again, because its digest is not "".
    """
    if not stored.rows:
        return ""
    row_digests = [*stored.rows]
    keys, slugs, ids, record_digests = zip(*stored.rows.values(), strict=True)
    columns = {"digests": row_digests, "keys": keys, "slugs": slugs, "ids": ids, "records": record_digests}
    data = orjson.dumps({**columns, "unknown": [*stored.unknown], "organizers": stored.organizers})
    write_file(state_dir.synced_rows, data)
    return _digest(data)


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


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


def concerns_others(plan: Plan) -> bool:
    """Return whether a plan may change entries that it does not contain, because other entries refer to them.

    These are listings whose categories, tags, organizers or custom fields it renames or deletes.
    """
    has_renames = bool(plan.folder_keys)  # of categories, tags, organizers or custom fields
    return has_renames or any(
        change.action is Action.DELETE and change.kind is not Kind.LISTING for change in plan.changes
    )
