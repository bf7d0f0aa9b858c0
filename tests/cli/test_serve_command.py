"""`contentsync serve`: its options, its start and its end."""

import signal
import socket
from http.client import HTTPConnection
from pathlib import Path

import pytest

from contentsync.cli import run
from contentsync.server.store import connect_database

from ..content.conftest import write
from ..redis_server import MISSING, SERVER, redis_running
from ..serving import make_tenant, serving


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'site.db'}"


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_serve_migrates_an_empty_database_and_stops_on_a_signal(url: str, stop: signal.Signals) -> None:
    """CO-15."""
    with serving(url, "--log-level", "error") as server:
        assert server.ask("GET", "/api/user") == (401, {"message": "Unauthenticated."})
        assert server.stop(stop) == 0
    assert server.said == [
        f"contentsync: created the database {url}, which has no directory yet\n",
        "  contentsync admin user create and contentsync admin directory create make the first ones\n",
        f"contentsync: serving on http://127.0.0.1:{server.port} (Ctrl-C stops it)\n",
    ]
    database = connect_database(url)
    database.require_current()
    database.close()


def test_serve_prints_the_addresses_of_the_sites(url: str) -> None:
    make_tenant(url)
    make_tenant(url, "shops", domain="shops.example.org")
    for number in range(11):
        make_tenant(url, f"more-{number}")
    with serving(url, "--log-level", "error") as server:
        *sites, more, last = server.said
    assert sites[:2] == [
        f"contentsync: site http://127.0.0.1:{server.port}/sites/tools/\n",
        "contentsync: site https://shops.example.org/\n",
    ]
    assert len(sites) == 10
    assert more == "contentsync: and 3 more sites: contentsync admin directory list\n"
    assert "serving on" in last


def test_links_start_with_the_served_address_and_ignore_the_host_header(url: str) -> None:
    """docs/contract.md 10; AU-18."""
    number, token = make_tenant(url)
    with serving(url) as server:
        path = f"/api/directories/{number}/pages"
        status, pages = server.ask("GET", path, Authorization=f"Bearer {token}", Host="evil.example")
        assert status == 200
        assert pages["links"]["first"] == f"http://127.0.0.1:{server.port}{path}?page=1"


def test_the_default_rate_limit_is_120_per_minute_and_address(url: str) -> None:
    """docs/contract.md 12; docs/faults.md AU-13: a client cannot choose the address under which it is counted."""
    with serving(url) as server:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=10)
        left = []
        for number in range(3):
            connection.request("GET", "/api/user", headers={"X-Forwarded-For": f"203.0.113.{number}"})
            response = connection.getresponse()
            response.read()
            left.append((response.headers["X-RateLimit-Limit"], response.headers["X-RateLimit-Remaining"]))
        connection.close()
        assert left == [("120", "119"), ("120", "118"), ("120", "117")]
        assert "203.0.113" not in server.log


def test_serve_reports_only_a_new_database(url: str) -> None:
    make_tenant(url)
    with serving(url) as server:
        assert "created" not in server.log


def older(url: str) -> None:
    database = connect_database(url)
    database.migrate()
    database.run_write(lambda connection: connection.run("UPDATE alembic_version SET version_num='0000'"))
    database.close()


def test_an_older_database_is_not_migrated_without_consent(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    older(url)
    assert run(["serve", "--db", url, "--port", "0"]) == 3
    assert "older version" in capsys.readouterr().err


def test_a_taken_port_is_reported_before_a_database_is_created(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(["serve", "--db", url, "--port", str(port)]) == 64
    assert f"cannot listen on 127.0.0.1 port {port}" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--media", "/nowhere/at/all"], "there is no folder"),
        (["--public-url", "tools.example.com"], "the public URL"),
        (["--public-url", ""], "the public URL"),
        (["--public-url", "https://tools.example.com/?a=b"], "must not have a query or a fragment"),
        (["--db", "mysql://localhost/x"], "mysql"),
        (["--db", "sqlite:///site.db?mode=ro"], "has a query"),
        (["--workers", "2"], "several workers need PostgreSQL"),
        (["--db", "postgresql://localhost/x", "--workers", "2"], "a rate limit over several workers needs Redis"),
        (["--host", "a..b"], "is not a host"),
        (["--workers", "0"], "--workers"),
        (["--rate-limit", "-1"], "--rate-limit"),
        (["--max-body", "0"], "--max-body"),
        (["--cors-origin", "*"], "is not an origin"),
        (["--trusted-proxy", "*"], "is not an address"),
        (["--log-format", "xml"], "--log-format"),
        (["--log-level", "loud"], "--log-level"),
    ],
)
def test_wrong_options_are_reported_before_a_database_is_created(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], expected: str
) -> None:
    assert run(["serve", "--db", url, "--port", "0", *options]) == 64
    assert expected in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(SERVER is None, reason=MISSING)
def test_a_wrong_redis_password_is_reported_before_a_database_is_created(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with redis_running() as redis:
        monkeypatch.setenv("CONTENTSYNC_REDIS", redis.replace("redis://", "redis://ada:secret@"))
        assert run(["serve", "--db", url, "--port", "0"]) == 64
    err = capsys.readouterr().err
    assert "Redis rejects the user or password" in err
    assert "secret" not in err
    assert list(tmp_path.iterdir()) == []


def test_an_unreachable_postgresql_is_not_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--db", "postgresql://ada:geheim@127.0.0.1:1/site", "--port", "0"]) == 4
    err = capsys.readouterr().err
    assert "cannot be reached" in err
    assert "is PostgreSQL running?" in err
    assert "geheim" not in err


def test_head_over_tcp_has_no_body_and_leaves_the_connection_open(url: str) -> None:
    with serving(url) as server:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=10)
        for method in ("HEAD", "GET"):
            connection.request(method, "/api/user")
            response = connection.getresponse()
            assert (response.status, response.headers["Content-Length"]) == (401, "30")
            assert len(response.read()) == (30 if method == "GET" else 0)
        connection.close()


def test_serve_serves_the_pictures_of_an_embedded_target_from_its_folder(tmp_path: Path) -> None:
    picture = b"GIF89a\1\0\1\0..."
    files: dict[str, str | bytes] = {
        "contentsync.toml": '[site]\nname = "Test"\n[assets]\npath = "static"\n',
        "articles/a.md": "---\ntitle: First\nthumbnail_url: /a.gif\nthumbnail_alt_text: A\n---\nText\n",
        "static/a.gif": picture,
    }
    folder = write(tmp_path / "site", files)
    assert run(["sync", "--yes", str(folder)]) == 0
    assert run(["plan", "--detailed-exitcode", str(folder)]) == 0, "the second plan is empty"
    with serving(f"sqlite:///{folder}/.contentsync/site.db") as server:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=10)
        connection.request("GET", "/sites/test/blog/a/")
        page = connection.getresponse().read().decode()
        assert f'src="{server.address}/sites/test/_files/static/a.gif"' in page
        connection.request("GET", "/sites/test/_files/static/a.gif")
        assert connection.getresponse().read() == picture
        connection.close()
