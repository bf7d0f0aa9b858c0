"""Read TOML, with the positions of the keys that start a line (nearly all keys) and of their values."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from typing import Any, NamedTuple

from ...errors import Problem, Where
from ...lazy_pattern import lazy_pattern
from ...model import PlainScalar, TextPosition
from ...model.field_types import MAX_DEPTH
from ...model.suggestion import STRAIGHT_QUOTES_HINT, TYPOGRAPHIC_QUOTES
from ..files.file_text import UnreadableFile, position_at
from .draft import Location

_KEY = r"(?:[A-Za-z0-9_-]+|\"[^\"\n]*\"|'[^'\n]*')"
_NAME = rf"{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*"
_LINE = lazy_pattern(  # `[table]`, `[[array]]`, or `key = value` up to the first character of the value
    rf"[ \t]*(?:(?P<brackets>\[\[?)[ \t]*(?P<table>{_NAME})[ \t]*\]"
    rf"|(?P<key>{_NAME})[ \t]*=[ \t]*(?P<value>\S?))"
)
_PART = lazy_pattern(_KEY)
# A whole string or comment, a bracket, a line end, or text between them; a quote that is not closed is a token, too.
_STRING = (
    r"\"{3}(?:[^\"\\]|\\.|\"{1,2}(?!\"))*+\"{3,5}|'{3}(?:[^']|'{1,2}(?!'))*+'{3,5}"
    r"|\"(?:[^\"\\\n]|\\.)*+\"|'[^'\n]*+'"
)
_TOKEN = lazy_pattern(rf"{_STRING}|[\[\]{{}}]|\#[^\n]*+|\n|[^\[\]{{}}\"'#\n]++|.", re.DOTALL)
ARRAY_TOKEN = lazy_pattern(rf"{_STRING}|[\[\]{{}},]|\#[^\n]*+|\s++|[^\[\]{{}},\"'#\s]++|.", re.DOTALL)
# A few kilobytes of `a.a.a` would fill the memory, so names with too many parts are not even parsed.
_DEEP_NAME = lazy_pattern(rf"^[ \t]*(?:\[\[?[ \t]*)?(?:{_KEY}[ \t]*\.[ \t]*){{{MAX_DEPTH}}}", re.MULTILINE)
_DEEP_VALUE = lazy_pattern(rf"(?:[\[{{][^\[\]{{}}]*){{{MAX_DEPTH}}}")
_LONG_NUMBER = lazy_pattern(r"[0-9][0-9_]{999,}")
_HINT = "put text in quotes and lists in brackets, and use each key once"
_DUPLICATE_KEY = ("Cannot overwrite a value", "Cannot declare")  # the start of the parser's messages
_ERROR_POSITION = lazy_pattern(r" \(at (?:line (\d+), column (\d+)|end of document)\)")


class ParsedToml(NamedTuple):
    """The values of a TOML text, and the locations of values and keys by dotted name, as in a draft."""

    values: dict[str, Any]
    value_locations: dict[str, Location]
    key_locations: dict[str, Location]


def read_toml(text: str, path: str, first_line: int = 1) -> ParsedToml:
    """Return the values of a TOML text that starts at a line of its file, floats as written. Raises UnreadableFile."""
    if _DEEP_NAME.search(text):
        raise _depth_error(text, _DEEP_NAME, path, first_line)
    try:
        values = tomllib.loads(text, parse_float=_float)
    except RecursionError as error:
        raise _depth_error(text, _DEEP_VALUE, path, first_line) from error
    except tomllib.TOMLDecodeError as error:
        at = _ERROR_POSITION.search(str(error))
        position = position_at(text, len(text))
        if at and at[1]:  # else the error is at the end
            position = (int(at[1]), int(at[2]))
        message = _ERROR_POSITION.sub("", str(error))
        is_duplicate = message.startswith(_DUPLICATE_KEY)
        duplicate_error = _find_duplicate(text, position, path, first_line) if is_duplicate else None
        line, column = position
        character = text.split("\n")[line - 1][column - 1 : column]
        hint = STRAIGHT_QUOTES_HINT if character and character in TYPOGRAPHIC_QUOTES else _HINT
        raise duplicate_error or _syntax_error(message, position, path, first_line, hint) from error
    except ValueError as error:  # of int(), which limits the digits
        number = _LONG_NUMBER.search(text)
        position = position_at(text, number.start() if number else 0)
        raise _syntax_error("the number has too many digits", position, path, first_line) from error
    if _is_deep(values):
        raise _depth_error(text, _DEEP_VALUE, path, first_line)
    return ParsedToml(values, *_locate(text, path, first_line))


def _is_deep(values: dict[str, Any]) -> bool:
    """Return whether values are nested deeper than MAX_DEPTH levels."""
    level: list[Any] = [values]
    for _ in range(MAX_DEPTH):
        inner = (value for outer in level for value in (outer.values() if isinstance(outer, dict) else outer))
        level = [value for value in inner if isinstance(value, dict | list)]
    return bool(level)


def _depth_error(text: str, pattern: re.Pattern[str], path: str, first_line: int) -> UnreadableFile:
    """Return the error for values that are nested too deeply, at a match of the pattern, else at the text's start."""
    match = pattern.search(text)
    line, column = position_at(text, match.start() if match else 0)
    message = f"values are nested deeper than {MAX_DEPTH} levels"
    return UnreadableFile(Problem("too-deep", message, Where(path, line + first_line - 1, column), "use fewer levels"))


def _syntax_error(
    message: str, position: TextPosition, path: str, first_line: int, hint: str = _HINT
) -> UnreadableFile:
    line, column = position
    return UnreadableFile(Problem("toml-syntax", message, Where(path, line + first_line - 1, column), hint))


def _find_duplicate(text: str, end: TextPosition, path: str, first_line: int) -> UnreadableFile | None:
    """Return the error that the last key before the position `end` of the text also occurs above; None if not."""
    named_values = [named for named in _names(text) if named.key < end]
    if not named_values:
        return None
    *others, duplicate = named_values
    for other in reversed(others):
        if other.name == duplicate.name:
            line, column = duplicate.key
            message = f"the key {duplicate.name} occurs twice, here and in line {other.key[0] + first_line - 1}"
            where = Where(path, line + first_line - 1, column)
            return UnreadableFile(Problem("duplicate-key", message, where, "delete one of them"))
    return None


def _float(text: str) -> PlainScalar:
    """Return a float as written, but infinity and NaN in YAML's form."""
    return PlainScalar(text.replace("inf", ".inf").replace("nan", ".nan"))


def as_draft_values(value: Any) -> Any:
    """Return a TOML value with all scalars as text, as the YAML reader returns them."""
    if isinstance(value, dict):
        return {key: as_draft_values(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [as_draft_values(inner) for inner in value]
    if isinstance(value, bool):
        return PlainScalar("true" if value else "false")
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return value if isinstance(value, str) else PlainScalar(value)


def _locate(text: str, path: str, first_line: int) -> tuple[dict[str, Location], dict[str, Location]]:
    """Return the locations of values and of keys, by dotted name. A table without a header is at its first key."""
    value_locations: dict[str, Location] = {}
    key_locations: dict[str, Location] = {}
    for name, key_position, value_position, items in _names(text, first_line):
        key, value = (path, key_position), (path, value_position)
        key_locations.setdefault(name, key)
        value_locations.setdefault(name, value)
        value_locations.update((f"{name}.{number}", (path, position)) for number, position in enumerate(items))
        while name := name.rpartition(".")[0]:
            key_locations.setdefault(name, key)
            value_locations.setdefault(name, key)
    return value_locations, key_locations


class _NamedValue(NamedTuple):
    name: str  # dotted
    key: TextPosition
    value: TextPosition  # for the header of a table, the same as `key`
    items: Sequence[TextPosition] = ()  # of an array in brackets


def _names(text: str, first_line: int = 1) -> Iterator[_NamedValue]:
    """Yield each key that starts a line, and each header of a table; their names are dotted.

    The name of a table in an array of tables contains its number. Lines inside a value are skipped.
    """
    prefix = ""  # the name of the current table, with a dot
    counts: Counter[str] = Counter()  # by name of an array of tables: its tables so far
    line, offset = first_line, 0  # of the current statement
    while offset < len(text):
        match = _LINE.match(text, offset)
        end = _statement_end(text, match.start("value") if match and match["key"] else offset)
        if match:
            group = "table" if match["table"] else "key"
            parts = [part.strip("\"'") for part in _PART.findall(match[group])]
            key_position = (line, match.start(group) - offset + 1)
            if group == "table":
                name = _numbered_name(parts, counts, is_array=match["brackets"] == "[[")
                prefix = f"{name}."
                value_position = key_position
                items: Sequence[TextPosition] = ()
            else:
                name = prefix + ".".join(parts)
                value_position = (line, match.start("value") - offset + 1)
                items = [*_item_positions(text, match.start("value"), value_position)] if match["value"] == "[" else ()
            yield _NamedValue(name, key_position, value_position, items)
        line += text.count("\n", offset, end)
        offset = end


def _item_positions(text: str, offset: int, position: TextPosition) -> Iterator[TextPosition]:
    """Yield the position of each item of the array whose bracket is at an offset, with this position in the file."""
    line, column = position
    line_start = offset - column + 1
    depth = 0  # of brackets
    is_item_next = False
    for token in ARRAY_TOKEN.finditer(text, offset):
        word = token[0]
        if word in ("]", "}"):
            depth -= 1
            if not depth:
                return
        elif word == ",":
            is_item_next = is_item_next or depth == 1
        elif not word.isspace() and not word.startswith("#"):
            if is_item_next:
                yield line, token.start() - line_start + 1
            depth += word in ("[", "{")
            is_item_next = word == "[" and depth == 1
        if "\n" in word:
            line += word.count("\n")
            line_start = token.start() + word.rindex("\n") + 1


def _statement_end(text: str, offset: int) -> int:
    """Return the offset of the line after the value, header, comment or blank line that starts at an offset."""
    depth = 0  # of brackets, inside which a line end does not end the value; those in strings and comments do not count
    while token := _TOKEN.match(text, offset):
        offset = token.end()
        if token[0] in ("[", "{"):
            depth += 1
        elif token[0] in ("]", "}"):
            depth -= 1
        elif token[0] == "\n" and depth <= 0:
            return offset
    return len(text)


def _numbered_name(parts: Sequence[str], counts: Counter[str], *, is_array: bool) -> str:
    """Return the dotted name of a table header, with the number (from 0) of each table in an array of tables.

    `counts` has the number of tables that each array has so far. If the header is one of an array, it is counted.
    """
    name = ""
    for number, part in enumerate(parts, 1):
        name += f".{part}" if name else part
        if is_array and number == len(parts):
            counts[name] += 1  # `name` has the numbers of the tables around it, so each of these has its own count
        if counts[name]:
            name += f".{counts[name] - 1}"
    return name
