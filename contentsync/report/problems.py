"""What is wrong in the content, as text for people."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from rich.cells import cell_len
from rich.segment import Segment, Segments

from ..content.content_folder import CONFIG, may_hold_secret
from ..content.validation_report import ValidationReport
from ..errors import Problem
from .counts import counted_text
from .excerpt import Excerpt, excerpt, read_lines
from .piece import piece
from .words import place, printable, verdict

# What people read; behind them a problem is one line.
MOST_EXCERPTS = 100
MOST_EXCERPTS_OF_A_FILE = 10
MANY = 20  # more problems are also counted, by code and key

_GUTTER = 5  # columns of the line number
_BAR = " | "
_NARROWEST = 40  # columns of a terminal


def problems_text(problems: Sequence[Problem], folder: Path | None = None, width: int = 80) -> Segments:
    """Every problem in the form that editors and terminals make clickable: `path:line:column: code message`.

    Below it stands the line itself, read again below `folder`, which the paths are relative to. Of very many
    problems only some have theirs, errors before warnings; the problems themselves are never left out. Nor has one in
    the config where a token or a password may stand. Expects them by path.
    """
    return Segments(_told(problems, folder, width))


def survey_text(survey: ValidationReport, width: int = 80, root: str = "") -> Segments:
    """The report of `validate`: every problem, and last the sum. `root` comes before the paths of their places."""
    text = list(_told(survey.problems, survey.folder, width, root))
    if len(survey.problems) > MANY:
        from .settling import settling_text  # what reads the config is imported only here

        text += counted_text(survey.problems, width)
        text += map(piece, settling_text(survey, width))
    sound, rest = verdict(survey)
    return Segments([*text, piece(sound, "bold red" if survey.errors else "bold green"), piece(f"{rest}\n")])


def with_excerpts(
    problems: Sequence[Problem], folder: Path | None, room: int
) -> Iterator[tuple[Problem, Excerpt | None]]:
    """Every problem with its line, cut to so many columns, where it may have one; as `problems_text` says."""
    chosen = _chosen(problems) if folder else set()
    for path, group in groupby(problems, lambda problem: problem.where.path):
        found = list(group)
        wanted = {problem.where.line for problem in found if problem in chosen} if chosen else set()
        lines = read_lines(folder, path, wanted) if folder and wanted else {}
        secret = {problem.where.line for problem in found if problem.code == "holds-token"}
        for problem in found:
            line = lines.get(problem.where.line) if lines and problem in chosen else None
            if line and (problem.where.line in secret or (path == CONFIG and may_hold_secret(line))):
                line = None
            yield problem, excerpt(line, problem.where.column, room) if line is not None else None


def _told(problems: Sequence[Problem], folder: Path | None, width: int, root: str = "") -> Iterator[Segment]:
    room = max(_NARROWEST, width) - _GUTTER - len(_BAR)
    for problem, shown in with_excerpts(problems, folder, room):
        yield from _problem(problem, shown, room, root)


def _chosen(problems: Sequence[Problem]) -> set[Problem]:
    chosen: set[Problem] = set()
    of_file: Counter[str] = Counter()
    for problem in sorted(problems, key=lambda problem: not problem.is_error):
        of_file[problem.where.path] += 1
        if of_file[problem.where.path] <= MOST_EXCERPTS_OF_A_FILE:
            chosen.add(problem)
        if len(chosen) == MOST_EXCERPTS:
            break
    return chosen


def _problem(problem: Problem, shown: Excerpt | None, room: int, root: str) -> Iterator[Segment]:
    style = "red" if problem.is_error else "yellow"
    if problem.where.path:
        yield piece(f"{f'{printable(root)}/' if root else ''}{place(problem.where)}: ", "bold")
    yield piece(problem.code if problem.is_error else f"warning: {problem.code}", style)
    yield piece(f" {printable(problem.message)}")
    hint = printable(problem.hint)
    if shown is None:
        yield piece(f" ({hint})\n" if hint else "\n", "cyan")
        return
    empty = f"\n{'':>{_GUTTER}}{_BAR}"
    yield piece(f"\n{problem.where.line:>{_GUTTER}}{_BAR}", "dim")
    yield piece(shown.line)
    yield piece(empty, "dim")
    yield piece(" " * shown.start + "^" * shown.width, f"bold {style}")
    if hint:
        yield piece(" " if shown.start + shown.width + 1 + cell_len(hint) <= room else empty, "dim")
        yield piece(hint, "cyan")
    yield piece("\n\n")
