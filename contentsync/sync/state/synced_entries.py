"""Entries that a plan has found equal on all three sides: later plans leave them out (decision 18).

Of a table, the rows are left out while it is read. Articles and pages have a file each: all of them are read, because
their texts depend on the addresses of others.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from sys import intern
from typing import Any, NamedTuple

from ...content.config.config import Config
from ...content.files.validation_report import problem_from_row, problem_to_row
from ...content.links.former_addresses import EntryAddresses, former_addresses_of, normal_address
from ...errors import Problem
from ...model import RECORDS, Entry, EntryKey, Kind
from ...model.entry import NO_NOTES
from ...model.filled_fields import FilledNames, filled_names
from ...model.urls import near_url_key
from ...remote.record_reader import DirectoryVersion
from ...remote.synced_records import NotSynced, SyncedRecords
from ..comparing.base import Base
from ..comparing.change import Action
from ..comparing.fingerprint import digest_entry
from ..planning.plan import Plan
from .plan_cache import directory_from_rows, directory_to_rows
from .referred_entries import ReferredEntries
from .state_dir import StateDir

_FEW = 20  # listings whose addresses are searched for
LEFT_OUT_KINDS = (Kind.LISTING, Kind.PAGE, Kind.ARTICLE)  # no other entry refers to them


class SyncedEntry(NamedTuple):
    """The kind, key, slug and id of an entry, which no other one may have, and the digests of all sides."""

    kind: str
    key: str
    slug: str
    id: int
    entry: str  # `digest_entry` of the entry in the folder: rows with other texts may have the same one
    record: str
    line: str  # of the state file
    locales: str  # of its translations in the folder and in the state, with spaces between them
    record_locales: str  # of those of its record
    is_pulled: bool = False  # a pull has nothing to do with it either: see `unset_fields`
    filled: FilledNames = ()  # the fields that it fills in the folder, for `status`


class RowDigests(NamedTuple):
    """The digests of what is compared: rows by path and line, records by kind and id, and lines of the state."""

    rows: Mapping[tuple[str, int], str]
    records: Mapping[Kind, Mapping[int | None, str]]
    lines: Mapping[EntryKey, str]


class StoredEntries(NamedTuple):
    """All synced entries of a folder, and what their comparison depended on."""

    rows: Mapping[str, SyncedEntry]  # by the digest of the row in its table, or by `file_digest`
    settings: str  # a digest of the config, the target and the options
    referred: ReferredEntries
    warnings: tuple[Problem, ...]  # of the whole folder
    directory: DirectoryVersion  # of the lists of these kinds
    unknown: Mapping[Kind, frozenset[str]]  # the fields that the service does not return

    def still_synced(
        self, lines: Collection[str], records: Mapping[Kind, Collection[str] | None]
    ) -> Mapping[str, SyncedEntry]:
        """Return the rows whose lines and records are among those with these digests.

        None stands for the records of an unchanged list, and for those that are not known.
        """
        found = {kind.value: records.get(kind) for kind in LEFT_OUT_KINDS}  # for speed, no row makes a Kind
        return {
            digest: row
            for digest, row in self.rows.items()
            if row.line in lines and ((present := found[row.kind]) is None or row.record in present)
        }

    def to_document(self) -> Mapping[str, Any]:
        """Return the rows as a document for `StateDir.write_cache`."""
        *columns, filled = [*zip(*self.rows.values(), strict=True)] or [()] * len(SyncedEntry._fields)
        numbers = {names: number for number, names in enumerate(dict.fromkeys(filled))}
        return {
            "rows": self.rows.keys(),
            "columns": [*columns, [numbers[names] for names in filled]],
            "filled": numbers.keys(),
            "settings": self.settings,
            "referred": self.referred,
            "warnings": map(problem_to_row, self.warnings),
            "directory": directory_to_rows(self.directory),
            "unknown": self.unknown.items(),
        }

    @classmethod
    def from_document(cls, stored: Mapping[str, Any]) -> "StoredEntries":
        """Return what `to_document` was made of."""
        kinds, *columns, filled = stored["columns"]
        names = [*map(tuple, stored["filled"])]
        columns.append([names[number] for number in filled])
        rows = dict(zip(stored["rows"], map(SyncedEntry, map(intern, kinds), *columns), strict=True))
        warnings = tuple(map(problem_from_row, stored["warnings"]))
        unknown = {Kind(kind): frozenset(names) for kind, names in stored["unknown"]}
        referred = ReferredEntries.from_rows(stored["referred"])
        return cls(rows, stored["settings"], referred, warnings, directory_from_rows(stored["directory"]), unknown)


class SyncedEntries(NamedTuple):
    """The entries that are left out of a plan, by what the three sides have of them."""

    keys: frozenset[EntryKey]
    records: Mapping[Kind, SyncedRecords]
    lines: frozenset[str]
    entries: Mapping[str, str]  # the digest of each entry, by name
    locales: frozenset[str]  # of their translations

    def check(self, base: Base) -> None:
        """Raise NotSynced if the other lines of the state are about one of them too: then the file is damaged."""
        for applied in base.values():
            records = self.records.get(applied.kind)
            if records and (applied.key in records.keys or applied.id in records.ids):
                raise NotSynced


def file_digest(entry: Entry) -> str:
    """Return the digest of an entry with a file of its own: of its name, the path of the file, and its values."""
    return f"{entry} {entry.source and entry.source.path} {digest_entry(entry)}"


def may_leave_out_rows(config: Config) -> bool:
    """Return whether a plan may leave out rows under a config.

    With an asset store it may not: the pictures of each listing may have to be uploaded, and their addresses depend on
    more than its row. Nor with a unique value, because another row may have the one of a row left out.
    """
    return not (config.assets or any(rule.unique for rule in config.rules.get(Kind.LISTING, ())))


def find_synced_entries(
    entries: Collection[Entry],
    warnings: Collection[Problem],
    plan: Plan,
    digests: RowDigests,
    is_pulled: Callable[[Entry, Entry], bool] = lambda _entry, _record: False,
) -> dict[str, SyncedEntry]:
    """Return the synced entries of a folder: those with which the plan has nothing to do.

    Leave out files with a warning, which may depend on several rows, and entries with `sync` settings; the warning of a
    house rule depends on its row alone. Leave out entries whose key several records have, whose slug is another one on
    the server, or whose URL is nearly that of another one, which may have a note about it. `is_pulled` returns whether
    a pull would do nothing with an entry and its record either.
    """
    from ..planning.prepare import used_locales  # a recalled plan needs it not

    of_rules = {problem for problem in warnings if problem.breaks_rule}
    concerned = {
        *((change.kind, change.key) for change in plan.changes),
        *((drift.entry.kind, drift.entry.key) for drift in plan.drift),
        *(applied.identity for applied in plan.base_updates),
        *((problem.kind, problem.key) for problem in of_rules),
    }
    flawed = {problem.where.path for problem in warnings if problem not in of_rules}
    records: dict[EntryKey, list[Entry]] = defaultdict(list)
    for actual in plan.actual:
        if actual.kind in LEFT_OUT_KINDS:
            records[actual.kind, actual.key].append(actual)
    listings_by_url = Counter(near_url_key(entry.key) for entry in entries if entry.kind is Kind.LISTING)
    rows: dict[str, SyncedEntry] = {}
    shared: dict[FilledNames, FilledNames] = {}  # most entries fill the same fields
    for entry in entries:
        identity = entry.kind, entry.key
        if entry.kind not in digests.records or entry.source is None or entry.source.path in flawed:
            continue
        if entry.notes != NO_NOTES or identity in concerned or identity not in digests.lines:
            continue
        if entry.kind is not Kind.LISTING:
            row_digest: str | None = file_digest(entry)
        elif listings_by_url[near_url_key(entry.key)] > 1:
            continue
        else:
            row_digest = digests.rows.get((entry.source.path, entry.source.line))
        record = _synced_record(entry, records.get(identity, ()), plan.base)
        if row_digest and record and record.id is not None and record.id in digests.records[entry.kind]:
            slug = str(record.fields.get("slug") or "")
            sides = digest_entry(entry), digests.records[entry.kind][record.id], digests.lines[identity]
            locales, record_locales = set[str](), set[str]()
            if RECORDS[entry.kind].translated:
                locales, record_locales = used_locales([entry], [plan.base[identity]]), used_locales([record], [])
            joined = _join(locales), _join(record_locales)
            names = filled_names(entry.fields)
            reported = is_pulled(entry, record), shared.setdefault(names, names)
            rows[row_digest] = SyncedEntry(*identity, slug, record.id, *sides, *joined, *reported)
    return rows


def _synced_record(entry: Entry, records: Sequence[Entry], base: Base) -> Entry | None:
    """Return the record of an entry with which a plan has nothing to do; None if it may concern others.

    `records` are those with its key: there must be exactly one, and it must be the record of the entry's applied entry
    and have the entry's slug.
    """
    applied = base.get((entry.kind, entry.key))
    if applied is None or applied.moving:  # moving: the applied key is a temporary one
        return None
    if len(records) != 1 or records[0].id != applied.id:
        return None
    slug = records[0].fields.get("slug")
    if entry.fields.get("slug", slug) != slug:
        return None
    return records[0]


def select_synced_entries(
    rows: Sequence[SyncedEntry],
    entries: Iterable[Entry],
    addresses: Iterable[EntryAddresses] = (),
) -> SyncedEntries | None:
    """Return the entries of the rows that the folder still has, and their records.

    Return None if there are none, if a row was found twice, if one of the other `entries` may be the entry of a found
    row or has nearly its URL, or if one of their former `addresses` is that of such a listing: links to it would lead
    to the entry.
    """
    by_kind: dict[str, list[SyncedEntry]] = defaultdict(list)
    for row in rows:
        by_kind[row.kind].append(row)
    records: dict[Kind, SyncedRecords] = {}
    for kind in LEFT_OUT_KINDS:
        if found := by_kind.get(kind.value):
            columns = ({row.record for row in found}, {row.key for row in found}, {row.slug for row in found})
            locales = _split(row.record_locales for row in found)
            records[kind] = SyncedRecords(*columns, {row.id for row in found}, locales)
    has_duplicate = sum(len(each.keys) for each in records.values()) != len(rows)
    if not rows or has_duplicate or _may_have_left_out_record(entries, records):
        return None
    slugs = records[Kind.LISTING].slugs if Kind.LISTING in records else ()
    if any(_is_address_of(address, slugs) for each in addresses for address in former_addresses_of(each)):
        return None
    return SyncedEntries(
        frozenset((kind, key) for kind, each in records.items() for key in each.keys),
        records,
        frozenset(row.line for row in rows),
        {f"{row.kind} {row.key}": row.entry for row in rows},
        _split(row.locales for row in rows),
    )


def _join(locales: Collection[str]) -> str:
    return " ".join(sorted(locales))


def _split(locales: Iterable[str]) -> frozenset[str]:
    return frozenset(locale for each in {*locales} for locale in each.split())


def _may_have_left_out_record(entries: Iterable[Entry], left_out: Mapping[Kind, SyncedRecords]) -> bool:
    """Return whether one of the entries may have one of the left-out records, by its keys or its slug.

    Also return True if the URL of a listing is nearly that of one of them: the folder then has a warning.
    """
    others = [(entry, left_out[entry.kind]) for entry in entries if entry.kind in left_out]
    listings = [entry.key for entry, _records in others if entry.kind is Kind.LISTING]
    if listings and _are_near(listings, left_out[Kind.LISTING].keys):
        return True
    return any(
        entry.key in records.keys
        or entry.fields.get("slug") in records.slugs
        or any(key in records.keys for key in entry.notes.previous)
        for entry, records in others
    )


def _are_near(some: Collection[str], many: Collection[str]) -> bool:
    """Return whether the URL of one of some listings is nearly that of one of many others."""
    near = {near_url_key(key) for key in some}
    if len(near) < _FEW:  # for speed: usually, no other URL has the address of one of them
        text = "\n".join(many).lower()
        addresses = [key.partition("?")[0].lower() for key in near]
        if not any(address in text or address.replace("//", "//www.", 1) in text for address in addresses):
            return False
    return not near.isdisjoint(map(near_url_key, many))


def _is_address_of(address: str, slugs: Collection[str]) -> bool:
    """Return whether an address is that of a listing with one of the slugs; a language may be before it."""
    folder, _, slug = normal_address(address).rpartition("/")
    return slug in slugs and folder.rpartition("/")[2] == "listings"


def read_synced_entries(state_dir: StateDir) -> StoredEntries | None:
    """Return the stored rows of a target; None if there are none, or if another machine or program wrote them."""
    stored = state_dir.read_cache(state_dir.synced_rows)
    return StoredEntries.from_document(stored) if stored else None


def write_synced_entries(state_dir: StateDir, stored: StoredEntries) -> None:
    """Store the rows, unless there are none. Ignore a write error: the next plan then compares them again."""
    if stored.rows:
        state_dir.write_cache(state_dir.synced_rows, stored.to_document())


def concerns_others(plan: Plan) -> bool:
    """Return whether a plan may change entries that it does not contain, because other entries refer to them.

    These are listings whose categories, tags, organizers or custom fields it renames or deletes.
    """
    has_renames = bool(plan.folder_keys)  # of categories, tags, organizers or custom fields
    return has_renames or any(
        change.action is Action.DELETE and change.kind is not Kind.LISTING for change in plan.changes
    )
