"""Read the search index: the keys of the documents that meet a condition, in the order of results."""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any, NamedTuple

from .search_documents import KeyRange
from .search_expression import Condition, condition_text
from .sql import Connection

MANY = 1_000  # documents: if so many have the words, reading in the order of keys soon finds a page of them


class Time(Enum):
    """Which documents count at the time `now`, of those that have started."""

    CURRENT = "AND (d.ends_at IS NULL OR d.ends_at >= :now)"
    EXPIRED = "AND d.ends_at < :now"
    ALL = ""


class NumberRange(NamedTuple):
    """The values of a number field that a document must have; the bounds are among them."""

    field_id: int
    low: float
    high: float


class DocumentSelection(NamedTuple):
    """Documents of one kind in a directory at a time `now`, in wire form."""

    keys: KeyRange
    now: str
    time: Time = Time.ALL
    condition: Condition | None = None
    numbers: Sequence[NumberRange] = ()
    is_large: bool = False  # True: the range has more than MANY documents, so that reading all of them takes long


def select_keys(connection: Connection, selection: DocumentSelection, *, limit: int) -> list[int]:
    """Return keys of the documents, the highest first."""
    few = _all_of_few(connection, selection)
    if few is not None:
        return sorted(few, reverse=True)[:limit]
    source, parameters = _source(connection, selection, by_words=False)
    # The column whose order the database finds in an index.
    order = "search_index.rowid" if connection.is_sqlite and selection.condition is not None else "d.key"
    query = f"SELECT d.key {source} ORDER BY {order} DESC LIMIT :limit"
    return connection.column(query, {**parameters, "limit": limit})


def _all_of_few(connection: Connection, selection: DocumentSelection) -> list[int] | None:
    """Return the keys of all documents if few of many have the words, and PostgreSQL does not know it; else None."""
    if selection.condition is None or not selection.is_large or connection.is_sqlite:
        return None
    source, parameters = _source(connection, selection)
    keys = connection.column(f"SELECT d.key {source} LIMIT :limit", {**parameters, "limit": MANY})
    return keys if len(keys) < MANY else None


def keys_in_tiers(
    connection: Connection, selection: DocumentSelection, tiers: Iterable[Condition], *, limit: int
) -> list[int]:
    """Return keys of the documents that meet one of the conditions, those of the first condition first.

    A document that meets a condition must meet all later ones too.
    """
    keys: dict[int, None] = {}
    for condition in tiers:
        keys.update(dict.fromkeys(select_keys(connection, selection._replace(condition=condition), limit=limit)))
        if len(keys) >= limit:
            break
    return [*keys][:limit]


def select_choices(connection: Connection, selection: DocumentSelection, *, limit: int) -> str:
    """Return the choices of `limit` documents, the first ones or any, one document in each line."""
    source, parameters = _source(connection, selection)
    # One text, because Python takes longer to make an object for each row than the database to find it.
    lines = "group_concat(choices, char(10))" if connection.is_sqlite else "string_agg(choices, chr(10))"
    found = f"SELECT d.choices {source} LIMIT :limit"
    [text_] = connection.column(f"SELECT {lines} FROM ({found}) AS found", {**parameters, "limit": limit})
    return text_ or ""


def count_keys(connection: Connection, selection: DocumentSelection, *, limit: int | None = None) -> int:
    """Return the number of the documents, or `limit` if they are more."""
    source, parameters = _source(connection, selection)
    if limit is None:
        query = f"SELECT count(*) {source}"
    else:
        query = f"SELECT count(*) FROM (SELECT d.key {source} LIMIT :limit) AS found"
        parameters["limit"] = limit
    [number] = connection.column(query, parameters)
    return int(number)


def next_change(connection: Connection, keys: KeyRange, now: str) -> str | None:
    """Return the next time at which one of the documents starts or ends, or None."""
    found: list[str] = []
    for column, later in (("starts_at", ">"), ("ends_at", ">=")):  # at its end, a listing is not over yet
        query = (
            f"SELECT {column} FROM search_documents"
            f" WHERE {column} IS NOT NULL AND {column} {later} :now AND key + 0 BETWEEN :low AND :high"
            f" ORDER BY {column} LIMIT 1"
        )
        found += connection.column(query, {"now": now, "low": keys.low, "high": keys.high})
    return min(found, default=None)


def keys_by_name(connection: Connection, selection: DocumentSelection, *, limit: int) -> list[int]:
    """Return keys of listings in the order of their names."""
    source, parameters = _source(connection, selection, "JOIN listings AS l ON l.id = d.key & 2147483647")
    query = f"SELECT d.key {source} ORDER BY l.sort_name, l.id LIMIT :limit"
    return connection.column(query, {**parameters, "limit": limit})


def _source(
    connection: Connection, selection: DocumentSelection, join: str = "", *, by_words: bool = True
) -> tuple[str, dict[str, Any]]:
    """Return the clauses FROM and WHERE of a query of the documents, which are `d`, and their parameters.

    PostgreSQL does not know how many documents have a word, and often reads all documents in the order of their keys
    to find a few. With `by_words`, it cannot use the index of the keys of a large range, and must look the words up.
    Of a small range, it reads all documents: other directories may have the words in many more.
    """
    low, high = selection.keys
    parameters: dict[str, Any] = {"low": low, "high": high, "now": selection.now}
    tables, key, match = "search_documents AS d", "d.key", ""
    if selection.condition is not None:
        parameters["condition"] = condition_text(connection, selection.condition)
        if connection.is_sqlite:
            # CROSS: SQLite must begin with the full-text index, which has the order.
            tables = "search_index CROSS JOIN search_documents AS d ON d.key = search_index.rowid"
            key, match = "search_index.rowid", "AND search_index MATCH :condition"
        else:
            match = "AND d.tokens @@ CAST(:condition AS tsquery)"
            key = "d.key + 0" if by_words and selection.is_large else "d.key"
    numbers = ""
    for index, (field_id, least, most) in enumerate(selection.numbers):
        numbers += (
            f" AND d.key IN (SELECT key FROM search_numbers WHERE field_id = :field_{index}"
            f" AND number BETWEEN :least_{index} AND :most_{index})"
        )
        parameters |= {f"field_{index}": field_id, f"least_{index}": least, f"most_{index}": most}
    where = (
        f"WHERE {key} BETWEEN :low AND :high {match} AND (d.starts_at IS NULL OR d.starts_at <= :now)"
        f" {selection.time.value}{numbers}"
    )
    return f"FROM {tables} {join} {where}", parameters
