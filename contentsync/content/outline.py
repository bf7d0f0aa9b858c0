"""What the rest of a folder must know of an entry, in a form that goes through a pipe and into the cache."""

from typing import Any, NamedTuple

from ..errors import Severity
from ..model import RECORDS, Kind, Notes
from ..model.entry import NO_NOTES
from .draft import Draft
from .identity import identities
from .references import title_of
from .survey import Row, problem_row

_NAMED = frozenset({Kind.CATEGORY, Kind.TAG, Kind.ORGANIZER})  # kinds that other entries name by title


class Outline(NamedTuple):
    """An entry, without its values unless these were asked for; a row ends with the last part that says something."""

    key: str
    line: int
    identities: list[tuple[str, str]] = []  # name and value; empty where that is the key alone
    title: str | None = None  # of kinds that others name
    locales: list[str] = []  # that it is translated into
    links: list[Any] = []  # to other entries
    problems: list[Row] = []
    values: dict[str, Any] | None = None
    notes: Row = []

    @property
    def is_sound(self) -> bool:
        """Whether the entry has no errors."""
        return not any(row[5] == Severity.ERROR for row in self.problems)


def outline(draft: Draft, *, whole: bool) -> Row:
    """The outline of a draft as a row; with its values only if it is wanted whole."""
    own = identities(draft) if draft.kind is Kind.LISTING else []  # of the others it is the key
    if own == [(RECORDS[Kind.LISTING].key_field, draft.key)]:
        own = []
    translations = draft.values.get("translations")
    row: Row = [
        draft.key,
        draft.line,
        own,
        title_of(draft) if draft.kind in _NAMED else None,
        [*translations] if isinstance(translations, dict) else [],
        draft.links,
        [problem_row(problem) for problem in draft.told()] if draft.problems else [],
        draft.values if whole and draft.is_sound else None,
        [draft.notes.skip, draft.notes.protect, *draft.notes.previous] if draft.notes is not NO_NOTES else [],
    ]
    while not row[-1]:
        del row[-1]
    return row


def notes_of(row: Row) -> Notes:
    """The notes of an outline."""
    return Notes(row[0], row[1], tuple(row[2:])) if row else Notes()
