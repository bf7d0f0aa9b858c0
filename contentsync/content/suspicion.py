"""Values whose mistake is easy to guess."""

import re
from dataclasses import replace

from ..model import Kind
from ..model.scalar import parse_number
from ..model.suggestion import MAX_LENGTH
from .draft import Draft

_OF_ITEMS = frozenset({"unknown-reference", "unchecked-reference", "not-a-choice", "bad-url"})


def suspect(draft: Draft) -> None:
    """Add a hint where a latitude that is out of range would be a longitude, and the longitude a latitude.

    For judged drafts: it looks at their problems, so sound ones cost nothing.
    """
    if not draft.problems or draft.kind is not Kind.LISTING:
        return
    latitude, longitude = (_number(draft.values.get(name)) for name in ("latitude", "longitude"))
    if latitude is None or longitude is None or not (90 < abs(latitude) <= 180 and abs(longitude) <= 90):
        return
    where = draft.where("latitude")
    for index, problem in enumerate(draft.problems):
        if problem.code == "out-of-range" and problem.where == where:
            draft.problems[index] = replace(problem, hint="latitude and longitude look swapped")


def suspect_separator(draft: Draft) -> None:
    """Hint at `|` where a cell of a list that means nothing holds commas or semicolons.

    For drafts whose references are resolved: it looks at their problems, so sound ones cost nothing.
    """
    if not draft.problems or not draft.path.lower().endswith((".csv", ".tsv")):
        return
    cells = {draft.where(name): (name, value) for name, value in draft.values.items()}
    for index, problem in enumerate(draft.problems):
        name, value = cells.get(problem.where, ("", None))
        cell = value[0] if isinstance(value, list) and len(value) == 1 else value
        is_item = isinstance(value, list) or problem.message.startswith(f"{name}.0 ")  # a custom list is still a text
        if problem.code in _OF_ITEMS and is_item and isinstance(cell, str) and len(cell) <= MAX_LENGTH:
            parts = [part.strip() for part in re.split("[;,]", cell) if part.strip()]
            if len(parts) > 1:
                hint = f"if these are several values, separate them with |: {'|'.join(parts)}"
                draft.problems[index] = replace(problem, hint=hint)


def _number(value: object) -> float | None:
    if isinstance(value, str):
        return parse_number(value)
    return value if isinstance(value, int | float) else None
