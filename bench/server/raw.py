"""What Python's sqlite3 alone needs to write the rows that the server writes."""

import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from contentsync.model import RECORDS, Kind
from contentsync.server.store.listing_store import LISTINGS

_DEFAULTS = {name: rule.default for name, rule in RECORDS[Kind.LISTING].rules().items()} | {"name": ""}
_MOMENT = "2026-01-15T10:30:00.000000Z"
_COLUMNS = tuple(LISTINGS.to_columns(_DEFAULTS))
_INSERT = f"""INSERT INTO listings (id, directory_id, user_id, created_at, updated_at, {", ".join(_COLUMNS)})
    VALUES (:id, 1, 1, '{_MOMENT}', '{_MOMENT}', {", ".join(f":{name}" for name in _COLUMNS)})"""  # noqa: S608  # our own
_CHANGE = f"UPDATE listings SET data = :data, updated_at = '{_MOMENT}' WHERE id = :id"  # noqa: S608  # our own
_LINKS = {
    field: f"INSERT INTO listing_{field} (listing_id, {column}, position) VALUES (?, ?, ?)"  # noqa: S608  # our own
    for field, column in (("categories", "category_id"), ("tags", "tag_id"), ("organizers", "organizer_id"))
}

Bodies = Sequence[dict[str, Any]]
Transaction = list[tuple[str, list[Any]]]  # statements, each with the rows that it is executed with


class Raw:
    """One connection to a copy of a database that the server has prepared: WAL, synchronous=FULL, foreign keys on.

    The rows are made before the clock starts.
    """

    def __init__(self, prepared: Path, path: Path) -> None:
        shutil.copy(prepared, path)
        self._connection = connect(path)
        self._ids = count(1)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def create(self, bodies: Bodies, together: int) -> float:
        """Seconds to write new listings with their links, so many in a transaction."""
        groups = [bodies[at : at + together] for at in range(0, len(bodies), together)]
        return self._timed([creation(self._ids, group) for group in groups])

    def change(self, ids: Sequence[int], bodies: Bodies) -> float:
        """Seconds to write other fields into listings, each in a transaction of its own."""
        return self._timed([change(*pair) for pair in zip(ids, bodies, strict=True)])

    def _timed(self, transactions: Sequence[Transaction]) -> float:
        began = time.perf_counter()
        for transaction in transactions:
            commit(self._connection, [transaction])
        return time.perf_counter() - began


def connect(path: Path) -> sqlite3.Connection:
    """A connection with the settings of the server's."""
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def creation(ids: Iterator[int], bodies: Bodies) -> Transaction:
    """What writes new listings with their links."""
    numbered = [(next(ids), body) for body in bodies]
    links = {
        field: [(number, other, at) for number, body in numbered for at, other in enumerate(body[field])]
        for field in _LINKS
    }
    return [
        (_INSERT, [_row(*pair) for pair in numbered]),
        *((_LINKS[field], rows) for field, rows in links.items()),
    ]


def change(number: int, body: dict[str, Any]) -> Transaction:
    """What writes other fields into the listing of an id."""
    return [(_CHANGE, [_row(number, body)])]


def commit(connection: sqlite3.Connection, transactions: Sequence[Transaction]) -> None:
    """Write them and wait for the disk, once for all."""
    connection.execute("BEGIN IMMEDIATE")
    for transaction in transactions:
        for statement, rows in transaction:
            connection.executemany(statement, rows)
    connection.execute("COMMIT")


def _row(number: int, body: dict[str, Any]) -> dict[str, Any]:
    return {"id": number, **LISTINGS.to_columns({**_DEFAULTS, "slug": f"listing-{number}", **body})}
