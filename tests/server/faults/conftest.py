"""Databases on which servers run as processes."""

import ssl
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from ...postgresql import Cluster
from ...serving import make_tenant

# That of all clients, who ask over plain HTTP: each would read the machine's certificates for one of its own.
TLS = ssl.create_default_context()


@dataclass(frozen=True)
class Site:
    """A migrated database with Ada's directory "tools" in it, and a token of hers."""

    url: str
    directory_id: int
    token: str

    def client(self, address: str) -> httpx.Client:
        """Return a client of the directory at a server's address."""
        headers = {"Authorization": f"Bearer {self.token}"}
        base = f"{address}/api/directories/{self.directory_id}"
        return httpx.Client(base_url=base, headers=headers, timeout=30, verify=TLS)


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return a database in which nothing is."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'site.db'}"
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster.database()


def make_site(url: str, slug: str = "tools") -> Site:
    """Return a new site in a database."""
    return Site(url, *make_tenant(url, slug))


@pytest.fixture
def file_site(tmp_path: Path) -> Site:
    """Return a site in a SQLite file."""
    return make_site(f"sqlite:///{tmp_path / 'site.db'}")
