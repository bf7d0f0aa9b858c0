"""Errors (docs/contract.md 7, 11; docs/faults.md: no 5xx, no change)."""

from dataclasses import replace
from typing import Any

import httpx
import pytest

from contentsync.server.quota import RequestLimits

from ..conftest import Api, Service
from .answers import errors, refused_fields, require_message

CREATES: list[tuple[str, dict[str, Any]]] = [
    ("pages", {"title": "A"}),
    ("articles", {"title": "A", "markdown": "x"}),
    ("projects", {"name": "A"}),
    ("organizers", {"name": "A"}),
    ("categories", {"title": "A"}),
    ("tags", {"title": "A"}),
    ("custom-fields", {"label": "A", "type": "text"}),
]

EVERY_KIND = pytest.mark.parametrize(("collection", "body"), CREATES, ids=[collection for collection, _ in CREATES])


def raw(api: Api, method: str, path: str, content: bytes, media: str = "application/json") -> httpx.Response:
    """Return the answer to a body that no JSON library would write."""
    return api.request(method, path, content=content, headers={"Content-Type": media})


# 400: no JSON


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b'{"title": "A",}',
        b"{'title': 'A'}",
        b'{"title": NaN, "slug": "a"}',
        b'{"title": "A", "order": Infinity}',
        b"title=A",
        b'{"title": "caf\xe9"}',
        b'\xff\xfe{"title": "A"}',
        b"\x00",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"title": "A"} {"title": "B"}',
    ],
    ids=range(13),
)
def test_a_body_that_is_not_json_is_a_400(api: Api, content: bytes) -> None:
    """docs/contract.md 4, 11."""
    page = api.make("pages", title="About")
    require_message(raw(api, "POST", "/pages", content), 400)
    require_message(raw(api, "PUT", f"/pages/{page['id']}", content), 400)
    require_message(raw(api, "POST", "/projects/bulk", content), 400)
    require_message(raw(api, "POST", "/articles/exists", content), 400)
    assert api.show("pages", page["id"]) == page
    assert len(api.all("pages")) == 1


@pytest.mark.parametrize("content", [b"[]", b"null", b'"title"', b"7", b"true", b'[{"title": "A"}]'])
def test_a_body_that_is_not_an_object_is_refused(api: Api, content: bytes) -> None:
    response = raw(api, "POST", "/pages", content)
    assert response.status_code in (400, 422)
    assert response.json()["message"]
    assert api.all("pages") == []


@pytest.mark.parametrize(
    "content",
    [
        b'{"title": "A\\ud800"}',
        b'{"title": "A\\u0000"}',
        b'{"title": "A", "\\ud800": 1}',
        b'{"title": "A", "order": 1' + b"0" * 400 + b"}",
        b'{"title": "A", "order": 1' + b"0" * 5000 + b"}",
        b'{"title": "A", "order": 1e400}',
        b'{"title": "A", "order": 9223372036854775808}',
        b'{"title": "A", "[key]": 1}',
        b'{"title": "A", "": 1}',
    ],
    ids=range(9),
)
def test_json_that_no_database_can_store_is_refused(api: Api, content: bytes) -> None:
    """docs/faults.md YA-14, YA-15, DB-04."""
    response = raw(api, "POST", "/pages", content)
    assert response.status_code in (400, 422), response.text
    assert response.json()["message"]
    assert api.all("pages") == []


def test_text_in_any_script_is_returned_unchanged(api: Api) -> None:
    """docs/contract.md 10."""
    text = "日本語 🎉 עברית \u2028 é e\u0301 \t\r\n <script> \\ \" '"
    page = api.make("pages", title=text, slug="a", markdown=text)
    assert (page["title"], page["markdown"]) == (text, text)
    assert api.all("pages")[0]["markdown"] == text


# 413: too large


def test_a_body_over_the_limit_is_a_413_and_stores_nothing(api: Api) -> None:
    """docs/contract.md 11: 10 MiB by default."""
    require_message(raw(api, "POST", "/pages", b'{"title": "A", "markdown": "' + b"x" * 10 * 1024 * 1024 + b'"}'), 413)
    assert api.all("pages") == []


def test_a_large_body_under_the_limit_is_accepted(api: Api) -> None:
    """docs/contract.md 11."""
    assert len(api.make("pages", title="A", markdown="x" * (9 * 1024 * 1024))["markdown"]) == 9 * 1024 * 1024


def test_the_body_limit_counts_the_sent_bytes(api: Api) -> None:
    async def chunks() -> Any:
        for _ in range(11):
            yield b"x" * 1024 * 1024

    require_message(api.request("POST", "/pages", content=chunks(), headers={"Content-Type": "application/json"}), 413)


def test_the_body_limit_can_be_configured(api: Api) -> None:
    """docs/contract.md 11: setting."""
    with Service(api.service.url, limits=RequestLimits(max_body=100)) as strict:
        small = replace(api, service=strict)
        require_message(small.post("/pages", {"title": "A", "markdown": "x" * 100}), 413)
        assert small.make("pages", title="A", markdown="x")["slug"] == "a"


# 422: validation


@EVERY_KIND
def test_an_unknown_key_suggests_the_nearest_one(api: Api, collection: str, body: dict[str, Any]) -> None:
    """docs/contract.md 11."""
    known = next(iter(body))
    misspelt = known[:-1] + "x" + known[-1]
    (reported,) = errors(api.post(f"/{collection}", {**body, misspelt: "x"}))[misspelt]
    assert f"did you mean '{known}'?" in reported
    assert api.all(collection) == []


@EVERY_KIND
@pytest.mark.parametrize("key", ["directory_id", "tenant_id", "owner", "role", "is_verified", "__proto__"])
def test_fields_that_a_client_must_not_set_are_refused(
    api: Api, collection: str, body: dict[str, Any], key: str
) -> None:
    """docs/faults.md AU-05."""
    assert refused_fields(api.post(f"/{collection}", {**body, key: 1})) == {key}
    assert api.all(collection) == []


@EVERY_KIND
def test_a_record_that_is_sent_back_is_accepted(api: Api, collection: str, body: dict[str, Any]) -> None:
    """docs/contract.md 11: keys that the service returns are accepted and ignored."""
    made = api.make(collection, **body)
    changed = api.change(collection, made["id"], **made)
    moving = {"updated_at", "seo"}
    assert {name: changed[name] for name in made if name not in moving} == {
        name: value for name, value in made.items() if name not in moving
    }


@EVERY_KIND
def test_echoed_keys_change_nothing(api: Api, collection: str, body: dict[str, Any]) -> None:
    """docs/contract.md 11; docs/faults.md AU-05."""
    old = "2001-01-01T00:00:00.000000Z"
    made = api.make(collection, **body, id=999_999_999, created_at=old, updated_at=old, directory={"id": 999_999_999})
    assert made["id"] != 999_999_999
    assert made["created_at"] > old
    assert made["updated_at"] > old
    changed = api.change(collection, made["id"], **body, id=999_999_999, created_at=old)
    assert (changed["id"], changed["created_at"]) == (made["id"], made["created_at"])


@pytest.mark.parametrize(
    ("collection", "body", "ignored"),
    [
        ("pages", {"title": "A"}, {"page_url": "x", "is_markdown": False}),
        ("articles", {"title": "A", "markdown": "x"}, {"article_url": "x", "user": {"id": 7}, "is_markdown": False}),
        ("articles", {"title": "A", "markdown": "x"}, {"blog_tool_article_id": 7}),
        ("projects", {"name": "A"}, {"listing_url": "x"}),
        ("organizers", {"name": "A"}, {"projects": [{"id": 1, "name": "x"}]}),
        ("categories", {"title": "A"}, {"parent_title": "x"}),
    ],
)
def test_keys_set_by_the_service_can_be_sent_back(
    api: Api, collection: str, body: dict[str, Any], ignored: dict[str, Any]
) -> None:
    """docs/contract.md 2.2, 11."""
    made = api.make(collection, **body, **ignored)
    assert all(made[name] != value for name, value in ignored.items())


@EVERY_KIND
def test_all_problems_are_reported_at_once(api: Api, collection: str, body: dict[str, Any]) -> None:
    title = next(iter(body))
    key = "name" if collection == "custom-fields" else "slug"
    assert refused_fields(api.post(f"/{collection}", {**body, title: 7, key: "A B", "zzz": 1})) >= {title, key, "zzz"}


def test_nested_fields_are_named_with_dots(api: Api) -> None:
    """docs/contract.md 11."""
    body = {"title": "A", "markdown": "x", "seo": {"title": "x" * 256, "og_image": "x"}, "categories": ["a", 7]}
    assert refused_fields(api.post("/articles", body)) == {"seo.title", "seo.og_image", "categories.1"}


@pytest.mark.parametrize("query", ["locale=de", "page=0"])
def test_a_wrong_query_is_a_422_like_a_wrong_body(api: Api, query: str) -> None:
    """docs/contract.md 11."""
    assert refused_fields(api.request("GET", f"/articles?{query}")) == {query.split("=")[0]}


def test_text_similar_to_sql_is_stored_or_refused(api: Api) -> None:
    """docs/faults.md SL-09."""
    statement = "') OR 1=1; DROP TABLE listings; --"
    assert api.make("projects", name=statement, content=statement)["content"] == statement
    assert refused_fields(api.post("/projects", {"name": "A", "slug": statement})) == {"slug"}
    assert refused_fields(api.post("/projects/exists", {"url": statement})) == {"url"}
    assert refused_fields(api.get("/projects", page=statement)) == {"page"}
    assert len(api.all("projects")) == 1


# 404 and 405: the router's own answers


@pytest.mark.parametrize(
    "path", ["/api", "/api/nothing", "/docs", "/redoc", "/api/openapi.json", "/.git/config", "/admin"]
)
def test_an_unknown_route_returns_json(api: Api, path: str) -> None:
    """docs/contract.md 4; docs/faults.md AU-19: no debug pages."""
    require_message(api.service.request("GET", path, headers=api.headers), 404)


@pytest.mark.parametrize("path", ["/nothing", "/pages/1/nothing", "/pages/%2e%2e/articles"])
def test_an_unknown_route_of_a_directory_returns_json(api: Api, path: str) -> None:
    """docs/faults.md SL-07."""
    response = api.get(path)
    assert response.status_code == 404
    assert response.json().keys() == {"message"}


def test_a_method_that_a_path_does_not_have_is_a_json_405(api: Api) -> None:
    page = api.make("pages", title="About")
    require_message(api.request("PATCH", f"/pages/{page['id']}"), 405)
    require_message(api.request("DELETE", "/pages"), 405)
    assert [each["title"] for each in api.all("pages")] == ["About"]


@pytest.mark.parametrize("record_id", ["abc", "1.5", "1e1", "%31x", "١", "0x1", "1 ", "-"])
def test_an_id_that_is_not_an_integer_is_not_found(api: Api, record_id: str) -> None:
    """docs/contract.md 4: path parameters are integers."""
    api.make("pages", title="About")
    response = api.get(f"/pages/{record_id}")
    assert response.status_code in (404, 422)
    assert response.json()["message"]
