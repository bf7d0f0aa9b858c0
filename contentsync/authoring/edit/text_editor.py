"""The one way in which an edit changes a file: splice its text, read the result again, compare it, or refuse.

```
 `Tree` of changes ─► TextEditor ─► splices ─► spliced_bytes ─► read again ─► equal to the expected values? ─► bytes
                      (YAML, JSON, TOML, or the cells of a table)                        └─ no: Refused, no file changes
```
"""

from bisect import bisect_left
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

from ...content.files.file_text import UnreadableFile, codec_of, normalize_newlines
from ...content.formats.draft import ABSENT, FieldPath, ValuePath
from ...errors import Refused
from ...lazy_pattern import lazy_pattern

Values = TypeVar("Values")

_BLANK_LINES = lazy_pattern(r"(?:[ \t]*\n)*+[ \t]*\Z|(?:[ \t]*\n)*+")


@dataclass(frozen=True, slots=True)
class Leaf:
    """The value of one key in a `Tree`; `ABSENT` removes the key."""

    value: Any


Tree = dict[str, "Leaf | Tree"]


def build_tree(changes: Mapping[FieldPath, Any]) -> Tree:
    """Return values by path as nested objects: {("seo", "title"): "A"} becomes {"seo": {"title": Leaf("A")}}."""
    tree: Tree = {}
    for path, value in changes.items():
        subtree = tree
        for key in path[:-1]:
            part = subtree.setdefault(key, {})
            assert not isinstance(part, Leaf), "a value and a part of it are both set"  # noqa: S101
            subtree = part
        subtree[path[-1]] = Leaf(value)
    return tree


def without_emptied(tree: Tree, values: Any) -> Tree:
    """Return the tree with the removal of an object of `values` in place of the removal of all its keys."""
    result: Tree = {}
    for key, part in tree.items():
        result[key] = part
        if not isinstance(part, Leaf):
            inner = values.get(key) if isinstance(values, Mapping) else None
            result[key] = part = without_emptied(part, inner)
            removes_all = all(isinstance(each, Leaf) and each.value is ABSENT for each in part.values())
            if removes_all and isinstance(inner, Mapping) and inner.keys() <= part.keys():
                result[key] = Leaf(ABSENT)
    return result


def tree_values(tree: Tree) -> dict[str, Any]:
    """Return the values of a tree as a new object, without the keys that the tree removes."""
    return {
        key: part.value if isinstance(part, Leaf) else tree_values(part)
        for key, part in tree.items()
        if not (isinstance(part, Leaf) and part.value is ABSENT)
    }


def apply_tree(values: Mapping[str, Any], tree: Tree) -> dict[str, Any]:
    """Return a copy of the values with the changes of a tree; changed values are converted with `as_read`."""
    result = dict(values)
    for key, part in tree.items():
        if not isinstance(part, Leaf):
            current = result.get(key)
            result[key] = apply_tree(current if isinstance(current, Mapping) else {}, part)
        elif part.value is ABSENT:
            result.pop(key, None)
        else:
            result[key] = as_read(part.value)
    return result


def as_read(value: Any) -> Any:
    """Return the value as readers of files return it: every scalar as text, except None."""
    if isinstance(value, Mapping):
        return {key: as_read(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [as_read(item) for item in value]
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if value is None or isinstance(value, str) else repr(value)


class Splice(NamedTuple):
    """A replacement for the text between two offsets; it inserts if the offsets are equal."""

    start: int
    end: int
    text: str  # with `\\n` line ends


class SourceText:
    """The bytes of a file, and its text with `\\n` line ends, as readers return it.

    `encoding` is that of the format of a table; other files are UTF-8.
    """

    def __init__(self, data: bytes, encoding: str | None = "utf-8") -> None:
        """Decode the bytes of a file, and store its encoding, byte order mark and line ends for `spliced_bytes`."""
        self._encoding = encoding
        self._codec, self._bom = codec_of(data, encoding)
        raw = data.removeprefix(self._bom).decode(self._codec)
        self.text = normalize_newlines(raw)
        self._raw = raw
        self._crlf_offsets: list[int] = []  # in `text`: line ends that are two characters in the file
        offset = raw.find("\r\n")
        while offset >= 0:
            self._crlf_offsets.append(offset - len(self._crlf_offsets))
            offset = raw.find("\r\n", offset + 2)
        self._newline = "\n"
        first_newline = self.text.find("\n")
        if first_newline >= 0:  # new lines get the line end of the first one
            start = self._raw_offset(first_newline)
            self._newline = "\r\n" if raw.startswith("\r\n", start) else raw[start]

    def with_bytes(self, data: bytes) -> "SourceText":
        """Return the text of other bytes in the encoding of this file."""
        return SourceText(data, self._encoding)

    def encode(self, text: str) -> bytes:
        """Return the bytes of a text in the encoding of this file. Raises UnicodeEncodeError."""
        return text.encode(self._codec)

    def spliced_bytes(self, splices: Iterable[Splice]) -> bytes:
        """Return the bytes of the file after the splices, which must not overlap; insertions keep their order.

        Raises UnicodeEncodeError for a text that the encoding of the file cannot represent.
        """
        parts: list[str] = []
        position = 0
        for splice in sorted(splices, key=lambda splice: (splice.start, splice.end)):
            parts += [self._raw[position : self._raw_offset(splice.start)], splice.text.replace("\n", self._newline)]
            position = self._raw_offset(splice.end)
        parts.append(self._raw[position:])
        return self._bom + self.encode("".join(parts))

    def _raw_offset(self, offset: int) -> int:
        """Return the offset in the file's own text for an offset in `text`."""
        return offset + bisect_left(self._crlf_offsets, offset)


def diff_splices(before: str, after: str, start: int = 0) -> list[Splice]:
    """Return the splice that turns `before`, at offset `start` of its file, into `after`; [] if they are equal."""
    if before == after:
        return []
    head = 0
    shortest = min(len(before), len(after))
    while head < shortest and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < shortest - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return [Splice(start + head, start + len(before) - tail, after[head : len(after) - tail])]


def removal_of_parts(parts: Sequence[tuple[int, int]], removed: Container[int]) -> Iterator[Splice]:
    """Yield the splices that remove some of the parts of a list or object in brackets, each with one comma.

    `parts` are the start and the end of each part, and `removed` the indices of those to remove.
    """
    staying = [index for index in range(len(parts)) if index not in removed]
    if not staying:
        yield Splice(parts[0][0], parts[-1][1], "")
        return
    last = staying[-1]
    for index in range(last):
        if index in removed:  # with the comma behind it
            yield Splice(parts[index][0], parts[index + 1][0], "")
    if last + 1 < len(parts):  # those behind the last one that stays: with the comma before them
        yield Splice(parts[last][1], parts[-1][1], "")


def removal_of_lines(text: str, ranges: Iterable[tuple[int, int]]) -> Iterator[Splice]:
    """Yield the splices that remove lines, and the blank lines that would be left double or at the end of the text.

    Each range has the offset of its first line and the offset after its last one.
    """
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        is_next = bool(merged) and not text[merged[-1][1] : start].strip()
        merged.append((merged.pop()[0] if is_next else start, end))
    first = len(text) - len(text.lstrip())
    for start, end in merged:
        after = end
        if blank_lines := _BLANK_LINES.match(text, end):
            after = blank_lines.end()
        if after == len(text) and start > first:
            yield Splice(len(text[:start].rstrip()) + 1, len(text), "")
        elif start <= first or text.endswith("\n\n", 0, start):
            yield Splice(start, after, "")
        else:
            yield Splice(start, end, "")


class TextEditor(Protocol):
    """Collects the edits of one text in one format. Steps lead from the root of the text to a value in it.

    Each format has a class. Its text may be a part of a file: then the text starts at the offset `start` of the file.
    """

    @property
    def splices(self) -> list[Splice]:
        """The splices that make all edits so far, with offsets in the file."""
        ...

    def edit(self, steps: ValuePath, tree: Tree) -> None:
        """Change, add and remove keys of the object at `steps`, once for each object. Raises Refused."""
        ...

    def append(self, steps: ValuePath, new: Sequence[Mapping[str, Any]]) -> None:
        """Add objects at the end of the list at `steps`, which is created if the text is empty. Raises Refused."""
        ...

    def remove(self, items: Sequence[ValuePath]) -> None:
        """Remove items of lists, as the only edit of this editor. Raises Refused.

        Comments outside of an item stay.
        """
        ...

    def as_read(self, tree: Tree) -> Tree:
        """Return the same changes, with each value as the format can represent it."""
        ...


def edited_bytes(
    source: SourceText,
    path: str,
    splices: Iterable[Splice],
    read: Callable[[str], Values],
    expected: Values,
    refusal: Refused | None = None,
) -> bytes:
    """Return the bytes of a file after the splices. Raise Refused unless `read` returns the `expected` values then.

    `read` gets the new text. Raises `refusal`, if it is set, for other values.
    """
    data = source.spliced_bytes(splices)
    try:
        reread = read(source.with_bytes(data).text)
    except UnreadableFile as error:
        raise Refused(f"{path}: {error.problems[0].message}, with the new values", _EDIT_HINT) from error
    if reread != expected:
        raise refusal or misread_edit_error(path)
    return data


_EDIT_HINT = "change the file by hand, in another form, and run again"


def misread_edit_error(path: str) -> Refused:
    """Return the error for an edit after which the file would be read with other values."""
    return Refused(f"{path} is written in a way that cannot be changed in place", _EDIT_HINT)
