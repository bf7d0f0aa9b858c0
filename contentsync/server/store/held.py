"""Connections to a SQLite file that stay open."""

import sqlite3
from collections.abc import Callable
from typing import Any, Self

from sqlalchemy import Connection, Engine

from .memory import MEMORY, Memory


class Held:
    """A connection that stays open, with transactions in the driver's words: all else takes longer than to read.

    It has a `Memory`: SQLite counts for each connection what all others commit to the file, in any process. What it
    changes itself, `versions.moved` says. What `check` raises takes a transaction back that would else be committed.
    """

    def __init__(
        self, engine: Engine, begin: str, check: Callable[[], None] | None = None, *, commits: bool = True
    ) -> None:
        self._engine = engine
        self._begin = begin
        self._check = check
        self._commits = commits  # at the end of the block, or else when `commit` is called
        self._connection: Connection | None = None

    def begin(self) -> Self:
        """The connection in a transaction, as a context manager; one at a time."""
        return self

    def __enter__(self) -> Connection:
        connection = self._connection or self._connect()
        self._driver.execute(self._begin)
        try:
            # The first statement fixes the state that the transaction sees, so this is its version.
            self._memory.keep_for(self._driver.execute("PRAGMA data_version").fetchone()[0])
            self._changes_before = self._driver.total_changes
        except sqlite3.Error:
            self._driver.rollback()
            raise
        return connection

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        if failed is not None:
            self._take_back()
        elif self._commits:
            self.commit()

    @property
    def changes(self) -> int:
        """How many rows the transaction has written."""
        return int(self._driver.total_changes - self._changes_before)

    def commit(self) -> None:
        """Commit the transaction, or take it back and raise what the driver says."""
        committed = False
        try:
            if self._check is not None:
                self._check()
            self._driver.commit()
            committed = True
        finally:
            if not committed:
                self._take_back()

    def _take_back(self) -> None:
        self._memory.forget()  # what was read may have been the transaction's own
        self._driver.rollback()

    def close(self) -> None:
        """Give the connection back, without its memory."""
        if self._connection is not None:
            del self._connection.info[MEMORY]
            self._connection.close()
            self._connection = None

    def _connect(self) -> Connection:
        self._connection = self._engine.connect()
        self._driver: Any = self._connection.connection.driver_connection
        self._memory = self._connection.info[MEMORY] = Memory()
        return self._connection
