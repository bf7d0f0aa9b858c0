"""A field's two values side by side, in as much room as there is."""

from collections.abc import Mapping
from difflib import unified_diff
from typing import Any

from ..sync import FieldChange
from .words import printable, value_text

WIDTH = 60  # of a value on a line
_HIDDEN = "(hidden)"


def is_long(field: FieldChange) -> bool:
    """Whether a change is better told as a diff: a text of several lines."""
    return all(value is None or isinstance(value, str) for value in field) and any(
        "\n" in (value or "").strip() for value in field
    )


def diff_lines(field: FieldChange) -> list[str]:
    """A long text's unified diff, a line of context around each change, without the names of files."""
    before, after = ((value or "").strip().splitlines() for value in field)
    return [printable(line) for line in list(unified_diff(before, after, lineterm="", n=1))[2:]]


def value_pair(field: FieldChange, width: int | None = WIDTH) -> tuple[str, str]:
    """Both values on a line; of those that are too wide the part where they begin to differ."""
    before, after = (value_text(value, None) for value in field)
    if width is None or max(len(before), len(after)) <= width:
        return before, after
    differ = (at for at, (here, there) in enumerate(zip(before, after, strict=False)) if here != there)
    start = max(0, next(differ, min(len(before), len(after))) - width // 3)
    return _cut(before, start, width), _cut(after, start, width)


def without(value: Any, secret: str) -> Any:
    """A value as it may be shown: without a secret that stands in it (docs/faults.md PL-20, AU-12)."""
    if not secret:
        return value
    if isinstance(value, str):
        return value.replace(secret, _HIDDEN)
    if isinstance(value, FieldChange):
        return FieldChange(without(value.before, secret), without(value.after, secret))
    if isinstance(value, Mapping):
        return {name: without(inner, secret) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [without(inner, secret) for inner in value]
    return value


def _cut(text: str, start: int, width: int) -> str:
    lead = "…" if start else ""
    rest = lead + text[start:]
    return rest if len(rest) <= width else f"{rest[: width - 1]}…"
