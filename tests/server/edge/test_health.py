"""Whether the process lives, and whether it takes requests."""

from pathlib import Path

from contentsync.server.store import connect_database

from ..conftest import locked
from .conftest import Edge, Site, Tenant


def test_a_working_server_is_alive_and_ready(edge: Edge) -> None:
    for path in ("/healthz", "/readyz"):
        assert edge.get(path).status_code == edge.ask("HEAD", path).status_code == 200
        assert edge.ask("POST", path).status_code == 405


def test_health_endpoints_need_no_token_and_are_not_limited(site: Site) -> None:
    """AU-17"""
    with Edge(site, rate_limit=1) as edge:
        assert {edge.get(path).status_code for path in ("/healthz", "/readyz") * 5} == {200}
        assert "X-RateLimit-Limit" not in edge.get("/readyz").headers


def test_a_stopping_server_is_alive_but_not_ready(edge: Edge) -> None:
    def status(path: str) -> int:
        start, _ = edge.run({"path": path, "raw_path": path.encode(), "state": {"stopping": True}})
        return int(start["status"])

    assert (status("/healthz"), status("/readyz")) == (200, 503)


def test_a_server_with_a_database_of_another_version_is_not_ready(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'site.db'}"
    database = connect_database(url)
    database.migrate()
    unauthenticated = Tenant(1, "", 1)
    with Edge(Site(url, unauthenticated, unauthenticated, unauthenticated)) as edge:
        database.run_write(lambda connection: connection.run("UPDATE alembic_version SET version_num='9'"))
        assert (edge.get("/readyz").status_code, edge.get("/healthz").status_code) == (503, 200)
    database.close()


def test_a_server_with_a_busy_database_is_ready(edge: Edge, site: Site) -> None:
    with locked(Path(site.url.removeprefix("sqlite:///"))):
        assert edge.get("/readyz").status_code == 200
