"""What every answer carries."""

import httpx
import pytest

from .conftest import Edge, Site

ALLOWED = "https://app.example.com"


def answers(edge: Edge, site: Site) -> dict[int, httpx.Response]:
    """One of each status that can be had without harm."""
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
def test_every_answer_tells_browsers_and_caches_to_be_careful(every: dict[int, httpx.Response], status: int) -> None:
    """XS-18, XS-20, AU-14: no sniffing, no frames, no scripts, and nothing kept that another may see."""
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


def test_what_is_sent_back_cannot_end_a_header(edge: Edge, site: Site) -> None:
    """XS-11"""
    for path in ("/api/%0d%0aSet-Cookie:%20a=b", site.ada.path("/articles/category/%0d%0aX:%20y")):
        answer = edge.get(path, site.ada.headers)
        assert not {"set-cookie", "x"} & set(answer.headers)


def test_pages_of_other_origins_may_not_call_unless_they_are_named(edge: Edge, site: Site) -> None:
    asked = {"Origin": ALLOWED, "Access-Control-Request-Method": "GET"}
    assert edge.ask("OPTIONS", site.ada.path(), asked).status_code == 405


def test_pages_of_a_named_origin_may_call_with_a_token_and_no_cookies(site: Site) -> None:
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
def test_pages_of_any_other_origin_may_not(site: Site, origin: str) -> None:
    with Edge(site, cors_origins=(ALLOWED,)) as edge:
        asked = {"Origin": origin, "Access-Control-Request-Method": "GET"}
        refused = edge.ask("OPTIONS", site.ada.path(), asked)
        assert refused.status_code == 400
        shown = edge.get(site.ada.path(), {**site.ada.headers, "Origin": origin})
        for answer in (refused, shown):
            assert "Access-Control-Allow-Origin" not in answer.headers
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
