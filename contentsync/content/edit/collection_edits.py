"""Edit entries of YAML lists and tables in place, and add new entries at the end of the file."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import yaml

from ...errors import Refused
from ...model import RECORDS, Entry, Kind, Source
from ..draft import ABSENT, BODY_FIELDS, Draft, FieldPath, UnreadableFile, value_at
from ..formats.table_rows import TABLE_DELIMITERS
from ..formats.yaml_reader import read_mappings, split_items
from ..key_mapping import KeyMapping, mapping_for
from .file_edits import (
    EntryKey,
    FileEdit,
    SourceText,
    Splice,
    WrittenFields,
    apply_tree,
    build_tree,
    misread_edit_error,
    tree_values,
    unreadable_edit_error,
)
from .folder_index import MAX_LIST_LENGTH, FolderIndex
from .table_file import TableFile, UnrepresentableValue
from .yaml_edit import YamlEditor, block_lines, compose_node, inline_yaml

_NOT_IN_ITEM = re.compile(r"^[^ #\n]", re.MULTILINE)
_DASH = re.compile(r"^( *)- ", re.MULTILINE)


def items_text(entries: Iterable[Mapping[str, Any]], indent: int = 0) -> str:
    """Return the entries as items of a YAML list, with `indent` spaces before each dash."""
    parts = []
    for entry in entries:
        text = "".join(block_lines(key, value, indent + 2) for key, value in entry.items())
        parts.append(f"{' ' * indent}- {text[indent + 2 :]}")
    return "".join(parts)


class ListFile:
    """A YAML file with a list of entries (numbered from 0), or with one entry. Raises UnreadableFile."""

    def __init__(self, data: bytes, kind: Kind, path: str) -> None:
        self._original = SourceText(data)
        self._text = self._original.text
        self._kind = kind
        self._path = path
        self._drafts = _read_drafts(self._text, kind, path)
        self._by_line: dict[int, list[int]] = {}
        for number, draft in enumerate(self._drafts):
            self._by_line.setdefault(draft.line, []).append(number)
        self._items = [item for _, item in split_items(self._text)]  # empty unless the dashes are in the first column
        lengths = [len(item) for item in self._items]
        self._starts = list(accumulate(lengths, initial=len(self._text) - sum(lengths)))  # and the end of the last item

    def values(self, number: int) -> dict[str, Any]:
        """Return the values of the entry with this number, by the keys of the file."""
        return self._drafts[number].values

    def number(self, source: Source, name: str) -> int:
        """Return the number of the entry that was read from `source`; `name` is any field that the entry has."""
        numbers = self._by_line[source.line]
        if len(numbers) > 1:  # several entries on one line
            location = source.where(name)
            starts = [min(mark for _, mark in self._drafts[number].key_locations.values()) for number in numbers]
            return numbers[bisect_right(starts, (location.line, location.column)) - 1]
        return numbers[0]

    def edited_bytes(
        self, changes: Mapping[int, Mapping[FieldPath, Any]], new: Sequence[Mapping[str, Any]] = ()
    ) -> bytes:
        """Return the bytes of the file after `changes`, by entry number, and with `new` entries. Raises Refused."""
        splices: list[Splice] = []
        expected = [draft.values for draft in self._drafts]
        for number, entry_changes in changes.items():
            tree = build_tree(entry_changes)
            node, editor = self._node(number)
            editor.edit_mapping(node, tree)
            splices += editor.splices
            expected[number] = apply_tree(expected[number], tree)
        if new:
            splices.append(self._appending_splice(new))
            expected += [apply_tree({}, build_tree({(key,): value for key, value in entry.items()})) for entry in new]
        data = self._original.spliced_bytes(splices)
        try:
            reread = [draft.values for draft in _read_drafts(SourceText(data).text, self._kind, self._path)]
        except UnreadableFile as error:
            raise unreadable_edit_error(self._path, error) from error
        if reread != expected:
            raise misread_edit_error(self._path)
        return data

    def has_room(self, limit: int) -> bool:
        """Return whether items can be added: the file has fewer than `limit` characters and is not a single entry."""
        return len(self._text) < limit and not isinstance(self._root(), yaml.MappingNode)

    def _root(self) -> Any:
        """Return the YAML node of the file; None if the file is empty or a list with dashes in the first column."""
        return None if self._items else compose_node(self._text)

    def _node(self, number: int) -> tuple[yaml.MappingNode, YamlEditor]:
        """Return the YAML node of an entry, and an editor of the text that the node was composed from."""
        if len(self._items) == len(self._drafts):
            item = self._items[number]
            if not _NOT_IN_ITEM.search(item, 1):
                node = compose_node(item)
                return node.value[0], YamlEditor(item, self._starts[number])
        root = compose_node(self._text)
        return root if isinstance(root, yaml.MappingNode) else root.value[number], YamlEditor(self._text)

    def _appending_splice(self, new: Sequence[Mapping[str, Any]]) -> Splice:
        end = len(self._text)
        root = self._root()
        if isinstance(root, yaml.MappingNode):
            raise Refused(f"{self._path} holds a single entry and is no list", "put a dash before it, and indent it")
        if isinstance(root, yaml.SequenceNode) and root.flow_style:
            if not root.value:
                return Splice(root.start_mark.index, root.end_mark.index, items_text(new).removesuffix("\n"))
            last = root.value[-1].end_mark.index
            return Splice(last, last, "".join(f",\n{inline_yaml(entry)}" for entry in new))
        dash = _DASH.search(self._text) if root is not None else None
        newline = "" if not self._text or self._text.endswith("\n") else "\n"
        return Splice(end, end, newline + items_text(new, len(dash[1]) if dash else 0))


def _read_drafts(text: str, kind: Kind, path: str) -> list[Draft]:
    return [item for item in read_mappings(text, kind, path) if isinstance(item, Draft)]


Fields = Mapping[str, Any]  # values by dotted name


class FileChanges(NamedTuple):
    """The changes to one file: entries with the fields to set, and new entries with all their fields."""

    changed: list[tuple[Entry, Fields]]
    new: list[tuple[Entry, Fields]]

    @property
    def kind(self) -> Kind:
        return next(entry.kind for entry, _ in (*self.changed, *self.new))

    @property
    def written(self) -> tuple[WrittenFields, ...]:
        changed = (WrittenFields(entry.kind, entry.key, tuple(fields)) for entry, fields in self.changed)
        return (*changed, *(WrittenFields(entry.kind, entry.key) for entry, _ in self.new))


def edit_list(index: FolderIndex, path: str, file_changes: FileChanges) -> FileEdit:
    """Return the edit that changes entries of a YAML file and adds the new ones. Raises Refused."""
    before = None if index.is_free(path) else index.read_bytes(path)
    file = ListFile(before or b"", file_changes.kind, path)
    changes: dict[int, dict[FieldPath, Any]] = {}
    for entry, fields in file_changes.changed:
        assert entry.source, "an entry of the folder"  # noqa: S101
        number = file.number(entry.source, RECORDS[entry.kind].title_field)
        changes[number] = _by_file_key(index, entry.kind, path, fields, file.values(number))
    new = [
        tree_values(build_tree(_by_file_key(index, entry.kind, path, fields, {}))) for entry, fields in file_changes.new
    ]
    return FileEdit(path, index.location(path), before, file.edited_bytes(changes, new), file_changes.written)


def edit_table(
    index: FolderIndex,
    path: str,
    file_changes: FileChanges,
    entries: Sequence[Entry],
    matching: Mapping[EntryKey, Entry],
) -> FileEdit:
    """Return the edit that changes cells of a table and adds rows for the new entries. Raises Refused.

    `entries` are all entries of the table, and `matching` the server's entries: a new column gets their values.
    """
    before = index.read_bytes(path)
    table = TableFile(before, file_changes.kind, path, TABLE_DELIMITERS[path[path.rfind(".") :].lower()])
    cells: dict[int, dict[str, str]] = {}
    added: dict[str, None] = {}  # fields that need a new column
    for entry, fields in file_changes.changed:
        row = cells.setdefault(_line(entry), {})
        for name, value in fields.items():
            row |= _cells(index, table, entry, name, value, path, added)
    rows: list[dict[str, str]] = []
    for entry, fields in file_changes.new:
        rows.append({})
        for name, value in fields.items():
            rows[-1] |= _cells(index, table, entry, name, value, path, added)
    for entry in entries if added else ():
        actual = matching.get((entry.kind, entry.key))
        row = cells.setdefault(_line(entry), {})
        for name in added if actual else ():
            new_cells = _cells(index, table, entry, name, actual.fields.get(name) if actual else None, path, {})
            for column in new_cells.keys() - {*table.columns}:
                row.setdefault(column, new_cells[column])
    return FileEdit(path, index.location(path), before, table.edited_bytes(cells, rows), file_changes.written)


def split_by_size(
    new: list[tuple[Entry, Fields]], limit: int = MAX_LIST_LENGTH
) -> Iterator[list[tuple[Entry, Fields]]]:
    """Yield lists of new entries, each of about `limit` characters at most, or with one longer entry."""
    start = size = 0
    for end, (_, fields) in enumerate(new):
        length = len(repr(fields))
        if size and size + length > limit:
            yield new[start:end]
            start, size = end, 0
        size += length
    yield new[start:]


def _by_file_key(
    index: FolderIndex, kind: Kind, path: str, fields: Fields, current: Mapping[str, Any]
) -> dict[FieldPath, Any]:
    """Return the values to write into a file, by key path. `current` are the entry's values in the file."""
    changes: dict[FieldPath, Any] = {}
    for name, value in fields.items():
        mapping = _mapping(index, kind, name, current.__contains__)
        if mapping:
            old_value = value_at(current, mapping.path)
            changes[mapping.path] = mapping.to_file(index.written_value(kind, path, name, value, old_value))
    category = _mapping(index, kind, "category_id", current.__contains__) if "categories" in fields else None
    if category and value_at(current, category.path) not in (None, ABSENT):  # `categories` replaces `category_id`
        changes[category.path] = ABSENT
    return changes


def _cells(
    index: FolderIndex, table: TableFile, entry: Entry, name: str, value: Any, path: str, added: dict[str, None]
) -> dict[str, str]:
    """Return the cells to write for one field, by column. Add a field that needs a new column to `added`."""
    mapping = _mapping(index, entry.kind, name, table.has)
    if mapping is None:
        return {}
    if name.rpartition(".")[2] in BODY_FIELDS:
        before = table.cell(entry.source.line, ".".join(mapping.path)) if entry.source else ""
        index.check_replaceable(entry.kind, path, name, value, before)
    try:
        file_value = mapping.to_file(index.written_value(entry.kind, path, name, value, ""))
        cells = table.cell_texts(mapping.path, file_value, custom=name not in RECORDS[entry.kind].rules())
    except UnrepresentableValue as error:
        hint = "keep it in a file of its own, or leave it out with --only"
        raise Refused(f"{path}: no cell can hold the {name} of {entry}", hint) from error
    if not cells.keys() <= {*table.columns}:
        added[name] = None
    category = _mapping(index, entry.kind, "category_id", table.has) if name == "categories" else None
    if category and table.has(".".join(category.path)):
        cells[".".join(category.path)] = ""
    return cells


def _mapping(index: FolderIndex, kind: Kind, name: str, has_key: Callable[[str], bool]) -> KeyMapping | None:
    return mapping_for(index.config.content[kind], tuple(name.split(".")), has_key)


def _line(entry: Entry) -> int:
    assert entry.source, "an entry of the folder"  # noqa: S101
    return entry.source.line
