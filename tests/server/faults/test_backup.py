"""Copies that are made while the server writes, and servers on them (DB-05)."""

import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from ...exit_codes import WRONG_USAGE
from ...postgresql import Cluster
from ...serving import Serving, serving
from ..processes import admin, start
from .conftest import Site, make_site


@pytest.fixture(params=["sqlite", "postgresql"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Site:
    """Return a site on each database."""
    if request.param == "sqlite":
        return make_site(f"sqlite:///{tmp_path / 'site.db'}")
    cluster: Cluster = request.getfixturevalue("cluster")
    return make_site(cluster.database())


@pytest.fixture
def server(site: Site) -> Iterator[Serving]:
    with serving(site.url, "--rate-limit", "0", "--public-url", "https://tools.example.org") as server:
        yield server


def copy(site: Site, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of a copy, made with the commands of the manual."""
    file = tmp_path / "copy"
    if site.url.startswith("sqlite"):
        admin(site.url, "backup", str(file))
        return f"sqlite:///{file}"
    cluster: Cluster = request.getfixturevalue("cluster")
    other = cluster.database("template0")
    subprocess.run([cluster.programs / "pg_dump", "--format", "custom", "--file", file, site.url], check=True)
    restore = ("--no-owner", "--exit-on-error", "--dbname", other)
    subprocess.run([cluster.programs / "pg_restore", *restore, file], check=True)
    return other


def everything(client: httpx.Client) -> dict[str, Any]:
    """Return all answers and their ETags."""
    paths = ("projects", "projects?page=2", "pages", "articles", "categories", "tags", "organizers", "custom-fields")
    answers = {path: client.get(f"/{path}") for path in paths}
    return {path: (answer.json(), answer.headers["etag"]) for path, answer in answers.items()}


def test_a_server_on_a_copy_returns_the_same_responses(
    site: Site, server: Serving, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """DB-05: and no ETag stands for two states, although the original continues to change."""
    with site.client(server.address) as original:
        fill(original)
        then = everything(original)
        url = copy(site, request, tmp_path)
        page = then["pages"][0]["data"][0]["id"]
        lost = original.put(f"/pages/{page}", json={"markdown": "Lost"}).headers["etag"]
        after = everything(original)["pages"][1]
    with serving(url, "--public-url", "https://tools.example.org") as second, site.client(second.address) as copied:
        assert everything(copied) == then
        new = copied.put(f"/pages/{page}", json={"markdown": "New"}).headers["etag"]
        assert copied.get("/pages", headers={"If-None-Match": after}).status_code == 200
        assert copied.put(f"/pages/{page}", json={"order": 1}, headers={"If-Match": lost}).status_code == 409
        assert new != lost


def fill(client: httpx.Client) -> None:
    category = client.post("/categories", json={"title": "Metal"}).json()["data"]["id"]
    listings = [{"name": f"Tool {number}", "categories": [category]} for number in range(60)]
    for _ in range(2):
        assert client.post("/projects/bulk", json={"listings": listings}).json()["total_created"] == 60
    assert client.post("/pages", json={"title": "About", "markdown": "Text"}).status_code == 201
    assert client.post("/articles", json={"title": "Émile 🎉", "markdown": "Text"}).status_code == 201


def test_a_copy_made_during_writes_is_consistent(
    site: Site, server: Serving, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """DB-05: it has all writes that were acknowledged before it began, and every bulk create as a whole."""
    acknowledged, stop = [0], threading.Event()

    def write() -> None:
        with site.client(server.address) as client:
            while not stop.is_set():
                body = {"listings": [{"name": f"Tool {acknowledged[0]} {at}"} for at in range(7)]}
                assert client.post("/projects/bulk", json=body).status_code == 200
                acknowledged[0] += 1

    writing = threading.Thread(target=write)
    writing.start()
    try:
        while acknowledged[0] < 5:
            stop.wait(0.01)
        before = acknowledged[0]
        url = copy(site, request, tmp_path)
        after = acknowledged[0] + 1
    finally:
        stop.set()
        writing.join()
    with serving(url) as second, site.client(second.address) as copied:
        total = copied.get("/projects").json()["meta"]["total"]
        assert total % 7 == 0
        assert before <= total // 7 <= after
        assert copied.post("/projects", json={"name": "Another"}).status_code == 201


def test_a_copy_is_one_valid_file_with_the_same_permissions(file_site: Site, tmp_path: Path) -> None:
    original, file = tmp_path / "site.db", tmp_path / "copy.db"
    original.chmod(0o600)
    admin(file_site.url, "backup", str(file))
    assert file.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.db"]
    with closing(sqlite3.connect(file)) as opened:
        assert opened.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_database_can_be_copied_before_it_is_upgraded(file_site: Site, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "site.db")) as opened, opened:
        opened.execute("UPDATE alembic_version SET version_num = '0001'")
    admin(file_site.url, "backup", str(tmp_path / "copy.db"))
    assert (tmp_path / "copy.db").is_file()


@pytest.mark.parametrize(("name", "expected"), [("site.db", "already"), ("missing/copy.db", "cannot write the copy")])
def test_a_copy_never_replaces_a_file(file_site: Site, tmp_path: Path, name: str, expected: str) -> None:
    before = (tmp_path / "site.db").read_bytes()
    code, _, err = start("admin", "backup", str(tmp_path / name), "--db", file_site.url).end()
    assert (code, expected in err) == (WRONG_USAGE, True), err
    assert (tmp_path / "site.db").read_bytes() == before


def test_the_backup_command_refuses_postgresql_and_names_pg_dump(cluster: Cluster, tmp_path: Path) -> None:
    site = make_site(cluster.database())
    code, _, err = start("admin", "backup", str(tmp_path / "copy"), "--db", site.url).end()
    assert (code, "pg_dump" in err) == (WRONG_USAGE, True), err
