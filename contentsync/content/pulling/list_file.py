"""A YAML file of many entries, or of a single one, that are changed where they stand; new ones go to its end."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, zip_longest
from typing import Any

import yaml

from ...errors import Refused
from ...model import Kind, Source
from ..draft import Draft, Unreadable
from ..formats.plain_yaml import list_items
from ..formats.yaml_text import read_mappings
from .changes import Path, applied, tree_of
from .rereading import misread, unreadable
from .splices import Original, Splice
from .yaml_edit import Editor, compose
from .yaml_writing import inline, lines

_NOT_IN_ITEM = re.compile(r"^[^ #\n]", re.MULTILINE)
_DASH = re.compile(r"^( *)- ", re.MULTILINE)


def items_text(entries: Iterable[Mapping[str, Any]], indent: int = 0) -> str:
    """New items of a list, each with a dash before its first key."""
    parts = []
    for entry in entries:
        text = "".join(lines(key, value, indent + 2) for key, value in entry.items())
        parts.append(f"{' ' * indent}- {text[indent + 2 :]}")
    return "".join(parts)


class ListFile:
    """One file, and what its entries say in the file's own words. Raises Unreadable."""

    def __init__(self, data: bytes, kind: Kind, path: str) -> None:
        self._original = Original(data)
        self._text = self._original.text
        self._kind = kind
        self._path = path
        self._drafts = _drafts(self._text, kind, path)
        self._by_line: dict[int, list[int]] = {}
        for number, draft in enumerate(self._drafts):
            self._by_line.setdefault(draft.line, []).append(number)
        self._items = [item for _, item in list_items(self._text)]  # none where they do not start in the first column
        ends = accumulate(map(len, self._items))
        length = sum(map(len, self._items))
        self._starts = [len(self._text) - length + end - len(item) for item, end in zip(self._items, ends, strict=True)]

    def values(self, number: int) -> dict[str, Any]:
        """What an entry says, by its place in the file."""
        return self._drafts[number].values

    def number(self, source: Source, name: str) -> int:
        """The place in the file of the entry that was read from a source and has a field of the name."""
        found = self._by_line[source.line]
        if len(found) > 1:  # in one line
            where = source.where(name)
            starts = [min(mark for _, mark in self._drafts[number].keys.values()) for number in found]
            return found[bisect_right(starts, (where.line, where.column)) - 1]
        return found[0]

    def edited(self, changes: Mapping[int, Mapping[Path, Any]], new: Sequence[Mapping[str, Any]] = ()) -> bytes:
        """The file with values changed in entries, by their places, and with new entries. Raises Refused."""
        splices: list[Splice] = []
        wanted = [draft.values for draft in self._drafts]
        for number, its in changes.items():
            tree = tree_of(its)
            node, editor = self._node(number)
            editor.mapping(node, tree)
            splices += editor.splices
            wanted[number] = applied(wanted[number], tree)
        if new:
            splices.append(self._appended(new))
            wanted += [applied({}, tree_of({(key,): value for key, value in entry.items()})) for entry in new]
        data = self._original.spliced(splices)
        try:
            found = [draft.values for draft in _drafts(Original(data).text, self._kind, self._path)]
        except Unreadable as error:
            raise unreadable(self._path, error) from error
        if any(one != other for one, other in zip_longest(found, wanted)):
            raise misread(self._path)
        return data

    def takes_more(self, limit: int) -> bool:
        """Whether it is a list that may have items added, and not too long for it."""
        return len(self._text) < limit and not isinstance(self._root(), yaml.MappingNode)

    def _root(self) -> Any:
        return None if self._items else compose(self._text)

    def _node(self, number: int) -> tuple[yaml.MappingNode, Editor]:
        if len(self._items) == len(self._drafts):
            item = self._items[number]
            if not _NOT_IN_ITEM.search(item, 1):
                node = compose(item)
                return node.value[0], Editor(item, self._starts[number])
        root = compose(self._text)
        return root if isinstance(root, yaml.MappingNode) else root.value[number], Editor(self._text)

    def _appended(self, new: Sequence[Mapping[str, Any]]) -> Splice:
        end = len(self._text)
        root = self._root()
        if isinstance(root, yaml.MappingNode):
            raise Refused(f"{self._path} holds a single entry and is no list", "put a dash before it, and indent it")
        if isinstance(root, yaml.SequenceNode) and root.flow_style:
            if not root.value:
                return Splice(root.start_mark.index, root.end_mark.index, items_text(new).removesuffix("\n"))
            last = root.value[-1].end_mark.index
            return Splice(last, last, "".join(f",\n{inline(entry)}" for entry in new))
        dash = _DASH.search(self._text) if root is not None else None
        lead = "" if not self._text or self._text.endswith("\n") else "\n"
        return Splice(end, end, lead + items_text(new, len(dash[1]) if dash else 0))


def _drafts(text: str, kind: Kind, path: str) -> list[Draft]:
    return [item for item in read_mappings(text, kind, path) if isinstance(item, Draft)]
