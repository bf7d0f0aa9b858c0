"""Changes to a file's text that leave every other byte as it is."""

import codecs
from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

_BOM = codecs.BOM_UTF8


class Splice(NamedTuple):
    """Another text for a piece of one; an empty piece is a place to insert at."""

    start: int
    end: int
    text: str  # with `\\n` line ends


class Original:
    """A file as it is: its text, whose line ends are `\\n` as the readers see them, and the bytes behind it."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        raw = data.removeprefix(_BOM).decode()
        self.text = raw.replace("\r\n", "\n").replace("\r", "\n") if "\r" in raw else raw
        self._raw = raw
        self._long: list[int] = []  # where in `text` the line ends are that have two characters in the file
        at = raw.find("\r\n")
        while at >= 0:
            self._long.append(at - len(self._long))
            at = raw.find("\r\n", at + 2)
        first = self.text.find("\n")
        self._newline = "\n"
        if first >= 0:
            start = self._offset(first)
            self._newline = "\r\n" if raw.startswith("\r\n", start) else raw[start]

    def spliced(self, splices: Iterable[Splice]) -> bytes:
        """The bytes of the file with other pieces, which do not overlap; those for one place in their order."""
        parts: list[str] = []
        done = 0
        for splice in sorted(splices, key=lambda splice: (splice.start, splice.end)):
            parts += [self._raw[done : self._offset(splice.start)], splice.text.replace("\n", self._newline)]
            done = self._offset(splice.end)
        parts.append(self._raw[done:])
        return self._data[: len(_BOM)] * self._data.startswith(_BOM) + "".join(parts).encode()

    def _offset(self, offset: int) -> int:
        return offset + bisect_left(self._long, offset)


def difference(before: str, after: str, start: int = 0) -> list[Splice]:
    """The one splice between two texts, of which the first begins at an offset; none where they are equal."""
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
