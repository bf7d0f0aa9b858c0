"""TOML with the places of keys and values: of every key at the start of a line, which is nearly all of them."""

import re
import tomllib
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import Any, NamedTuple

from ...errors import Problem, Where
from ...model import Mark, Plain
from ...model.field_types import MAX_DEPTH
from ..draft import Place, Unreadable, mark_at

_KEY = r"(?:[A-Za-z0-9_-]+|\"[^\"\n]*\"|'[^'\n]*')"
_NAME = rf"{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*"
_LINE = re.compile(rf"[ \t]*(?:\[\[?[ \t]*(?P<table>{_NAME})[ \t]*\]|(?P<key>{_NAME})[ \t]*=[ \t]*(?P<value>\S?))")
_PART = re.compile(_KEY)
# A few kilobytes of `a.a.a` would fill the memory, so long names are not even parsed.
_DEEP_NAME = re.compile(rf"^[ \t]*(?:\[\[?[ \t]*)?(?:{_KEY}[ \t]*\.[ \t]*){{{MAX_DEPTH}}}", re.MULTILINE)
_DEEP_VALUE = re.compile(rf"(?:[\[{{][^\[\]{{}}]*){{{MAX_DEPTH}}}")
_LONG_NUMBER = re.compile(r"[0-9][0-9_]{999,}")
_HINT = "put text in quotes and lists in brackets, and use each key once"
_TWICE = ("Cannot overwrite a value", "Cannot declare")
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)")


class Toml(NamedTuple):
    """The values of a TOML text; places by dotted name, as in a draft."""

    values: dict[str, Any]
    marks: dict[str, Place]
    keys: dict[str, Place]


def read_toml(text: str, path: str, first_line: int = 1) -> Toml:
    """What a TOML text says, its floats as written (`Plain`). Raises Unreadable where it stops being TOML."""
    deep = _DEEP_NAME.search(text)
    if deep:
        raise _too_deep(text, deep, path, first_line)
    try:
        values = tomllib.loads(text, parse_float=_float)
    except RecursionError as error:
        raise _too_deep(text, _DEEP_VALUE.search(text), path, first_line) from error
    except tomllib.TOMLDecodeError as error:
        at = _AT.search(str(error))
        mark = (int(at[1]), int(at[2])) if at and at[1] else mark_at(text, len(text))
        message = _AT.sub("", str(error))
        if message.startswith(_TWICE):
            _refuse_duplicate(text, mark, path, first_line)
        raise _syntax(message, mark, path, first_line) from error
    except ValueError as error:
        number = _LONG_NUMBER.search(text)
        mark = mark_at(text, number.start() if number else 0)
        raise _syntax("the number has too many digits", mark, path, first_line) from error
    if _is_deep(values):
        raise _too_deep(text, _DEEP_VALUE.search(text), path, first_line)
    return Toml(values, *_places(text, path, first_line))


def _is_deep(values: dict[str, Any]) -> bool:
    level: list[Any] = [values]
    for _ in range(MAX_DEPTH):
        inner = (value for outer in level for value in (outer.values() if isinstance(outer, dict) else outer))
        level = [value for value in inner if isinstance(value, dict | list)]
    return bool(level)


def _too_deep(text: str, found: re.Match[str] | None, path: str, first_line: int) -> Unreadable:
    line, column = mark_at(text, found.start() if found else 0)
    message = f"values are nested deeper than {MAX_DEPTH} levels"
    return Unreadable(Problem("too-deep", message, Where(path, line + first_line - 1, column), "use fewer levels"))


def _syntax(message: str, mark: Mark, path: str, first_line: int) -> Unreadable:
    line, column = mark
    return Unreadable(Problem("toml-syntax", message, Where(path, line + first_line - 1, column), _HINT))


def _refuse_duplicate(text: str, end: Mark, path: str, first_line: int) -> None:
    """Raise Unreadable if the last name before a place stands further up too."""
    names = [(name, mark) for name, mark, _ in _names(text) if mark < end]
    name, key = names.pop() if names else ("", end)
    first = next((mark for other, mark in reversed(names) if other == name), None)
    if first:
        message = f"the key {name} occurs twice, here and in line {first[0] + first_line - 1}"
        where = Where(path, key[0] + first_line - 1, key[1])
        raise Unreadable(Problem("duplicate-key", message, where, "delete one of them"))


def _float(text: str) -> Plain:
    """A float as written, but what is no number as YAML writes it."""
    return Plain(text.replace("inf", ".inf").replace("nan", ".nan"))


def as_text(value: Any) -> Any:
    """A TOML value with its scalars as text, as YAML gives them to a draft."""
    if isinstance(value, dict):
        return {key: as_text(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [as_text(inner) for inner in value]
    if isinstance(value, bool):
        return Plain("true" if value else "false")
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return value if isinstance(value, str) else Plain(value)


def _places(text: str, path: str, first_line: int) -> tuple[dict[str, Place], dict[str, Place]]:
    marks: dict[str, Place] = {}
    keys: dict[str, Place] = {}
    for name, key_mark, value_mark in _names(text, first_line):
        key, value = (path, key_mark), (path, value_mark)
        keys.setdefault(name, key)
        marks.setdefault(name, value)
        while name := name.rpartition(".")[0]:
            keys.setdefault(name, key)
            marks.setdefault(name, key)
    return marks, keys


def _names(text: str, first_line: int = 1) -> Iterator[tuple[str, Mark, Mark]]:
    """The dotted name at the start of each line that has one, its place, and that of its value (a table's own)."""
    table = ""
    for number, line in enumerate(text.split("\n"), first_line):
        match = _LINE.match(line)
        if match is None:
            continue
        group = "table" if match["table"] else "key"
        name = ".".join(part.strip("\"'") for part in _PART.findall(match[group]))
        key = value = number, match.start(group) + 1
        if group == "table":
            table = f"{name}."
        else:
            name = table + name
            value = number, match.start("value") + 1
        yield name, key, value
