"""The result of reading files, in a form for pipes between processes and for the cache."""

from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Any, NamedTuple

import orjson

from ..errors import Severity
from ..model import RECORDS, Kind, Notes
from ..model.entry import NO_NOTES
from .draft import Draft
from .entry_reader import ReadLog
from .entry_references import title_of
from .identity import identities_of
from .translations import Unit
from .validation_report import JsonRow, problem_to_row

_NAMED = frozenset({Kind.CATEGORY, Kind.TAG, Kind.ORGANIZER})  # kinds that other entries name by title


class EntrySummary(NamedTuple):
    """An entry, without its values unless these were asked for; a row ends with the last part that says something."""

    key: str
    line: int
    identities: list[tuple[str, str]] = []  # name and value; empty where that is the key alone
    title: str | None = None  # of kinds that others name
    locales: list[str] = []  # that it is translated into
    links: list[Any] = []  # to other entries
    problems: list[JsonRow] = []
    values: dict[str, Any] | None = None
    notes: JsonRow = []

    @property
    def is_sound(self) -> bool:
        """Whether the entry has no errors."""
        return not any(row[5] == Severity.ERROR for row in self.problems)


def summarize(draft: Draft, *, whole: bool) -> JsonRow:
    """The outline of a draft as a row; with its values only if it is wanted whole."""
    own = identities_of(draft) if draft.kind is Kind.LISTING else []  # of the others it is the key
    if own == [(RECORDS[Kind.LISTING].key_field, draft.key)]:
        own = []
    translations = draft.values.get("translations")
    row: JsonRow = [
        draft.key,
        draft.line,
        own,
        title_of(draft) if draft.kind in _NAMED else None,
        [*translations] if isinstance(translations, dict) else [],
        draft.links,
        [problem_to_row(problem) for problem in draft.told()] if draft.problems else [],
        draft.values if whole and draft.is_sound else None,
        [draft.notes.skip, draft.notes.protect, *draft.notes.previous] if draft.notes is not NO_NOTES else [],
    ]
    while not row[-1]:
        del row[-1]
    return row


def notes_from_row(row: JsonRow) -> Notes:
    """The notes of an outline."""
    return Notes(row[0], row[1], tuple(row[2:])) if row else Notes()


_KEY_AND_LINE = 2  # values of an outline that says no more than key and line

stamp_text = "%d %d %d %d".__mod__  # of a tuple of size, modification, change and inode


class UnitResult(NamedTuple):
    """What a unit holds where that is more than a key."""

    rows: Sequence[JsonRow]  # outlines of its entries
    problems: Sequence[JsonRow]  # besides those of the entries
    incomplete: bool  # entries may be missing


class UnitResults(NamedTuple):
    """What units of one kind hold; each column has a value for each unit."""

    names: list[str]
    stamps: list[str]  # of the unit's files; empty where one of them could not be opened
    changed: list[int]  # nanoseconds: the latest modification or change of these
    held: list[Any]  # the key of a document of which there is no more to say; else a list, the values of a `UnitResult`

    @classmethod
    def empty(cls) -> "UnitResults":
        """Of no units yet."""
        return cls([], [], [], [])

    @classmethod
    def of(cls, data: bytes) -> "UnitResults":
        """The batch of its JSON."""
        return cls(*orjson.loads(data))

    def dumps(self) -> bytes:
        """The batch as JSON, in one line."""
        return orjson.dumps(tuple(self))

    def add(self, unit: Unit, rows: Sequence[JsonRow], found: ReadLog) -> None:
        """Add a unit that was read."""
        stamps = found.stamps if len(found.stamps) == len(unit.files) else ()
        self.names.append(unit.name)
        self.stamps.append("\n".join([stamp_text(stamp) for stamp in stamps]))
        self.changed.append(max([max(stamp.mtime_ns, stamp.ctime_ns) for stamp in stamps], default=0))
        if (
            len(rows) == 1
            and len(rows[0]) == _KEY_AND_LINE
            and rows[0][0]
            and not found.problems
            and not found.incomplete
        ):
            self.held.append(rows[0][0])
        else:
            problems = [problem_to_row(problem) for problem in found.problems]
            self.held.append([*UnitResult(rows, problems, found.incomplete)])

    def extend(self, other: "UnitResults") -> None:
        """Add the units of another batch."""
        self.names.extend(other.names)
        self.stamps.extend(other.stamps)
        self.changed.extend(other.changed)
        self.held.extend(other.held)

    def parts(self, size: int) -> Iterator["UnitResults"]:
        """Batches of up to so many units."""
        for start in range(0, len(self.names), size):
            part = slice(start, start + size)
            yield UnitResults(self.names[part], self.stamps[part], self.changed[part], self.held[part])

    def only(self, wanted: Sequence[bool]) -> "UnitResults":
        """The units for which `wanted` says so: the batch itself if that is all."""
        if all(wanted):
            return self
        names, stamps, changed, held = (list(compress(column, wanted)) for column in self)
        return UnitResults(names, stamps, changed, held)
