"""Run migrations on a connection that is in a transaction."""

from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool

from ..sql import Connection


def run_migrations(connection: Connection, revision: str) -> None:
    """Migrate the tables to a revision, or to the newest one ("head"), in the connection's transaction."""
    driver = _Borrowed(connection.driver)
    if connection.is_sqlite:
        engine = create_engine("sqlite://", creator=lambda: driver, poolclass=StaticPool)
    else:
        # SQLAlchemy would look for the type hstore with a function that only takes a connection of psycopg.
        engine = create_engine(
            "postgresql+psycopg://", creator=lambda: driver, poolclass=StaticPool, use_native_hstore=False
        )
    config = Config()
    scripts = Path(__file__).parent.as_posix()
    config.set_main_option("script_location", scripts.replace("%", "%%"))  # a single % begins a placeholder
    config.set_main_option("path_separator", "os")
    with engine.connect() as borrowed:
        config.attributes["connection"] = borrowed
        command.upgrade(config, revision)


class _Borrowed:
    """The connection of a driver whose transaction is the caller's: SQLAlchemy neither ends it nor closes it."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver

    def __getattr__(self, name: str) -> Any:
        return getattr(self._driver, name)

    def commit(self) -> None:
        """Do nothing."""

    def rollback(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""
