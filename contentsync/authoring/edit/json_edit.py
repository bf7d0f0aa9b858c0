"""Change objects in a JSON text in place, and keep the indentation and spacing around them."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...content.formats.draft import ABSENT, ValuePath
from ...lazy_pattern import lazy_pattern
from ...model import PlainScalar
from .text_editor import Leaf, Splice, Tree, removal_of_parts, tree_values

_SPACE = lazy_pattern(r"[ \t\n\r]*+")
_INDENT = lazy_pattern(r"[ \t]*")
_DECODER = json.JSONDecoder()


class _Member(NamedTuple):
    """A key and its value in an object, as offsets."""

    key: str
    start: int
    key_end: int
    value_start: int
    end: int


class JsonEditor:
    """Edits JSON: an object, or objects inside lists. See `text_editor.TextEditor`."""

    def __init__(self, text: str, start: int = 0) -> None:
        self._text = text
        self._start = start
        self._offsets: dict[ValuePath, Mapping[str | int, int]] = {}  # of the values in a list or object, by its steps
        self.splices: list[Splice] = []

    def edit(self, steps: ValuePath, tree: Tree) -> None:
        """Change keys of the object at `steps`."""
        self._add(_edit_object(self._text, self._offset(steps), tree))

    def append(self, steps: ValuePath, new: Sequence[Mapping[str, Any]]) -> None:
        """Add objects at the end of the list at `steps`."""
        offsets = self._children(steps) if self._text.strip() else {}
        self._add([_append_objects(self._text, new, max(offsets.values(), default=None))])

    def remove(self, items: Sequence[ValuePath]) -> None:
        """Remove items of lists; an empty list is left as `[]`."""
        removed: dict[ValuePath, set[Any]] = defaultdict(set)
        for steps in items:
            removed[steps[:-1]].add(steps[-1])
        for list_steps, numbers in removed.items():
            start = self._offset(list_steps)
            parts = [(offset, _DECODER.raw_decode(self._text, offset)[1]) for offset in _item_starts(self._text, start)]
            if len(numbers) == len(parts):
                self._add([Splice(start + 1, _skip(self._text, parts[-1][1]), "")])
            else:
                self._add(removal_of_parts(parts, numbers))

    def as_read(self, tree: Tree) -> Tree:
        """Return the tree: JSON has all values."""
        return tree

    def _add(self, splices: Iterable[Splice]) -> None:
        self.splices += (Splice(self._start + start, self._start + end, text) for start, end, text in splices)

    def _offset(self, steps: ValuePath) -> int:
        """Return the offset of the value at `steps`."""
        return self._children(steps[:-1])[steps[-1]] if steps else _skip(self._text, 0)

    def _children(self, steps: ValuePath) -> Mapping[str | int, int]:
        """Return the offset of each value in the list or object at `steps`, by number or key; search each only once."""
        if steps not in self._offsets:
            start = self._offset(steps)
            if self._text[start] == "[":
                self._offsets[steps] = dict(enumerate(_item_starts(self._text, start)))
            else:
                self._offsets[steps] = {member.key: member.value_start for member in _members(self._text, start)}
        return self._offsets[steps]


def _item_starts(text: str, start: int) -> Iterator[int]:
    """Yield the offset of each item of the list that starts at an offset."""
    offset = _skip(text, start + 1)
    while text[offset] != "]":
        yield offset
        _item, end = _DECODER.raw_decode(text, offset)
        offset = _skip(text, end)
        if text[offset] == ",":
            offset = _skip(text, offset + 1)


def _edit_object(text: str, start: int, tree: Tree) -> Iterator[Splice]:
    """Yield the splices that change keys of the object that starts at an offset, and add missing ones at its end."""
    members = list(_members(text, start))
    removed_keys = {key for key, part in tree.items() if isinstance(part, Leaf) and part.value is ABSENT}
    for member in members:
        if member.key in tree and member.key not in removed_keys:
            yield from _change(text, member, tree[member.key])
    present = {member.key for member in members}
    added = tree_values({key: part for key, part in tree.items() if key not in present})
    if not members:
        if added:
            yield Splice(start + 1, start + 1, _dump(added)[1:-1])
        return
    space, colon = _spacing(text, start, members)
    pairs = [f"{_dump(key)}{colon}{_dump(value)}" for key, value in added.items()]
    removed = {index for index, member in enumerate(members) if member.key in removed_keys}
    if len(removed) == len(members):
        yield Splice(members[0].start, members[-1].end, f",{space}".join(pairs))
        return
    if pairs:
        end = max(member.end for index, member in enumerate(members) if index not in removed)
        yield Splice(end, end, "".join(f",{space}{pair}" for pair in pairs))
    yield from removal_of_parts([(member.start, member.end) for member in members], removed)


def _append_objects(text: str, new: Sequence[Mapping[str, Any]], last_start: int | None) -> Splice:
    """Return the splice that adds objects to a list that is the whole text.

    `last_start` is the offset of the list's last object. If it is None, the list is empty, and the text is replaced.
    """
    if last_start is None:
        items = ",\n".join(f"  {_indented(value, '  ')}" for value in new)
        return Splice(0, len(text), f"[\n{items}\n]\n")
    _, end = _DECODER.raw_decode(text, last_start)
    before = text[:last_start].rstrip(" \t\n\r")
    space = text[len(before) : last_start]
    if "\n" in text[last_start:end]:
        _, _, indent = space.rpartition("\n")
        items = "".join(f",{space}{_indented(value, indent)}" for value in new)
    else:
        items = "".join(f",{space or ' '}{_dump(value)}" for value in new)
    return Splice(end, end, items)


def _change(text: str, member: _Member, part: "Leaf | Tree") -> Iterator[Splice]:
    """Yield the splices that set the value of a member; none if the member has this value already."""
    old = json.loads(text[member.value_start : member.end])
    if not isinstance(part, Leaf) and isinstance(old, dict):
        yield from _edit_object(text, member.value_start, part)
        return
    value = part.value if isinstance(part, Leaf) else tree_values(part)
    if json.dumps(old) == json.dumps(value):
        return
    new = _dump(value)
    if isinstance(value, list | Mapping) and "\n" in text[member.value_start : member.end]:
        indent = _INDENT.match(text, text.rfind("\n", 0, member.start) + 1)
        new = _indented(value, indent[0] if indent else "")
    yield Splice(member.value_start, member.end, new)


def _members(text: str, start: int) -> Iterator[_Member]:
    """Yield the members of the object that starts at an offset, with the offsets of their keys and values."""
    offset = _skip(text, start + 1)
    while text[offset] != "}":
        key, key_end = _DECODER.raw_decode(text, offset)
        value_start = _skip(text, _skip(text, key_end) + 1)
        _, end = _DECODER.raw_decode(text, value_start)
        yield _Member(key, offset, key_end, value_start, end)
        offset = _skip(text, end)
        if text[offset] == ",":
            offset = _skip(text, offset + 1)


def _spacing(text: str, start: int, members: Sequence[_Member]) -> tuple[str, str]:
    """Return the space before a new key, and the text between a key and its value, as the other members have them."""
    first, last = members[0], members[-1]
    colon = text[first.key_end : first.value_start]
    previous = text.index(",", members[-2].end) if len(members) > 1 else start  # the comma or brace before the last key
    space = text[previous + 1 : last.start]
    if len(members) == 1 and "\n" not in space:  # on one line, and no comma shows the space: use that after the colon
        space = " " if colon.endswith(" ") else ""
    return space, colon


def _skip(text: str, offset: int) -> int:
    space = _SPACE.match(text, offset)
    return space.end() if space else offset


def _dump(value: Any) -> str:
    return json.dumps(_plain(value), ensure_ascii=False)


def _indented(value: Any, indent: str) -> str:
    """Return the value on several lines, with `indent` before each line but the first."""
    return json.dumps(_plain(value), ensure_ascii=False, indent=2).replace("\n", f"\n{indent}")


def _plain(value: Any) -> Any:
    """Return a copy of a value in which plain scalars, such as dates, are strings: JSON has no type for them."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, PlainScalar) else value
