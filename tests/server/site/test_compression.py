"""Which responses of a site are compressed, and their ETags."""

import httpx
import pytest

from contentsync.server.site.rendering import MIN_BYTES

from ..conftest import Api

GZIP = {"Accept-Encoding": "gzip, deflate, br"}


def visit(api: Api, path: str = "/", **headers: str) -> httpx.Response:
    """Return the response to a request, which accepts no encoding by default."""
    accepted = {"Accept-Encoding": "identity", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return api.service.visit("GET", f"/sites/{api.slug}{path}", headers=accepted)


@pytest.mark.parametrize("path", ["/", "/nothing/", "/static/site.css", "/feed.xml", "/sitemap.xml"])
def test_a_page_is_compressed_if_the_client_accepts_it(api: Api, path: str) -> None:
    api.make("articles", title="News", slug="news", markdown="word " * 300)
    for number in range(12):
        api.make("projects", name=f"Listing {number}", url=f"https://{number}.example.org")
    plain, small = visit(api, path), visit(api, path, **GZIP)
    assert plain.status_code == small.status_code
    assert "Content-Encoding" not in plain.headers
    assert small.headers["Content-Encoding"] == "gzip"
    assert int(small.headers["Content-Length"]) < int(plain.headers["Content-Length"]) / 2
    assert plain.headers["Vary"] == small.headers["Vary"] == "Accept-Encoding"
    assert plain.content == small.content  # which the client has decompressed


def test_a_small_response_is_not_compressed(api: Api) -> None:
    answer = visit(api, "/robots.txt", **GZIP)
    assert len(answer.content) < MIN_BYTES
    assert "Content-Encoding" not in answer.headers
    assert answer.headers["ETag"] == visit(api, "/robots.txt").headers["ETag"]


@pytest.mark.parametrize("accepted", ["br", "gzip;q=0", "gzip; q=0.0, br", "x-gzip"])
def test_a_client_that_does_not_accept_gzip_gets_an_uncompressed_page(api: Api, accepted: str) -> None:
    answer = visit(api, Accept_Encoding=accepted)
    assert "Content-Encoding" not in answer.headers
    assert answer.headers["Vary"] == "Accept-Encoding"
    assert answer.headers["ETag"] == visit(api).headers["ETag"]


@pytest.mark.parametrize("accepted", ["gzip", "br, gzip", "gzip;q=0.5", "deflate, gzip;q=1.0, *;q=0"])
def test_a_client_can_weight_gzip(api: Api, accepted: str) -> None:
    assert visit(api, Accept_Encoding=accepted).headers["Content-Encoding"] == "gzip"


def test_each_encoding_has_an_etag(api: Api) -> None:
    """RFC 9110, 8.8.3.3"""
    plain, small = visit(api).headers["ETag"], visit(api, **GZIP).headers["ETag"]
    assert plain != small
    for etag, accepted in ((plain, "identity"), (small, "gzip")):
        again = visit(api, Accept_Encoding=accepted, If_None_Match=etag)
        assert (again.status_code, again.headers["ETag"], again.content) == (304, etag, b"")
        assert again.headers["Vary"] == "Accept-Encoding"
        assert "Content-Encoding" not in again.headers
    assert visit(api, Accept_Encoding="gzip", If_None_Match=plain).status_code == 200
    assert visit(api, If_None_Match=small).status_code == 200


def test_the_api_is_not_compressed(api: Api) -> None:
    """docs/decisions/0012: its ETags are strong."""
    api.make("pages", title="Long", markdown="x" * 5000)
    answer = api.service.visit("GET", f"/api/directories/{api.directory_id}/pages", headers={**api.headers, **GZIP})
    assert "Content-Encoding" not in answer.headers
    assert len(answer.content) > 5000
