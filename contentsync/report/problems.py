"""Problems as text for people, each with its line or grouped by cause; and as JSON for the page of `dev`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.segment import Segment, Segments

from ..content.files.content_folder import CONFIG, may_contain_secret
from ..content.files.validation_report import ValidationReport, solving_settings
from ..errors import Problem
from ..printed_commands import WITHOUT_FOLDER, PrintedCommands
from ..value_text import printable
from .causes import MAX_CAUSES, cause_lines, problem_causes
from .entry_lines import segment
from .excerpt import Excerpt, excerpt, read_lines
from .formatting import location_text, report_summary

# At most so many problems have an excerpt; each of the others takes one line.
MAX_EXCERPTS = 100  # in all
MAX_EXCERPTS_OF_A_FILE = 10
MAX_WITHOUT_SUMMARY = 20  # more problems of `validate`, or warnings, are grouped by cause
MAX_ERRORS = 200  # that stop another command: so many each have a line
_GUTTER = 5  # columns of the line number
_BAR = " | "
_NARROWEST = 40  # columns of a terminal


def problems_text(problems: Sequence[Problem], folder: Path | None = None, width: int = 80) -> Segments:
    """Return problems in a form that editors and terminals make clickable: `path:line:column: code message`.

    At most the first MAX_EXCERPTS problems are followed by their source lines, which are read again from `folder`. A
    line that may have a token or a password is never shown. Errors after the first MAX_ERRORS, and more than
    MAX_WITHOUT_SUMMARY warnings, are grouped by cause below the others. The problems must be ordered by path.
    """
    errors = [problem for problem in problems if problem.is_error]
    warnings = [problem for problem in problems if not problem.is_error]
    if len(errors) <= MAX_ERRORS and len(warnings) <= MAX_WITHOUT_SUMMARY:
        return Segments(_problem_lines(problems, folder, width))
    lines = [*_problem_lines(errors[:MAX_ERRORS], folder, width), *_cause_segments([*errors[MAX_ERRORS:], *warnings])]
    if warnings:  # some errors are those of content that is not in the folder yet
        commands = PrintedCommands.for_folder(folder) if folder else WITHOUT_FOLDER
        lines.append(segment(f"{commands('validate', '--full')} shows each warning with its line\n", "cyan"))
    return Segments(lines)


def validation_text(report: ValidationReport, width: int = 80, root: str = "", *, full: bool = True) -> Segments:
    """Return the report of `validate`: every problem, then the summary. `root` is put before each path.

    More than MAX_WITHOUT_SUMMARY problems are grouped by cause; without `full`, only the causes are shown.
    """
    if len(report.problems) <= MAX_WITHOUT_SUMMARY:
        return Segments([*_problem_lines(report.problems, report.folder, width, root), *_summary(report)])
    each = [*_problem_lines(report.problems, report.folder, width, root)] if full else []
    pointer = [] if full else [segment("--full shows every problem with its line\n", "cyan")]
    return Segments([*each, *_causes_text(report, root), *pointer, *_summary(report)])


def _summary(report: ValidationReport) -> Iterator[Segment]:
    result, counts = report_summary(report)
    yield segment(result, "bold red" if report.errors else "bold green")
    yield segment(f"{counts}\n")


def _causes_text(report: ValidationReport, root: str) -> Iterator[Segment]:
    """Yield the problems by cause, and how many of them settings solve."""
    yield from _cause_segments(report.problems, root)
    solved = sum(solving_settings(report.problems).values())
    yield segment("\n")
    if solved:
        yield segment(f"{solved:,} of these are solved by settings: contentsync adopt shows and adds them\n", "cyan")


def _cause_segments(problems: Sequence[Problem], root: str = "") -> Iterator[Segment]:
    """Yield a line for each cause of the problems, with its first location.

    If there are more than MAX_CAUSES, the last line is about the others, in the colour of the first of them.
    """
    causes = problem_causes(problems)
    lines = cause_lines(causes, MAX_CAUSES, root)
    for cause, (count, code, text) in zip(causes[: MAX_CAUSES + 1], lines, strict=True):
        yield segment(f"{count} ", "bold")
        yield segment(code, "red" if cause.first.is_error else "yellow")
        yield segment(f" {text}\n")


def with_excerpts(
    problems: Sequence[Problem], folder: Path | None, room: int
) -> Iterator[tuple[Problem, Excerpt | None]]:
    """Yield every problem with its excerpt in at most `room` columns, or None.

    Only the first of many problems have an excerpt (`_choose_for_excerpts`), and no line that may have a secret.
    """
    chosen = _choose_for_excerpts(problems) if folder else set()
    for path, group in groupby(problems, lambda problem: problem.where.path):
        file_problems = list(group)
        line_numbers = {problem.where.line for problem in file_problems if problem in chosen} if chosen else set()
        lines = read_lines(folder, path, line_numbers) if folder and line_numbers else {}
        token_lines = {problem.where.line for problem in file_problems if problem.code == "holds-token"}
        for problem in file_problems:
            line = lines.get(problem.where.line) if lines and problem in chosen else None
            if line is not None and path == CONFIG and may_contain_secret(line):
                line = None
            if line is None or problem.where.line in token_lines:
                yield problem, None
            else:
                yield problem, excerpt(line, problem.where.column, room)


def _problem_lines(problems: Sequence[Problem], folder: Path | None, width: int, root: str = "") -> Iterator[Segment]:
    room = max(_NARROWEST, width) - _GUTTER - len(_BAR)
    for problem, shown in with_excerpts(problems, folder, room):
        yield from _problem(problem, shown, room, root)


def _choose_for_excerpts(problems: Sequence[Problem]) -> set[Problem]:
    """Return the problems to show with their line: errors first, MAX_EXCERPTS in all, and some of each file."""
    chosen: set[Problem] = set()
    file_counts: Counter[str] = Counter()
    for problem in sorted(problems, key=lambda problem: not problem.is_error):
        file_counts[problem.where.path] += 1
        if file_counts[problem.where.path] <= MAX_EXCERPTS_OF_A_FILE:
            chosen.add(problem)
        if len(chosen) == MAX_EXCERPTS:
            break
    return chosen


def _problem(problem: Problem, shown: Excerpt | None, room: int, root: str) -> Iterator[Segment]:
    """Yield the lines of a problem: its location, message and hint, with the line of the file if it is shown."""
    style = "red" if problem.is_error else "yellow"
    if problem.where.path:
        root_prefix = f"{printable(root)}/" if root else ""
        yield segment(f"{root_prefix}{location_text(problem.where)}: ", "bold")
    yield segment(problem.code if problem.is_error else f"warning: {problem.code}", style)
    yield segment(f" {printable(problem.message)}")
    hint = printable(problem.hint)
    if shown is None:
        yield segment(f" ({hint})\n" if hint else "\n", "cyan")
        return
    new_line = f"\n{'':>{_GUTTER}}{_BAR}"  # without a line number
    yield segment(f"\n{problem.where.line:>{_GUTTER}}{_BAR}", "dim")
    yield segment(shown.line)
    yield segment(new_line, "dim")
    yield segment(" " * shown.start + "^" * shown.width, f"bold {style}")
    if hint:
        fits_after_marker = shown.start + shown.width + 1 + cell_len(hint) <= room
        yield segment(" " if fits_after_marker else new_line, "dim")
        yield segment(hint, "cyan")
    yield segment("\n\n")


_OVERLAY_WIDTH = 160  # columns of an excerpt; the page scrolls it


def overlay_document(problems: Sequence[Problem], folder: Path) -> list[dict[str, Any]]:
    """Return the problems with their excerpts for the page of `dev`, errors first; texts are plain, never HTML."""
    documents = [_document(problem, shown) for problem, shown in with_excerpts(problems, folder, _OVERLAY_WIDTH)]
    return sorted(documents, key=lambda document: document["severity"] != "error")


def _document(problem: Problem, shown: Excerpt | None) -> dict[str, Any]:
    """Return a problem for the page of `dev`, which shows it over the site."""
    return {
        "code": problem.code,
        "severity": problem.severity,
        "message": printable(problem.message),
        "hint": printable(problem.hint),
        "place": location_text(problem.where) if problem.where.path else "",
        "line": problem.where.line,
        "excerpt": shown.parts if shown else None,
    }
