"""The line that a problem is about, with a mark under the place, as compilers show it."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from rich.cells import cell_len

from ..content.draft import Unreadable
from ..content.files.source_file import MAX_BYTES, Root, follow
from .words import printable

_TAB = "    "
_CUT = "..."
# What stands at a place: a quoted text, or a word without the colon of a key.
_WORD = re.compile(r"\"[^\"]*\"|'[^']*'|[^\s,;|\"'()<>\[\]{}]*[^\s,;|\"'()<>\[\]{}:]")
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class Excerpt(NamedTuple):
    """What a terminal shows of a line, and the mark below: its first column, from 0, and its width."""

    line: str
    start: int
    width: int


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
    word = _WORD.match(line, start)
    marked = right[: len(word[0]) if word else 1]
    shown = "".join([lead, *right, _CUT * (start + len(right) < len(line))])
    return Excerpt(shown, cell_len(lead), max(1, cell_len("".join(marked))))


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
        with Root(folder) as root:
            return root.head(follow(folder.resolve(), path, path), path, MAX_BYTES)
    except (Unreadable, ValueError):
        return b""
