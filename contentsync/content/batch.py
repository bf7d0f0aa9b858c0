"""What units hold, in columns: of most documents their key says all that others must know, so many go at once."""

from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Any, NamedTuple

import orjson

from .reading import Found
from .survey import Row, problem_row
from .unit import Unit

_PLAIN = 2  # values of an outline that says no more than key and line

stamp_text = "%d %d %d %d".__mod__  # of a tuple of size, modification, change and inode


class Held(NamedTuple):
    """What a unit holds where that is more than a key."""

    rows: Sequence[Row]  # outlines of its entries
    problems: Sequence[Row]  # besides those of the entries
    incomplete: bool  # entries may be missing


class Batch(NamedTuple):
    """What units of one kind hold; each column has a value for each unit."""

    names: list[str]
    stamps: list[str]  # of the unit's files; empty where one of them could not be opened
    changed: list[int]  # nanoseconds: the latest modification or change of these
    held: list[Any]  # the key of a document of which there is no more to say; else a list, the values of a `Held`

    @classmethod
    def empty(cls) -> "Batch":
        """Of no units yet."""
        return cls([], [], [], [])

    @classmethod
    def of(cls, data: bytes) -> "Batch":
        """The batch of its JSON."""
        return cls(*orjson.loads(data))

    def dumps(self) -> bytes:
        """The batch as JSON, in one line."""
        return orjson.dumps(tuple(self))

    def add(self, unit: Unit, rows: Sequence[Row], found: Found) -> None:
        """Add a unit that was read."""
        stamps = found.stamps if len(found.stamps) == len(unit.files) else ()
        self.names.append(unit.name)
        self.stamps.append("\n".join([stamp_text(stamp) for stamp in stamps]))
        self.changed.append(max([max(stamp.mtime_ns, stamp.ctime_ns) for stamp in stamps], default=0))
        if len(rows) == 1 and len(rows[0]) == _PLAIN and rows[0][0] and not found.problems and not found.incomplete:
            self.held.append(rows[0][0])
        else:
            problems = [problem_row(problem) for problem in found.problems]
            self.held.append([*Held(rows, problems, found.incomplete)])

    def extend(self, other: "Batch") -> None:
        """Add the units of another batch."""
        self.names.extend(other.names)
        self.stamps.extend(other.stamps)
        self.changed.extend(other.changed)
        self.held.extend(other.held)

    def parts(self, size: int) -> Iterator["Batch"]:
        """Batches of up to so many units."""
        for start in range(0, len(self.names), size):
            part = slice(start, start + size)
            yield Batch(self.names[part], self.stamps[part], self.changed[part], self.held[part])

    def only(self, wanted: Sequence[bool]) -> "Batch":
        """The units for which `wanted` says so: the batch itself if that is all."""
        if all(wanted):
            return self
        names, stamps, changed, held = (list(compress(column, wanted)) for column in self)
        return Batch(names, stamps, changed, held)
