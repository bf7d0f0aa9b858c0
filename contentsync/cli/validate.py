"""`contentsync validate`."""

import os
from pathlib import Path

from .. import __version__
from ..content import survey
from .format import ProblemsFormat
from .repository import path_in_repository
from .terminal import data, print_json, print_lines


def validate(folder: Path, format_: ProblemsFormat) -> int:
    """Reads everything, talks to nobody, and reports all problems; 1 if there are errors."""
    # The reports are imported where they are used: each run prints one.
    found = survey(folder)
    if format_ is ProblemsFormat.JSON:
        from ..report.problems import survey_document

        print_json(survey_document(found))
    elif format_ is ProblemsFormat.SARIF:
        from ..report.sarif import sarif_document

        print_json(sarif_document(found, __version__, _root(folder)))
    elif format_ is ProblemsFormat.GITHUB:
        from ..report.github import annotations

        print_lines(annotations(found, _root(folder)))
    else:
        from ..report.problems import survey_text

        console = data()
        console.print(survey_text(found, console.width), end="")
    return 1 if found.errors else 0


def _root(folder: Path) -> str:
    return path_in_repository(folder, os.environ, Path.cwd())
