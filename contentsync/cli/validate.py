"""`contentsync validate`."""

import os
import sys
import unicodedata
from pathlib import Path

from .. import __version__
from ..content.content_folder import find_folder
from ..content.validation_report import ValidationReport, load_cached_report
from ..errors import UsageError
from .choices import ProblemsFormat
from .output import print_json, print_lines
from .repository import path_in_repository

# With one of these rich prints colours elsewhere than on a terminal.
_COLOURS = ("FORCE_COLOR", "TTY_COMPATIBLE")


def validate(folder: Path, format_: ProblemsFormat) -> int:
    """Read everything, contact no server, and report all problems, or those of a single file; 1 if there are errors."""
    if folder.is_file():
        return report(_of_file(folder), format_)
    found = load_cached_report(folder)
    if found is None:
        # Imported here: the report of the last run can be shown without it.
        from ..content.load import validate_uncached

        found = validate_uncached(folder)
    return report(found, format_)


def _of_file(file: Path) -> ValidationReport:
    from ..content.load import validate_file

    folder = find_folder(file.parent)
    path = file.absolute().relative_to(folder).as_posix()
    found = validate_file(folder, unicodedata.normalize("NFC", path))
    if found is None:
        message = f"{path} is no content of {folder}: nothing reads it"
        raise UsageError(message, "name a file of content, the config, or a folder")
    return found


def report(found: ValidationReport, format_: ProblemsFormat, staged: str | None = None) -> int:
    """Prints it; `staged` is the folder in its repository, where the survey's own is a copy."""
    root = _root(found.folder) if staged is None else staged
    # The reports are imported where they are used: each run prints one.
    if format_ is ProblemsFormat.JSON:
        from ..report.document import survey_document

        print_json(survey_document(found))
    elif format_ is ProblemsFormat.SARIF:
        from ..report.sarif import sarif_document

        print_json(sarif_document(found, __version__, root))
    elif format_ is ProblemsFormat.GITHUB:
        from ..report.github import annotations

        print_lines(annotations(found, root))
    elif found.problems or sys.stdout.isatty() or any(name in os.environ for name in _COLOURS):
        from ..report.problems import survey_text
        from .terminal import data

        console = data()
        console.print(survey_text(found, console.width, staged or ""), end="")
    else:  # one line without colour needs no rich
        from ..report.words import verdict

        print(*verdict(found), sep="")
    return 1 if found.errors else 0


def _root(folder: Path) -> str:
    return path_in_repository(folder, os.environ, Path.cwd())
