"""What is wrong in the content."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from ..errors import Problem, Where
from ..model import Entry, Kind
from .words import counted, printable


def problems_text(problems: Sequence[Problem]) -> Text:
    """A line a problem, in the form that editors and terminals make clickable."""
    text = Text()
    for problem in problems:
        text.append(f"{place(problem.where)}: ", "bold")
        if not problem.is_error:
            text.append("warning: ", "yellow")
        text.append(problem.code, "red" if problem.is_error else "yellow")
        text.append(f" {printable(problem.message)}")
        if problem.hint:
            text.append(f" ({printable(problem.hint)})", "cyan")
        text.append("\n")
    return text


def validation_text(problems: Sequence[Problem], files: int, entries: Sequence[Entry]) -> Text:
    """The report of `validate`: every problem, then one line that sums up."""
    text = problems_text(problems)
    errors = sum(problem.is_error for problem in problems)
    warnings = len(problems) - errors
    verdict = counted(errors, "error") if errors else "valid"
    text.append(verdict, "bold red" if errors else "bold green")
    if warnings:
        text.append(f", {counted(warnings, 'warning')}")
    text.append(f" in {counted(files, 'file')} with {counted(len(entries), 'entry', 'entries')}\n")
    return text


def validation_document(problems: Sequence[Problem], files: int, entries: Sequence[Entry]) -> dict[str, Any]:
    """The JSON document of `validate` (cli.md)."""
    errors = sum(problem.is_error for problem in problems)
    return {
        "version": 1,
        "problems": [problem_document(problem) for problem in problems],
        "summary": {
            "files": files,
            "entries": _by_kind(entries),
            "errors": errors,
            "warnings": len(problems) - errors,
        },
    }


def place(where: Where) -> str:
    """`path:line:column`."""
    return f"{printable(where.path)}:{where.line}:{where.column}"


def problem_document(problem: Problem) -> dict[str, Any]:
    """One element of the document's `problems`."""
    return {
        "code": problem.code,
        "severity": problem.severity,
        "message": problem.message,
        "hint": problem.hint,
        "path": problem.where.path,
        "line": problem.where.line,
        "column": problem.where.column,
        "kind": problem.kind,
        "key": problem.key,
    }


def _by_kind(entries: Sequence[Entry]) -> Mapping[str, int]:
    counts = Counter(entry.kind for entry in entries)
    return {kind: counts[kind] for kind in Kind}
