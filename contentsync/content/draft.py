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
    def of(cls, place: Location, line: int, before: tuple[int, int] | None) -> "TextLocation":
        """A place that knows its text's lines."""
        made = cls(place)
        made.line, made.before = line, before
        return made


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
    _marks: Locations = field(default_factory=dict)
    _keys: Locations = field(default_factory=dict)
    _renames: tuple[tuple[str, str], ...] = ()

    @property
    def marks(self) -> Locations:
        """Where each value starts."""
        self._located()
        return self._marks

    @property
    def keys(self) -> Locations:
        """Where the key of each value starts."""
        self._located()
        return self._keys

    def rename(self, old: str, new: str) -> None:
        """Call the value at `old`, with all inside it, `new`: its place and its failure."""
        if old in self.failed:
            self.failed.add(new)
        self._renames += ((old, new),)
        if self.locate is None:
            self._located()

    def _located(self) -> None:
        if self.locate is not None:
            locate, self.locate = self.locate, None
            self._marks, self._keys = locate()
        for old, new in self._renames:
            for places in (self._marks, self._keys):
                for name in [name for name in places if name == old or name.startswith(f"{old}.")]:
                    places[new + name[len(old) :]] = places.pop(name)
        self._renames = ()

    @property
    def is_sound(self) -> bool:
        return not any(problem.is_error for problem in self.problems)

    @property
    def source(self) -> Source:
        return Source(self.path, self.line, self.marks | self.bodies)

    def where(self, name: str = "") -> Where:
        """The place of a value, of the nearest one around it, or of the entry."""
        if name in self.bodies:
            path, mark = self.bodies[name]
            return Where(path, *mark)
        return self.source.where(name) if name else Where(self.path, self.line)

    def where_in(self, name: str, mark: Mark) -> Where:
        """The place of a line and column of a text where that stands as it is in the file; else of the field."""
        field, (line, column) = self.where(name), mark
        if name in self.bodies:
            return Where(field.path, field.line + line - 1, column)
        place = self.marks.get(name)
        if not isinstance(place, TextLocation):
            return field
        line += place.line - 1
        if place.before is None:
            return max(field, Where(field.path, line, 1))
        return Where(field.path, line, column + place.before[line > place.line])

    def where_key(self, name: str) -> Where:
        """The place of a key, or of its value where no key is written."""
        if name not in self.keys:
            return self.where(name)
        path, mark = self.keys[name]
        return Where(path, *mark)

    def error(self, code: str, message: str, where: Where, hint: str = "") -> None:
        self.problems.append(Problem(code, message, where, hint))

    def warn(self, code: str, message: str, where: Where, hint: str = "", setting: Setting | None = None) -> None:
        self.problems.append(Problem(code, message, where, hint, Severity.WARNING, setting=setting))

    def fail(self, name: str, code: str, message: str, where: Where, hint: str = "") -> None:
        """An error in the value of a field, of which nothing more can be said."""
        self.failed.add(name.partition(".")[0])
        self.error(code, message, where, hint)

    def told(self) -> list[Problem]:
        """The problems with the entry they belong to, and the row where lines do not count them."""
        row = f"row {self.row}: " if self.row else ""
        told = [replace(problem, kind=self.kind.value, key=self.key or None) for problem in self.problems]
        return [replace(it, message=row + it.message) if row and it.where.line >= self.line else it for it in told]


def position_at(text: str, offset: int) -> Mark:
    """Line and column of an offset in a text with `\\n` line ends."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
