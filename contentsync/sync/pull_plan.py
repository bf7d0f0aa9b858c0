"""The plan of a pull: the values of the server to write into the folder, and the local changes that they overwrite."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..content.edit.field_values import Definitions, definitions_of
from ..content.edit.file_edits import RemoteChanges
from ..model import FIELDABLE, RECORDS, Entry, EntryKey, Kind
from .comparing.base import AppliedEntry, Base
from .comparing.entry_fields import BODIES, is_authored, is_unknown, value_at
from .comparing.fingerprint import are_equal
from .comparing.key_translation import KeyTranslation
from .comparing.matching import Matching
from .plan import Selection

_GENERATED = frozenset({"slug", "published_at", "category_id"})  # by the service, if they are not set


@dataclass(frozen=True, repr=False)  # asyncio would format the result of each task
class PullPlan:
    """The changes that a pull writes, and the local changes that these overwrite."""

    incoming: RemoteChanges
    # The fields, by entry, that the folder may have changed; none for an entry that was deleted in the folder.
    local_changes: Mapping[EntryKey, tuple[str, ...]]
    local_only: tuple[Entry, ...]  # of the folder, and not on the server: they stay unchanged
    # Local changes of fields that changed on the server too.
    conflicts: Mapping[EntryKey, tuple[str, ...]] = field(default_factory=dict)
    deleted_here: frozenset[tuple[Kind, int | None]] = frozenset()  # the records of entries that the folder deleted
    # Local changes that are not overwritten.
    left_alone: Mapping[EntryKey, tuple[str, ...]] = field(default_factory=dict)

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
) -> PullPlan:
    """Return the plan of a pull for the selected entries, except entries marked `sync.skip`.

    References must be resolved. Without a base, each field that differs counts as changed in the folder. `locales`
    are the languages besides the default; `is_excluded` is the same as for `make_plan`. Raise ContentError for entries
    whose notes of former keys contradict each other.
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
    for entry in desired:
        match = matching.find(entry)
        key = entry.kind, entry.key
        if match.actual is not None:
            records[key] = match.actual
        is_selected = entry in selection or (match.actual is not None and match.actual in selection)
        if entry.notes.skip or not is_selected:
            continue
        if match.actual is None:
            local_only.append(entry)
            continue
        record = keys.translate_record(match.actual)
        compared = keys.compare(entry, match.actual, match.applied)
        fields = {
            name: change.before
            for name, change in compared.changes.items()
            if not is_unknown(record, name) and not _is_other_locale(name, locales)
        }
        maybe_local = tuple(name for name in fields if name not in compared.drifted)
        changed_on_both = tuple(name for name in maybe_local if name in compared.conflicts)
        # Fields that the folder does not set are not changed in it, so they are added only now.
        fields |= dict(_unset_fields(entry, record, definitions, locales))
        if fields:
            changes[key] = fields
        if maybe_local:
            local_changes[key] = maybe_local
        if changed_on_both:
            conflicts[key] = changed_on_both
    new = [entry for entry in actual if entry in selection and not matching.is_matched(entry)]
    orphans = [
        (applied, record) for applied, record in matching.orphans() if record is not None and record in selection
    ]
    local_changes |= {applied.identity: () for applied, _record in orphans}
    deleted_here = frozenset((record.kind, record.id) for _applied, record in orphans)
    incoming = RemoteChanges(changes, new, records, actual)
    return PullPlan(incoming, local_changes, tuple(local_only), conflicts, deleted_here)


def _is_other_locale(name: str, locales: Sequence[str]) -> bool:
    """Return whether a field is a text in a language that the folder does not have."""
    return name.startswith("translations.") and name.split(".")[1] not in locales


def _unset_fields(
    entry: Entry, actual: Entry, definitions: Definitions, locales: Sequence[str]
) -> Iterator[tuple[str, Any]]:
    """Yield the fields that the folder does not set, with the server's value, unless it is the default."""
    rules = RECORDS[entry.kind].rules()
    # An article has two bodies, `markdown` and `content`, of which the site shows one: the file needs no other one.
    skipped = _GENERATED | (BODIES if entry.kind is Kind.ARTICLE else set())
    custom_fields = definitions.get(entry.kind, ()) if entry.kind in FIELDABLE else ()
    for name in (*rules, *custom_fields):
        value = actual.fields.get(name)
        if name == "seo":
            yield from _unset_texts(entry, actual, "seo", fallback={})
        elif name == "translations":
            for locale in locales:
                prefix = f"translations.{locale}"
                yield from _unset_texts(entry, actual, prefix, entry.fields)
                yield from _unset_texts(entry, actual, f"{prefix}.seo", entry.fields.get("seo") or {})
        elif name in actual.fields and name not in skipped and name not in entry.fields:
            default = rules[name].default if name in rules else None
            if not are_equal(entry.kind, name, default, value):
                yield name, value


def _unset_texts(entry: Entry, actual: Entry, prefix: str, fallback: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield each text of the server's object at `prefix` that the folder does not set, unless it is the fallback.

    `fallback` are the texts, by name, that the site shows if the object has none: those of the default language.
    """
    texts = value_at(actual.fields, prefix)
    if not isinstance(texts, Mapping):
        return
    for name, text in texts.items():
        if name == "seo" or text in (None, "") or text == fallback.get(name):
            continue
        if not is_authored(entry, f"{prefix}.{name}"):
            yield f"{prefix}.{name}", text
