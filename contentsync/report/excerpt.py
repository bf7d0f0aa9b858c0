"""The line of a problem, with a mark under the location, as compilers show it."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from rich.cells import cell_len

from ..content.draft import Unreadable
from ..content.files.source_file import MAX_BYTES, Root, follow
from .formatting import printable

_TAB = "    "
_CUT = "..."
# What a mark covers: a quoted text, ...
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
# ... a cell after a delimiter, ...
_CELLS = {mark: re.compile(rf"[^{re.escape(mark)}\"]+(?<!\s)") for mark in ",;\t|"}
# ... a key, or a value that reaches to the end of the line or to a comment, ...
_LEAD = re.compile(r"\s*(?:- +)*+(?:([\w.\"'-]+) *(?::\s|=)\s*)?")
_KEY = re.compile(r"[\w.-]+(?= *(?::(?:\s|$)|=))")
_VALUE = re.compile(r"[^\"'\[{|>\s\x00-\x1f\x7f](?:.*?\S)??(?=\s+#|\s*$)")
# ... or a word.
_WORD = re.compile(r"[^\s,;|\"'()<>\[\]{}]*[^\s,;|\"'()<>\[\]{}:]")
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class Excerpt(NamedTuple):
    """The shown part of a line, and the mark below it: its first column, from 0, and its width."""

    line: str
    start: int
    width: int

    @property
    def parts(self) -> tuple[str, str, str]:
        """The line before the mark, the marked text, and the rest."""
        before = _fitting(list(self.line), self.start)
        after = self.line[len(before) :]
        marked = _fitting(list(after), self.width)
        return "".join(before), "".join(marked), after[len(marked) :]


def read_lines(folder: Path, path: str, numbers: Iterable[int]) -> Mapping[int, str]:
    """Return the lines of a file by number; bytes that are not UTF-8 become lone surrogates.

    Return nothing from a file that cannot be read, is outside the folder, or is UTF-16, and only lines within the first
    MAX_BYTES of a large one.
    """
    data = _read(folder, path)
    if not data or data.startswith(_UTF16):
        return {}
    lines = data.removeprefix(_BOM).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    if len(data) == MAX_BYTES:
        lines.pop()  # it may be incomplete
    return {n: lines[n - 1].decode("utf-8", "surrogateescape") for n in numbers if n <= len(lines)}


def excerpt(line: str, column: int, width: int) -> Excerpt | None:
    """Return the part of a line around a column, from 1, that fits the width; None if the line is too short."""
    start = column - 1
    if start > len(line):
        return None
    before, after = (list(map(_visible, part)) for part in (line[max(0, start - width) : start], line[start:][:width]))
    room = width - 2 * len(_CUT)
    left = _fitting(before[::-1], max(room // 2, room - cell_len("".join(after))))[::-1]
    right = _fitting(after, room - cell_len("".join(left)))
    lead = "".join([_CUT * (len(left) < start), *left])
    marked = right[: _item_length(line, start)]
    shown = "".join([lead, *right, _CUT * (start + len(right) < len(line))])
    return Excerpt(shown, cell_len(lead), max(1, cell_len("".join(marked))))


def _item_length(line: str, start: int) -> int:
    """Return the length of the item that starts there."""
    before = line[:start]
    lead = _LEAD.fullmatch(before)
    patterns = [_QUOTED]
    if lead and not lead[1]:
        patterns.append(_KEY)
    if lead and before.strip():
        patterns.append(_VALUE)
    elif before[-1:] in _CELLS:
        patterns.append(_CELLS[before[-1]])
    found = next((found for pattern in (*patterns, _WORD) if (found := pattern.match(line, start))), None)
    return len(found[0]) if found else 1


def _fitting(pieces: list[str], room: int) -> list[str]:
    """Return the first pieces, as many as fit."""
    for count, segment in enumerate(pieces):
        room -= cell_len(segment)
        if room < 0:
            return pieces[:count]
    return pieces


def _visible(character: str) -> str:
    if character == "\t":
        return _TAB
    if "\udc80" <= character <= "\udcff":
        return f"\\x{ord(character) - 0xDC00:02x}"  # a byte that is not UTF-8
    return printable(character)


def _read(folder: Path, path: str) -> bytes:
    try:
        with Root(folder) as root:
            return root.head(follow(folder.resolve(), path, path), path, MAX_BYTES)
    except (Unreadable, ValueError):
        return b""
