"""What is wrong in the content, as JSON for the page that it is drawn over."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import Problem
from .excerpt import Excerpt
from .problems import with_excerpts
from .words import place, printable

_ROOM = 160  # columns of an excerpt; the page scrolls it


def overlay_document(problems: Sequence[Problem], folder: Path) -> list[dict[str, Any]]:
    """The problems, errors first, each with its excerpt where it has one: plain text throughout, never HTML."""
    shown = [_document(problem, found) for problem, found in with_excerpts(problems, folder, _ROOM)]
    return sorted(shown, key=lambda document: document["severity"] != "error")


def _document(problem: Problem, found: Excerpt | None) -> dict[str, Any]:
    return {
        "code": problem.code,
        "severity": problem.severity,
        "message": printable(problem.message),
        "hint": printable(problem.hint),
        "place": place(problem.where) if problem.where.path else "",
        "line": problem.where.line,
        "excerpt": found.parts if found else None,
    }
