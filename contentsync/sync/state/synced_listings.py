"""Rows of tables whose listings a plan has found equal on all three sides: later plans leave them out (decision 18)."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, NamedTuple

import orjson

from ...content.files.cache_file import read_sealed, write_sealed
from ...content.files.content_folder import make_private_root_of
from ...content.files.validation_report import problem_from_row, problem_to_row
from ...content.formats.table_rows import SyncedRows
from ...errors import Problem
from ...model import RECORDS, Entry, Kind
from ...model.entry import NO_NOTES
from ...remote.list_reader import RecordList
from ...remote.synced_records import ListingDigests, SyncedRecords
from ..comparing.base import Base
from ..comparing.change import Action
from ..planning.plan import Plan
from .state_dir import StateDir

_REFERRED = frozenset({*RECORDS[Kind.LISTING].references.values(), Kind.CUSTOM_FIELD})


class SyncedRow(NamedTuple):
    """The key of the listing of a row, and the slug and id of its record.

    Other listings must not share key or slug. The record and the line of the state file have digests.
    """

    key: str
    slug: str
    id: int
    record: str = ""
    line: str = ""


class RowDigests(NamedTuple):
    """The digests of what is compared: rows by path and line, records by id, and lines of the state by key."""

    rows: Mapping[tuple[str, int], str]
    records: Mapping[int, str]
    lines: Mapping[str, str]


class StoredRows(NamedTuple):
    """All synced rows of a folder, and what their comparison depended on."""

    rows: Mapping[str, SyncedRow]  # by the digest of the row in its table
    settings: str  # a digest of the config, the target and the options
    referred: str  # the result of `digest_referred`
    warnings: tuple[Problem, ...]  # of the whole folder
    etag: str  # of the list of listings
    length: int  # of this list
    unknown: frozenset[str]  # the fields of listings that the service does not return
    names: frozenset[str] | None = None  # of the fields of all listings; None if their list is as it was

    @property
    def record_list(self) -> RecordList:
        """The list of listings without its records, for a conditional request."""
        return RecordList(self.etag, [], count=self.length)

    def with_records(self, listings: ListingDigests) -> "StoredRows":
        """Return the rows whose records have not changed."""
        rows = {digest: row for digest, row in self.rows.items() if listings.of_records.get(row.id) == row.record}
        return self._replace(rows=rows, names=listings.names)

    def with_lines(self, digests: Collection[str]) -> "StoredRows":
        """Return the rows whose lines of the state file have not changed."""
        return self._replace(rows={digest: row for digest, row in self.rows.items() if row.line in digests})


class SyncedListings(NamedTuple):
    """The listings that are left out of a plan: their keys, records, and the digests of their lines in the state."""

    keys: frozenset[str]
    records: SyncedRecords
    lines: frozenset[str]


def find_synced_rows(
    entries: Iterable[Entry],
    warnings: Iterable[Problem],
    plan: Plan,
    digests: RowDigests,
    known: Mapping[str, SyncedRow] = MappingProxyType({}),
) -> dict[str, SyncedRow]:
    """Return the synced rows among the entries of a folder: those with which the plan has nothing to do.

    `known` are listings that were left out of the plan, by key.

    Leave out tables with a warning, which may depend on several rows, and rows with `sync` settings. Leave out listings
    whose key several records have, or whose slug is another one on the server.
    """
    concerned = {
        *((change.kind, change.key) for change in plan.changes),
        *((drift.entry.kind, drift.entry.key) for drift in plan.drift),
        *(applied.identity for applied in plan.base_updates),
        *plan.base_removals,
        *plan.left_deleted,
    }
    flawed = {problem.where.path for problem in warnings}
    records: dict[str, list[Entry]] = defaultdict(list)
    for record in plan.actual:
        if record.kind is Kind.LISTING:
            records[record.key].append(record)
    rows: dict[str, SyncedRow] = {}
    for entry in entries:
        if entry.kind is not Kind.LISTING or entry.source is None or entry.source.path in flawed:
            continue
        row_digest = digests.rows.get((entry.source.path, entry.source.line))
        if row_digest is None or entry.notes != NO_NOTES or (entry.kind, entry.key) in concerned:
            continue
        row = known.get(entry.key) or _synced_row(entry, records.get(entry.key, ()), plan.base)
        if row is not None and row.id in digests.records and row.key in digests.lines:
            rows[row_digest] = row._replace(record=digests.records[row.id], line=digests.lines[row.key])
    return rows


def digest_referred(entries: Iterable[Entry], plan: Plan) -> str:
    """Return a digest of what listings may refer to, in the folder (`entries`), on the server and in the base.

    These are categories, tags, organizers and custom fields.
    """
    sides: list[list[list[Any]]] = [
        [[entry.kind, entry.key, entry.fields, entry.notes] for entry in entries if entry.kind in _REFERRED],
        [[record.kind, record.key, record.fields, record.id] for record in plan.actual if record.kind in _REFERRED],
        [[*key, applied.id] for key, applied in plan.base.items() if key[0] in _REFERRED],
    ]
    digest = blake2b(digest_size=16)
    for side in sides:
        digest.update(repr(sorted(map(repr, side))).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _synced_row(listing: Entry, records: Sequence[Entry], base: Base) -> SyncedRow | None:
    """Return the synced row of a listing, without the digests of its record and its line.

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
    return SyncedListings(frozenset(records.keys), records, frozenset(row.line for row in rows))


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


def read_synced_rows(state_dir: StateDir) -> StoredRows | None:
    """Return the stored rows of a target; None if there are none, or if another machine wrote them."""
    document = read_sealed(state_dir.root, _path(state_dir))
    try:
        stored = orjson.loads(document)
        rows = dict(zip(stored["rows"], map(SyncedRow, *stored["columns"]), strict=True))
        warnings = tuple(map(problem_from_row, stored["warnings"]))
        etag, length = stored["list"]
        unknown = frozenset(stored["unknown"])
        return StoredRows(rows, stored["settings"], stored["referred"], warnings, etag, length, unknown)
    except (KeyError, TypeError, ValueError):  # there is no document, or another version of the program wrote it
        return None


def write_synced_rows(state_dir: StateDir, stored: StoredRows) -> None:
    """Store the rows, unless there are none. Ignore a write error: the next plan then compares them again."""
    if not stored.rows:
        return
    document = {
        "rows": [*stored.rows],
        "columns": [*zip(*stored.rows.values(), strict=True)],
        "settings": stored.settings,
        "referred": stored.referred,
        "warnings": [problem_to_row(problem) for problem in stored.warnings],
        "list": [stored.etag, stored.length],
        "unknown": [*stored.unknown],
    }
    with suppress(OSError):
        make_private_root_of(state_dir.synced_rows)
        state_dir.synced_rows.parent.mkdir(parents=True, exist_ok=True)
        write_sealed(state_dir.root, _path(state_dir), [orjson.dumps(document)])


def _path(state_dir: StateDir) -> str:
    return state_dir.synced_rows.relative_to(state_dir.root).as_posix()


def concerns_others(plan: Plan) -> bool:
    """Return whether a plan may change entries that it does not contain, because other entries refer to them.

    These are listings whose categories, tags, organizers or custom fields it renames or deletes.
    """
    has_renames = bool(plan.folder_keys)  # of categories, tags, organizers or custom fields
    return has_renames or any(
        change.action is Action.DELETE and change.kind is not Kind.LISTING for change in plan.changes
    )
