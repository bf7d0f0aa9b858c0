"""Disks without room, and files that are damaged (DB-02)."""

import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from ...exit_codes import SERVER_ERROR, WRONG_USAGE
from ...serving import serving
from ..processes import start
from .conftest import Site

LISTING = {"name": "Tool", "description": "text " * 2000}


def test_a_server_on_a_full_disk_reports_it_and_recovers(file_site: Site, tmp_path: Path) -> None:
    """DB-02: the limit on the process's files has the effect of a full disk."""
    with serving(file_site.url) as server, file_site.client(server.address) as client:
        assert client.post("/projects", json=LISTING).status_code == 201
        before = client.get("/projects")
        size = max((tmp_path / name).stat().st_size for name in ("site.db", "site.db-wal"))
        limits = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size + 4096, limits[1]))
        for _ in range(3):
            refused = client.post("/projects/bulk", json={"listings": [LISTING] * 50})
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
            assert str(tmp_path) not in refused.text
        assert client.get("/projects").content == before.content
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, limits)
        assert client.post("/projects", json=LISTING).status_code == 201
        assert client.get("/projects").json()["meta"]["total"] == 2
    with closing(sqlite3.connect(tmp_path / "site.db")) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("existing", [False, True])
def test_a_server_that_starts_on_a_full_disk_reports_it(file_site: Site, tmp_path: Path, existing: bool) -> None:
    """DB-02."""
    path = tmp_path / ("site.db" if existing else "new.db")

    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    command = [sys.executable, "-m", "contentsync", "serve", "--db", f"sqlite:///{path}", "--port", "0"]
    ended = subprocess.run(command, preexec_fn=fill, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode in (SERVER_ERROR, WRONG_USAGE)
    assert "Traceback" not in ended.stderr
    assert "database" in ended.stderr


def test_a_server_does_not_start_with_a_damaged_file(file_site: Site, tmp_path: Path) -> None:
    """DB-02."""
    path = tmp_path / "site.db"
    with serving(file_site.url) as server, file_site.client(server.address) as client:
        body = {"listings": [LISTING | {"url": f"https://example.org/{number}"} for number in range(50)]}
        assert client.post("/projects/bulk", json=body).json()["total_created"] == 50
        server.stop(signal.SIGTERM)
    content = path.read_bytes()
    path.write_bytes(content[: 100 * 1024] + b"Z" * (len(content) - 100 * 1024))
    code, _, err = start("serve", "--db", file_site.url, "--port", "0").end()
    assert (code, err) == (SERVER_ERROR, "contentsync: the database is damaged\n  restore a backup\n")
