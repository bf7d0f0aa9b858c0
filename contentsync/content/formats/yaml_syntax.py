"""Report YAML syntax errors where an author looks for them, with hints."""

from typing import Any

import yaml

from ...errors import Problem, Where
from ...lazy_pattern import lazy_pattern
from ...model import RECORDS, Kind
from ...model.suggestion import STRAIGHT_QUOTES_HINT, TYPOGRAPHIC_QUOTES
from ..files.file_text import position_at

_SPECIAL_HINT = "put a value that starts with a special character in quotes"
_HINTS = (  # by a part of libyaml's message; the first match wins
    ("mapping values are not allowed", "put a value that contains ': ' in quotes, and check the indentation"),
    (
        "block sequence entries are not allowed",
        "put a value that starts with '- ' in quotes, or start the list in the line below its key",
    ),
    ("mapping keys are not allowed", _SPECIAL_HINT),
    ("cannot start any token", _SPECIAL_HINT),
    ("while scanning an a", _SPECIAL_HINT),  # an alias or an anchor
    ("expected comment or line break", _SPECIAL_HINT),
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
# libyaml detects these errors late, so they are reported at the start of the construct.
_LATE_ERRORS = (
    *("found unexpected end of stream", "found unexpected document indicator"),
    *("while scanning an a", "while scanning a simple key"),
)
_SPACE_HINT = "put a space after the colon"
_TYPOGRAPHIC_VALUE = lazy_pattern(rf"[^\n]*(?::|- |[\[,]) *[{TYPOGRAPHIC_QUOTES}]")  # the beginning of a line
_KEY_WITHOUT_SPACE = lazy_pattern(r"[^\s:]+:[^\s/]")  # `key:value` without a space, but not a URL


def syntax_problem(error: yaml.MarkedYAMLError, text: str, path: str, first_line: int) -> Problem:
    """Return the problem for a YAML syntax error in a text that starts at line `first_line` of its file."""
    description = f"{error.context or ''} {error.problem or ''}"
    hint = next((hint for part, hint in _HINTS if part in description), "check the indentation, quotes and brackets")
    end = len(text.rstrip())
    # libyaml's problem mark is where it stopped, and the context mark is where the construct starts.
    marks = [mark for mark in (error.problem_mark, error.context_mark) if mark]
    offsets = [min(mark.index, end) for mark in marks] or [0]
    stop, start = offsets[0], offsets[-1]
    # libyaml reports an open quote or bracket at the end of the text; authors look for its start.
    use_start = stop == end or any(part in description for part in _LATE_ERRORS)
    offset = start if use_start else stop
    preceding = text[:offset].rstrip(" ")
    start_of_line = text.rfind("\n", 0, offset) + 1
    if text.startswith("\t", offset):
        hint = "indent with spaces, not with tabs"
    elif _TYPOGRAPHIC_VALUE.match(text, start_of_line, offset):
        hint = STRAIGHT_QUOTES_HINT
    elif "simple key" in description:
        if _KEY_WITHOUT_SPACE.match(text, offset):
            hint = _SPACE_HINT
    elif not use_start and preceding.endswith(("'", '"')):
        opening = _opening(text, len(preceding))
        if "\n" in text[opening:offset]:  # a quote above was not closed, so that this one closes it
            offset, hint = opening, "close the quote"
        else:
            hint = "put the whole value in quotes; between single quotes, double each single quote"
    elif not use_start and preceding.endswith(("]", "}")):
        hint = "put the whole value in quotes"
    line, column = position_at(text, offset)
    message = f"not valid YAML: {error.problem or error.context}"
    return Problem("yaml-syntax", message, Where(path, line + first_line - 1, column), hint)


def mapping_hint(event: Any, kind: Kind) -> str:
    """Return the hint for a value (its first event) that is not a mapping, but should be one."""
    if type(event) is yaml.ScalarEvent and _KEY_WITHOUT_SPACE.match(event.value):
        return _SPACE_HINT
    title = RECORDS[kind].title_field
    return f"write keys with values, such as {title}: My {title}"


def _opening(text: str, end: int) -> int:
    """Return the offset of the start of the scalar that ends at `end`; `end` itself if there is no such scalar."""
    try:
        for token in yaml.scan(text[:end], yaml.CBaseLoader):
            if type(token) is yaml.ScalarToken and token.end_mark.index == end:
                return int(token.start_mark.index)
    except yaml.MarkedYAMLError:
        pass  # the error is about the part that was cut off
    return end
