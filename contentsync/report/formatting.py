"""Small pieces of text that all reports share."""

import json
from typing import Any

from ..content.content_folder import CONFIG
from ..content.validation_report import ValidationReport
from ..errors import Where


def printable(text: str) -> str:
    """Return the text with every control or invisible character written as an escape."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _escape(character) for character in text)


def value_text(value: Any, width: int | None = 60) -> str:
    """Return a value on one line: `nothing` if empty, a list of texts with commas, else JSON; cut to a width."""
    if value is None or value == "":
        return "nothing"
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        text = ", ".join(value) or "nothing"
    else:
        text = json.dumps(value, ensure_ascii=False)
    if width is not None and len(text) > width:
        text = text[: width - 1] + "…"
    return printable(text)


def pluralize(number: int, noun: str, plural: str = "") -> str:
    """Return `1 error`, or `2 errors`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def others_line(number: int, what: str) -> str:
    """Return the line below a list that is cut off."""
    return f"  … and {number:,} more {what} (--full shows all)\n"


def location_text(where: Where) -> str:
    """Return `path:line:column`."""
    return f"{printable(where.path)}:{where.line}:{where.column}"


def verdict(survey: ValidationReport) -> tuple[str, str]:
    """Return the summary in two parts: `2 errors` and `, 1 warning in 9 files with 20 entries`."""
    errors, files = len(survey.errors), pluralize(survey.files, "file")
    if errors and not survey.files and all(problem.where.path == CONFIG for problem in survey.problems):
        return pluralize(errors, "error"), f" in {CONFIG}; correct it, then the content is read"
    warnings = len(survey.problems) - errors
    text = f", {pluralize(warnings, 'warning')}" if warnings else ""
    entries = pluralize(sum(survey.counts.values()), "entry", "entries")
    return pluralize(errors, "error") if errors else "valid", f"{text} in {files} with {entries}"


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
