"""Conditions on the tokens of the search index, and their texts in the languages of both databases.

A token is a letter, which names a part of a record, and a word of this part.
"""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from .sql import Connection


class Token(NamedTuple):
    """The record has the token or, with `is_prefix`, a token that begins with it."""

    text: str  # without quotes and backslashes
    is_prefix: bool = False


class AnyOf(NamedTuple):
    """The record meets at least one of the conditions; there must be one."""

    conditions: "tuple[Condition, ...]"


class AllOf(NamedTuple):
    """The record meets all conditions; there must be one."""

    conditions: "tuple[Condition, ...]"


Condition: TypeAlias = Token | AnyOf | AllOf


def any_of(conditions: Iterable[Condition]) -> Condition:
    """Return the one condition, or AnyOf."""
    several = tuple(conditions)
    return several[0] if len(several) == 1 else AnyOf(several)


def all_of(conditions: Iterable[Condition]) -> Condition:
    """Return the one condition, or AllOf."""
    several = tuple(conditions)
    return several[0] if len(several) == 1 else AllOf(several)


def condition_text(connection: Connection, condition: Condition) -> str:
    """Return the condition as a query of FTS5 or as PostgreSQL's `tsquery`."""
    return _text(condition, _FTS5 if connection.is_sqlite else _TSQUERY)


class _Syntax(NamedTuple):
    quote: str
    prefix: str  # behind a token that may be the beginning of another
    any_of: str
    all_of: str


_FTS5 = _Syntax('"', "*", " OR ", " AND ")
_TSQUERY = _Syntax("'", ":*", " | ", " & ")


def _text(condition: Condition, syntax: _Syntax) -> str:
    """Return the condition as a query in one of the two syntaxes."""
    match condition:
        case Token(text, is_prefix):
            return f"{syntax.quote}{text}{syntax.quote}{syntax.prefix if is_prefix else ''}"
        case AnyOf(conditions):
            return f"({syntax.any_of.join(_text(each, syntax) for each in conditions)})"
        case AllOf(conditions):
            return f"({syntax.all_of.join(_text(each, syntax) for each in conditions)})"
