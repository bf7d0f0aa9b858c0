"""What git's index holds, validated: `contentsync validate --staged`, and what the hooks before a commit call."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ..content.load import validate_uncached
from ..content.validation_report import ValidationReport
from ..hooks.staged import Staged
from ..report.words import printable
from .choices import ProblemsFormat
from .terminal import talk
from .validate import report


def validate_staged(path: Path, format_: ProblemsFormat) -> int:
    """Reports all problems of a folder as a commit would hold it; 1 if there are errors."""
    staged = Staged.at(path)
    with _survey(staged, folder := staged.folder_of(path)) as found:
        return report(found, format_, folder)


def check_staged() -> int:
    """Reports the errors, and nothing else, of each content folder that a commit would change; 1 if there are any."""
    staged = Staged.at(Path())
    code = 0
    for folder in staged.touched():
        with _survey(staged, folder) as found:
            if found.errors:
                errors = replace(found, problems=tuple(found.errors))
                code = report(errors, ProblemsFormat.TEXT, folder)
    return code


@contextmanager
def _survey(staged: Staged, folder: str) -> Iterator[ValidationReport]:
    for module in staged.modules(folder):
        talk().print(printable(f"{module} is a submodule: what it holds is not looked at"), markup=False)
    with staged.checked_out(folder) as tree:
        yield validate_uncached(tree / folder)
