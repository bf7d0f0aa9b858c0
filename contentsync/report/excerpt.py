"""The line that a problem is about, with a mark under the place, as compilers show it."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from rich.cells import cell_len

from ..content.draft import UnreadableFile
from ..content.source_file import MAX_BYTES, ContentRoot, resolve_link
from .words import printable

_TAB = "    "
_CUT = "..."
# What stands at a place: a quoted text, ...
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
# ... a cell behind a delimiter, ...
_CELLS = {mark: re.compile(rf"[^{re.escape(mark)}\"]+(?<!\s)") for mark in ",;\t|"}
# ... a key, or a value that reaches to the end of the line or to a comment, ...
_LEAD = re.compile(r"\s*(?:- +)*+(?:([\w.\"'-]+) *(?::\s|=)\s*)?")
_KEY = re.compile(r"[\w.-]+(?= *(?::(?:\s|$)|=))")
_VALUE = re.compile(r"[^\"'\[{|>\s\x00-\x1f\x7f](?:.*?\S)??(?=\s+#|\s*$)")
# ... or else a word.
_WORD = re.compile(r"[^\s,;|\"'()<>\[\]{}]*[^\s,;|\"'()<>\[\]{}:]")
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class Excerpt(NamedTuple):
    """What a terminal shows of a line, and the mark below: its first column, from 0, and its width."""

    line: str
    start: int
    width: int

    @property
    def parts(self) -> tuple[str, str, str]:
        """The line before the mark, what is marked, and the rest."""
        before = _fitting(list(self.line), self.start)
        behind = self.line[len(before) :]
        marked = _fitting(list(behind), self.width)
        return "".join(before), "".join(marked), behind[len(marked) :]


def read_lines(folder: Path, path: str, numbers: Iterable[int]) -> Mapping[int, str]:
    """Those of a file's lines that are there, by number, bytes that are not UTF-8 as lone surrogates.

    Nothing of a file that cannot be read, that lies outside the folder, or that is UTF-16; of a large one only what
    the first MAX_BYTES hold.
    """
    data = _read(folder, path)
    if not data or data.startswith(_UTF16):
        return {}
    lines = data.removeprefix(_BOM).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    if len(data) == MAX_BYTES:
        lines.pop()  # it may go on
    return {n: lines[n - 1].decode("utf-8", "surrogateescape") for n in numbers if n <= len(lines)}


def excerpt(line: str, column: int, width: int) -> Excerpt | None:
    """The part of a line around a column, from 1, that fits the width; None where the line is too short for it."""
    start = column - 1
    if start > len(line):
        return None
    before, behind = (list(map(_shown, part)) for part in (line[max(0, start - width) : start], line[start:][:width]))
    room = width - 2 * len(_CUT)
    left = _fitting(before[::-1], max(room // 2, room - cell_len("".join(behind))))[::-1]
    right = _fitting(behind, room - cell_len("".join(left)))
    lead = "".join([_CUT * (len(left) < start), *left])
    marked = right[: _length(line, start)]
    shown = "".join([lead, *right, _CUT * (start + len(right) < len(line))])
    return Excerpt(shown, cell_len(lead), max(1, cell_len("".join(marked))))


def _length(line: str, start: int) -> int:
    """How much of a line is what starts there."""
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
    """The first pieces, as many as there is room for."""
    for count, piece in enumerate(pieces):
        room -= cell_len(piece)
        if room < 0:
            return pieces[:count]
    return pieces


def _shown(character: str) -> str:
    if character == "\t":
        return _TAB
    if "\udc80" <= character <= "\udcff":
        return f"\\x{ord(character) - 0xDC00:02x}"  # a byte that is not UTF-8
    return printable(character)


def _read(folder: Path, path: str) -> bytes:
    try:
        with ContentRoot(folder) as root:
            return root.head(resolve_link(folder.resolve(), path, path), path, MAX_BYTES)
    except (UnreadableFile, ValueError):
        return b""
