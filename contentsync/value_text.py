"""Values on one line, for messages and reports."""

import json
from collections.abc import Iterable
from typing import Any

WIDTH = 60  # characters of a value on a line


def printable(text: str) -> str:
    """Return the text with every control or invisible character written as an escape."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


def shortened(text: str, width: int) -> str:
    """Return the text, cut to `width` characters with an ellipsis at its end if it is longer."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def value_text(value: Any, width: int | None = WIDTH) -> str:
    """Return a value on one line: `nothing`, `a, b` for a list of strings, or JSON; cut to `width` if that is set.

    A list with a comma in a string is JSON too: the string `a, b` differs from the strings `a` and `b`.
    """
    if value is None or value == "":
        return "nothing"
    if isinstance(value, list) and all(isinstance(item, str) and "," not in item for item in value):
        text = ", ".join(value) or "nothing"
    else:
        text = json.dumps(value, ensure_ascii=False)
    return printable(text if width is None else shortened(text, width))


def value_pair(pair: Iterable[Any], width: int | None = WIDTH) -> tuple[str, str]:
    """Return two values, each on one line; if one is wider than `width`, cut both near the difference; None: never."""
    before, after = (value_text(value, width=None) for value in pair)
    if width is None or max(len(before), len(after)) <= width:
        return before, after
    differences = (index for index, (old, new) in enumerate(zip(before, after, strict=False)) if old != new)
    first_difference = next(differences, min(len(before), len(after)))  # else one text is the beginning of the other
    start = max(0, first_difference - width // 3)
    return _cut(before, start, width), _cut(after, start, width)


def _cut(text: str, start: int, width: int) -> str:
    return shortened(f"…{text[start:]}" if start else text, width)
