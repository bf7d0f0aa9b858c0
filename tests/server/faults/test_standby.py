"""A server whose PostgreSQL is a standby, or a former primary: it reads, and does not write (DB-08)."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from ... import postgresql
from ...serving import serving
from .conftest import Site, make_site


@pytest.fixture
def copied() -> Iterator[tuple[Site, Path]]:
    """Yield a site on a standby that was copied from its primary, and the standby's folder."""
    with postgresql.alone() as (cluster, primary):
        site = make_site(cluster.database())
        with postgresql.standby(primary) as folder:
            yield Site(site.url.replace(quote(str(primary)), quote(str(folder))), site.directory_id, site.token), folder


def test_a_standby_and_a_former_primary_are_not_ready_and_refuse_writes(copied: tuple[Site, Path]) -> None:
    """DB-08"""
    site, folder = copied
    read_only = {"message": "the database is read-only"}
    with serving(site.url, "--rate-limit", "0") as server, site.client(server.address) as client:
        for _ in range(3):  # reads and writes take turns on the connections
            assert server.ask("GET", "/readyz") == (503, read_only)
            assert client.get("/pages").json()["data"] == []
            refused = client.post("/pages", json={"title": "Lost"})
            assert (refused.status_code, refused.json()) == (503, read_only)
            assert refused.headers["Retry-After"] == "1"
        assert client.get(f"{server.address}/sites/tools/").status_code == 200
        postgresql.promote(folder)
        assert client.post("/pages", json={"title": "Stored"}).status_code == 201
        assert server.ask("GET", "/readyz")[0] == 200
        postgresql.demote(folder)
        refused = client.post("/pages", json={"title": "Lost"})
        assert (refused.status_code, refused.json()) == (503, read_only)
        assert server.ask("GET", "/readyz") == (503, read_only)
        assert [page["title"] for page in client.get("/pages").json()["data"]] == ["Stored"]
        assert "Traceback" not in server.log
