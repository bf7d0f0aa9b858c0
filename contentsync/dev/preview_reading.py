"""Read the folder of `dev`: without the listings whose rows are as the database has them (decision 18)."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from ..content.config.config import Config, read_local_config
from ..content.folder.load import Content, load_content
from ..content.folder.unit_cache import InMemoryCache
from ..content.formats.table_rows import SyncedRows
from ..model import Entry, EntryKey, Kind
from ..remote.list_reader import RecordList
from ..remote.record_reader import DirectoryVersion
from ..remote.synced_records import NotSynced
from ..sync.comparing.base import Base
from ..sync.planning.plan import Plan
from ..sync.state.folder_reading import Reading, read_changed
from ..sync.state.referred_entries import ReferredEntries
from ..sync.state.synced_entries import RowDigests, StoredEntries, find_synced_entries, may_leave_out_rows
from .known_entries import KnownEntries

_NO_PLAN = Plan(stages=(), actual=(), unchanged={}, unmanaged=())
_KINDS = {Kind.LISTING: frozenset[str]()}  # that are left out, with the fields that the database does not return


def read_preview(
    folder: Path, cache: InMemoryCache, known: KnownEntries | None, *, single_process: bool = True
) -> Reading:
    """Read a folder without the listings whose rows are as the database is `known` to have them, if it may be planned.

    `single_process` is the one of `load_content`.
    """

    def load(folder: Path, rows: SyncedRows | None) -> Content:
        content = load_content(folder, cache, single_process=single_process, synced=rows, read_config=read_local_config)
        entries = tuple(_preview_entry(entry) for entry in content.entries if not entry.notes.skip)
        # With no files, no process helps to compare the stamps: then there are threads.
        dependencies = content.dependencies and content.dependencies._replace(files=0)
        return replace(content, entries=entries, dependencies=dependencies)

    stored = known.rows if known and known.rows.rows else None
    if stored:
        with suppress(NotSynced):
            return _check(read_changed(folder, load, stored, stored.rows), stored)
    config, _problems = read_local_config(folder)
    rows = SyncedRows() if may_leave_out_rows(config) else None  # else `load` may cache tables
    whole = Reading(load(folder, rows), rows)
    if stored and rows and not whole.content.errors:
        with suppress(NotSynced):
            return _check(whole.without(stored, stored.rows), stored)
    return whole


def known_after(reading: Reading, entries: Mapping[EntryKey, Entry], base: Base) -> KnownEntries:
    """Return what the database has of the folder after a sync without a failure; `base` is that of its `entries`."""
    content, rows = reading.content, reading.rows or SyncedRows()
    listings = [applied for applied in base.values() if applied.kind is Kind.LISTING and applied.id is not None]
    records = tuple(Entry(Kind.LISTING, each.key, {"slug": each.slug}, id=each.id) for each in listings)
    sides = RowDigests(
        rows.others, {Kind.LISTING: {record.id: "" for record in records}}, {each.identity: "" for each in listings}
    )
    plan = replace(_NO_PLAN, actual=records, base=base)
    found = find_synced_entries(content.entries, content.problems, plan, sides)
    stored = StoredEntries(
        {**reading.found, **found},
        settings_digest(content.config),
        _referred(content.entries),
        content.problems,
        DirectoryVersion((), dict.fromkeys(_KINDS, RecordList(None))),
        _KINDS,
    )
    left_out = {(Kind.LISTING, row.key) for row in found.values()}
    return KnownEntries(stored, {identity: entry for identity, entry in entries.items() if identity not in left_out})


def settings_digest(config: Config) -> str:
    """Return a digest of what all entries depend on besides their files."""
    return sha256(config.text.encode()).hexdigest()


def _check(reading: Reading, stored: StoredEntries) -> Reading:
    """Raise NotSynced if the rows that were left out may have got other values."""
    if stored.settings != settings_digest(reading.content.config):
        raise NotSynced
    if not stored.referred.are_extended_by(_referred(reading.content.entries)):
        raise NotSynced
    return reading


def _referred(entries: Collection[Entry]) -> ReferredEntries:
    """Return the entries of the folder that listings may refer to; the database has the same."""
    return ReferredEntries.find(entries, _NO_PLAN)


def _preview_entry(entry: Entry) -> Entry:
    """Return the entry without what only concerns a real server: its `user_id`, and `protect`.

    The preview's database does not have the server's users, and `protect` would keep removed entries in the preview.
    """
    if "user_id" not in entry.fields and not entry.notes.protect:
        return entry
    fields = {name: value for name, value in entry.fields.items() if name != "user_id"}
    return replace(entry, fields=fields, notes=entry.notes._replace(protect=False))
