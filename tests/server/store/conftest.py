"""A database with one user and one directory, without HTTP."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from contentsync.server.access import Access
from contentsync.server.store import Database, accounts


@dataclass(frozen=True)
class Owned:
    """A database, and the access of the owner of its directory."""

    database: Database
    access: Access


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with all tables and no rows."""
    path = tmp_path_factory.mktemp("migrated") / "site.db"
    database = Database.open(f"sqlite:///{path}")
    database.migrate()
    database.close()
    return path


@pytest.fixture
def database_file(migrated: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    return Path(shutil.copy(migrated, tmp_path / "site.db"))


@pytest.fixture
def database(database_file: Path) -> Iterator[Database]:
    """A migrated database without rows."""
    database = Database.open(f"sqlite:///{database_file}")
    yield database
    database.close()


@pytest.fixture
def owned(database: Database) -> Owned:
    """Ada's directory "Tools" in English and French."""
    ada = database.run_write(accounts.create_user, email="ada@example.com", name="Ada")
    database.run_write(accounts.create_directory, name="Tools", slug="tools", owner_id=ada, locales=("en", "fr"))
    directory = database.run_read(accounts.find_directory, "tools")
    return Owned(database, Access(database.run_read(accounts.user, ada), directory, "https://tools.example.com"))
