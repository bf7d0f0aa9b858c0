"""The database: the only package that uses SQL."""

from pathlib import Path

from . import accounts, tokens, versions
from .database import MAX_WAIT, Database
from .migration import State
from .sql import Connection, Row

__all__ = ["Connection", "Database", "Row", "State", "accounts", "connect_database", "tokens", "versions"]


def connect_database(
    where: str | Path, *, create: bool = True, max_wait: float = MAX_WAIT, disposable: bool = False
) -> Database:
    """Connect to the database at a `sqlite:///path`, a `postgresql://...` URL or a path.

    Create a missing file and its folders unless `create` is False. Raise UsageError for any other URL and for a
    database that is missing or cannot be opened, and Unavailable if no server answers. A transaction on a busy
    database is retried for `max_wait` seconds. A file is `disposable` if its content can be created again; it is
    written faster, but a power failure may lose the last writes.
    """
    # Imported here: only one of the two is needed, and PostgreSQL's driver may not be installed.
    if isinstance(where, str) and where.startswith(("postgresql:", "postgres:", "postgresql+")):
        from .postgresql import PostgreSQL

        return PostgreSQL.open(where, max_wait)
    from .sqlite import SQLite

    return SQLite.open(where, max_wait, create=create, disposable=disposable)
