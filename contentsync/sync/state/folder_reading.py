"""What was read of a folder: all of it, or what is not as it was when it was found equal (decision 18)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from ...content.folder.load import Content
from ...content.formats.table_rows import SyncedRows
from ...model import Entry, Kind
from ...model.custom_field import definitions_of
from ...model.filled_fields import Completeness, count_filled, measure_kinds
from ...remote.synced_records import NotSynced
from .synced_entries import StoredEntries, SyncedEntries, SyncedEntry, file_digest, select_synced_entries

LoadContent = Callable[[Path, SyncedRows | None], Content]  # without the listings of the synced rows


class Reading(NamedTuple):
    """What was read of a folder: all of it, or what is not as it was when a plan found it equal.

    If `content` has errors, it is that of the whole folder.
    """

    content: Content
    rows: SyncedRows | None  # those that were read, and those that were left out; None if none may be left out
    found: Mapping[str, SyncedEntry] = MappingProxyType({})  # the rows that were left out, by digest
    synced: SyncedEntries | None = None  # their entries; None if all was read

    @property
    def is_current(self) -> bool:
        """Whether the folder certainly is as it was read."""
        dependencies = self.content.dependencies
        return dependencies is not None and dependencies.version(self.content.folder) is not None

    @property
    def completeness(self) -> tuple[Completeness, ...]:
        """The completeness of the whole folder."""
        filled = count_filled(self.content.entries)
        for row in self.found.values():
            filled[Kind(row.kind)][row.filled] += 1
        locales = self.content.config.site.locales[1:]  # without the default language
        return tuple(measure_kinds(filled, definitions_of(self.content.entries), locales))

    def with_found(self, rows: Mapping[str, SyncedEntry]) -> "Reading":
        """Return it as if these rows had been left out."""
        keys = {(row.kind, row.key) for row in rows.values()}
        entries = tuple(entry for entry in self.content.entries if (entry.kind.value, entry.key) not in keys)
        return self._replace(content=replace(self.content, entries=entries), found=rows)

    def without(self, stored: StoredEntries, still_synced: Mapping[str, SyncedEntry]) -> "Reading":
        """Leave out the entries that are `still_synced`. Raise NotSynced if the plan of the rest may depend on them."""
        rows = self.rows or SyncedRows()
        digests, entries = [*rows.found], []
        for entry in self.content.entries:
            digest = _digest(entry, rows) if entry.kind in stored.directory.lists else None
            if digest is not None and digest in still_synced:
                digests.append(digest)
            else:
                entries.append(entry)
        found = [still_synced[digest] for digest in digests]
        synced = select_synced_entries(found, entries, self.content.former_addresses)
        if synced is None:
            raise NotSynced
        content = replace(self.content, entries=tuple(entries))
        return Reading(content, rows, dict(zip(digests, found, strict=True)), synced)


def read_changed(
    folder: Path, load: LoadContent, stored: StoredEntries, still_synced: Mapping[str, SyncedEntry]
) -> Reading:
    """Read the folder without the `still_synced` entries. Raise NotSynced if its plan may differ from the whole one."""
    rows = SyncedRows(still_synced.keys())
    content = load(folder, rows)
    if content.problems != stored.warnings:
        raise NotSynced
    return Reading(content, rows).without(stored, still_synced)


def _digest(entry: Entry, rows: SyncedRows) -> str | None:
    if entry.kind is not Kind.LISTING:
        return file_digest(entry)
    return rows.others.get((entry.source.path, entry.source.line)) if entry.source else None
