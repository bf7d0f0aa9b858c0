"""Write the server's changes into a folder, under the keys it has then, without entries that would not be valid."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from ..authoring.edit.file_edits import FileEdit, RefusedEntries, RemoteChanges, merge_edits
from ..authoring.edit.pull_edits import Dependencies, apply_edits, plan_edits, undo_edits
from ..content.folder.confirmation import IndexDiffers
from ..content.folder.load import Content
from ..errors import ContentError, Problem, Refused, join_first
from ..model import RECORDS, Entry, EntryKey, Kind, make_key
from ..sync.comparing.entry_fields import KeyNames, rename_references

# Errors that another entry of the same kind can cause, of references only if they lead to this kind.
_RELATIONS = frozenset({"duplicate-identity", "parent-cycle"})
_REFERENCES = frozenset({"unknown-reference", "ambiguous-reference"})

_NO_ENTRY = (None, None)
_Reasons = Mapping[tuple[str | None, str | None], Sequence[str]]  # by the kind and the new key of the faulty entry


class UnwrittenEntry(NamedTuple):
    """An entry that is not written, and why."""

    entry: Entry
    reason: str


class Written(NamedTuple):
    """A folder after some changes, with the edits, and with the entries that were left out."""

    content: Content
    edits: tuple[FileEdit, ...] = ()
    left_out: tuple[UnwrittenEntry, ...] = ()
    renamed: Mapping[EntryKey, EntryKey] = MappingProxyType({})  # the new keys of entries, by those in `changes`
    reasons: Mapping[EntryKey, str] = MappingProxyType({})  # of the entries in `left_out`, by the keys in `changes`


class _Item(NamedTuple):
    """A changed or new entry to write, or one to remove."""

    number: int  # in the order of all items
    record: Entry  # on the server; of an entry to remove, the one in the folder
    key: EntryKey | None  # in the changes; None for a new entry
    new_keys: Sequence[EntryKey] = ()  # in the folder afterwards: its key, and that of a listing whose URL is faulty
    needed: Iterable[EntryKey] = ()  # the entries of the server that are added with it

    @property
    def names(self) -> tuple[EntryKey, ...]:
        """The entries whose errors prevent it."""
        return *self.new_keys, *self.needed


def write_entries(
    content: Content,
    changes: RemoteChanges,
    renamed: Mapping[EntryKey, EntryKey] = MappingProxyType({}),
    *,
    allows_formulas: bool = False,
) -> Written:
    """Write changes into the files of a folder without errors; an entry that cannot be written is left out.

    All entries are tried together. If that fails, those that the errors name are tried after the others. If the errors
    name no entry, halves are tried, so that one faulty entry does not stop the others. `renamed` are the new keys of
    entries that were written before. Unless it `allows_formulas`, an entry with one in a cell cannot be written. After
    any error, such as a file that cannot be written, or one that is not as the index has it (IndexDiffers), all files
    are as before.
    """
    writer = _EntryWriter(content, changes, renamed, allows_formulas=allows_formulas)
    try:
        writer.write(_items(content, changes, renamed))
    except BaseException:
        undo_edits(content.folder, merge_edits((), writer.edits))
        raise
    left_out = tuple(unwritten for _number, unwritten in sorted(writer.left_out.items()))
    return Written(writer.content, tuple(writer.edits), left_out, writer.renamed, writer.reasons)


def _items(content: Content, changes: RemoteChanges, renamed: Mapping[EntryKey, EntryKey]) -> list[_Item]:
    """Return the entries to write: first the changed ones, then the new ones, and then those to remove."""
    pulled = in_pulled_keys(after_renames(changes, renamed))
    dependencies = Dependencies(content, pulled)
    new_keys = {**renamed, **changes.renamed}
    items: list[_Item] = []

    def add(record: Entry, key: EntryKey | None, fields: Mapping[str, Any]) -> None:
        new_key = new_keys.get(key, key) if key else (record.kind, record.key)
        without_url = make_key(record.kind, record.fields)
        keys = [new_key, *([(record.kind, without_url)] if without_url not in ("", new_key[1]) else [])]
        items.append(_Item(len(items), record, key, keys, dependencies.of(record.kind, fields)))

    for key in changes.changes:
        add(changes.server_entries[key], key, pulled.changes[renamed.get(key, key)])
    for record, pulled_record in zip(changes.new, pulled.new, strict=True):
        add(record, None, pulled_record.fields)
    entries = {(entry.kind, entry.key): entry for entry in content.entries} if changes.deleted else {}
    for key in changes.deleted:  # in their order: referring entries first. Errors are those of entries that stay
        items.append(_Item(len(items), entries[key], key))
    return items


class _EntryWriter:
    """Writes items into the files of a folder, and leaves out those that cannot be written."""

    def __init__(
        self, content: Content, changes: RemoteChanges, renamed: Mapping[EntryKey, EntryKey], *, allows_formulas: bool
    ) -> None:
        self.content = content  # after the edits
        self.edits: list[FileEdit] = []
        self.renamed = renamed
        self.left_out: dict[int, UnwrittenEntry] = {}  # by the number of the item
        self.reasons: dict[EntryKey, str] = {}
        self._changes = changes
        self._allows_formulas = allows_formulas
        self._added: set[EntryKey] = set()  # new entries, also those that others needed

    def write(self, items: Sequence[_Item]) -> None:
        """Write the items on top of those that were written before."""
        items = [item for item in items if item.key or item.new_keys[0] not in self._added]
        if not items:
            return
        chosen = {item.key for item in items}
        changed = {key: fields for key, fields in self._changes.changes.items() if key in chosen}
        new = [item.record for item in items if item.key is None]
        part = replace(
            self._changes, changes=changed, new=new, deleted=[key for key in self._changes.deleted if key in chosen]
        )
        try:
            edits = plan_edits(self.content, in_pulled_keys(after_renames(part, self.renamed)))
            formulas = (warning for edit in edits for warning in edit.warnings)
            reasons = _reasons(() if self._allows_formulas else formulas)
            if not reasons:
                self.content = apply_edits(self.content.folder, edits, self.content.index)
                self.edits += edits
                self._added.update(entry[:2] for edit in edits for entry in edit.written if entry.is_new)
                self.renamed = {**self.renamed, **part.renamed}
                return
        except IndexDiffers:
            raise
        except RefusedEntries as error:
            reasons = {key: [refusal.message] for key, refusal in error.by_entry.items()}
        except Refused as error:
            reasons = {_NO_ENTRY: [error.message]}
        except ContentError as error:
            reasons = _reasons(problem for problem in error.problems if problem.is_error)
        self._write_parts(items, reasons)

    def _write_parts(self, items: Sequence[_Item], reasons: _Reasons) -> None:
        """Write the items that could not be written together in parts; leave out those with errors of their own.

        The reader of a folder reports no error that only follows from another entry's, except for `_RELATIONS`.
        """
        named = [item for item in items if not reasons.keys().isdisjoint(item.names)]
        if len(items) == 1:
            self._leave_out(items[0], reasons.values())
        elif 0 < len(named) < len(items):  # another item may be the reason, so they are tried again
            numbers = {item.number for item in named}
            self.write([item for item in items if item.number not in numbers])
            self.write(named)
        elif named and _have_different_keys(named):
            for item in named:
                self._leave_out(item, (reasons.get(name, ()) for name in item.names))
        else:
            middle = len(items) // 2
            self.write(items[:middle])
            self.write(items[middle:])

    def _leave_out(self, item: _Item, reasons: Iterable[Sequence[str]]) -> None:
        reason = join_first([*chain.from_iterable(reasons)], limit=3, separator="; ")
        self.left_out[item.number] = UnwrittenEntry(item.record, reason)
        self.reasons[item.key or (item.record.kind, item.record.key)] = reason


def _have_different_keys(items: Iterable[_Item]) -> bool:
    keys = [key for item in items for key in item.new_keys]
    return len({*keys}) == len(keys)


def _reasons(problems: Iterable[Problem]) -> _Reasons:
    """Return the problems by the entries that they name; relations between entries of one kind name none."""
    reasons: dict[tuple[str | None, str | None], list[str]] = defaultdict(list)
    for problem in problems:
        name = _NO_ENTRY if _is_relation(problem) else (problem.kind, problem.key)
        reasons[name].append(f"{problem.code if problem.is_error else problem.where.path}: {problem.message}")
    return reasons


def _is_relation(problem: Problem) -> bool:
    if problem.code in _REFERENCES:
        return problem.kind is None or problem.kind in RECORDS[Kind(problem.kind)].references.values()
    return problem.code in _RELATIONS


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
