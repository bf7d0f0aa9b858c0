"""Problems as GitHub's workflow commands: annotations beside the lines of a pull request."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from ..content.validation_report import ValidationReport
from .words import place, printable, verdict

_CONTROL = re.compile(r"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def annotations(survey: ValidationReport, root: str = "") -> Iterator[str]:
    """A line a problem, errors first, since GitHub shows ten annotations of a step; and a line that sums up.

    `root` is the path of the content folder in the repository. The message repeats the place, because the log of
    a run shows nothing but messages.
    """
    for problem in sorted(survey.problems, key=lambda problem: not problem.is_error):
        where = problem.where
        message = f"{place(where)}: {problem.code} {printable(problem.message)}"
        if problem.hint:
            message += f" ({printable(problem.hint)})"
        path = _CONTROL.sub(lambda control: printable(control[0]), str(PurePosixPath(root, where.path)))
        yield (
            f"::{problem.severity} file={_property(path)},line={where.line},col={where.column},"
            f"title={_property(problem.code)}::{_data(message)}"
        )
    yield "".join(verdict(survey))


def _data(text: str) -> str:
    """The escapes that the runner knows in a message."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Those that it knows in a property too."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
