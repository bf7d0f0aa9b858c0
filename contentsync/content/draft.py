"""An entry between file and model: what somebody wrote, and where."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import Problem, Setting, Severity, Where
from ..model import Kind, Mark, Notes, Source
from ..model.entry import NO_NOTES

Location = tuple[str, Mark]
Locations = dict[str, Location]  # by dotted name
Locate = Callable[[], tuple[Locations, Locations]]  # where values start, and where their keys do
LinkRow = tuple[str, str, int, int, bool]  # target, path, line, column, and whether the target was rewritten


class TextLocation(tuple[str, Mark]):
    """The place of a value whose text stands line by line as it is in the file.

    `line` is that of the text's first one; `before` counts the columns before that and before each other, where they
    are known.
    """

    line: int
    before: tuple[int, int] | None

    @classmethod
    def of(cls, location: Location, line: int, before: tuple[int, int] | None) -> "TextLocation":
        """A place that knows its text's lines."""
        text_location = cls(location)
        text_location.line, text_location.before = line, before
        return text_location


class Unreadable(Exception):
    """A file, or the rest of it, gives no entries; `problems` say why."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)
        self.problems = problems


@dataclass(slots=True, eq=False)
class Draft:
    """An entry as it is written, not yet judged; names are dotted, every scalar is text (or None for an empty one).

    A reader gives the places of values and keys at once, or says how to find them: most entries have no
    problem, and nobody asks where their values stand.
    """

    kind: Kind
    path: str
    line: int = 1
    values: dict[str, Any] = field(default_factory=dict)
    locate: Locate | None = None  # until the first question
    failed: set[str] = field(default_factory=set)  # fields without a value because it could not be read
    problems: list[Problem] = field(default_factory=list)
    bodies: Locations = field(default_factory=dict)  # fields that stand as they are below a front matter, and where
    links: list[LinkRow] = field(default_factory=list)  # of bodies, that stay on the site
    key: str = ""
    notes: Notes = NO_NOTES
    row: int = 0  # of a table, where that is another number than the line
    is_ascii: bool = False  # whether its file surely gives no other letters, as they are or escaped
    # Of the table: unknown columns that an earlier row has reported, each with the field that it may mean.
    unknown_columns: dict[str, tuple[Problem, str]] | None = None
    _value_locations: Locations = field(default_factory=dict)
    _key_locations: Locations = field(default_factory=dict)
    _renames: tuple[tuple[str, str], ...] = ()

    @property
    def value_locations(self) -> Locations:
        """Where each value starts."""
        self._apply_locations()
        return self._value_locations

    @property
    def key_locations(self) -> Locations:
        """Where the key of each value starts."""
        self._apply_locations()
        return self._key_locations

    def rename(self, old: str, new: str) -> None:
        """Call the value at `old`, with all inside it, `new`: its place and its failure."""
        if old in self.failed:
            self.failed.add(new)
        self._renames += ((old, new),)
        if self.locate is None:
            self._apply_locations()

    def _apply_locations(self) -> None:
        if self.locate is not None:
            locate, self.locate = self.locate, None
            self._value_locations, self._key_locations = locate()
        for old, new in self._renames:
            for locations in (self._value_locations, self._key_locations):
                for name in [name for name in locations if name == old or name.startswith(f"{old}.")]:
                    locations[new + name[len(old) :]] = locations.pop(name)
        self._renames = ()

    @property
    def is_sound(self) -> bool:
        return not any(problem.is_error for problem in self.problems)

    @property
    def source(self) -> Source:
        return Source(self.path, self.line, self.value_locations | self.bodies)

    def where(self, name: str = "") -> Where:
        """The place of a value, of the nearest one around it, or of the entry."""
        if name in self.bodies:
            path, position = self.bodies[name]
            return Where(path, *position)
        return self.source.where(name) if name else Where(self.path, self.line)

    def where_in(self, name: str, position: Mark) -> Where:
        """The place of a line and column of a text where that stands as it is in the file; else of the field."""
        field, (line, column) = self.where(name), position
        if name in self.bodies:
            return Where(field.path, field.line + line - 1, column)
        location = self.value_locations.get(name)
        if not isinstance(location, TextLocation):
            return field
        line += location.line - 1
        if location.before is None:
            return max(field, Where(field.path, line, 1))
        return Where(field.path, line, column + location.before[line > location.line])

    def where_key(self, name: str) -> Where:
        """The place of a key, or of its value where no key is written."""
        if name not in self.key_locations:
            return self.where(name)
        path, position = self.key_locations[name]
        return Where(path, *position)

    def error(self, code: str, message: str, where: Where, hint: str = "") -> None:
        self.problems.append(Problem(code, message, where, hint))

    def warn(self, code: str, message: str, where: Where, hint: str = "", setting: Setting | None = None) -> None:
        self.problems.append(Problem(code, message, where, hint, Severity.WARNING, setting=setting))

    def fail(self, name: str, code: str, message: str, where: Where, hint: str = "") -> None:
        """An error in the value of a field, of which nothing more can be said."""
        self.failed.add(name.partition(".")[0])
        self.error(code, message, where, hint)

    def attributed_problems(self) -> list[Problem]:
        """The problems with the entry they belong to, and the row where lines do not count them."""
        row = f"row {self.row}: " if self.row else ""
        attributed_problems = [
            replace(problem, kind=self.kind.value, key=self.key or None) for problem in self.problems
        ]
        return [
            replace(problem, message=row + problem.message) if row and problem.where.line >= self.line else problem
            for problem in attributed_problems
        ]


def position_at(text: str, offset: int) -> Mark:
    """Line and column of an offset in a text with `\\n` line ends."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
