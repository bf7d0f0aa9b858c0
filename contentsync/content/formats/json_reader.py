"""Read JSON with the position of every key and value, and report what a standard parser would not.

The standard library's parser uses the last of two equal keys, accepts NaN, and reports no positions.
"""

import json
from bisect import bisect_right
from typing import Any, NoReturn

from ...errors import Problem, Where
from ...lazy_pattern import lazy_pattern
from ...model import Kind, PlainScalar
from ...model.field_types import MAX_DEPTH
from ...model.suggestion import STRAIGHT_QUOTES_HINT, TYPOGRAPHIC_QUOTES
from ..files.file_text import UnreadableFile, line_starts
from .draft import Location
from .file_tree import FileTree

_SPACE = lazy_pattern(r"[ \t\n\r]*+")
_OPEN_STRING = lazy_pattern(r'"(?:[^"\\\x00-\x1f]++|\\[^\x00-\x1f])*+')
_STRING = lazy_pattern(rf'{_OPEN_STRING.pattern}"')
_NUMBER = lazy_pattern(r"-?+(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][-+]?+[0-9]++)?+")
_LITERALS = {"true": PlainScalar("true"), "false": PlainScalar("false"), "null": None}
_LITERAL = lazy_pattern("true|false|null")
_SURROGATE = lazy_pattern("[\ud800-\udfff]")
_HINTS = (  # by the text at the error
    (lazy_pattern(f"[{TYPOGRAPHIC_QUOTES}]"), STRAIGHT_QUOTES_HINT),
    (lazy_pattern("'"), "put texts and keys in double quotes"),
    (lazy_pattern("[A-Za-z_]"), "put texts and keys in double quotes; a value without quotes is true, false or null"),
    (lazy_pattern("//|/[*]|#"), "JSON has no comments: delete it, or save the file as YAML"),
    (lazy_pattern(r"[\]}]"), "delete the comma before it"),
    (lazy_pattern(r"[-+.0-9]"), "write a number such as 12 or -0.5, or put the value in double quotes"),
)


def read_json(text: str, kind: Kind, path: str) -> FileTree:
    """Return the values of a JSON text: texts as they are, numbers and booleans as written (`PlainScalar`).

    An empty text has the value None. Raises UnreadableFile for a syntax error.
    """
    tree = FileTree(kind, path)
    _JSONReader(text, tree).read()
    return tree


class _JSONReader:
    """Reads a JSON text into a tree. Each method that reads something gets its offset, and returns the offset after."""

    def __init__(self, text: str, tree: FileTree) -> None:
        self._text = text
        self._record_in(tree)
        self._open: list[int] = []  # the offsets of the brackets around the current value
        self._line_starts = line_starts(text)

    def _record_in(self, tree: FileTree) -> None:
        """Add the locations and problems of what is read from now on to a tree."""
        self._tree = tree
        self._value_locations, self._key_locations = tree.value_locations, tree.key_locations

    def read(self) -> None:
        """Set the root of the tree, unless the text is empty. Raise UnreadableFile."""
        start = self._skip(0)
        if start == len(self._text):
            return
        self._tree.root, end = self._value(start, name="", depth=0)
        end = self._skip(end)
        if end < len(self._text):
            self._refuse(end, "there is text after the end of the value", "delete it, or put several values in a list")

    def _value(self, offset: int, name: str, depth: int) -> tuple[Any, int]:
        """Return the value at an offset, and the offset after it; `depth` is the number of values around it."""
        first = self._text[offset : offset + 1]
        self._value_locations[name] = self._location(offset)
        if first == '"':
            return self._string(offset)
        if first in ("{", "["):
            if depth >= MAX_DEPTH:
                message = f"values are nested deeper than {MAX_DEPTH} levels"
                raise UnreadableFile(Problem("too-deep", message, self._where(offset), "use fewer levels"))
            self._open.append(offset)
            value_and_end = self._object(offset, name, depth) if first == "{" else self._list(offset, name, depth)
            self._open.pop()
            return value_and_end
        if literal := _LITERAL.match(self._text, offset):
            return _LITERALS[literal[0]], literal.end()
        number = _NUMBER.match(self._text, offset)
        if number is None:
            self._refuse(offset, "expected a value")
        return PlainScalar(number[0]), number.end()

    def _object(self, offset: int, name: str, depth: int) -> tuple[dict[str, Any], int]:
        """Return the object that starts at an offset, and the offset after it; `name` is its dotted name."""
        values: dict[str, Any] = {}
        prefix = f"{name}." if name else ""
        offset = self._skip(offset + 1)
        if self._text.startswith("}", offset):
            return values, offset + 1
        while True:
            if not self._text.startswith('"', offset):
                self._refuse(offset, "expected a key in double quotes")
            key_offset = offset
            key, offset = self._string(offset)
            offset = self._skip(offset)
            if not self._text.startswith(":", offset):
                self._refuse(offset, "expected a colon after the key", "write a colon between key and value")
            offset = self._skip(offset + 1)
            full_name = prefix + key
            if key in values or not key:
                self._report_key(key, full_name, key_offset)
                offset = self._skip_value(offset, depth + 1)
            else:
                self._key_locations[full_name] = self._location(key_offset)
                values[key], offset = self._value(offset, full_name, depth + 1)
            offset = self._skip(offset)
            if self._text.startswith("}", offset):
                return values, offset + 1
            offset = self._comma(offset)

    def _list(self, offset: int, name: str, depth: int) -> tuple[list[Any], int]:
        """Return the list that starts at an offset, and the offset after it; `name` is its dotted name."""
        values: list[Any] = []
        prefix = f"{name}." if name else ""
        offset = self._skip(offset + 1)
        if self._text.startswith("]", offset):
            return values, offset + 1
        while True:
            value, offset = self._value(offset, f"{prefix}{len(values)}", depth + 1)
            values.append(value)
            offset = self._skip(offset)
            if self._text.startswith("]", offset):
                return values, offset + 1
            offset = self._comma(offset)

    def _skip_value(self, offset: int, depth: int) -> int:
        """Return the offset after the value at an offset. Report only syntax errors in it, not its keys."""
        tree = self._tree
        self._record_in(FileTree(tree.kind, tree.path))  # of which nothing is used
        _, end = self._value(offset, name="", depth=depth)
        self._record_in(tree)
        return end

    def _report_key(self, key: str, name: str, offset: int) -> None:
        """Report a key that is empty or occurs twice."""
        if not key:
            hint = "write a name before the colon"
            self._tree.error("bad-key", "a key must not be empty", self._where(offset), hint)
            return
        _, (line, _) = self._key_locations[name]
        message = f"the key {name} occurs twice, here and in line {line}"
        self._tree.error("duplicate-key", message, self._where(offset), "delete one of them")

    def _string(self, offset: int) -> tuple[str, int]:
        """Return the text whose quote is at an offset, and the offset after it. Raise UnreadableFile."""
        match = _STRING.match(self._text, offset)
        if match is None:
            beginning = _OPEN_STRING.match(self._text, offset)
            end = beginning.end() if beginning else offset
            if end >= len(self._text):
                self._refuse(offset, "the text is never closed", "close the quote")
            hint = "close the quote; write a line end inside a text as \\n, and a tab as \\t"
            self._refuse(end, "a text cannot contain this character", hint)
        if "\\" not in match[0]:
            return match[0][1:-1], match.end()
        try:
            text = json.loads(match[0])
        except json.JSONDecodeError as error:
            self._refuse(offset + error.pos, "JSON does not have this escape", "write a backslash as \\\\")
        if _SURROGATE.search(text):
            self._refuse(
                offset, "the text contains half of a character (an escape from \\ud800 to \\udfff)", "delete it"
            )
        return text, match.end()

    def _comma(self, offset: int) -> int:
        """Return the offset of what follows the comma at an offset."""
        if not self._text.startswith(",", offset):
            self._refuse(offset, "expected a comma or the closing bracket", "separate values with commas")
        return self._skip(offset + 1)

    def _skip(self, offset: int) -> int:
        space = _SPACE.match(self._text, offset)
        return space.end() if space else offset

    def _location(self, offset: int) -> Location:
        line = bisect_right(self._line_starts, offset)
        return self._tree.path, (line, offset - self._line_starts[line - 1] + 1)

    def _where(self, offset: int) -> Where:
        path, position = self._location(offset)
        return Where(path, *position)

    def _refuse(self, offset: int, message: str, hint: str = "") -> NoReturn:
        """Raise UnreadableFile; at the end of the text, for the innermost bracket that is not closed."""
        if offset >= len(self._text.rstrip()) and self._open:
            offset, message, hint = self._open[-1], "the bracket that opens here is never closed", "close it"
        hint = hint or next((text for pattern, text in _HINTS if pattern.match(self._text, offset)), "check the quotes")
        raise UnreadableFile(Problem("json-syntax", f"not valid JSON: {message}", self._where(offset), hint))
