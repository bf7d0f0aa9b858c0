"""How many entries of a kind have a value of each field: as text, CSV and JSON, and in one line."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import pluralize
from ..model.filled_fields import Completeness
from .entry_list import aligned_lines

MAX_NAMED = 3  # fields in a line


def completeness_summaries(measured: Sequence[Completeness]) -> dict[str, Any]:
    """Return the part of the JSON document of `status`: by kind, the fields in use and the share of their values."""
    return {
        each.kind.value: {
            "total": each.entries,
            "share": round(_share(sum(field.filled for field in each.used), each.entries * len(each.used)), 4),
            "fields": {field.name: field.filled for field in each.used},
        }
        for each in measured
    }


def completeness_document(measured: Completeness) -> dict[str, Any]:
    """Return the JSON document of `list --completeness`."""
    return {
        "version": 1,
        "kind": measured.kind.value,
        "total": measured.entries,
        "fields": [
            {"field": field.name, "filled": field.filled, "share": round(_share(field.filled, measured.entries), 4)}
            for field in measured.fields
        ],
    }


def completeness_csv(measured: Completeness) -> str:
    """Return a table with a header; names and numbers are no formulas."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["field", "filled", "share"])
    writer.writerows((name, filled, _percent(measured, filled)) for name, filled in measured.fields)
    return text.getvalue()


def completeness_lines(measured: Completeness) -> Iterator[str]:
    """Yield the lines of a table with aligned columns, and the number of entries."""
    rows = [(name, f"{filled:,}", _percent(measured, filled)) for name, filled in measured.fields]
    yield from aligned_lines([("field", "filled", "share"), *rows], right=(1, 2))
    yield ""
    yield measured.kind.counted(measured.entries)


def completeness_line(measured: Completeness) -> str:
    """Return one line: the part of the values that is filled, and the fields that most entries lack.

    Only fields count that at least one entry has: a folder uses few of those that a kind may have.
    """
    used = measured.used
    filled = sum(field.filled for field in used)
    share = _rounded_percent(filled, measured.entries * len(used))
    incomplete = sorted((field for field in used if field.filled < measured.entries), key=lambda field: field.filled)
    named = ", ".join(f"{name} {_percent(measured, count)}" for name, count in incomplete[:MAX_NAMED])
    text = f"{measured.kind.counted(measured.entries)}: {share} of the values of {pluralize(len(used), 'field')} in use"
    return f"{text}; least: {named}" if named else text


def _share(part: int, whole: int) -> float:
    """Return which part of a whole a number is, from 0 to 1; 0 of nothing."""
    return part / whole if whole else 0


def _percent(measured: Completeness, filled: int) -> str:
    return _rounded_percent(filled, measured.entries)


def _rounded_percent(part: int, whole: int) -> str:
    """Return a percentage that is 100 or 0 only if it is so exactly."""
    if not whole:
        return "0%"
    percent = round(100 * part / whole)
    return f"{percent if part in (0, whole) else min(99, max(1, percent))}%"
