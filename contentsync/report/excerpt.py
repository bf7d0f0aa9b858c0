"""The source line of a problem with a marker under the location, as compilers show it."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from rich.cells import cell_len

from ..content.files.file_text import UnreadableFile
from ..content.files.source_file import MAX_BYTES, ContentRoot, resolve_link
from ..lazy_pattern import lazy_pattern
from ..value_text import printable

_TAB = "    "
_CUT = "..."
# The marker is as wide as a quoted text, ...
_QUOTED = lazy_pattern(r"\"[^\"]*\"|'[^']*'")
# ... a cell after a delimiter, ...
_CELL_AFTER = {delimiter: lazy_pattern(rf"[^{re.escape(delimiter)}\"]+(?<!\s)") for delimiter in ",;\t|"}
# ... a key, or a value that reaches to the end of the line or to a comment, ...
_INDENT_AND_KEY = lazy_pattern(r"\s*(?:- +)*+(?:([\w.\"'-]+) *(?::\s|=)\s*)?")
_KEY = lazy_pattern(r"[\w.-]+(?= *(?::(?:\s|$)|=))")
_VALUE = lazy_pattern(r"[^\"'\[{|>\s\x00-\x1f\x7f](?:.*?\S)??(?=\s+#|\s*$)")
# ... or a word.
_WORD = lazy_pattern(r"[^\s,;|\"'()<>\[\]{}]*[^\s,;|\"'()<>\[\]{}:]")
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class Excerpt(NamedTuple):
    """The shown part of a source line, with the start (from 0) and the width of the marker below it, in columns."""

    line: str
    start: int
    width: int

    @property
    def parts(self) -> tuple[str, str, str]:
        """Return the text before the marker, the marked text, and the text after it."""
        prefix = _take_fitting(list(self.line), self.start)
        from_marker = self.line[len(prefix) :]
        marked = _take_fitting(list(from_marker), self.width)
        return "".join(prefix), "".join(marked), from_marker[len(marked) :]


def read_lines(folder: Path, path: str, numbers: Iterable[int]) -> Mapping[int, str]:
    """Return the requested lines of a file by number, from 1; bytes that are not UTF-8 become lone surrogates.

    The result is empty if the file cannot be read, is outside the folder, or is UTF-16. It has only lines that end in
    the first MAX_BYTES bytes of the file.
    """
    try:
        with ContentRoot(folder) as root:
            location = resolve_link(folder.resolve(), location=path, path=path)
            data = root.read_head(location, path, size=MAX_BYTES)
    except (UnreadableFile, ValueError):
        return {}
    if not data or data.startswith(_UTF16):
        return {}
    lines = data.removeprefix(_BOM).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    if len(data) == MAX_BYTES:
        lines.pop()  # the last line may be incomplete
    existing = (number for number in numbers if number <= len(lines))
    return {number: lines[number - 1].decode("utf-8", "surrogateescape") for number in existing}


def excerpt(line: str, column: int, width: int) -> Excerpt | None:
    """Return the part of a line around a column (from 1) that fits into `width`; None if the line is too short."""
    start = column - 1
    if start > len(line):
        return None
    before, after = (list(map(_escape, part)) for part in (line[max(0, start - width) : start], line[start:][:width]))
    room = width - 2 * len(_CUT)
    # The text before the column gets half of the room, or more if the text after the column is short.
    room_before = max(room // 2, room - cell_len("".join(after)))
    shown_before = _take_fitting(before[::-1], room_before)[::-1]  # the characters nearest to the column
    shown_after = _take_fitting(after, room - cell_len("".join(shown_before)))
    is_cut_before = len(shown_before) < start
    is_cut_after = start + len(shown_after) < len(line)
    prefix = "".join([_CUT if is_cut_before else "", *shown_before])
    marked = shown_after[: _item_length(line, start)]
    shown = "".join([prefix, *shown_after, _CUT if is_cut_after else ""])
    return Excerpt(shown, cell_len(prefix), max(1, cell_len("".join(marked))))


def _item_length(line: str, start: int) -> int:
    """Return the number of characters of the text, cell, key, value or word at `start`; 1 if there is none."""
    before = line[:start]
    indent_and_key = _INDENT_AND_KEY.fullmatch(before)  # such as `  - title: `
    patterns = [_QUOTED]
    if indent_and_key and not indent_and_key[1]:  # there is no key before `start`
        patterns.append(_KEY)
    if indent_and_key and before.strip():  # there is a key or a list marker
        patterns.append(_VALUE)
    elif before.endswith(tuple(_CELL_AFTER)):  # there is a delimiter
        patterns.append(_CELL_AFTER[before[-1]])
    for pattern in (*patterns, _WORD):
        if match := pattern.match(line, start):
            return len(match[0])
    return 1


def _take_fitting(pieces: list[str], columns: int) -> list[str]:
    """Return as many of the first pieces of text as fit into a number of columns."""
    for count, piece in enumerate(pieces):
        columns -= cell_len(piece)
        if columns < 0:
            return pieces[:count]
    return pieces


def _escape(character: str) -> str:
    """Return a character as it is printed: an escape for an invisible one, and for a byte that is not UTF-8."""
    if character == "\t":
        return _TAB
    if "\udc80" <= character <= "\udcff":
        return f"\\x{ord(character) - 0xDC00:02x}"  # a byte that is not UTF-8
    return printable(character)
