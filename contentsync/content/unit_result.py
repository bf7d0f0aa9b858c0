"""The results of reading units, in a form that can be sent between processes and cached."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import compress
from typing import Any, NamedTuple

import orjson

from ..model import RECORDS, Kind
from ..model.entry import NO_NOTES
from .draft import Draft
from .entry_reader import ReadLog
from .entry_references import title_of
from .identity import identities_of
from .translations import Unit
from .validation_report import JsonRow, problem_to_row

_KEY_AND_LINE = 2  # length of a row that contains only key and line


def entry_row(draft: Draft, *, whole: bool) -> JsonRow:
    """Return the values of a draft that the checks between entries need, without empty values at the end.

    They are the arguments of `FolderReader.add_entry`. With `whole`, include the values of a draft without errors.
    """
    identities = identities_of(draft) if draft.kind is Kind.LISTING else []  # of other kinds, the key is the identity
    if identities == [(RECORDS[Kind.LISTING].key_field, draft.key)]:
        identities = []
    translations = draft.values.get("translations")
    row: JsonRow = [
        draft.key,
        draft.line,
        identities,
        title_of(draft) if draft.kind is Kind.ORGANIZER else None,
        [*translations] if isinstance(translations, dict) else [],
        draft.links,
        [problem_to_row(problem) for problem in draft.attributed_problems()] if draft.problems else [],
        draft.values if whole and draft.is_sound else None,
        [*draft.notes] if draft.notes is not NO_NOTES else [],
    ]
    while not row[-1]:
        del row[-1]
    return row


class UnitResults(NamedTuple):
    """A batch of results of units of one kind, in columns with one value per unit. Most results are only a key."""

    names: list[str]
    stamps: list[str]  # of the unit's files; empty if one of them could not be opened
    changed: list[int]  # nanoseconds: the latest time of modification or change of the files
    results: list[Any]  # the key of a document without problems, links etc.; or [entry rows, problem rows, incomplete]

    @classmethod
    def empty(cls) -> "UnitResults":
        """Return a batch without units."""
        return cls([], [], [], [])

    @classmethod
    def from_json(cls, data: bytes) -> "UnitResults":
        """Return the batch from its JSON."""
        return cls(*orjson.loads(data))

    def to_json(self) -> bytes:
        """Return the batch as JSON on one line."""
        return orjson.dumps(tuple(self))

    def add(self, unit: Unit, rows: Sequence[JsonRow], log: ReadLog) -> None:
        """Add the result of a unit: the rows of its entries, and the complete log of reading it."""
        stamps = log.stamps if len(log.stamps) == len(unit.files) else ()
        self.names.append(unit.name)
        self.stamps.append("\n".join(map(str, stamps)))
        self.changed.append(max([max(stamp.mtime_ns, stamp.ctime_ns) for stamp in stamps], default=0))
        if len(rows) == 1 and len(rows[0]) == _KEY_AND_LINE and rows[0][0] and not log.problems and not log.incomplete:
            self.results.append(rows[0][0])
        else:
            self.results.append([rows, [problem_to_row(problem) for problem in log.problems], log.incomplete])

    def extend(self, other: "UnitResults") -> None:
        """Add the units of another batch."""
        self.names.extend(other.names)
        self.stamps.extend(other.stamps)
        self.changed.extend(other.changed)
        self.results.extend(other.results)

    def split(self, size: int) -> Iterator["UnitResults"]:
        """Yield the same results in batches of at most `size` units."""
        for start in range(0, len(self.names), size):
            part = slice(start, start + size)
            yield UnitResults(self.names[part], self.stamps[part], self.changed[part], self.results[part])

    def select(self, selected: Sequence[bool]) -> "UnitResults":
        """Return a batch with the selected units; this object if all are selected."""
        if all(selected):
            return self
        names, stamps, changed, results = (list(compress(column, selected)) for column in self)
        return UnitResults(names, stamps, changed, results)

    def settled(self, before: int) -> "UnitResults":
        """Return a batch with the units whose files were all opened, and last changed before a time in nanoseconds."""
        pairs = zip(self.changed, self.stamps, strict=True)
        return self.select([changed < before and stamps != "" for changed, stamps in pairs])

    def unchanged(self, units: Mapping[str, Unit], is_unchanged: Callable[[Unit, str], bool]) -> "UnitResults":
        """Return a batch with those `units` (by name) whose files are unchanged according to `is_unchanged`."""
        pairs = zip(self.names, self.stamps, strict=True)
        return self.select([name in units and is_unchanged(units[name], stamps) for name, stamps in pairs])
