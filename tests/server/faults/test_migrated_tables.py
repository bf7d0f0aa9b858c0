"""Tables that another version migrates or restores under a running server: the server does not write."""

import asyncio
import threading
from contextlib import closing

import pytest

from contentsync.errors import Unavailable
from contentsync.server.store import Connection, accounts, connect_database
from contentsync.server.store.tables import REVISION

from ...postgresql import Cluster
from ...serving import serving
from .conftest import make_site

PAGE = {"title": "About"}
MIGRATION_LOCK = 0x636F6E74  # the advisory lock that `migrate` holds on PostgreSQL


def set_revision(url: str, revision: str) -> None:
    """Set the revision of another version, as the last step of its migrations would."""

    def update(connection: Connection) -> None:
        connection.run("UPDATE alembic_version SET version_num = :revision", {"revision": revision})

    with closing(connect_database(url)) as database:
        database.run_write(update)


@pytest.mark.parametrize(("revision", "version"), [("9999", "a newer"), ("0001", "an older")])
def test_a_server_with_migrated_tables_refuses_writes(empty_url: str, revision: str, version: str) -> None:
    """DB-07"""
    site = make_site(empty_url)
    with serving(site.url, "--rate-limit", "0") as server, site.client(server.address) as client:
        assert client.post("/pages", json=PAGE).status_code == 201
        set_revision(site.url, revision)
        for _ in range(3):
            refused = client.post("/pages", json={"title": "Lost"})
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
            assert refused.json() == {"message": f"the database is of {version} version"}
        assert [page["title"] for page in client.get("/pages").json()["data"]] == ["About"]
        assert server.ask("GET", "/readyz")[0] == 503
        set_revision(site.url, REVISION)
        assert client.post("/pages", json={"title": "Back"}).status_code == 201
    assert len([line for line in server.said if "ERROR" in line and "writes to" in line]) == 1


def test_a_write_that_waited_for_a_migration_is_refused(cluster: Cluster) -> None:
    """On PostgreSQL: the write was accepted before the migration ended."""
    site = make_site(cluster.database())
    migrating, waiting = threading.Event(), threading.Event()

    def migrate(connection: Connection) -> None:
        connection.run("SELECT pg_advisory_xact_lock(:number)", {"number": MIGRATION_LOCK})
        connection.run("UPDATE alembic_version SET version_num = '9999'")
        migrating.set()
        assert waiting.wait(10)

    with closing(connect_database(site.url)) as server, closing(connect_database(site.url)) as other:
        migration = threading.Thread(target=other.run_write, args=(migrate,))
        migration.start()
        assert migrating.wait(10)

        async def write() -> None:
            writing = asyncio.create_task(server.write_in_directory(site.directory_id, accounts.all_users))
            await asyncio.sleep(0.2)
            assert not writing.done()
            waiting.set()
            await writing

        with pytest.raises(Unavailable, match="a newer version"):
            asyncio.run(write())
        migration.join()
