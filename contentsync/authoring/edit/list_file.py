"""Edit entries of a list in place, in YAML, JSON or TOML, and add new entries at its end."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

import yaml

from ...content.files.file_text import UnreadableFile, line_starts
from ...content.formats.draft import FieldPath
from ...content.formats.file_tree import ItemPath
from ...content.formats.item_reader import ListItem, is_yaml, read_list, read_tree, usual_path
from ...content.formats.yaml_reader import is_one_item, split_items
from ...errors import Refused
from ...model import Kind, Source, TextPosition
from .file_edits import (
    SourceText,
    Splice,
    Tree,
    apply_tree,
    build_tree,
    diff_splices,
    misread_edit_error,
    unreadable_edit_error,
)
from .json_edit import append_objects, edit_object
from .toml_edit import append_tables, as_toml_reads, edit_toml
from .yaml_edit import YamlEditor, block_lines, compose_node, inline_yaml

_DASH = re.compile(r"^( *)- ", re.MULTILINE)


def items_text(entries: Iterable[Mapping[str, Any]], indent: int = 0) -> str:
    """Return the entries as items of a YAML list, with `indent` spaces before each dash."""
    items = []
    key_indent = indent + len("- ")
    for entry in entries:
        text = "".join(block_lines(key, value, key_indent) for key, value in entry.items())
        items.append(f"{' ' * indent}- {text[key_indent:]}")  # the first key is on the line of the dash
    return "".join(items)


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
        self._is_nested = items is not None and any(len(entry.steps) > 1 for entry in self._entries)
        self._numbers_by_line: dict[int, list[int]] = {}
        for number, entry in enumerate(self._entries):
            self._numbers_by_line.setdefault(entry.draft.line, []).append(number)
        # The text of each item; [] unless the dashes are in the first column (`split_items` yields nothing then).
        self._items: list[str] = []
        if is_yaml(path) and not self._is_nested:
            self._items = [item for _, item in split_items(self._text)]
        lengths = [len(item) for item in self._items]
        first_start = len(self._text) - sum(lengths)  # the last item ends with the text
        self._item_starts = list(accumulate(lengths, initial=first_start))  # offsets, and the end of the last item

    def values(self, number: int) -> dict[str, Any]:
        """Return the values of the entry with this number, by the keys of the file."""
        return self._entries[number].draft.values

    def number(self, source: Source, *, any_field: str) -> int:
        """Return the number of the entry that was read from `source`; `any_field` names a field that the entry has."""
        numbers = self._numbers_by_line[source.line]
        if len(numbers) > 1:  # several entries on one line
            location = source.where(any_field)
            starts = [self._start(number) for number in numbers]
            return numbers[bisect_right(starts, (location.line, location.column)) - 1]
        return numbers[0]

    def edited_bytes(
        self, changes: Mapping[int, Mapping[FieldPath, Any]], new: Sequence[Mapping[str, Any]] = ()
    ) -> bytes:
        """Return the bytes of the file after `changes`, by entry number, and with `new` entries at its end.

        Raises Refused if the entries cannot be written, or would be read back with other values.
        """
        trees = {number: build_tree(entry_changes) for number, entry_changes in changes.items()}
        added = [build_tree({(key,): value for key, value in entry.items()}) for entry in new]
        splices = list(self._splices(trees))
        if new:
            splices.append(self._appending_splice(new))
        if self._is_toml:  # from here on, the values that a reader returns
            trees = {number: as_toml_reads(tree) for number, tree in trees.items()}
            added = [as_toml_reads(tree) for tree in added]
        expected = [entry.draft.values for entry in self._entries]
        for number, tree in trees.items():
            expected[number] = apply_tree(expected[number], tree)
        expected += [apply_tree({}, tree) for tree in added]
        data = self._original.spliced_bytes(splices)
        try:
            reread = [entry.draft.values for entry in self._read(SourceText(data).text)]
        except UnreadableFile as error:
            raise unreadable_edit_error(self._path, error) from error
        if reread != expected:
            raise misread_edit_error(self._path)
        return data

    def takes_new_entries(self, max_length: int) -> bool:
        """Return whether new entries can be added: the file is one list, and has fewer than `max_length` characters."""
        return len(self._text) < max_length and not self._is_nested and not isinstance(self._root(), yaml.MappingNode)

    def _read(self, text: str) -> list[ListItem]:
        entries = read_list(text, self._kind, self._path, self._item_path)
        return [entry for entry in entries if isinstance(entry, ListItem)]

    @property
    def _is_toml(self) -> bool:
        return self._path.lower().endswith(".toml")

    def _splices(self, trees: Mapping[int, Tree]) -> Iterator[Splice]:
        """Yield the splices that apply the changes (`trees`, by the number of the entry)."""
        if self._is_toml:
            text = self._text
            for number, tree in trees.items():
                steps = self._entries[number].steps
                if steps and not self._has_header(text, number):  # as in `places = [{...}]`
                    raise misread_edit_error(self._path)
                text = edit_toml(text, self._kind, tree, steps)
            yield from diff_splices(self._text, text)
            return
        for number, tree in trees.items():
            if is_yaml(self._path):
                node, editor = self._node(number)
                editor.edit_mapping(node, tree)
                yield from editor.splices
            else:
                yield from edit_object(self._text, self._object_start(number), tree)

    def _root(self) -> Any:
        """Return the YAML node of the file; None if the file is empty or a list with dashes in the first column."""
        return None if self._items else self._composed

    @cached_property
    def _composed(self) -> Any:
        return compose_node(self._text)

    def _node(self, number: int) -> tuple[yaml.MappingNode, YamlEditor]:
        """Return the YAML node of an entry, and a new editor of the text in which it is: an item, or the whole file."""
        if len(self._items) == len(self._entries):  # each item is an entry
            item = self._items[number]
            if is_one_item(item):
                list_node = compose_node(item)
                return list_node.value[0], YamlEditor(item, self._item_starts[number])
        node = self._composed
        is_single_entry = isinstance(node, yaml.MappingNode) and not self._is_nested
        if not is_single_entry:
            for step in self._entries[number].steps:
                if isinstance(step, int):
                    node = node.value[step]
                else:
                    node = next(value for key, value in node.value if key.value == step)
        return node, YamlEditor(self._text)

    def _start(self, number: int) -> TextPosition:
        """Return the position of the first key of an entry."""
        return min(position for _path, position in self._entries[number].draft.key_locations.values())

    def _object_start(self, number: int) -> int:
        """Return the offset of the opening brace of an entry in JSON."""
        line, column = self._start(number)
        return self._text.rindex("{", 0, self._line_starts[line - 1] + column - 1)

    @cached_property
    def _line_starts(self) -> list[int]:
        return line_starts(self._text)

    def _has_header(self, text: str, number: int) -> bool:
        """Return whether an entry in TOML is a table with a header, and not an inline table (`{...}`)."""
        name = ".".join(map(str, self._entries[number].steps))
        return name in read_tree(text, self._kind, self._path).key_locations

    def _appending_splice(self, new: Sequence[Mapping[str, Any]]) -> Splice:
        """Return the splice that adds entries at the end of the list. Raise Refused if there is no such list."""
        if self._is_nested:
            hint = "add them by hand, or leave them out with --only"
            raise Refused(f"{self._path} has nested lists, and it is not known which one gets new entries", hint)
        if not is_yaml(self._path):
            return self._appending_splice_of_tree(new)
        end = len(self._text)
        root = self._root()
        if isinstance(root, yaml.MappingNode):
            raise Refused(f"{self._path} holds a single entry and is no list", "put a dash before it, and indent it")
        if isinstance(root, yaml.SequenceNode) and root.flow_style:  # in brackets
            if not root.value:
                return Splice(root.start_mark.index, root.end_mark.index, items_text(new).removesuffix("\n"))
            last_end = root.value[-1].end_mark.index
            return Splice(last_end, last_end, "".join(f",\n{inline_yaml(entry)}" for entry in new))
        dash = _DASH.search(self._text) if root is not None else None
        indent = len(dash[1]) if dash else 0
        newline = "" if not self._text or self._text.endswith("\n") else "\n"
        return Splice(end, end, newline + items_text(new, indent))

    def _appending_splice_of_tree(self, new: Sequence[Mapping[str, Any]]) -> Splice:
        """Return the splice that adds entries to a JSON or TOML file. Raise Refused if it is a single entry."""
        tree = read_tree(self._text, self._kind, self._path)
        steps = usual_path(tree).steps  # from the root to the entries; () if the root is an entry, or the file is empty
        is_empty = tree.root is None
        if not is_empty and not steps:
            raise Refused(f"{self._path} holds a single entry and is no list", "make it a list by hand")
        if self._is_toml:
            name = str(steps[0]) if steps else self._kind.plural.replace(" ", "_")
            return Splice(len(self._text), len(self._text), append_tables(self._text, name, new))
        last_start = self._object_start(len(self._entries) - 1) if self._entries else None
        return append_objects(self._text, new, last_start)
