"""Problems by their cause, each on one line: for the short report of `validate`, and for `adopt`."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..errors import Problem, pluralize
from ..model import Kind
from ..value_text import printable, shortened
from .formatting import location_text

MAX_CAUSES = 20  # lines of a short report
_MAX_MESSAGE = 90  # characters
_HEADING_WIDTH = 22  # columns of the code of a cause


@dataclass(slots=True)
class Cause:
    """Problems with one code, and of unknown keys with one key, in entries of one kind."""

    first: Problem
    count: int = 0


def problem_causes(problems: Iterable[Problem]) -> list[Cause]:
    """Return the causes of problems: errors before warnings, then by the number of problems, the largest first."""
    causes: dict[tuple[str, str, str | None], Cause] = {}
    for problem in problems:
        cause = causes.setdefault((problem.code, problem.subject, problem.kind), Cause(problem))
        cause.count += 1
        if problem.is_error and not cause.first.is_error:
            cause.first = problem
    return sorted(causes.values(), key=lambda cause: (not cause.first.is_error, -cause.count))


class CauseLine(NamedTuple):
    """The three parts of a line about a cause, which have different colours."""

    number: str
    heading: str
    text: str


def cause_lines(causes: Sequence[Cause], limit: int = MAX_CAUSES, root: str = "") -> Iterator[CauseLine]:
    """Yield a line for each cause; the last line counts those over the limit.

    `root` is put before each path.
    """
    for cause in causes[:limit]:
        problem = cause.first
        heading = problem.code if problem.is_error else f"warning: {problem.code}"
        about = f"`{printable(problem.subject)}` of {_kind(problem)}, " if problem.subject else ""
        message = "" if problem.subject else f": {shortened(printable(problem.message), _MAX_MESSAGE)}"
        location = f"{printable(root)}/{location_text(problem.where)}" if root else location_text(problem.where)
        yield CauseLine(f"{cause.count:>8,}", f"{heading:<{_HEADING_WIDTH}}", f"{about}first at {location}{message}")
    if len(causes) > limit:
        others = sum(cause.count for cause in causes[limit:])
        text = f"with {pluralize(len(causes) - limit, 'other cause')}"
        yield CauseLine(f"{others:>8,}", f"{'others':<{_HEADING_WIDTH}}", text)


def _kind(problem: Problem) -> str:
    return Kind(problem.kind).plural if problem.kind else "the config"
