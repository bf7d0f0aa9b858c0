"""Watch the statements that this process runs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from contentsync.server.store.sql import PostgreSQLConnection, SQLiteConnection


@contextmanager
def watching(note: Callable[[str], None]) -> Iterator[None]:
    """Call `note` with each statement before a connection runs it, until the end of the block."""
    originals: list[tuple[Any, Any]] = [(kind, kind._execute) for kind in (SQLiteConnection, PostgreSQLConnection)]

    def watched(original: Any) -> Any:
        def execute(connection: Any, statement: str, parameters: Any) -> Any:
            note(statement)
            return original(connection, statement, parameters)

        return execute

    for kind, original in originals:
        kind._execute = watched(original)
    try:
        yield
    finally:
        for kind, original in originals:
            kind._execute = original
