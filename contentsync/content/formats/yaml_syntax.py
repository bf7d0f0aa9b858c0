"""Where YAML stops being YAML, in the words of somebody who writes content."""

import re
from typing import Any

import yaml

from ...errors import Problem, Where
from ...model import RECORDS, Kind
from ..draft import mark_at

_SPECIAL = "put a value that starts with a special character in quotes"
_HINTS = (  # by a part of what libyaml tells; the first that fits
    ("mapping values are not allowed", "put a value that contains ': ' in quotes, and check the indentation"),
    ("block sequence entries are not allowed", "start the list in the line below its key"),
    ("mapping keys are not allowed", _SPECIAL),
    ("cannot start any token", _SPECIAL),
    ("while scanning an a", _SPECIAL),  # an alias or an anchor
    ("expected comment or line break", _SPECIAL),
    ("escape c", "write a backslash twice, or put the value in single quotes"),
    ("hexdecimal number", "write a backslash twice, or put the value in single quotes"),
    ("quoted scalar", "close the quote"),
    ("could not find expected ':'", "end each key with a colon and a space"),
    ("while scanning a block scalar", "indent with spaces"),
    (
        "expected <document start>",
        "start all keys of one level in the same column, and put nothing after a line of ...",
    ),
)
# What libyaml finds later than people look for it: it is told where that began.
_BEGUN = (
    *("found unexpected end of stream", "found unexpected document indicator"),
    *("while scanning an a", "while scanning a simple key"),
)
_SPACE = "put a space after the colon"
_TIGHT = re.compile(r"[^\s:]+:[^\s/]")  # a URL is none


def syntax_problem(error: yaml.MarkedYAMLError, text: str, path: str, first_line: int) -> Problem:
    """What libyaml found in a text that starts in that line of the file."""
    told = f"{error.context or ''} {error.problem or ''}"
    hint = next((hint for part, hint in _HINTS if part in told), "check the indentation, quotes and brackets")
    end = len(text.rstrip())
    offsets = [min(mark.index, end) for mark in (error.problem_mark, error.context_mark) if mark] or [0]
    # An open quote or bracket is found at the end of the text: what people look for is where it opened.
    begun = offsets[0] == end or any(part in told for part in _BEGUN)
    offset = offsets[-1] if begun else offsets[0]
    before = text[:offset].rstrip(" ")
    if text.startswith("\t", offset):
        hint = "indent with spaces, not with tabs"
    elif "simple key" in told:
        hint = _SPACE if _TIGHT.match(text, offset) else hint
    elif not begun and before.endswith(("'", '"')):
        opening = _opening(text, len(before))
        if "\n" in text[opening:offset]:
            offset, hint = opening, "close the quote"
        else:
            hint = "put the whole value in quotes; between single quotes, double each single quote"
    elif not begun and before.endswith(("]", "}")):
        hint = "put the whole value in quotes"
    line, column = mark_at(text, offset)
    message = f"not valid YAML: {error.problem or error.context}"
    return Problem("yaml-syntax", message, Where(path, line + first_line - 1, column), hint)


def mapping_hint(event: Any, kind: Kind) -> str:
    """What to write instead of a value that is no mapping, where an entry should be one."""
    if type(event) is yaml.ScalarEvent and _TIGHT.match(event.value):
        return _SPACE
    title = RECORDS[kind].title_field
    return f"write keys with values, such as {title}: My {title}"


def _opening(text: str, end: int) -> int:
    """Where the scalar starts that ends there; the same place if there is none."""
    try:
        for token in yaml.scan(text[:end], yaml.CBaseLoader):
            if type(token) is yaml.ScalarToken and token.end_mark.index == end:
                return int(token.start_mark.index)
    except yaml.MarkedYAMLError:
        pass  # it is about what was cut off
    return end
