"""The results of reading units: a record of each entry, in batches, and their compact form in JSON."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any, NamedTuple

import orjson

from ...errors import Problem
from ...model import RECORDS, Kind, Notes, Values
from ...model.entry import NO_NOTES
from ..entry.entry_references import title_of
from ..entry.identity import identities_of
from ..files.content_folder import FileStamp
from ..files.validation_report import problem_from_row, problem_to_row
from ..formats.draft import Draft, Link, PicturePath
from .lookups import Lookups
from .translations import Unit


class EntryRecord(NamedTuple):
    """What the checks between entries need of an entry that was read. Most entries have only the first values."""

    key: str
    line: int
    # Pairs of a name and a value, which may be unique by a house rule; without any, the key is the only identity.
    identities: Sequence[Sequence[str]] = ()
    title: str | None = None  # of an organizer
    locales: Sequence[str] = ()  # of its translations
    links: Sequence[Link] = ()
    problems: Sequence[Problem] = ()
    values: Values | None = None  # of an entry without errors, if they are needed
    notes: Notes = NO_NOTES
    pictures: Sequence[PicturePath] = ()
    has_error_elsewhere: bool = False  # True: an error of it is reported only for an earlier row, or the config

    @classmethod
    def of_draft(cls, draft: Draft, *, with_values: bool) -> "EntryRecord":
        """Return the record of a validated draft, with its values unless it has an error of the contract."""
        identities = [*identities_of(draft), *((unique.name, unique.value) for unique in draft.unique_values)]
        if identities == [(RECORDS[draft.kind].key_field, draft.key)]:
            identities = []
        translations = draft.values.get("translations")
        return cls(
            draft.key,
            draft.line,
            identities,
            title_of(draft) if draft.kind is Kind.ORGANIZER else None,
            [*translations] if isinstance(translations, dict) else (),
            draft.links,
            draft.attributed_problems() if draft.problems else (),
            draft.values if with_values and draft.keeps_contract else None,
            draft.notes,
            draft.pictures,
            draft.has_error_elsewhere,
        )

    @property
    def is_only_key(self) -> bool:
        """Whether nothing of the entry is needed but its key."""
        return bool(self.key) and len(self.to_list()) == len(("key", "line"))

    def to_list(self) -> list[Any]:
        """Return the values for JSON, without the empty ones at the end."""
        values = [
            *self[:5],
            [*map(tuple, self.links)],
            [*map(problem_to_row, self.problems)],
            self.values,
            [*self.notes] if self.notes != NO_NOTES else [],
            [*map(tuple, self.pictures)],
            self.has_error_elsewhere,
        ]
        while not values[-1]:  # the line is never empty
            del values[-1]
        return values

    @classmethod
    def from_list(cls, values: Sequence[Any]) -> "EntryRecord":
        """Return the record from the list that `to_list` made."""
        record = cls(*values)
        problems: Sequence[Any] = record.problems
        skip, protect, *keys = record.notes or NO_NOTES
        return record._replace(
            links=[Link(*link) for link in record.links],
            problems=[problem_from_row(row) for row in problems],
            notes=Notes(skip, protect, *map(tuple, keys)),
            pictures=[PicturePath(*picture) for picture in record.pictures],
        )


@dataclass(slots=True)
class ReadLog:
    """The problems and file stamps of one unit; complete after the last of its drafts was read."""

    problems: list[Problem] = field(default_factory=list)
    incomplete: bool = False  # True: a part could not be read, so entries may be missing
    stamps: list[FileStamp] = field(default_factory=list)  # of the unit's files, in order
    needs_other_files: bool = False  # True: the results depend on files that are not in the unit, as of a picture
    lookups: Lookups = field(default_factory=Lookups)


class UnitResult(NamedTuple):
    """What reading a unit gave: its entries, the problems that concern no entry, and whether something is missing."""

    records: Sequence[EntryRecord]
    problems: Sequence[Problem] = ()
    is_incomplete: bool = False

    def to_list(self) -> list[Any]:
        """Return the values for JSON."""
        records = [record.to_list() for record in self.records]
        return [records, [*map(problem_to_row, self.problems)], self.is_incomplete]

    @classmethod
    def from_list(cls, values: Sequence[Any]) -> "UnitResult":
        """Return the result from the list that `to_list` made."""
        records, problems, is_incomplete = values
        return cls([*map(EntryRecord.from_list, records)], [*map(problem_from_row, problems)], is_incomplete)

    def compact(self) -> "str | UnitResult":
        """Return the key of the only entry if nothing else is needed, else this result."""
        is_key = len(self.records) == 1 and self.records[0].is_only_key and not self.problems and not self.is_incomplete
        return self.records[0].key if is_key else self

    @classmethod
    def of_key(cls, key: str) -> "UnitResult":
        """Return the result that `compact` has made a key, at an unknown line."""
        return cls([EntryRecord(key, line=1)])


class UnitResults(NamedTuple):
    """A batch of results of units of one kind, in columns with one value per unit. Most results are only a key."""

    names: list[str]
    stamps: list[str]  # of the unit's files; empty if the result holds only now
    changed: list[int]  # nanoseconds: the latest time of modification or change of the files
    results: list[str | UnitResult]  # of a document of which nothing else is needed, only the key
    addresses: list[Any]  # [permalinks, former addresses] of the entry of a document; None without any
    lookups: list[str]  # the texts of `Lookups`
    answers: list[str]  # to the lookups when the unit was read, by `ResultContext.answered`; "" before

    @classmethod
    def empty(cls) -> "UnitResults":
        """Return a batch without units."""
        return cls([], [], [], [], [], [], [])

    @classmethod
    def from_json(cls, data: bytes) -> "UnitResults":
        """Return the batch from its JSON."""
        batch = cls(*orjson.loads(data))
        batch.results[:] = [each if isinstance(each, str) else UnitResult.from_list(each) for each in batch.results]
        return batch

    def to_json(self) -> bytes:
        """Return the batch as JSON on one line."""
        results = [result if isinstance(result, str) else result.to_list() for result in self.results]
        return orjson.dumps((*self[:3], results, *self[4:]))

    def add(
        self, unit: Unit, records: Sequence[EntryRecord], log: ReadLog, addresses: Sequence[Any] | None = None
    ) -> None:
        """Add the result of a unit: the records of its entries, and the complete log of reading it.

        `addresses` are the permalinks and the former addresses of a document; None if it has neither.
        """
        stamps = log.stamps if len(log.stamps) == len(unit.files) and not log.needs_other_files else ()
        self.names.append(unit.name)
        self.stamps.append("\n".join(map(str, stamps)))
        self.changed.append(max([max(stamp.mtime_ns, stamp.ctime_ns) for stamp in stamps], default=0))
        self.results.append(UnitResult(records, log.problems, log.incomplete).compact())
        self.addresses.append(addresses)
        self.lookups.append(log.lookups.to_text(unit.kind))
        self.answers.append("")

    def extend(self, other: "UnitResults") -> None:
        """Add the units of another batch."""
        columns: Iterable[tuple[list[Any], list[Any]]] = zip(self, other, strict=True)
        for column, added in columns:
            column.extend(added)

    def select(self, selected: Sequence[bool]) -> "UnitResults":
        """Return a batch with the selected units; this object if all are selected."""
        if all(selected):
            return self
        return UnitResults._make(list(compress(column, selected)) for column in self)

    def select_settled(self, before: int) -> "UnitResults":
        """Return a batch with the units whose files were all opened, and last changed before a time in nanoseconds."""
        pairs = zip(self.changed, self.stamps, strict=True)
        return self.select([changed < before and stamps != "" for changed, stamps in pairs])
