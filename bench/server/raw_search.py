"""What the databases' own engines need to search the same texts and to filter by the same values, without a server."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import psycopg

from .raw import connect
from .realistic import FLAG, NUMBER, OPTIONS

PER_PAGE = 20

Bodies = Mapping[int, Mapping[str, Any]]  # of listings, by id
Rows = Sequence[tuple[Any, ...]]


class RawSearch(ABC):
    """One connection to three tables: an index of the texts, and indexes of the values of the filters.

    `mark` stands for a value in a statement. `texts` selects the ids of the listings that a search finds.
    """

    mark: str
    texts: str

    def search(self, words: Sequence[str]) -> int:
        """Read the newest listings with all words, the last one as a prefix; return the number of all."""
        return self._page_and_count(self.texts, [self._terms(words)])

    def choose(self, choices: Mapping[str, str]) -> int:
        """Read the newest listings with all values; return the number of all."""
        one = f"SELECT listing FROM choices WHERE field = {self.mark} AND value = {self.mark}"  # noqa: S608  # our own
        query = " INTERSECT ".join([one] * len(choices))
        return self._page_and_count(query, [each for choice in choices.items() for each in choice])

    def choose_number(self, least: int, most: int) -> int:
        """Read the newest listings with a number between these; return the number of all."""
        query = f"SELECT listing FROM numbers WHERE value BETWEEN {self.mark} AND {self.mark}"  # noqa: S608  # our own
        return self._page_and_count(query, [least, most])

    def _page_and_count(self, query: str, values: Sequence[str | int]) -> int:
        self._rows(f"{query} ORDER BY 1 DESC LIMIT {PER_PAGE}", values)
        number: int = self._rows(f"SELECT count(*) FROM ({query}) AS found", values)[0][0]  # noqa: S608  # our own
        return number

    @abstractmethod
    def add(self, bodies: Bodies) -> float:
        """Write listings in one transaction; return the seconds."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection."""

    @abstractmethod
    def _rows(self, query: str, values: Sequence[str | int]) -> Rows: ...

    @abstractmethod
    def _terms(self, words: Sequence[str]) -> str: ...


class RawSqlite(RawSearch):
    """FTS5 and Python's sqlite3, with the settings of the server."""

    mark = "?"
    texts = "SELECT rowid FROM texts WHERE texts MATCH ?"

    def __init__(self, path: Path) -> None:
        is_new = not path.exists()
        self._connection = connect(path)
        if is_new:
            self._connection.execute("CREATE VIRTUAL TABLE texts USING fts5(name, description, body, content='')")
            columns = "field TEXT, value TEXT, listing INTEGER, PRIMARY KEY (field, value, listing)"
            self._connection.execute(f"CREATE TABLE choices ({columns}) WITHOUT ROWID")
            columns = "value INTEGER, listing INTEGER, PRIMARY KEY (value, listing)"
            self._connection.execute(f"CREATE TABLE numbers ({columns}) WITHOUT ROWID")

    def add(self, bodies: Bodies) -> float:
        texts, choices = _texts(bodies), list(_choices(bodies))
        numbers = [(body[NUMBER], number) for number, body in bodies.items()]
        began = time.perf_counter()
        self._connection.execute("BEGIN IMMEDIATE")
        insert = "INSERT INTO texts (rowid, name, description, body) VALUES (?, ?, ?, ?)"
        self._connection.executemany(insert, texts)
        self._connection.executemany("INSERT INTO choices VALUES (?, ?, ?)", choices)
        self._connection.executemany("INSERT INTO numbers VALUES (?, ?)", numbers)
        self._connection.execute("COMMIT")
        return time.perf_counter() - began

    def close(self) -> None:
        self._connection.close()

    def _rows(self, query: str, values: Sequence[str | int]) -> Rows:
        return self._connection.execute(query, values).fetchall()

    def _terms(self, words: Sequence[str]) -> str:
        return " ".join(f'"{word}"' for word in words) + "*"


class RawPostgresql(RawSearch):
    """`tsvector` with a GIN index, and psycopg."""

    mark = "%s"
    texts = "SELECT id FROM texts WHERE words @@ to_tsquery('simple', %s)"

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url, autocommit=True)
        columns = "field text, value text, listing integer, PRIMARY KEY (field, value, listing)"
        for statement in (
            "CREATE TABLE IF NOT EXISTS texts (id integer PRIMARY KEY, words tsvector)",
            "CREATE INDEX IF NOT EXISTS texts_words ON texts USING gin (words)",
            f"CREATE TABLE IF NOT EXISTS choices ({columns})",
            "CREATE TABLE IF NOT EXISTS numbers (value integer, listing integer, PRIMARY KEY (value, listing))",
        ):
            self._connection.execute(statement.encode())

    def add(self, bodies: Bodies) -> float:
        texts, choices = _texts(bodies), list(_choices(bodies))
        numbers = [(body[NUMBER], number) for number, body in bodies.items()]
        insert = "INSERT INTO texts VALUES (%s, to_tsvector('simple', concat_ws(' ', %s::text, %s::text, %s::text)))"
        began = time.perf_counter()
        with self._connection.transaction(), self._connection.cursor() as cursor:
            cursor.executemany(insert, texts)
            cursor.executemany("INSERT INTO choices VALUES (%s, %s, %s)", choices)
            cursor.executemany("INSERT INTO numbers VALUES (%s, %s)", numbers)
        return time.perf_counter() - began

    def close(self) -> None:
        self._connection.close()

    def _rows(self, query: str, values: Sequence[str | int]) -> Rows:
        return self._connection.execute(query.encode(), values).fetchall()

    def _terms(self, words: Sequence[str]) -> str:
        return " & ".join(words) + ":*"


def _texts(bodies: Bodies) -> list[tuple[Any, ...]]:
    return [(number, body["name"], body["description"], body["content"]) for number, body in bodies.items()]


def _choices(bodies: Bodies) -> Iterator[tuple[str, str, int]]:
    """Yield a field, a value and an id for each value of the fields that are filters."""
    for number, body in bodies.items():
        for field in OPTIONS:
            values = body[field]
            for value in [values] if isinstance(values, str) else values:
                yield field, value, number
        yield FLAG, "yes" if body[FLAG] else "no", number
