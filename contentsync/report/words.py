"""Small pieces of text that every report is made of."""

import json
from typing import Any

from ..content.content_folder import CONFIG
from ..content.validation_report import ValidationReport
from ..errors import Where


def printable(text: str) -> str:
    """The text with everything that could steer a terminal or hide itself written as an escape."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _escape(character) for character in text)


def value_text(value: Any, width: int | None = 60) -> str:
    """A value on one line: text in quotes, `nothing` for null, everything else as JSON; cut to a width."""
    if value is None or value == "":
        return "nothing"
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        text = ", ".join(value) or "nothing"
    else:
        text = json.dumps(value, ensure_ascii=False)
    if width is not None and len(text) > width:
        text = text[: width - 1] + "…"
    return printable(text)


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 error`, `2 errors`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def place(where: Where) -> str:
    """`path:line:column`."""
    return f"{printable(where.path)}:{where.line}:{where.column}"


def verdict(survey: ValidationReport) -> tuple[str, str]:
    """The sum, in two pieces: `2 errors` and `, 1 warning in 9 files with 20 entries`."""
    errors, files = len(survey.errors), counted(survey.files, "file")
    if errors and not survey.files and all(problem.where.path == CONFIG for problem in survey.problems):
        return counted(errors, "error"), f" in {CONFIG}; correct it, then the content is read"
    warnings = len(survey.problems) - errors
    told = f", {counted(warnings, 'warning')}" if warnings else ""
    entries = counted(sum(survey.counts.values()), "entry", "entries")
    return counted(errors, "error") if errors else "valid", f"{told} in {files} with {entries}"


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
