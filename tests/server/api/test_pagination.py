"""Pages of lists, and the cache of their bodies.

docs/contract.md 4.2, Pagination envelope; docs/contract.md 10; docs/faults.md CO-04
"""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.requests import Request

from contentsync.server.api.http import MAX_REQUESTED, PageCache

from ..conftest import PUBLIC_URL, Api
from .answers import refused_fields


def fill(api: Api, count: int) -> None:
    """New listings, in as few requests as possible."""
    for start in range(0, count, 100):
        listings = [{"name": f"Tool {number}"} for number in range(start, min(start + 100, count))]
        assert api.post("/projects/bulk", {"listings": listings}).json()["total_created"] == len(listings)


def page(api: Api, number: int | None = None, path: str = "/projects", **query: Any) -> dict[str, Any]:
    """Return one complete page of a list."""
    response = api.get(path, **query, **({} if number is None else {"page": number}))
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    assert body.keys() == {"data", "links", "meta"}
    assert body["links"].keys() == {"first", "last", "prev", "next"}
    assert body["meta"].keys() == {"current_page", "from", "last_page", "per_page", "to", "total"}
    return body


def number_of(url: str | None) -> int | None:
    """Return the page that a link leads to."""
    return None if url is None else int(parse_qs(urlsplit(url).query)["page"][0])


def test_an_empty_list_has_one_empty_page(api: Api) -> None:
    for path in ("/pages", "/articles", "/projects", "/articles/category/none"):
        empty = page(api, path=path)
        assert empty["data"] == []
        assert empty["meta"] == {
            "current_page": 1,
            "from": None,
            "last_page": 1,
            "per_page": 100,
            "to": None,
            "total": 0,
        }
        assert {name: number_of(url) for name, url in empty["links"].items()} == {
            "first": 1,
            "last": 1,
            "prev": None,
            "next": None,
        }


@pytest.mark.parametrize("category", ["a%2520b", "CI%2FCD", "How%20to%3F", "%C3%A9t%C3%A9", "A"])
def test_pagination_links_keep_the_encoded_category(api: Api, category: str) -> None:
    path = f"/articles/category/{category}"
    link = page(api, path=path)["links"]["first"]
    assert link == f"{PUBLIC_URL}/api/directories/{api.directory_id}{path}?page=1"


def test_a_hundred_and_one_records_are_two_pages(api: Api) -> None:
    """docs/contract.md 8."""
    fill(api, 101)
    first, second = page(api), page(api, 2)
    assert (len(first["data"]), len(second["data"])) == (100, 1)
    assert first["meta"] == {"current_page": 1, "from": 1, "last_page": 2, "per_page": 100, "to": 100, "total": 101}
    assert second["meta"] == {"current_page": 2, "from": 101, "last_page": 2, "per_page": 100, "to": 101, "total": 101}
    assert {name: number_of(url) for name, url in first["links"].items()} == {
        "first": 1,
        "last": 2,
        "prev": None,
        "next": 2,
    }
    assert {name: number_of(url) for name, url in second["links"].items()} == {
        "first": 1,
        "last": 2,
        "prev": 1,
        "next": None,
    }
    assert len({listing["id"] for listing in first["data"] + second["data"]}) == 101


def test_the_first_page_is_the_default(api: Api) -> None:
    """docs/contract.md 4.2, 4.3: page (integer, default 1)."""
    fill(api, 101)
    assert page(api) == page(api, 1)


@pytest.mark.parametrize("count", [100, 200])
def test_a_full_last_page_has_no_next_page(api: Api, count: int) -> None:
    """docs/faults.md CO-04."""
    fill(api, count)
    last = page(api, count // 100)
    assert len(last["data"]) == 100
    assert last["links"]["next"] is None
    assert (last["meta"]["last_page"], last["meta"]["total"]) == (count // 100, count)


@pytest.mark.parametrize("number", [2, 3, 999_999_999])
def test_a_page_past_the_end_is_empty_with_the_correct_totals(api: Api, number: int) -> None:
    """docs/contract.md 10."""
    api.make("projects", name="Lathe")
    past = page(api, number)
    assert past["data"] == []
    assert past["meta"] == {
        "current_page": number,
        "from": None,
        "last_page": 1,
        "per_page": 100,
        "to": None,
        "total": 1,
    }
    assert past["links"]["next"] is None


@pytest.mark.parametrize("number", [2**62, 10**30])
def test_an_enormous_page_number_is_empty_or_refused(api: Api, number: int) -> None:
    """docs/faults.md DB-04: past the end, or refused."""
    api.make("projects", name="Lathe")
    response = api.get("/projects", page=number)
    assert response.status_code == 422 or response.json()["data"] == []


@pytest.mark.parametrize("number", ["0", "-1", "abc", "1.5", "", "1e3", "0x1", "١"])
@pytest.mark.parametrize("path", ["/pages", "/articles", "/projects"])
def test_a_page_number_that_is_not_positive_is_refused(api: Api, path: str, number: str) -> None:
    assert refused_fields(api.get(path, page=number)) == {"page"}


def test_links_are_full_urls_of_the_same_list(api: Api) -> None:
    """docs/contract.md 4.2."""
    fill(api, 101)
    for name, url in page(api)["links"].items():
        if name != "prev":
            assert url.startswith(f"{PUBLIC_URL}/api/directories/{api.directory_id}/projects?")


def test_following_the_links_returns_every_record_once(api: Api) -> None:
    fill(api, 201)
    seen: list[int] = []
    url = f"{PUBLIC_URL}/api/directories/{api.directory_id}/projects"
    while url:
        body = api.service.request("GET", url, headers=api.headers).json()
        seen += [listing["id"] for listing in body["data"]]
        url = body["links"]["next"]
    assert len(seen) == len(set(seen)) == 201


def test_links_keep_the_other_parameters(bilingual: Api) -> None:
    for number in range(101):
        texts = {"title": f"Hello {number}", "markdown": "x", "translations": {"fr": {"title": f"Bonjour {number}"}}}
        bilingual.make("articles", **texts, categories=["A & B"])
    for path in ("/articles", "/articles/category/A%20%26%20B"):
        url = page(bilingual, path=path, locale="fr", include="translations")["links"]["next"]
        (last,) = bilingual.service.request("GET", url, headers=bilingual.headers).json()["data"]
        assert last["title"].startswith("Bonjour")
        assert "fr" in last["translations"]


def test_pages_and_articles_are_paginated_too(api: Api) -> None:
    """docs/contract.md 10."""
    for number in range(101):
        api.make("pages", title=f"Page {number}")
    assert len(page(api, 1, "/pages")["data"]) == 100
    assert [record["title"] for record in page(api, 2, "/pages")["data"]] == ["Page 100"]


def test_only_records_of_the_own_directory_are_counted(api: Api, other: Api) -> None:
    fill(api, 3)
    fill(other, 5)
    assert (page(api)["meta"]["total"], page(other)["meta"]["total"]) == (3, 5)


def asked(path: str, query: str = "") -> Request:
    """Return a request for a path with a query."""
    return Request({"type": "http", "raw_path": path.encode(), "query_string": query.encode()})


def put(cache: PageCache, request: Request, tag: str, body: bytes) -> None:
    """Add the answer for an address; fail if the address is requested twice."""
    for _ in range(2):
        cache.put(request, tag, body)


def test_a_body_is_cached_by_url_and_etag() -> None:
    cache = PageCache()
    put(cache, asked("/a", "page=1"), "tag", b"body")
    assert cache.get(asked("/a", "page=1"), "tag") == b"body"
    assert cache.get(asked("/a", "page=2"), "tag") is None
    assert cache.get(asked("/b", "page=1"), "tag") is None
    assert cache.get(asked("/a", "page=1"), "another") is None


def test_the_least_recently_used_body_is_evicted() -> None:
    cache = PageCache(max_bytes=80)
    for path in "abcdefgh":
        put(cache, asked(path), "tag", b"0123456789")
    cache.get(asked("a"), "tag")
    put(cache, asked("i"), "tag", b"0123456789")
    assert [path for path in "abcdefghi" if cache.get(asked(path), "tag") is None] == ["b"]


def test_a_body_that_would_evict_many_is_not_cached() -> None:
    cache = PageCache(max_bytes=80)
    put(cache, asked("/a"), "tag", b"0123456789")
    put(cache, asked("/b"), "tag", b"01234567890")
    assert cache.get(asked("/a"), "tag") is not None
    assert cache.get(asked("/b"), "tag") is None


def test_a_page_requested_once_is_not_cached() -> None:
    cache = PageCache()
    for number in range(2 * MAX_REQUESTED):
        cache.put(asked("/a", f"page={number}"), "tag", b"body")
    assert all(cache.get(asked("/a", f"page={number}"), "tag") is None for number in range(2 * MAX_REQUESTED))


def test_a_cached_page_is_replaced_after_every_change(api: Api) -> None:
    category = api.make("categories", title="Saws")
    listing = api.make("projects", name="Lathe", url="https://example.org/lathe", categories=[category["id"]])
    for _ in range(3):
        assert api.all("projects") == [listing]
    api.change("categories", category["id"], title="Planes")
    assert [each["title"] for each in api.all("projects")[0]["categories"]] == ["Planes"]
    api.change("projects", listing["id"], name="Drill")
    assert [each["name"] for each in api.all("projects")] == ["Drill"]
    api.delete(f"/projects/{listing['id']}")
    assert api.all("projects") == []


def test_pages_and_languages_are_not_mixed_up(bilingual: Api) -> None:
    article = {"title": "Lathes", "content": "<p>Round</p>", "translations": {"fr": {"title": "Tours"}}}
    bilingual.make("articles", **article)
    for _ in range(3):
        assert [each["title"] for each in bilingual.all("articles")] == ["Lathes"]
        assert [each["title"] for each in bilingual.all("articles", locale="fr")] == ["Tours"]
        assert bilingual.all("articles", page=2) == []
