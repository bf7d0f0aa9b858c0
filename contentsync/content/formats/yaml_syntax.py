"""Where YAML stops being YAML, in the words of somebody who writes content."""

import yaml

from ...errors import Problem, Where
from ..draft import mark_at

_SPECIAL = "put a value that starts with a special character in quotes"
_HINTS = (  # by a part of what libyaml tells; the first that fits
    ("mapping values are not allowed", "put a value that holds ': ' in quotes, and check the indentation"),
    ("block sequence entries are not allowed", "start a list in the line below its key"),
    ("mapping keys are not allowed", _SPECIAL),
    ("cannot start any token", _SPECIAL),
    ("while scanning an a", _SPECIAL),  # an alias or an anchor
    ("expected comment or line break", _SPECIAL),
    ("escape c", "write a backslash twice, or put the value in single quotes"),
    ("hexdecimal number", "write a backslash twice, or put the value in single quotes"),
    ("quoted scalar", "close the quote"),
    ("could not find expected ':'", "a key ends with a colon and a space"),
    ("while scanning a block scalar", "indent with spaces"),
    ("expected <document start>", "keys of one level start in one column, and nothing stands behind a line of ..."),
)
_OPENED = ("found unexpected end of stream", "found unexpected document indicator", "while scanning an a")


def syntax_problem(error: yaml.MarkedYAMLError, text: str, path: str, first_line: int) -> Problem:
    """What libyaml found in a text that starts in that line of the file."""
    told = f"{error.context or ''} {error.problem or ''}"
    hint = next((hint for part, hint in _HINTS if part in told), "check the indentation, quotes and brackets")
    end = len(text.rstrip())
    offsets = [min(mark.index, end) for mark in (error.problem_mark, error.context_mark) if mark] or [0]
    # An open quote or bracket is found at the end of the text: what people look for is where it opened.
    opened = offsets[0] == end or any(part in told for part in _OPENED)
    offset = offsets[-1] if opened else offsets[0]
    if text.startswith("\t", offset):
        hint = "indent with spaces, not with tabs"
    elif not opened and text[:offset].rstrip(" ").endswith(("'", '"')):
        hint = "put the whole value in quotes, and write a single quote within single ones twice"
    line, column = mark_at(text, offset)
    message = f"not valid YAML: {error.problem or error.context}"
    return Problem("yaml-syntax", message, Where(path, line + first_line - 1, column), hint)
