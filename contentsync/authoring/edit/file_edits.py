"""What a pull writes: the server's changes, and whole files before and after their edits; and what it cannot write."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Literal, NamedTuple

from ...errors import Problem, Refused
from ...model import RECORDS, Entry, EntryKey, Kind


@dataclass(frozen=True, slots=True)
class RemoteChanges:
    """The server's changes that a pull writes into a folder."""

    changes: Mapping[EntryKey, Mapping[str, Any]]  # for entries of the folder: the server's values by dotted name
    new: Sequence[Entry]  # entries that only the server has
    server_entries: Mapping[EntryKey, Entry]  # the server's entry for each entry of the folder, changed or not
    actual: Sequence[Entry]  # all entries that were fetched from the server
    deleted: Collection[EntryKey] = ()  # entries of the folder to remove from it

    @property
    def renamed(self) -> dict[EntryKey, EntryKey]:
        """Return the new key of each entry of the folder to which the changes give another key, by its present key."""
        new_keys: dict[EntryKey, EntryKey] = {}
        for (kind, key), fields in self.changes.items():
            new_key = self.server_entries[kind, key].key
            if new_key != key and _key_field(kind, key, new_key) in fields:
                new_keys[kind, key] = kind, new_key
        return new_keys

    def without_fields(self, omitted: Mapping[EntryKey, Collection[str]]) -> "RemoteChanges":
        """Return the changes without the `omitted` fields; an entry without other fields is left out."""
        changes = {
            key: {name: value for name, value in fields.items() if name not in omitted.get(key, ())}
            for key, fields in self.changes.items()
        }
        return replace(self, changes={key: fields for key, fields in changes.items() if fields})


def _key_field(kind: Kind, *keys: str) -> str:
    """Return the field that changes if an entry gets another one of these keys. The key of a listing may be its URL."""
    is_url = kind is Kind.LISTING and any("://" in key for key in keys)
    return "url" if is_url else RECORDS[kind].key_field


class WrittenFields(NamedTuple):
    """An entry in a file, with the dotted names of the fields that an edit writes; () for a new or removed entry."""

    kind: Kind
    key: str
    fields: tuple[str, ...] = ()
    is_removed: bool = False  # from the folder

    @property
    def is_new(self) -> bool:
        """Return whether the edit adds the entry to the file."""
        return self.action == "create"

    @property
    def action(self) -> Literal["create", "update", "delete"]:
        """Return what the edit does to the entry in the file."""
        if self.is_removed:
            return "delete"
        return "update" if self.fields else "create"


@dataclass(frozen=True, slots=True)
class FileEdit:
    """The bytes of a file before and after an edit; None if the file does not exist."""

    path: str  # relative to the content folder
    location: str  # the path of the file itself, links resolved; relative to the folder, too
    before: bytes | None
    after: bytes | None
    written: tuple[WrittenFields, ...] = ()
    warnings: tuple[Problem, ...] = ()  # about values that are dangerous in this file
    added_columns: tuple[str, ...] = ()  # of a table that existed before: each of its rows changes

    @property
    def action(self) -> Literal["create", "update", "delete"]:
        """Return what the edit does to the file."""
        if self.after is None:
            return "delete"
        return "create" if self.before is None else "update"


class RefusedEntries(Refused):
    """Some entries cannot be written. `by_entry` has the error of each; the message is that of the first one.

    The keys are those that the entries would have after the pull.
    """

    def __init__(self, by_entry: Mapping[EntryKey, Refused]) -> None:
        first = next(iter(by_entry.values()))
        super().__init__(first.message, first.hint)
        self.by_entry = by_entry


class Refusals:
    """Collects the entries of a plan that cannot be written. The end of a `with` block raises RefusedEntries for them.

    So one plan names all of them, and not only the first one.
    """

    def __init__(self, renamed: Mapping[EntryKey, EntryKey]) -> None:
        """Collect entries by their new keys; `renamed` has those that change, by the folder's keys."""
        self._renamed = renamed
        self._by_entry: dict[EntryKey, Refused] = {}

    def new_key(self, entry: Entry) -> EntryKey:
        """Return the key that an entry of the folder, or a new one, has after the pull."""
        key = entry.kind, entry.key
        return self._renamed.get(key, key) if entry.source else key  # a new entry may have the former key of another

    @contextmanager
    def of(self, *entries: Entry) -> Iterator[None]:
        """Collect an error of the block, which writes these entries, and continue behind it."""
        try:
            yield
        except Refused as error:
            for entry in entries:
                self._by_entry.setdefault(self.new_key(entry), error)

    def __enter__(self) -> "Refusals":
        return self

    def __exit__(
        self, _type: type[BaseException] | None, error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        # An error of a whole file may follow from an entry that is missing in it.
        if self._by_entry and (error is None or isinstance(error, Refused)):
            raise RefusedEntries(self._by_entry) from error


def merge_edits(first: Sequence[FileEdit], second: Sequence[FileEdit]) -> tuple[FileEdit, ...]:
    """Return the edits with the effect of the `first` ones and then the `second` ones, one for each file."""
    merged = {edit.location: edit for edit in first}
    for edit in second:
        earlier = merged.get(edit.location)
        if earlier is not None:
            written, warnings = (*earlier.written, *edit.written), (*earlier.warnings, *edit.warnings)
            added_columns = (*earlier.added_columns, *edit.added_columns)
            edit = FileEdit(edit.path, edit.location, earlier.before, edit.after, written, warnings, added_columns)
        merged[edit.location] = edit
    return tuple(merged.values())
