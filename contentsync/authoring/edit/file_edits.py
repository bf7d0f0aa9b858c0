"""Data types of edits: field values by path, replacements in a text, and whole files before and after an edit."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ...content.files.file_text import UnreadableFile, codec_of, normalize_newlines
from ...content.formats.draft import ABSENT, FieldPath
from ...errors import Problem, Refused
from ...model import Entry, EntryKey, Kind


@dataclass(frozen=True, slots=True)
class RemoteChanges:
    """The server's changes that a pull writes into a folder."""

    changes: Mapping[EntryKey, Mapping[str, Any]]  # for entries of the folder: the server's values by dotted name
    new: Sequence[Entry]  # entries that only the server has
    server_entries: Mapping[EntryKey, Entry]  # the server's entry for each entry of the folder, changed or not
    actual: Sequence[Entry]  # all entries that were fetched from the server

    def without_fields(self, omitted: Mapping[EntryKey, Collection[str]]) -> "RemoteChanges":
        """Return the changes without the `omitted` fields; an entry without other fields is left out."""
        changes = {
            key: {name: value for name, value in fields.items() if name not in omitted.get(key, ())}
            for key, fields in self.changes.items()
        }
        return replace(self, changes={key: fields for key, fields in changes.items() if fields})


class WrittenFields(NamedTuple):
    """An entry in a file, with the dotted names of the fields that an edit writes; () for a new entry."""

    kind: Kind
    key: str
    fields: tuple[str, ...] = ()

    @property
    def is_new(self) -> bool:
        """Return whether the edit adds the entry to the file."""
        return not self.fields


@dataclass(frozen=True, slots=True, repr=False)  # asyncio would format the result of each task
class FileEdit:
    """The bytes of a file before and after an edit; None if the file does not exist."""

    path: str  # relative to the content folder
    location: str  # the path of the file itself, links resolved; relative to the folder, too
    before: bytes | None
    after: bytes | None
    written: tuple[WrittenFields, ...] = ()
    warnings: tuple[Problem, ...] = ()  # about values that are dangerous in this file
    added_columns: tuple[str, ...] = ()  # of a table that existed before: each of its rows changes


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
        return self._bom + "".join(parts).encode(self._codec)

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


_EDIT_HINT = "change it by hand, or leave it out with --only"


def unreadable_edit_error(path: str, error: UnreadableFile) -> Refused:
    """Return the error for an edit after which the file could not be read."""
    return Refused(f"{path}: {error.problems[0].message}, with what the server has", _EDIT_HINT)


def misread_edit_error(path: str) -> Refused:
    """Return the error for an edit after which the file would be read with other values."""
    return Refused(f"{path} is written in a way that cannot be changed in place", _EDIT_HINT)
