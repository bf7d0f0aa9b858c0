"""Read the state of a database's tables, and migrate them to this version."""

from collections.abc import Callable
from enum import StrEnum

from ...errors import Refused
from .caching import cached_until_commit
from .sql import Connection
from .tables import REVISION, definition

Progress = Callable[[int, int], None]

_SQLITE_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
_POSTGRESQL_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"


def no_progress(done: int, total: int) -> None:
    """Show nothing."""


class State(StrEnum):
    """The state of a database's tables."""

    EMPTY = "empty"
    CURRENT = "current"
    OLDER = "older"  # made by an earlier version: migrate
    NEWER = "newer"  # made by a later version
    FOREIGN = "foreign"  # made by another program


def state_of(connection: Connection) -> State:
    """Return the state of the database's tables."""
    names = connection.column(_SQLITE_TABLES if connection.is_sqlite else _POSTGRESQL_TABLES)
    if not names:
        return State.EMPTY
    if "alembic_version" not in names or "directories" not in names:
        return State.FOREIGN
    return revision_state(connection)


@cached_until_commit
def revision_state(connection: Connection) -> State:
    """Return the state of tables that contentsync has made; much faster than `state_of`."""
    revision = connection.scalar("SELECT version_num FROM alembic_version")
    if revision is None:
        return State.FOREIGN
    if revision == REVISION:
        return State.CURRENT
    return State.OLDER if revision < REVISION else State.NEWER  # revisions are numbered, such as "0006"


def require_migratable(state: State) -> None:
    """Raise Refused for a database of a newer version or of another program."""
    if state is State.NEWER:
        raise Refused("the database was made by a newer version of contentsync", "upgrade contentsync")
    if state is State.FOREIGN:
        raise Refused("the database was not made by contentsync", "name another one with --db")


def migrate(connection: Connection, progress: Progress) -> None:
    """Migrate the tables to this version in the connection's transaction; raise Refused as `require_migratable` does.

    The caller must have locked the database against other migrations. `progress` is called with the records whose words
    are in the search index, and the number of all records.
    """
    state = state_of(connection)
    require_migratable(state)
    if state is State.EMPTY:
        create(connection)
    elif state is State.OLDER:
        upgrade(connection, "head")
        from .search_rebuild import rebuild_index  # most databases are new or current and need no migration

        rebuild_index(connection, progress)


def create(connection: Connection) -> None:
    """Create the tables of this version in an empty database, which takes a tenth of the time of all migrations."""
    for statement in definition(is_sqlite=connection.is_sqlite):
        connection.run(statement)


def upgrade(connection: Connection, revision: str) -> None:
    """Migrate the tables to a revision, or to the newest one ("head")."""
    # Imported here, because most databases are new or current and need no migration.
    from .migrations.run import run_migrations

    run_migrations(connection, revision)
