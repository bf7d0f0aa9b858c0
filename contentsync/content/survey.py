"""What `validate` tells of a folder; and a problem as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import Problem, Setting, Severity, Where

Row = list[Any]  # JSON


@dataclass(frozen=True, slots=True)
class Survey:
    """What `validate` tells of a content folder: what is wrong in it, and how much there is."""

    folder: Path
    problems: tuple[Problem, ...]  # by path, line and column
    files: int  # that were read for entries
    counts: Mapping[str, int]  # of entries without errors, by kind in the order of kinds

    @property
    def errors(self) -> list[Problem]:
        """The problems that are errors."""
        return [problem for problem in self.problems if problem.is_error]


def problem_row(problem: Problem) -> Row:
    """A problem as JSON."""
    path, line, column = problem.where.path, problem.where.line, problem.where.column
    return [
        problem.code,
        problem.message,
        path,
        line,
        column,
        problem.severity,
        problem.hint,
        problem.kind,
        problem.key,
        problem.subject,
        problem.setting and [*problem.setting],
    ]


def problem_of(row: Row) -> Problem:
    """The problem of a row."""
    code, message, path, line, column, severity, hint, kind, key, subject, setting = row
    settled_by = Setting(*setting) if setting else None
    return Problem(code, message, Where(path, line, column), hint, Severity(severity), kind, key, subject, settled_by)
