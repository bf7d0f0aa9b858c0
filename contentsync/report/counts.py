"""How often each problem occurs, and unknown keys by name, where there are too many to read."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.segment import Segment

from ..errors import Problem
from .piece import piece
from .words import counted, place, printable

MOST_KEYS = 30
_INDENT = 9  # columns


def counted_text(problems: Sequence[Problem], width: int) -> Iterator[Segment]:
    """How often each code occurs and where first, the most frequent first; below it the unknown keys."""
    counts = Counter(problem.code for problem in problems)
    first = {problem.code: problem for problem in reversed(problems)}
    yield piece("\n")
    for code, count in counts.most_common():
        at = f"first at {place(first[code].where)}"
        yield piece(f"{count:>{_INDENT - 1},} ", "bold")
        is_wide = _INDENT + 25 + len(at) <= width
        yield piece(
            f"{code:<24}" if is_wide else f"{code}\n{'':{_INDENT - 1}}", "red" if first[code].is_error else "yellow"
        )
        yield piece(f" {at}\n")
        yield from _keys([problem for problem in problems if problem.code == code and problem.subject])


def _keys(problems: Sequence[Problem]) -> Iterator[Segment]:
    """Unknown keys with the number of files that have them; with the kind where several kinds have them."""
    files: dict[tuple[str, str | None], set[str]] = {}
    for problem in problems:
        files.setdefault((problem.subject, problem.kind), set()).add(problem.where.path)
    kinds = Counter(key for key, _ in files)
    by_number = sorted(files, key=lambda key: -len(files[key]))
    for key, kind in by_number[:MOST_KEYS]:
        of_kind = f" ({kind})" if kinds[key] > 1 else ""
        yield piece(f"{'':{_INDENT}}`{printable(key)}`{of_kind} in {counted(len(files[key, kind]), 'file')}\n")
    if len(by_number) > MOST_KEYS:
        yield piece(f"{'':{_INDENT}}and {counted(len(by_number) - MOST_KEYS, 'other key')}\n")
