"""`contentsync serve` as a process of its own, on a free port."""

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from contentsync.cli import run
from contentsync.server.store import Database


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'site.db'}"


@contextmanager
def serving(url: str, *options: str) -> Iterator[tuple["subprocess.Popen[str]", int, str]]:
    """The running process, its port, and what it has said so far."""
    command = [sys.executable, "-m", "contentsync", "serve", "--db", url, "--port", "0", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        said = ""
        try:
            assert process.stderr is not None
            for line in process.stderr:
                said += line
                ready = re.search(r"serving on http://127\.0\.0\.1:(\d+)", line)
                if ready:
                    yield process, int(ready[1]), said
                    return
            raise AssertionError(said)
        finally:
            process.kill()


def get(port: int, path: str, **headers: str) -> tuple[int, Any]:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    answer = response.status, json.loads(response.read())
    connection.close()
    return answer


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_it_migrates_an_empty_database_serves_and_stops_when_told(url: str, stop: signal.Signals) -> None:
    """CO-15."""
    with serving(url) as (process, port, _):
        assert get(port, "/api/user") == (401, {"message": "Unauthenticated."})
        process.send_signal(stop)
        out, err = process.communicate(timeout=20)
        assert (process.returncode, out, err) == (0, "", "")
    database = Database.open(url)
    database.require_current()
    database.close()


def test_links_start_with_the_address_served_whatever_the_host_header_says(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """AU-18."""
    admin = ("admin", "migrate"), ("admin", "user", "create", "--email", "ada@example.com", "--name", "Ada")
    directory = ("directory", "create", "--name", "Tools", "--slug", "tools", "--owner", "ada@example.com")
    for arguments in (*admin, ("admin", *directory)):
        assert run([*arguments, "--db", url]) == 0
    capsys.readouterr()
    assert run(["admin", "token", "create", "--user", "ada@example.com", "--db", url]) == 0
    token = capsys.readouterr().out.strip()
    with serving(url) as (_, port, _):
        status, pages = get(port, "/api/directories/1/pages", Authorization=f"Bearer {token}", Host="evil.example")
        assert status == 200
        assert pages["links"]["first"] == f"http://127.0.0.1:{port}/api/directories/1/pages?page=1"


def test_a_rate_limit_is_said_not_to_be_there(url: str) -> None:
    with serving(url, "--rate-limit", "60") as (_, _, said):
        assert "rate limiting is not built yet" in said
    with serving(url, "--rate-limit", "0") as (_, _, said):
        assert "limit" not in said


def older(url: str) -> None:
    database = Database.open(url)
    database.migrate()
    database.run_write(lambda connection: connection.exec_driver_sql("UPDATE alembic_version SET version_num='0000'"))
    database.close()


def test_an_older_database_is_not_migrated_without_consent(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    older(url)
    assert run(["serve", "--db", url, "--port", "0"]) == 3
    assert "older version" in capsys.readouterr().err


def test_a_port_that_is_taken_is_told_before_a_database_is_made(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(["serve", "--db", url, "--port", str(port)]) == 64
    assert f"cannot listen on 127.0.0.1 port {port}" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--media", "/nowhere/at/all"], "there is no folder"),
        (["--public-url", "tools.example.com"], "the public URL"),
        (["--public-url", ""], "the public URL"),
        (["--public-url", "https://tools.example.com/?a=b"], "must not have a query or a fragment"),
        (["--db", "postgresql://localhost/x"], "is not a SQLite file"),
        (["--db", "sqlite:///site.db?mode=ro"], "has a query"),
        (["--workers", "2"], "several workers need PostgreSQL"),
        (["--workers", "0"], "--workers"),
        (["--rate-limit", "-1"], "--rate-limit"),
    ],
)
def test_wrong_options_are_told_before_a_database_is_made(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    assert run(["serve", "--db", url, "--port", "0", *options]) == 64
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_one_worker_is_what_there_is(url: str) -> None:
    """cli.md: over 1 only on PostgreSQL."""
    with serving(url, "--workers", "1") as (_, port, _):
        assert get(port, "/api/user")[0] == 401


def test_head_over_tcp_has_no_body_and_leaves_the_connection_open(url: str) -> None:
    with serving(url) as (_, port, _):
        connection = HTTPConnection("127.0.0.1", port, timeout=10)
        for method in ("HEAD", "GET"):
            connection.request(method, "/api/user")
            response = connection.getresponse()
            assert (response.status, response.headers["Content-Length"]) == (401, "30")
            assert len(response.read()) == (30 if method == "GET" else 0)
        connection.close()
