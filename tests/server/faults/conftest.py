"""Databases on which servers run as processes."""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from contentsync.server.store import Connection, Database, accounts
from contentsync.server.store.tokens import create_token

from ...postgresql import Cluster


@dataclass(frozen=True)
class Site:
    """A migrated database with Ada's directory "tools" in it, and a token of hers."""

    url: str
    directory_id: int
    token: str

    def client(self, address: str) -> httpx.Client:
        """A client of the directory at a server's address."""
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.Client(base_url=f"{address}/api/directories/{self.directory_id}", headers=headers, timeout=30)


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database in which nothing is."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'site.db'}"
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster.database()


def make_site(url: str, slug: str = "tools") -> Site:
    """A new site in a migrated database."""

    def prepare(connection: Connection) -> Site:
        ada = accounts.create_user(connection, email=f"{slug}@example.org", name="Ada")
        directory_id = accounts.create_directory(connection, name="Tools", slug=slug, owner_id=ada)
        return Site(url, directory_id, create_token(connection, user_id=ada)[1])

    with closing(Database.open(url)) as database:
        database.migrate()
        return database.run_write(prepare)


@pytest.fixture
def file_site(tmp_path: Path) -> Site:
    """A site in a SQLite file."""
    return make_site(f"sqlite:///{tmp_path / 'site.db'}")
