"""Read the state of a database's tables, and migrate them to this version."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

from sqlalchemy import Column, Connection, MetaData, PrimaryKeyConstraint, String, Table, inspect, text
from sqlalchemy.schema import CreateTable

from ...errors import Refused
from .caching import cached_until_commit
from .tables import REVISION, metadata

# The table in which Alembic keeps the revision, as it creates it itself.
_REVISIONS = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


Progress = Callable[[int, int], None]


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
    names = inspect(connection).get_table_names()
    if not names:
        return State.EMPTY
    if "alembic_version" not in names or "directories" not in names:
        return State.FOREIGN
    return revision_state(connection)


@cached_until_commit
def revision_state(connection: Connection) -> State:
    """Return the state of tables that contentsync has made; much faster than `state_of`."""
    revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
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
    metadata.create_all(connection, checkfirst=False)
    connection.execute(CreateTable(_REVISIONS))
    connection.execute(_REVISIONS.insert(), {"version_num": REVISION})


def upgrade(connection: Connection, revision: str) -> None:
    """Migrate the tables to a revision, or to the newest one ("head")."""
    # Imported here, because most databases are new or current and need no migration.
    from alembic import command
    from alembic.config import Config

    config = Config()
    scripts = (Path(__file__).parent / "migrations").as_posix()
    config.set_main_option("script_location", scripts.replace("%", "%%"))  # a single % begins a placeholder
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
