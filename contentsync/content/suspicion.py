"""Values whose mistake is easy to guess."""

from dataclasses import replace

from ..model import Kind
from ..model.scalar import parse_number
from .draft import Draft


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


def _number(value: object) -> float | None:
    if isinstance(value, str):
        return parse_number(value)
    return value if isinstance(value, int | float) else None
