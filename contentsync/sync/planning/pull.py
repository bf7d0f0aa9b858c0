"""The plan of a pull: what it writes into the folder, and what it leaves alone."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...authoring.edit.file_edits import RemoteChanges
from ...content.entry.identity import NAMED_BY_FILE
from ...errors import join_first
from ...model import RECORDS, Entry, EntryKey, Kind, key_of_title
from ...model.custom_field import definitions_of
from ...printed_commands import WITHOUT_FOLDER
from ..comparing.base import AppliedEntry, Base
from ..comparing.entry_fields import is_unknown
from ..comparing.key_translation import KeyTranslation
from ..comparing.matching import Matching
from .plan import Selection
from .unset_fields import unset_fields


@dataclass(frozen=True)
class PullPlan:
    """The changes that a pull writes, and the local changes that these overwrite."""

    incoming: RemoteChanges
    # The fields, by entry, that the folder may have changed; none for an entry that was deleted in the folder.
    local_changes: Mapping[EntryKey, tuple[str, ...]]
    local_only: tuple[Entry, ...]  # of the folder, and not on the server: they stay unchanged
    # Local changes of fields that changed on the server too; of an entry that one side deleted, the fields that the
    # other side changed.
    conflicts: Mapping[EntryKey, tuple[str, ...]] = field(default_factory=dict)
    deleted_here: frozenset[tuple[Kind, int | None]] = frozenset()  # the records of entries that the folder deleted
    # Local changes that are not overwritten.
    left_alone: Mapping[EntryKey, tuple[str, ...]] = field(default_factory=dict)
    added_on_both: frozenset[EntryKey] = frozenset()  # entries that both sides have added, with other values
    deleted_there: tuple[Entry, ...] = ()  # of the folder: another user deleted their records since the last sync
    kept: Mapping[EntryKey, str] = field(default_factory=dict)  # those of `deleted_there` that must stay, and why
    unwritten: Mapping[EntryKey, str] = field(default_factory=dict)  # entries that cannot be written, and why
    managed: Mapping[Kind, int] = field(default_factory=dict)  # the numbers of applied entries that the server has

    @property
    def renamed_records(self) -> dict[tuple[Kind, int | None], str]:
        """Return the key of each record whose entry in the folder gets this key from the pull, by kind and id."""
        records = (self.incoming.server_entries[key] for key in self.incoming.renamed)
        return {(record.kind, record.id): record.key for record in records}

    @property
    def removed(self) -> list[Entry]:
        """Return the entries that the pull removes from the folder."""
        deleted = {*self.incoming.deleted}
        return [entry for entry in self.deleted_there if (entry.kind, entry.key) in deleted]

    @property
    def not_removed(self) -> list[Entry]:
        """Return the entries that were deleted on the server and stay in the folder."""
        deleted = {*self.incoming.deleted}
        return [entry for entry in self.deleted_there if (entry.kind, entry.key) not in deleted]

    def without_deletes(self, reasons: Mapping[EntryKey, str]) -> "PullPlan":
        """Return the plan of a pull that does not remove some entries, for these `reasons`."""
        deleted = tuple(key for key in self.incoming.deleted if key not in reasons)
        return replace(self, incoming=replace(self.incoming, deleted=deleted), kept={**self.kept, **reasons})

    def without_unwritten(self, reasons: Mapping[EntryKey, str]) -> "PullPlan":
        """Return the plan of a pull that does not write some entries, for these `reasons`."""
        changes = {key: fields for key, fields in self.incoming.changes.items() if key not in reasons}
        new = [entry for entry in self.incoming.new if (entry.kind, entry.key) not in reasons]
        return replace(self, incoming=replace(self.incoming, changes=changes, new=new), unwritten=reasons)

    def without_local_changes(self) -> "PullPlan":
        """Return the plan of a pull that leaves all local changes as they are."""
        new = [entry for entry in self.incoming.new if (entry.kind, entry.id) not in self.deleted_here]
        incoming = replace(self.incoming.without_fields(self.local_changes), new=new)
        return replace(self, incoming=incoming, local_changes={}, left_alone=self.local_changes)


def plan_pull(
    desired: Sequence[Entry],
    actual: Sequence[Entry],
    base: Base,
    selection: Selection,
    locales: Sequence[str],
    is_excluded: Callable[[AppliedEntry], bool] = lambda applied: False,
    command: Callable[..., str] = WITHOUT_FOLDER,
    slug_fields: Collection[str] = (),
) -> PullPlan:
    """Return the plan of a pull for the selected entries, except entries marked `sync.skip`.

    References must be resolved. Without a base, each field that differs counts as changed in the folder. `locales`
    are the languages besides the default; `is_excluded` and `command` are the same as for `make_plan`. `slug_fields`
    are the fields of which a pattern of the config makes the slugs of listings. Raise ContentError for entries whose
    notes of former keys contradict each other.
    """
    matching = Matching(desired, actual, base, is_excluded=is_excluded)
    matching.require_no_contradiction()
    keys = KeyTranslation(matching, desired, actual, base)
    definitions = definitions_of(desired, actual)
    changes: dict[EntryKey, Mapping[str, Any]] = {}
    local_changes: dict[EntryKey, tuple[str, ...]] = {}
    conflicts: dict[EntryKey, tuple[str, ...]] = {}
    records: dict[EntryKey, Entry] = {}
    local_only: list[Entry] = []
    added_on_both: set[EntryKey] = set()
    deleted_there: list[Entry] = []
    kept: dict[EntryKey, str] = {}
    for entry in desired:
        match = matching.find(entry)
        key = entry.kind, entry.key
        if match.actual is not None:
            records[key] = match.actual
        is_selected = entry in selection or (match.actual is not None and match.actual in selection)
        if entry.notes.skip or not is_selected:
            continue
        if match.actual is None:
            applied = matching.find_deleted(entry)
            if applied is None:
                local_only.append(entry)
                continue
            deleted_there.append(entry)
            if changed := keys.changed_in_folder(entry, applied):
                conflicts[key] = tuple(changed)
                create = command("sync", "--only", f"{entry.kind}/{entry.key}", "--on-conflict", "ours")
                kept[key] = f"{join_first(changed)} changed here: {create} creates it again, or delete it here by hand"
            continue
        record = keys.translate_record(match.actual)
        compared = keys.compare(entry, match.actual, match.applied)
        fields = {
            name: change.before
            for name, change in compared.changes.items()
            if not is_unknown(record, name) and not _is_other_locale(name, locales)
        }
        maybe_local = tuple(name for name in fields if name not in compared.drifted)  # drifted: changed by the server
        changed_on_both = tuple(name for name in maybe_local if name in compared.conflicts)
        # Added after `maybe_local`: a field that the folder does not set is no local change.
        fields |= dict(unset_fields(entry, record, definitions, locales))
        fields |= _lost_key(entry, record, fields, slug_fields)
        if fields:
            changes[key] = fields
        if maybe_local:
            local_changes[key] = maybe_local
            if match.applied is None and base.is_known:
                added_on_both.add(key)
        if changed_on_both:
            conflicts[key] = changed_on_both
    new = [entry for entry in actual if entry in selection and not matching.is_matched(entry)]
    orphans = [
        (applied, record) for applied, record in matching.orphans() if record is not None and record in selection
    ]
    for applied, record in orphans:
        local_changes[applied.identity] = ()  # deleted in the folder
        if changed := keys.changed_on_server(applied, record):
            conflicts[applied.identity] = tuple(changed)
    deleted_here = frozenset((record.kind, record.id) for _applied, record in orphans)
    incoming = RemoteChanges(changes, new, records, actual)
    return PullPlan(
        incoming,
        local_changes,
        tuple(local_only),
        conflicts,
        deleted_here,
        added_on_both=frozenset(added_on_both),
        deleted_there=tuple(deleted_there),
        kept=kept,
        managed=Counter(record.kind for record in matching.managed_records()),
    )


def _lost_key(entry: Entry, record: Entry, fields: Mapping[str, Any], slug_fields: Collection[str]) -> dict[str, Any]:
    """Return the slug or name to write into an entry without one, if the changed `fields` would change or lose its key.

    Such a key is made from the title, also if a listing loses its URL; or the slug is made from `slug_fields`.
    """
    key_field, title_field = RECORDS[entry.kind].key_field, RECORDS[entry.kind].title_field
    has_key = entry.source is None or key_field in entry.source.locations or key_field in fields
    if has_key or entry.kind in NAMED_BY_FILE or not record.fields.get(key_field):
        return {}
    if entry.kind is Kind.LISTING and not fields.keys().isdisjoint(slug_fields):
        return {key_field: record.fields[key_field]}
    made_key = key_of_title(entry.kind, str(fields.get(title_field, entry.fields.get(title_field)) or ""))
    is_identity = record.key == record.fields[key_field]  # else it is the URL of a listing
    is_made_from_title = is_identity and entry.key == record.key and title_field in fields
    loses_url = is_identity and entry.key != record.key and "url" in fields
    is_lost = (is_made_from_title or loses_url) and made_key != record.key
    has_none = title_field in fields and not made_key
    return {key_field: record.fields[key_field]} if is_lost or has_none else {}


def _is_other_locale(name: str, locales: Sequence[str]) -> bool:
    """Return whether a field is a text in a language that the folder does not have."""
    return name.startswith("translations.") and name.split(".")[1] not in locales
