"""The report of `validate`, the settings that solve its problems, and the cached report of the last run.

The cached report is used while nothing has changed (docs/decisions/0037). This module imports no other library, so
that a cached report is shown before pydantic is imported.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import Fix, Problem, Setting, Severity, Where
from .cache_file import read_sealed
from .content_folder import CACHE_FOLDER
from .folder_signatures import FolderVersion

JsonRow = list[Any]  # as JSON
_MANY = 20  # a code with at most so many warnings is not suggested to be ignored


@dataclass(frozen=True, slots=True)
class ValidationReport:
    """The result of `validate`: the problems of a content folder, and the number of entries."""

    folder: Path
    problems: tuple[Problem, ...]  # by path, line and column
    files: int  # number of content files
    counts: Mapping[str, int]  # of entries without errors, by kind

    @property
    def errors(self) -> list[Problem]:
        """The problems that are errors."""
        return [problem for problem in self.problems if problem.is_error]

    @property
    def breaks_contract(self) -> bool:
        """Whether there are errors also without the settings by which an owner demands more than the service."""
        return any(problem.breaks_contract for problem in self.problems)

    def as_document(self) -> dict[str, Any]:
        """Return the part of the cached document from which `load_cached_report` makes this report."""
        problems = [problem_to_row(problem) for problem in self.problems]
        return {"problems": problems, "files": self.files, "counts": self.counts}


def shown_problems(problems: Iterable[Problem], judge: Callable[[Problem], Problem | None]) -> tuple[Problem, ...]:
    """Return the problems sorted by location, without duplicates; each as `judge` returns it, without those of None."""
    unique: dict[tuple[Where, str, str], Problem] = {}
    for problem in filter(None, map(judge, problems)):
        unique.setdefault((problem.where, problem.code, problem.message), problem)
    return tuple(unique[key] for key in sorted(unique))


def new_problems(before: Iterable[Problem], after: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the problems that a folder has after its files were edited, and did not have before."""
    known = {_without_line(problem) for problem in before}
    return tuple(problem for problem in after if _without_line(problem) not in known)


def _without_line(problem: Problem) -> tuple[str, str, str, str | None]:
    """Return what identifies a problem also after an edit above it in its file."""
    return problem.code, problem.message, problem.where.path, problem.key


def solving_settings(problems: Iterable[Problem]) -> Counter[Setting]:
    """Return the settings that solve problems, each with their number; one that hides warnings only if they are many.

    Those for unknown keys are only of use to count the problems: `adopt` chooses them by all values of a key.
    """
    counts = Counter(problem.setting for problem in problems if problem.setting)
    few = [setting for setting, count in counts.items() if setting.table == "warnings" and count <= _MANY]
    for setting in few:
        del counts[setting]
    return counts


def problem_to_row(problem: Problem) -> JsonRow:
    """Return a problem as a list of values for JSON."""
    location = [problem.where.path, problem.where.line, problem.where.column]
    entry = [problem.kind, problem.key, problem.subject]
    setting = problem.setting and [*problem.setting]
    fixes = [[where.path, where.line, where.column, old, new] for where, old, new in problem.fixes]
    return [problem.code, problem.message, *location, problem.severity, problem.hint, *entry, setting, fixes]


def problem_from_row(row: JsonRow) -> Problem:
    """Return the problem from the row that `problem_to_row` made."""
    code, message, path, line, column, severity, hint, kind, key, subject, pair, fix_rows = row
    setting = Setting(*pair) if pair else None
    fixes = tuple(Fix(Where(*location), old, new) for *location, old, new in fix_rows)
    where = Where(path, line, column)
    return Problem(code, message, where, hint, Severity(severity), kind, key, subject, setting, fixes)


REPORT_FILE = f"{CACHE_FOLDER}/survey.json"


def load_cached_report(folder: Path) -> ValidationReport | None:
    """Return the cached report, or None if something that it depends on has changed."""
    document = read_sealed(folder, REPORT_FILE)
    if not document:
        return None
    stored = json.loads(document)
    cached = stored["survey"]
    if not FolderVersion(stored["signatures"], cached["names"], cached["files"]).is_current(folder):
        return None
    problems = tuple(map(problem_from_row, cached["problems"]))
    return ValidationReport(folder, problems, cached["files"], cached["counts"])
