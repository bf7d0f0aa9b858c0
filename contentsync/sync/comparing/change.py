"""A change of a plan, the result of applying it, and the references that its deletes leave dangling."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from ...model import FIELDABLE, RECORDS, Entry, EntryKey, Kind
from .base import AppliedEntry, Origin
from .diff import FieldChange
from .entry_fields import KEYED_KINDS, is_custom


class Action(StrEnum):
    """What a change does to an entry on the server."""

    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"


class Expectation(NamedTuple):
    """What is true after a write that is stored as sent."""

    applied: AppliedEntry | None = None  # the applied entry to record; None: no entry
    fingerprints: Mapping[str, str] = MappingProxyType({})  # of the written values on the server, by dotted name


class Change(NamedTuple):
    """One entry to create, update or delete."""

    action: Action
    entry: Entry  # the desired entry; for a delete, the server's
    actual: Entry | None  # the server's entry; None for a create
    fields: Mapping[str, FieldChange] = MappingProxyType({})
    reason: str = ""
    drift: tuple[str, ...] = ()  # the fields that another user changed on the server since the last run
    conflicts: tuple[str, ...] = ()  # those of `drift` that the folder has changed too
    # The fingerprints that the base keeps for fields that the change does not write.
    untouched: Mapping[str, str] = MappingProxyType({})
    previous_key: str | None = None  # the key on the server, if it differs
    applied_after: AppliedEntry | None = None  # for an undo: the applied entry to record, whatever the change writes
    is_unmanaged: bool = False  # afterwards the entry is not managed: the base has no record of it
    recreates: AppliedEntry | None = None  # for a create: the applied entry that another user has deleted
    origin: Origin = "created"  # of the applied entry to record; of a delete, that of the applied entry
    temporary_values: Mapping[str, str] = MappingProxyType({})  # by field: written first, if entries swap slugs
    expected: Expectation = Expectation()  # known when the ids of its references are, shortly before it is sent

    @property
    def kind(self) -> Kind:
        return self.entry.kind

    @property
    def key(self) -> str:
        return self.entry.key

    @property
    def id(self) -> int | None:
        """Return the server's id; None for a create."""
        return self.actual.id if self.actual else None

    @property
    def is_new_listing(self) -> bool:
        return self.kind is Kind.LISTING and self.action is Action.CREATE

    def __str__(self) -> str:
        return f"{self.action} {self.entry}"


class Status(StrEnum):
    """The outcome of a change, as far as it is known."""

    DONE = "done"  # the server confirmed it, or has it
    FAILED = "failed"  # it did not happen, or only in part
    UNKNOWN = "unknown"  # it may have happened: the next run checks it
    SKIPPED = "skipped"  # it was not tried


class Result(NamedTuple):
    """The result of one change."""

    change: Change
    status: Status
    error: str = ""  # one line, with the position in the file where the server named a field
    altered_fields: tuple[str, ...] = ()  # fields that the server accepted and stored differently
    applied: AppliedEntry | None = None  # the applied entry to record in the base; None leaves the base unchanged
    already_existed: bool = False  # the create found the entry, because another user had created it
    before: Mapping[str, Any] | None = None  # the fields of the found entry before this run; None: not known
    is_refused: bool = False  # it failed, and the same request would fail again
    contradicts_list: bool = False  # not done because the server contradicted its own list: plan again

    @property
    def is_open(self) -> bool:
        """Return whether the change is not done but the next run may do it."""
        return self.status is not Status.DONE and not self.is_refused


class DanglingReference(NamedTuple):
    """A field of an entry that loses a value because its target is deleted."""

    entry: Entry
    field: str
    target: EntryKey


def dangling_references(changes: Sequence[Change], actual: Sequence[Entry]) -> Iterator[DanglingReference]:
    """Yield each reference and custom field value that an entry loses because a change deletes its target.

    Omit the fields that the changes write, and entries that they delete.
    """
    deleted = {(change.kind, change.key) for change in changes if change.action is Action.DELETE}
    deleted_kinds = {kind for kind, _key in deleted}
    if deleted_kinds.isdisjoint(KEYED_KINDS):  # no entry can contain the key of a deleted one
        return
    changes_by_id = {(change.kind, change.id): change for change in changes}
    custom_fields = {key for kind, key in deleted if kind is Kind.CUSTOM_FIELD}
    for entry in actual:
        change = changes_by_id.get((entry.kind, entry.id))
        if change is not None and change.action is Action.DELETE:
            continue
        written: Mapping[str, object] = change.fields if change is not None else {}
        for name, kind in RECORDS[entry.kind].references.items():
            value = entry.fields.get(name)
            if kind in deleted_kinds and value and name not in written:
                keys = value if isinstance(value, list) else [value]
                yield from (DanglingReference(entry, name, (kind, key)) for key in keys if (kind, key) in deleted)
        if custom_fields and entry.kind in FIELDABLE:
            for name in sorted(custom_fields - written.keys()):
                if entry.fields.get(name) is not None:
                    yield DanglingReference(entry, name, (Kind.CUSTOM_FIELD, name))


def references_of(entry: Entry) -> Iterator[EntryKey]:
    """Yield the targets of the references of a server's entry, and the definition of each custom field with a value."""
    return (target for _name, target in named_references(entry))


def named_references(entry: Entry) -> Iterator[tuple[str, EntryKey]]:
    """Yield the targets as `references_of` does, each with the field that refers to it: `tags.0` in a list."""
    for name, kind in RECORDS[entry.kind].references.items():
        value = entry.fields.get(name)
        if isinstance(value, list):
            yield from ((f"{name}.{position}", (kind, str(key))) for position, key in enumerate(value) if key)
        elif value:
            yield name, (kind, str(value))
    for name, value in entry.fields.items():
        if value is not None and is_custom(entry.kind, name):
            yield name, (Kind.CUSTOM_FIELD, name)


def kinds_referring_to(kinds: Iterable[Kind]) -> frozenset[Kind]:
    """Return the kinds whose entries may lose references when entries of these kinds are deleted."""
    deleted = set(kinds)
    referring = {kind for kind, model in RECORDS.items() if deleted & set(model.references.values())}
    if Kind.CUSTOM_FIELD in deleted:
        referring |= FIELDABLE.keys()
    return frozenset(referring)


_EMPTY: tuple[object, ...] = (None, "", [], {})


def cleared_fields(change: Change) -> list[str]:
    """Return the names of the fields that an update empties, or from which it only removes references."""
    references = RECORDS[change.kind].references
    cleared = []
    for name, (old, new) in change.fields.items():
        if old in _EMPTY:
            continue
        only_removes = name in references and isinstance(old, list) and isinstance(new, list) and set(new) < set(old)
        if new in _EMPTY or only_removes:
            cleared.append(name)
    return cleared


def second_request_fields(change: Change) -> dict[str, Any]:
    """Return the fields of the second request that some articles need, mostly in an undo; empty for other changes.

    After a request with both texts, the service shows the Markdown; a second request with the HTML makes it show the
    HTML. After a create, the article has a date; a second request removes it. One request does both: each update must
    have a text (docs/contract.md 4.2.4), so the one that removes the date has the text to show.
    """
    if change.kind is not Kind.ARTICLE:
        return {}
    fields = change.entry.fields
    shows_html = fields.get("is_markdown") is False or not fields.get("markdown")
    text = "content" if shows_html else "markdown"
    is_of_undo = change.entry.source is None  # the entry is from the journal, not from a file
    restores_null_date = is_of_undo and "published_at" in fields and fields["published_at"] is None
    if change.action is Action.CREATE and restores_null_date:
        return {text: fields.get(text), "published_at": None}
    has_both_texts = fields.get("markdown") and fields.get("content")
    return {text: fields[text]} if shows_html and has_both_texts else {}
