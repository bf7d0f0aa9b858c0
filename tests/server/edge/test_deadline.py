"""How long a body may take."""

import json
from typing import Any

from .conftest import Edge, Site

BEGUN = {"type": "http.request", "body": b'{"title":', "more_body": True}


def create(site: Site) -> dict[str, Any]:
    """A create of which a client sends the beginning."""
    path = site.ada.path()
    headers = [(b"authorization", site.ada.headers["Authorization"].encode())]
    return {"method": "POST", "path": path, "raw_path": path.encode(), "headers": headers}


def test_a_body_that_does_not_come_to_its_end_is_a_408(site: Site) -> None:
    with Edge(site, rate_limit=0, body_seconds=0.1) as edge:
        start, body = edge.run(create(site), BEGUN, BEGUN)
    assert start["status"] == 408
    assert dict(start["headers"])[b"connection"] == b"close"
    assert json.loads(body["body"]) == {"message": "The request did not come to its end"}


def test_a_body_that_still_comes_when_the_server_must_stop_is_a_503(edge: Edge, site: Site) -> None:
    """CO-15: nothing was done, and the client is told."""
    start, body = edge.run(create(site), BEGUN, cancel=True)
    assert start["status"] == 503
    assert b"x-request-id" in dict(start["headers"])
    assert json.loads(body["body"]) == {"message": "The server is stopping"}


def test_a_body_that_comes_in_time_is_taken(site: Site) -> None:
    with Edge(site, rate_limit=0, body_seconds=5) as edge:
        assert edge.ask(
            "POST", site.ada.path("/projects/exists"), site.ada.headers, json={"url": "https://a.b"}
        ).is_success
