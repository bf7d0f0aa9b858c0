"""Rows of tables whose listings a plan has found equal on all three sides: later plans leave them out (decision 18)."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import orjson

from ...content.files.validation_report import problem_from_row, problem_to_row
from ...content.links.former_addresses import EntryAddresses, former_addresses_of, normal_address
from ...errors import Problem
from ...model import Entry, Kind
from ...model.entry import NO_NOTES
from ...model.urls import near_url_key
from ...remote.list_reader import RecordList
from ...remote.synced_records import NotSynced, SyncedRecords
from ..comparing.base import Base
from ..comparing.change import Action
from ..comparing.fingerprint import digest_entry
from ..planning.plan import Plan
from .referred_entries import ReferredEntries
from .state_dir import StateDir


class SyncedRow(NamedTuple):
    """The key, slug and id of a row's listing, which no other listing may have, and the digests of all sides."""

    key: str
    slug: str
    id: int
    entry: str  # `digest_entry` of the listing in the folder: rows with other texts may have the same one
    record: str
    line: str  # of the state file


class RowDigests(NamedTuple):
    """The digests of what is compared: rows by path and line, records by id, and lines of the state by key."""

    rows: Mapping[tuple[str, int], str]
    records: Mapping[int | None, str]
    lines: Mapping[str, str]


class StoredRows(NamedTuple):
    """All synced rows of a folder, and what their comparison depended on."""

    rows: Mapping[str, SyncedRow]  # by the digest of the row in its table
    settings: str  # a digest of the config, the target and the options
    referred: ReferredEntries
    warnings: tuple[Problem, ...]  # of the whole folder
    etag: str  # of the list of listings
    length: int  # of this list
    unknown: frozenset[str]  # the fields of listings that the service does not return

    @property
    def record_list(self) -> RecordList:
        """The list of listings without its records, for a conditional request."""
        return RecordList(self.etag, count=self.length)

    def still_synced(self, lines: Collection[str], records: Collection[str] | None) -> Mapping[str, SyncedRow]:
        """Return the rows whose lines and records are among those with these digests.

        None stands for the records of an unchanged list.
        """
        return {
            digest: row
            for digest, row in self.rows.items()
            if row.line in lines and (records is None or row.record in records)
        }


class SyncedListings(NamedTuple):
    """The listings that are left out of a plan, by what the three sides have of them."""

    keys: frozenset[str]
    records: SyncedRecords
    lines: frozenset[str]
    entries: Mapping[str, str]  # the digest of each listing, by name

    def check(self, base: Base) -> None:
        """Raise NotSynced if the other lines of the state are about one of them too: then the file is damaged."""
        keys, ids = self.keys, self.records.ids
        listings = (applied for applied in base.values() if applied.kind is Kind.LISTING)
        if any(applied.key in keys or applied.id in ids for applied in listings):
            raise NotSynced


def find_synced_rows(
    entries: Collection[Entry],
    warnings: Collection[Problem],
    plan: Plan,
    digests: RowDigests,
) -> dict[str, SyncedRow]:
    """Return the synced rows among the entries of a folder: those with which the plan has nothing to do.

    Leave out tables with a warning, which may depend on several rows, and rows with `sync` settings; the warning of a
    house rule depends on its row alone. Leave out listings whose key several records have, whose slug is another one on
    the server, or whose URL is nearly that of another one, which may have a note about it.
    """
    of_rules = {problem for problem in warnings if problem.breaks_rule and problem.key}
    concerned = {
        *((change.kind, change.key) for change in plan.changes),
        *((drift.entry.kind, drift.entry.key) for drift in plan.drift),
        *(applied.identity for applied in plan.base_updates),
        *plan.base_removals,
        *plan.left_deleted,
        *((problem.kind, problem.key) for problem in of_rules),
    }
    flawed = {problem.where.path for problem in warnings if problem not in of_rules}
    records: dict[str, list[Entry]] = defaultdict(list)
    for actual in plan.actual:
        if actual.kind is Kind.LISTING:
            records[actual.key].append(actual)
    listings_by_url = Counter(near_url_key(entry.key) for entry in entries if entry.kind is Kind.LISTING)
    rows: dict[str, SyncedRow] = {}
    for entry in entries:
        if entry.kind is not Kind.LISTING or entry.source is None or entry.source.path in flawed:
            continue
        row_digest = digests.rows.get((entry.source.path, entry.source.line))
        if row_digest is None or entry.notes != NO_NOTES or (entry.kind, entry.key) in concerned:
            continue
        if listings_by_url[near_url_key(entry.key)] > 1:
            continue
        record = _synced_record(entry, records.get(entry.key, ()), plan.base)
        if record and record.id is not None and record.id in digests.records and entry.key in digests.lines:
            slug = str(record.fields.get("slug") or "")
            sides = digest_entry(entry), digests.records[record.id], digests.lines[entry.key]
            rows[row_digest] = SyncedRow(entry.key, slug, record.id, *sides)
    return rows


def _synced_record(listing: Entry, records: Sequence[Entry], base: Base) -> Entry | None:
    """Return the record of a listing with which a plan has nothing to do; None if it may concern others.

    `records` are those with its key: there must be exactly one, and it must be the record of the listing's applied
    entry and have the listing's slug.
    """
    applied = base.get((Kind.LISTING, listing.key))
    if applied is None or applied.id is None or applied.moving:  # moving: the applied key is a temporary one
        return None
    if len(records) != 1 or records[0].id != applied.id:
        return None
    slug = records[0].fields.get("slug")
    if listing.fields.get("slug", slug) != slug:
        return None
    return records[0]


def select_synced_listings(
    rows: Sequence[SyncedRow],
    unknown: frozenset[str],
    entries: Iterable[Entry],
    addresses: Iterable[EntryAddresses] = (),
) -> SyncedListings | None:
    """Return the listings of the rows that the folder still has, and their records; `unknown` is that of the rows.

    Return None if there are none, if a row was found twice, if one of the other `entries` may be the listing of a found
    row or has nearly its URL, or if one of their former `addresses` is that of such a listing: links to it would lead
    to the entry.
    """
    columns = ({row.record for row in rows}, {row.key for row in rows}, {row.slug for row in rows})
    records = SyncedRecords(*columns, {row.id for row in rows}, unknown)
    has_duplicate = len(records.keys) != len(rows)
    if not rows or has_duplicate or _may_have_left_out_record(entries, records):
        return None
    if any(_is_address_of(address, records.slugs) for each in addresses for address in former_addresses_of(each)):
        return None
    prefix = f"{Kind.LISTING} "
    digests = {prefix + row.key: row.entry for row in rows}
    return SyncedListings(frozenset(records.keys), records, frozenset(row.line for row in rows), digests)


def _may_have_left_out_record(entries: Iterable[Entry], records: SyncedRecords) -> bool:
    """Return whether a listing among the entries may have one of the left-out `records`, by its keys or its slug.

    Also return True if its URL is nearly that of one of them: the folder then has a warning.
    """
    listings = [entry for entry in entries if entry.kind is Kind.LISTING]
    near_keys = {near_url_key(entry.key) for entry in listings}
    if near_keys and not near_keys.isdisjoint(map(near_url_key, records.keys)):
        return True
    return any(
        entry.fields.get("slug") in records.slugs or any(key in records.keys for key in entry.notes.previous)
        for entry in listings
    )


def _is_address_of(address: str, slugs: Collection[str]) -> bool:
    """Return whether an address is that of a listing with one of the slugs; a language may be before it."""
    folder, _, slug = normal_address(address).rpartition("/")
    return slug in slugs and folder.rpartition("/")[2] == "listings"


def read_synced_rows(state_dir: StateDir) -> StoredRows | None:
    """Return the stored rows of a target; None if there are none, or if another machine wrote them."""
    document = state_dir.read_cache(state_dir.synced_rows)
    try:
        stored = orjson.loads(document)
        rows = dict(zip(stored["rows"], map(SyncedRow, *stored["columns"]), strict=True))
        warnings = tuple(map(problem_from_row, stored["warnings"]))
        etag, length = stored["list"]
        unknown = frozenset(stored["unknown"])
        referred = ReferredEntries.from_rows(stored["referred"])
        return StoredRows(rows, stored["settings"], referred, warnings, etag, length, unknown)
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
        "referred": stored.referred.to_rows(),
        "warnings": [problem_to_row(problem) for problem in stored.warnings],
        "list": [stored.etag, stored.length],
        "unknown": [*stored.unknown],
    }
    state_dir.write_cache(state_dir.synced_rows, orjson.dumps(document))


def concerns_others(plan: Plan) -> bool:
    """Return whether a plan may change entries that it does not contain, because other entries refer to them.

    These are listings whose categories, tags, organizers or custom fields it renames or deletes.
    """
    has_renames = bool(plan.folder_keys)  # of categories, tags, organizers or custom fields
    return has_renames or any(
        change.action is Action.DELETE and change.kind is not Kind.LISTING for change in plan.changes
    )
