"""Surveys for the tests of the reports."""

from collections.abc import Sequence
from pathlib import Path

from rich.segment import Segments

from contentsync.content.files.validation_report import ValidationReport
from contentsync.errors import Problem, Severity, Where
from contentsync.model import Kind

BAD = Problem(
    "unknown-key", "titel is not a known key", Where("pages/a.md", 2, 1), "did you mean 'title'?", kind="page", key="a"
)
ODD = Problem("relative-link", "img.png is relative", Where("pages/b.md", 9, 5), severity=Severity.WARNING)
# Names and texts that try to be something else (FI-06, FI-23).
HOSTILE = Problem(
    "unknown-key",
    "a\n::error::b, 100%\x1b[31m",
    Where("pages/a,b:c%0a\n::error::x \x1b[31mü.md", 1, 1),
    "did you\r\nmean 'c'?",
)


def survey(problems: Sequence[Problem], folder: Path | None = None, files: int = 2) -> ValidationReport:
    """Return a survey with one valid page."""
    counts = {kind.value: int(kind is Kind.PAGE) for kind in Kind}
    return ValidationReport(folder or Path("nowhere"), tuple(problems), files, counts)


def plain(text: Segments) -> str:
    """Return the output without colours."""
    return "".join(segment.text for segment in text.segments)
