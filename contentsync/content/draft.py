"""An entry between file and model: what somebody wrote, and where."""

from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import Problem, Severity, Where
from ..model import Kind, Mark, Notes, Source

Place = tuple[str, Mark]


class Unreadable(Exception):
    """A file, or the rest of it, gives no entries; `problems` say why."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)
        self.problems = problems


@dataclass(slots=True, eq=False)
class Draft:
    """An entry as it is written, not yet judged; names are dotted, every scalar is text (or None for an empty one)."""

    kind: Kind
    path: str
    line: int = 1
    values: dict[str, Any] = field(default_factory=dict)
    marks: dict[str, Place] = field(default_factory=dict)  # where a value starts
    keys: dict[str, Place] = field(default_factory=dict)  # where its key starts
    failed: set[str] = field(default_factory=set)  # fields without a value because it could not be read
    problems: list[Problem] = field(default_factory=list)
    bodies: set[str] = field(default_factory=set)  # fields that stand as they are below a front matter
    key: str = ""
    notes: Notes = field(default_factory=Notes)

    @property
    def is_sound(self) -> bool:
        return not any(problem.is_error for problem in self.problems)

    @property
    def source(self) -> Source:
        return Source(self.path, self.line, self.marks)

    def where(self, name: str = "") -> Where:
        """The place of a value, of the nearest one around it, or of the entry."""
        return self.source.where(name)

    def where_key(self, name: str) -> Where:
        """The place of a key, or of its value where no key is written."""
        if name not in self.keys:
            return self.where(name)
        path, mark = self.keys[name]
        return Where(path, *mark)

    def error(self, code: str, message: str, where: Where, hint: str = "") -> None:
        self.problems.append(Problem(code, message, where, hint))

    def warn(self, code: str, message: str, where: Where, hint: str = "") -> None:
        self.problems.append(Problem(code, message, where, hint, Severity.WARNING))

    def fail(self, name: str, code: str, message: str, where: Where, hint: str = "") -> None:
        """An error in the value of a field, of which nothing more can be said."""
        self.failed.add(name.partition(".")[0])
        self.error(code, message, where, hint)

    def told(self) -> list[Problem]:
        """The problems with the entry they belong to."""
        return [replace(problem, kind=self.kind.value, key=self.key or None) for problem in self.problems]


def mark_at(text: str, offset: int) -> Mark:
    """Line and column of an offset in a text with `\\n` line ends."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
