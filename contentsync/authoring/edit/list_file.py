"""Edit entries of a list in place, in YAML, JSON or TOML, and add new entries at its end."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from ...content.formats.draft import FieldPath, ValuePath
from ...content.formats.file_tree import FileTree, ItemPath, is_yaml
from ...content.formats.item_reader import ListItem, read_list, read_tree, usual_path
from ...errors import Refused
from ...model import RECORDS, Kind, Source, TextPosition
from .json_edit import JsonEditor
from .text_editor import (
    SourceText,
    TextEditor,
    apply_tree,
    build_tree,
    edited_bytes,
    misread_edit_error,
    without_emptied,
)
from .toml_edit import TomlEditor
from .yaml_edit import YamlEditor


class ListFile:
    """A file with a list of entries (numbered from 0), or with one entry. Raises UnreadableFile.

    `items` is the path of the entries, if the config sets it.
    """

    def __init__(self, data: bytes, kind: Kind, path: str, items: ItemPath | None = None) -> None:
        self._original = SourceText(data)
        self._text = self._original.text
        self._kind = kind
        self._path = path
        self._item_path = items
        self._entries = self._read(self._text)
        self._expected = [entry.draft.values for entry in self._entries]  # after the edits
        self._is_nested = items is not None and any(len(entry.steps) > 1 for entry in self._entries)
        self._numbers_by_line: dict[int, list[int]] = defaultdict(list)
        for number, entry in enumerate(self._entries):
            self._numbers_by_line[entry.draft.line].append(number)
        self._starts_by_line: dict[int, list[TextPosition]] = {}  # of the entries on a line with several

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._entries)

    def values(self, number: int) -> dict[str, Any]:
        """Return the values of the entry with this number, by the keys of the file."""
        return self._entries[number].draft.values

    def number(self, source: Source, *, any_field: str) -> int:
        """Return the number of the entry that was read from `source`; `any_field` names a field that the entry has.

        Raises Refused for several entries of TOML on one line, whose locations are not known.
        """
        numbers = self._numbers_by_line[source.line]
        if len(numbers) == 1:
            return numbers[0]
        if source.line not in self._starts_by_line:
            self._starts_by_line[source.line] = [self._start(number) for number in numbers]
        location = source.where(any_field)
        return numbers[bisect_right(self._starts_by_line[source.line], (location.line, location.column)) - 1]

    def edit(self, number: int, changes: Mapping[FieldPath, Any]) -> None:
        """Change the values of the entry with this number. Raises Refused if the entry cannot be changed in place."""
        tree = without_emptied(build_tree(changes), self.values(number))
        self._editor.edit(self._entries[number].steps, tree)
        self._expected[number] = apply_tree(self._expected[number], self._editor.as_read(tree))

    def append(self, new: Sequence[Mapping[str, Any]]) -> None:
        """Add new entries at the end; call it only once. Raises Refused if the file is not one list."""
        self._editor.append(self._list_steps(), new)
        for entry in new:
            tree = build_tree({(key,): value for key, value in entry.items()})
            self._expected.append(apply_tree({}, self._editor.as_read(tree)))

    def edited_bytes(self) -> bytes:
        """Return the bytes of the file after all edits. Raises Refused if it would be read back with other values."""
        return edited_bytes(self._original, self._path, self._editor.splices, self._read_values, self._expected)

    def without(self, numbers: Collection[int]) -> bytes | None:
        """Return the bytes of the file without some entries, by number; None if the file is the one entry.

        Call it on a file without edits. Raises Refused if the file would be read back with other values.
        """
        root = self._tree.root
        if isinstance(root, Mapping) and not any(entry.steps[1:] for entry in self._entries):
            return None
        items = [self._entries[number].steps for number in numbers]
        self._editor.remove(items)

        def read(text: str) -> Any:
            return _without_items(read_tree(text, self._kind, self._path).root)

        return edited_bytes(self._original, self._path, self._editor.splices, read, _without_items(root, {*items}))

    def takes_new_entries(self, max_length: int) -> bool:
        """Return whether new entries can be added: the file is one list, and has fewer than `max_length` characters."""
        return len(self._text) < max_length and not self._is_nested and not self._is_single_entry

    def _read(self, text: str) -> list[ListItem]:
        entries = read_list(text, self._kind, self._path, self._item_path)
        return [entry for entry in entries if isinstance(entry, ListItem)]

    def _read_values(self, text: str) -> list[dict[str, Any]]:
        return [entry.draft.values for entry in self._read(text)]

    @cached_property
    def _editor(self) -> TextEditor:
        """Return the editor for the format of the file: YAML, TOML or JSON."""
        if is_yaml(self._path):
            return YamlEditor(self._text, items=None if self._is_nested else len(self._entries))
        if self._path.lower().endswith(".toml"):
            return TomlEditor(self._text, self._path, title_field=RECORDS[self._kind].title_field)
        return JsonEditor(self._text)

    def _start(self, number: int) -> TextPosition:
        """Return the position of the first key of an entry."""
        positions = [position for _path, position in self._entries[number].draft.key_locations.values()]
        if not positions:
            raise misread_edit_error(self._path)
        return min(positions)

    def _list_steps(self) -> ValuePath:
        """Return the steps to the list of entries, for new ones. Raise Refused if there is no such list, or several."""
        if self._is_nested:
            hint = "add them by hand, or leave them out with --only"
            raise Refused(f"{self._path} has nested lists, and it is not known which one gets new entries", hint)
        if self._is_single_entry:
            hint = "put a dash before it, and indent it" if is_yaml(self._path) else "make it a list by hand"
            raise Refused(f"{self._path} holds a single entry and is no list", hint)
        if not self._path.lower().endswith(".toml"):
            return ()
        return usual_path(self._tree).steps[:1] or (self._kind.plural.replace(" ", "_"),)

    @cached_property
    def _is_single_entry(self) -> bool:
        return len(self._entries) <= 1 and self._tree.root is not None and not usual_path(self._tree).steps

    @cached_property
    def _tree(self) -> FileTree:
        return read_tree(self._text, self._kind, self._path)


def _without_items(value: Any, removed: Collection[ValuePath] = (), steps: ValuePath = ()) -> Any:
    """Return a copy of a value without the items at the `removed` steps; None for a file in which nothing is left."""
    if isinstance(value, list):
        kept = [(number, item) for number, item in enumerate(value) if (*steps, number) not in removed]
        inner: Any = [_without_items(item, removed, (*steps, number)) for number, item in kept]
    elif isinstance(value, Mapping):
        inner = {key: _without_items(item, removed, (*steps, key)) for key, item in value.items()}
    else:
        return value
    return inner if steps or not _is_empty(inner) else None


def _is_empty(value: Any) -> bool:
    """Return whether a value has nothing but lists and objects without values in it."""
    if isinstance(value, Mapping | list):
        return all(_is_empty(inner) for inner in (value.values() if isinstance(value, Mapping) else value))
    return value is None
