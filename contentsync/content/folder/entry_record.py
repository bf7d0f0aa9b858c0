"""The record of an entry: what the checks between entries need of it, and its compact form in JSON."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...errors import Problem
from ...model import RECORDS, Kind, Notes, Values
from ...model.entry import NO_NOTES
from ..entry.entry_references import title_of
from ..entry.identity import identities_of
from ..files.validation_report import problem_from_row, problem_to_row
from ..formats.draft import Draft, Link, PicturePath


class EntryRecord(NamedTuple):
    """What the checks between entries need of an entry that was read. Most entries have only the first values."""

    key: str
    line: int
    identities: Sequence[Sequence[str]] = ()  # pairs of a name and a value; without any, the key is the only identity
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
        """Return the record of a validated draft, with its values only if it has no error."""
        identities = identities_of(draft)
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
            draft.values if with_values and draft.is_sound else None,
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
        skip, protect, previous = record.notes or NO_NOTES
        return record._replace(
            links=[Link(*link) for link in record.links],
            problems=[problem_from_row(row) for row in problems],
            notes=Notes(skip, protect, tuple(previous)),
            pictures=[PicturePath(*picture) for picture in record.pictures],
        )
