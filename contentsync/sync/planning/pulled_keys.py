"""Give the values that a pull writes the keys that the folder has afterwards."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...authoring.edit.file_edits import RemoteChanges
from ...model import Entry, EntryKey, Kind
from ..comparing.entry_fields import KeyNames, rename_references


def in_pulled_keys(changes: RemoteChanges) -> RemoteChanges:
    """Return the changes with the keys that the folder has after the pull, in references and names of custom fields.

    `plan_pull` returns changed values with the folder's keys from before, and records with those of the server.
    """
    renamed = changes.renamed
    of_records = {
        (record.kind, record.key): key
        for (kind, key), record in changes.server_entries.items()
        if record.key != key and (kind, key) not in renamed
    }
    return replace(
        changes,
        changes={key: _renamed_fields(key, fields, _names(renamed)) for key, fields in changes.changes.items()},
        new=[rename_references(entry, of_records) for entry in changes.new],
        server_entries={key: rename_references(record, of_records) for key, record in changes.server_entries.items()},
        actual=[rename_references(record, of_records) for record in changes.actual] if of_records else changes.actual,
    )


def after_renames(changes: RemoteChanges, renamed: Mapping[EntryKey, EntryKey]) -> RemoteChanges:
    """Return the changes for a folder in which entries have been `renamed` already."""
    if not renamed:
        return changes
    return replace(
        changes,
        changes={
            renamed.get(key, key): _renamed_fields(key, fields, _names(renamed))
            for key, fields in changes.changes.items()
        },
        server_entries={renamed.get(key, key): record for key, record in changes.server_entries.items()},
    )


def _names(renamed: Mapping[EntryKey, EntryKey]) -> KeyNames:
    return {old: new_key for old, (_kind, new_key) in renamed.items()}


def _renamed_fields(key: EntryKey, fields: Mapping[str, Any], names: KeyNames) -> Mapping[str, Any]:
    kind: Kind = key[0]
    return rename_references(Entry(kind, key[1], fields), names).fields
