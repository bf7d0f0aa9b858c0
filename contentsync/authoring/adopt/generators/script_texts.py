"""Find texts in a config in JavaScript or TypeScript, which is a program and is never run."""

import re
from collections.abc import Iterator
from itertools import islice

from ....lazy_pattern import lazy_pattern

_MAX_FOUND = 200  # calls of a function, or properties of a name
_MAX_TOKENS = 2000  # strings and brackets in a call or value
# A string without an end, and a comment without one, are bounded by the line and by the script, so that no text takes
# long to search.
_STRING = r"'(?:[^'\\\n]|\\.)*+'?|\"(?:[^\"\\\n]|\\.)*+\"?|`(?:[^`\\]|\\.)*+`?"
_STRING_OR_COMMENT = lazy_pattern(rf"(?P<string>{_STRING})|//[^\n]*|/\*(?:.*?\*/|.*)", re.DOTALL)
_STRING_OR_BRACKET = lazy_pattern(rf"{_STRING}|(?P<open>[\[({{])|(?P<close>[\])}}])", re.DOTALL)
_STRINGS = lazy_pattern(_STRING, re.DOTALL)
_PLAIN_VALUE = lazy_pattern(r"[^,\n}\])]*")


def without_comments(script: str) -> str:
    """Return a script without its comments."""
    return _STRING_OR_COMMENT.sub(lambda found: found["string"] or " ", script)


def calls(script: str, function: str) -> Iterator[str]:
    """Yield the arguments of each call of a function, as they are written."""
    for call in islice(re.finditer(rf"(?<![\w$]){re.escape(function)}[ \t\n]{{0,40}}\(", script), _MAX_FOUND):
        yield _bracketed(script, call.end() - 1)[1:-1]


def values(script: str, name: str) -> Iterator[str]:
    """Yield the value of each property of a name in the objects of a script, as it is written."""
    pattern = rf"(?<![\w$.'\"])(['\"]?){re.escape(name)}\1[ \t\n]{{0,40}}:[ \t\n]{{0,40}}"
    for found in islice(re.finditer(pattern, script), _MAX_FOUND):
        yield value_at(script, found.end())


def value_at(script: str, start: int) -> str:
    """Return the text, list or object that begins at a position; else the rest of the line, or of the list."""
    if script[start : start + 1] in ("[", "{", "("):
        return _bracketed(script, start)
    found = _STRINGS.match(script, start) or _PLAIN_VALUE.match(script, start)
    return found[0].strip() if found else ""


def texts(value: str) -> list[str]:
    """Return the texts of a value that is a text or a list of texts, without those that contain an expression."""
    found = (string[0][1:-1] for string in _STRINGS.finditer(value))
    return [re.sub(r"\\(.)", r"\1", text) for text in found if "${" not in text]


def is_plain(value: str) -> bool:
    """Return whether a value is only a text or a list of texts, so that `texts` returns all of it."""
    return "${" not in value and not _STRINGS.sub("", value).strip("[], \t\n")


def first_text(script: str, name: str) -> str:
    """Return the value of the first property of a name that is a text; "" without one."""
    plain = (value for value in values(script, name) if is_plain(value))
    return next((text for value in plain for text in texts(value)[:1]), "")


def texts_or_default(script: str, name: str, default: str) -> list[str]:
    """Return the texts of the first property of a name, or the default without one; [] if the value is partly code."""
    value = next(values(script, name), None)
    if value is None:
        return [default]
    return texts(value) if is_plain(value) else []


def _bracketed(script: str, start: int) -> str:
    """Return the text from a bracket to the one that closes it, with both."""
    depth = 0
    end = start
    for found in islice(_STRING_OR_BRACKET.finditer(script, start), _MAX_TOKENS):
        depth += bool(found["open"]) - bool(found["close"])
        end = found.end()
        if depth == 0:
            return script[start:end]
    return script[start:end]  # it has no end, or too much in it
