"""A database with one user and one directory, without HTTP."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from contentsync.server.access import Access
from contentsync.server.store import Database, accounts, connect_database


@dataclass(frozen=True)
class Owned:
    """A database, and the access of the owner of its directory."""

    database: Database
    access: Access


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database file with all tables and no rows."""
    path = tmp_path_factory.mktemp("migrated") / "site.db"
    database = connect_database(f"sqlite:///{path}")
    database.migrate()
    database.close()
    return path


@pytest.fixture
def database_file(migrated: Path, tmp_path: Path) -> Path:
    """Return a copy of the database file for one test."""
    return Path(shutil.copy(migrated, tmp_path / "site.db"))


@pytest.fixture
def database(database_file: Path) -> Iterator[Database]:
    """Yield a migrated database without rows."""
    database = connect_database(f"sqlite:///{database_file}")
    yield database
    database.close()


def owned_by_ada(database: Database, name: str = "ada", slug: str = "tools") -> Owned:
    """Return a directory in English and French that Ada owns."""
    user_id = database.run_write(accounts.create_user, email=f"{name}@example.com", name=name.capitalize())
    database.run_write(
        accounts.create_directory, name=slug.capitalize(), slug=slug, owner_id=user_id, locales=("en", "fr")
    )
    directory = database.run_read(accounts.find_directory, slug)
    return Owned(
        database, Access(database.run_read(accounts.principal_of, user_id), directory, f"https://{slug}.example.com")
    )


@pytest.fixture
def owned(database: Database) -> Owned:
    """Return Ada's directory "Tools" in English and French."""
    return owned_by_ada(database)
