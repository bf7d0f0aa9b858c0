"""One line per request, without secrets and content."""

import json
import logging
import re

import pytest

from contentsync.server.edge.logs import LogFormat, configure_logs
from contentsync.server.store import connect_database

from .conftest import Edge, Site, Tenant, logs_restored

CANARY = "canary-7f3a"
LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z (?P<level>[A-Z]+) (?P<message>.*?)(?P<fields>( \w+=\S*)+)$")


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, str]]:
    """Return the fields of each line on stderr, with `level` and `message`; fail if a line has another form."""
    found = []
    for line in capsys.readouterr().err.splitlines():
        match = LINE.match(line)
        assert match, line
        fields = dict(word.split("=", 1) for word in match["fields"].split())
        found.append({"level": match["level"], "message": match["message"], **fields})
    return found


def test_a_line_contains_request_client_and_status(edge: Edge, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    with logs_restored():
        configure_logs("text", "info")
        answer = edge.get(site.ada.path("/pages/999999?page=1"), site.ada.headers)
    [line] = lines(capsys)
    assert float(line.pop("ms")) >= 0
    assert line == {
        "level": "INFO",
        "message": "request",
        "method": "GET",
        "route": "/api/directories/{directory_id}/pages/{record_id}",
        "status": "404",
        "directory": str(site.ada.directory),
        "token": str(site.ada.token_id),
        "peer": "192.0.2.1",
        "id": answer.headers["X-Request-ID"],
    }


def test_an_unknown_value_is_a_dash(edge: Edge, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    with logs_restored():
        configure_logs("text", "info")
        edge.get("/nothing/at/all")
        edge.get(site.bob.path(), site.ada.headers)
    nowhere, foreign = lines(capsys)
    assert (nowhere["route"], nowhere["token"], nowhere["directory"]) == ("-", "-", "-")
    assert (foreign["status"], foreign["token"], foreign["directory"]) == ("403", str(site.ada.token_id), "-")


@pytest.mark.parametrize("format_", ["text", "json"])
def test_no_line_contains_a_secret_or_content(
    site: Site, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str], format_: LogFormat
) -> None:
    """AU-12: with a valid token, an invalid one, a query, a path, headers, a body, and an internal error."""
    with logs_restored(), Edge(site, rate_limit=0) as edge:
        configure_logs(format_, "debug")
        edge.get(site.ada.path(), site.ada.headers)
        edge.get("/api/user", {"Authorization": f"Bearer {CANARY}"})
        edge.get(f"/api/user?token={CANARY}", {"Authorization": f"Basic {CANARY}", "Cookie": CANARY, "Referer": CANARY})
        edge.get(f"/api/{CANARY}", {"X-Request-ID": f"{CANARY} ", "User-Agent": CANARY})
        edge.ask("POST", site.ada.path(), site.ada.headers, json={"title": CANARY, CANARY: 1})
        edge.ask("POST", site.ada.path(), site.ada.headers, content=CANARY)
        edge.get(site.ada.path(f"/articles/category/{CANARY}"), site.ada.headers)
        broken = broken_site(tmp_path_factory, site)
        with Edge(broken, rate_limit=0) as failing:
            assert failing.ask("POST", "/api/user", broken.ada.headers, json={"title": CANARY}).status_code == 405
            assert failing.get(f"/api/user?{CANARY}", {"Authorization": f"Bearer {site.ada.token}"}).status_code == 500
    err = capsys.readouterr().err
    assert "Traceback" in err
    assert err.count("request") >= 8
    assert CANARY not in err
    assert site.ada.token not in err
    assert site.ada.token[3:20] not in err


def broken_site(factory: pytest.TempPathFactory, site: Site) -> Site:
    """Return a database without its table of tokens, so that every request with a token fails."""
    url = f"sqlite:///{factory.mktemp('broken') / 'site.db'}"
    database = connect_database(url)
    database.migrate()
    database.run_write(lambda connection: connection.run("DROP TABLE tokens"))
    database.close()
    unauthenticated = Tenant(1, site.ada.token, 1)
    return Site(url, unauthenticated, unauthenticated, unauthenticated)


def test_a_failure_is_logged_once_with_traceback_and_request_id(
    site: Site, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = broken_site(tmp_path_factory, site)
    with logs_restored(), Edge(broken, rate_limit=0) as edge:
        configure_logs("text", "info")
        answer = edge.get("/api/user", {**broken.ada.headers, "X-Request-ID": "mine"})
    assert (answer.status_code, answer.json()) == (500, {"message": "Server Error"})
    assert answer.headers["X-Request-ID"] == "mine"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    err = capsys.readouterr().err
    assert err.count("no such table: tokens") <= 2  # the driver's error, and the one made of it
    reported = [line for line in err.splitlines() if not line.startswith("    ")]
    assert [line.split()[1] for line in reported] == ["ERROR", "ERROR"]
    assert all(line.endswith(" id=mine") for line in reported)


def test_json_logs_are_one_object_per_line(
    edge: Edge, site: Site, capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with logs_restored(), Edge(broken_site(tmp_path_factory, site), rate_limit=0) as failing:
        configure_logs("json", "info")
        answer = edge.get(site.ada.path(), site.ada.headers)
        failing.get("/api/user", site.ada.headers)
    shown, failure, _ = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert shown["level"] == "info"
    assert (shown["status"], shown["directory"], shown["token"]) == (200, site.ada.directory, site.ada.token_id)
    assert shown["id"] == answer.headers["X-Request-ID"]
    assert failure["level"] == "error"
    assert failure["traceback"].startswith("Traceback")


@pytest.mark.parametrize("format_", ["text", "json"])
@pytest.mark.parametrize("odd", ["\x1b[2J", "a\nb", "a\r\n2026-01-01T00:00:00Z INFO", "\u202e", "\x00", "\x9b1m"])
def test_control_characters_and_line_ends_are_escaped_in_logs(
    edge: Edge, capsys: pytest.CaptureFixture[str], format_: LogFormat, odd: str
) -> None:
    """XS-21"""
    with logs_restored():
        configure_logs(format_, "info")
        edge.run({"method": odd, "client": (odd, 1)})
        logging.getLogger("contentsync.test").error("failed: %s", odd, exc_info=ValueError(odd))
    err = capsys.readouterr().err
    assert all(character.isprintable() or character == "\n" for character in err)
    reported = [line for line in err.split("\n") if line and not line.startswith("    ")]
    assert len(reported) == 2
    assert not any(line.startswith("2026-01-01T00:00:00Z") for line in reported)


def test_health_checks_are_logged_only_if_they_fail_or_at_debug_level(
    edge: Edge, capsys: pytest.CaptureFixture[str]
) -> None:
    with logs_restored():
        configure_logs("text", "info")
        edge.get("/healthz")
        edge.run({"path": "/readyz", "raw_path": b"/readyz", "state": {"stopping": True}})
        [reported] = lines(capsys)
        assert (reported["level"], reported["route"], reported["status"]) == ("ERROR", "/readyz", "503")
        configure_logs("text", "debug")
        edge.get("/healthz")
        assert [line["level"] for line in lines(capsys)] == ["DEBUG"]


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (1_767_225_599.25, "2025-12-31T23:59:59.250000Z"),
        (1_767_225_600.0, "2026-01-01T00:00:00.000000Z"),
        (1_767_225_600.1, "2026-01-01T00:00:00.100000Z"),
        (1_767_225_600.9999999, "2026-01-01T00:00:01.000000Z"),
    ],
)
def test_a_log_line_starts_with_its_time(capsys: pytest.CaptureFixture[str], moment: float, text: str) -> None:
    with logs_restored():
        configure_logs("text", "info")
        record = {"msg": "now", "levelname": "INFO", "levelno": logging.INFO, "created": moment}
        logging.getLogger("contentsync").handle(logging.makeLogRecord(record))
    assert capsys.readouterr().err.startswith(f"{text} INFO now ")


def test_lines_below_the_level_are_not_logged(edge: Edge, capsys: pytest.CaptureFixture[str]) -> None:
    with logs_restored():
        configure_logs("text", "warning")
        edge.get("/api/user")
    assert capsys.readouterr().err == ""
