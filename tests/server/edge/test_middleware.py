"""Request ids, response headers and the deadline of a body."""

import json
from typing import Any

import httpx
import pytest

from .conftest import Edge, Site

ALLOWED = "https://app.example.com"
BEGUN = {"type": "http.request", "body": b'{"title":', "more_body": True}


@pytest.mark.parametrize("request_id", ["a", "0b1c-2d_3.4", "a/b+c=:@", "x" * 128])
def test_a_safe_request_id_of_the_client_is_used(edge: Edge, request_id: str) -> None:
    assert edge.get("/api/user", {"X-Request-ID": request_id}).headers.get_list("X-Request-ID") == [request_id]


@pytest.mark.parametrize(
    "request_id", ["", "x" * 129, "a b", "a\tb", '"a"', "a;b", "<a>", "\xe9".encode(), "a,b", "%0a"]
)
def test_an_unsafe_request_id_is_replaced(edge: Edge, request_id: str) -> None:
    """XS-11, XS-21"""
    [name] = edge.get("/api/user", {"X-Request-ID": request_id}).headers.get_list("X-Request-ID")
    assert len(name) == 16
    assert name.isalnum()


def test_two_request_ids_are_replaced(edge: Edge) -> None:
    [name] = edge.get("/api/user", [("X-Request-ID", "a"), ("X-Request-ID", "b")]).headers.get_list("X-Request-ID")
    assert len(name) == 16


def test_every_request_gets_its_own_id(edge: Edge, site: Site) -> None:
    paths = ["/", "/api/user", "/healthz", "/readyz", "/api/nothing", site.ada.path(), site.ada.path("/pages/999999")]
    answers = [edge.ask(method, path, site.ada.headers) for path in paths for method in ("GET", "HEAD", "DELETE")]
    assert {answer.status_code for answer in answers} >= {200, 404, 405}
    assert len({answer.headers["X-Request-ID"] for answer in answers}) == len(answers)


def answers(edge: Edge, site: Site) -> dict[int, httpx.Response]:
    """Return one answer of each status that a harmless request can cause."""
    found = [
        edge.get(site.ada.path(), site.ada.headers),
        edge.ask("POST", site.ada.path(), site.ada.headers, content=b"{"),
        edge.get("/api/user"),
        edge.get(site.bob.path(), site.ada.headers),
        edge.get("/nothing"),
        edge.ask("DELETE", "/api/user", site.ada.headers),
        edge.ask("POST", site.ada.path(), site.ada.headers, content=b"x" * 2000),
        edge.ask("POST", site.ada.path(), site.ada.headers, json={}),
    ]
    return {answer.status_code: answer for answer in found}


@pytest.fixture(scope="module")
def every(site: Site) -> dict[int, httpx.Response]:
    with Edge(site, rate_limit=0, max_body=1500) as edge:
        return answers(edge, site)


@pytest.mark.parametrize("status", [200, 400, 401, 403, 404, 405, 413, 422])
def test_every_response_has_security_and_cache_headers(every: dict[int, httpx.Response], status: int) -> None:
    """XS-18, XS-20, AU-14: no sniffing, no frames, no scripts, and no shared caching."""
    headers = every[status].headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert headers["Cache-Control"] == "private, no-cache"
    assert headers["Vary"] == "Authorization"
    assert headers["Content-Type"] == "application/json"  # which is UTF-8 and knows no charset (RFC 8259, 11)
    assert len(headers["X-Request-ID"]) == 16
    assert "Server" not in headers
    assert not any(name.startswith("access-control") for name in headers)


def test_client_input_cannot_end_a_header(edge: Edge, site: Site) -> None:
    """XS-11"""
    for path in ("/api/%0d%0aSet-Cookie:%20a=b", site.ada.path("/articles/category/%0d%0aX:%20y")):
        answer = edge.get(path, site.ada.headers)
        assert not {"set-cookie", "x"} & set(answer.headers)


def test_other_origins_are_not_allowed_by_default(edge: Edge, site: Site) -> None:
    asked = {"Origin": ALLOWED, "Access-Control-Request-Method": "GET"}
    assert edge.ask("OPTIONS", site.ada.path(), asked).status_code == 405


def test_an_allowed_origin_can_send_tokens_but_no_cookies(site: Site) -> None:
    with Edge(site, cors_origins=(ALLOWED,)) as edge:
        asked = {
            "Origin": ALLOWED,
            "Access-Control-Request-Method": "PUT",
            "Access-Control-Request-Headers": "authorization,content-type,if-match",
        }
        may = edge.ask("OPTIONS", site.ada.path(), asked)
        assert (may.status_code, may.headers["Access-Control-Allow-Origin"]) == (200, ALLOWED)
        assert "Access-Control-Allow-Credentials" not in may.headers

        shown = edge.get(site.ada.path(), {**site.ada.headers, "Origin": ALLOWED})
        assert shown.headers["Access-Control-Allow-Origin"] == ALLOWED
        assert shown.headers.get_list("Vary", split_commas=True) == ["Origin", "Authorization"]
        exposed = shown.headers["Access-Control-Expose-Headers"]
        assert {"ETag", "X-RateLimit-Remaining"} <= set(exposed.split(", "))

        # a failure too: the page is to be able to read it
        assert edge.get("/api/user", {"Origin": ALLOWED}).headers["Access-Control-Allow-Origin"] == ALLOWED


@pytest.mark.parametrize(
    "origin", ["https://app.example.com.evil.example", "http://app.example.com", "https://app.example.com:8443", "null"]
)
def test_an_origin_that_is_not_allowed_is_refused(site: Site, origin: str) -> None:
    with Edge(site, cors_origins=(ALLOWED,)) as edge:
        asked = {"Origin": origin, "Access-Control-Request-Method": "GET"}
        refused = edge.ask("OPTIONS", site.ada.path(), asked)
        assert refused.status_code == 400
        shown = edge.get(site.ada.path(), {**site.ada.headers, "Origin": origin})
        for answer in (refused, shown):
            assert "Access-Control-Allow-Origin" not in answer.headers
            assert answer.headers["X-Content-Type-Options"] == "nosniff"


def create(site: Site) -> dict[str, Any]:
    """Return the beginning of a create, whose rest the client does not send."""
    path = site.ada.path()
    headers = [(b"authorization", site.ada.headers["Authorization"].encode())]
    return {"method": "POST", "path": path, "raw_path": path.encode(), "headers": headers}


def test_an_incomplete_body_is_a_408(site: Site) -> None:
    with Edge(site, rate_limit=0, body_seconds=0.1) as edge:
        start, body = edge.run(create(site), BEGUN, BEGUN)
    assert start["status"] == 408
    assert dict(start["headers"])[b"connection"] == b"close"
    assert json.loads(body["body"]) == {"message": "The request was not complete in time"}


def test_an_incomplete_body_is_a_503_while_the_server_stops(edge: Edge, site: Site) -> None:
    """CO-15: nothing was done, and the client gets a 503."""
    start, body = edge.run(create(site), BEGUN, cancel=True)
    assert start["status"] == 503
    assert b"x-request-id" in dict(start["headers"])
    assert json.loads(body["body"]) == {"message": "The server is stopping"}


def test_a_body_that_arrives_in_time_is_accepted(site: Site) -> None:
    with Edge(site, rate_limit=0, body_seconds=5) as edge:
        assert edge.ask(
            "POST", site.ada.path("/projects/exists"), site.ada.headers, json={"url": "https://a.b"}
        ).is_success
