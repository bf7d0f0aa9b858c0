"""The ETags of lists in the answers to writes, and the guarantees that they give: CO-04."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from contentsync.model import Kind

from ..conftest import Api
from .samples import SECRETS

PREFER = {"Prefer": "return=representation, list-etags"}
COLLECTIONS = [kind.collection for kind in Kind]

# What records show of others, and what says nothing of one's own.
SHOWN = {"categories": {"parent_title"}, "organizers": {"projects"}}
NAMED = ("categories", "tags", "organizers")  # by listings
LINKED = (*NAMED, "projects")
CHANGES = ("update", "delete")


TRANSLATED = ("articles", "organizers")


def content(collection: str, records: list[dict[str, Any]]) -> dict[int, dict[str, Any]]:
    """Return the records of a list as they are by themselves."""
    found = {}
    for record in records:
        own = {name: value for name, value in record.items() if name not in SHOWN.get(collection, set())}
        if collection == "projects":
            own |= {name: [other["id"] for other in own[name]] for name in NAMED}
        found[record["id"]] = own
    return found


def lists(api: Api) -> tuple[dict[str, str], dict[str, dict[int, dict[str, Any]]]]:
    """Return the ETag of each list, and its records."""
    tags, contents = {}, {}
    for collection in COLLECTIONS:
        plain = shown = api.get(f"/{collection}")
        if collection in TRANSLATED:
            shown = api.get(f"/{collection}", include="translations")
        tags[collection] = plain.headers["ETag"]
        contents[collection] = content(collection, shown.json()["data"])
    return tags, contents


def reported(response: httpx.Response) -> dict[str, tuple[str, str]]:
    """Return the ETags of lists in an answer."""
    moves = filter(None, response.headers.get("X-List-ETags", "").split(", "))
    return {name: (before, after) for name, before, after in (move.split(" ") for move in moves)}


Write = Callable[[Api, dict[str, int]], httpx.Response]


def put(collection: str, **body: Any) -> Write:
    return lambda api, ids: api.request("PUT", f"/{collection}/{ids[collection]}", json=body, headers=PREFER)


def delete(collection: str) -> Write:
    return lambda api, ids: api.request("DELETE", f"/{collection}/{ids[collection]}", headers=PREFER)


def post(path: str, body: dict[str, Any]) -> Write:
    return lambda api, ids: api.request("POST", f"/{path}", json=body, headers=PREFER)


def link(api: Api, ids: dict[str, int]) -> httpx.Response:
    """Link the listing to one record of each kind."""
    body = {name: [ids[name]] for name in NAMED}
    return api.request("PUT", f"/projects/{ids['projects']}", json=body, headers=PREFER)


WRITES: dict[str, Write] = {
    **{
        f"create-{collection}": post(
            collection,
            {
                **body,
                **{name: "Another" for name in ("title", "name", "label") if name in body},
                **({"url": "https://another.example"} if "url" in body else {}),
            },
        )
        for collection, body in SECRETS.items()
    },
    **{f"find-{collection}": post(collection, body) for collection, body in SECRETS.items()},
    **{f"update-{collection}": put(collection, title="New", markdown="New") for collection in ("pages", "articles")},
    **{f"update-{collection}": put(collection, title="New") for collection in ("categories", "tags")},
    **{f"update-{collection}": put(collection, name="New") for collection in ("projects", "organizers")},
    "update-custom-fields": put("custom-fields", label="New"),
    "rename-custom-fields": put("custom-fields", name="new_name"),
    "lift-categories": put("categories", parent_id=None),
    "link-projects": link,
    "bulk-projects": post("projects/bulk", {"listings": [{"name": "One"}, {"name": ""}, {"name": "Two"}]}),
    **{f"delete-{collection}": delete(collection) for collection in COLLECTIONS},
}


def made(api: Api, *, linked: bool) -> dict[str, int]:
    """Return the id of a new record in each list; if `linked`, the listing refers to the others."""
    ids = {collection: api.make(collection, **body)["id"] for collection, body in SECRETS.items()}
    if linked:
        link(api, ids)
        api.make("categories", title="Below", parent_id=ids["categories"])
    return ids


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_list_whose_etags_a_write_returns_changed_only_by_that_write(api: Api, write: Write) -> None:
    assert_reported_etags_are_true(api, write, made(api, linked=True))


@pytest.mark.parametrize("write", ["lift-categories", *(f"{does}-{name}" for does in CHANGES for name in LINKED)])
def test_an_unlinked_list_whose_etags_a_write_returns_changed_only_by_that_write(api: Api, write: str) -> None:
    assert_reported_etags_are_true(api, WRITES[write], made(api, linked=False))


def assert_reported_etags_are_true(api: Api, write: Write, ids: dict[str, int]) -> None:
    before, had = lists(api)
    response = write(api, ids)
    assert response.status_code in (200, 201), response.text
    after, has = lists(api)
    moves = reported(response)
    written = response.json().get("data", {})
    answered = {record["id"] for record in (written if isinstance(written, list) else [written] if written else [])}
    path = response.request.url.path.split("/")[4]
    if response.request.method == "DELETE":
        answered = {ids[path]}
    for collection, (one, other) in moves.items():
        assert (one, other) == (before[collection], after[collection])
        changed = {
            identity
            for identity in had[collection].keys() | has[collection].keys()
            if had[collection].get(identity) != has[collection].get(identity)
        }
        assert changed <= (answered if collection == path else set())


@pytest.mark.parametrize(
    ("write", "collection", "linked", "is_reported"),
    [
        ("delete-tags", "projects", False, True),
        ("delete-tags", "projects", True, False),
        ("delete-categories", "categories", False, True),
        ("delete-categories", "categories", True, False),
        ("create-custom-fields", "projects", False, False),
        ("update-custom-fields", "projects", False, True),
        ("update-projects", "organizers", True, True),
        ("update-organizers", "projects", True, True),
        ("update-pages", "articles", False, False),
    ],
)
def test_only_lists_without_other_changes_are_returned(
    api: Api, write: str, collection: str, linked: bool, is_reported: bool
) -> None:
    ids = made(api, linked=linked)
    assert (collection in reported(WRITES[write](api, ids))) is is_reported


def test_etags_are_returned_only_on_request(api: Api) -> None:
    for headers in ({}, {"Prefer": "return=minimal"}, {"Prefer": "list-etags-of-mine"}):
        made = api.request("POST", "/tags", json={"title": "Open"}, headers=headers)
        assert "X-List-ETags" not in made.headers


def test_the_response_to_a_write_follows_its_query(api: Api) -> None:
    body = {"title": "News", "markdown": "Text"}
    assert "translations" not in api.request("POST", "/articles", json=body).json()["data"]
    shown = api.request("POST", "/articles", json=body, params={"include": "translations"}).json()["data"]
    assert shown["translations"] == {}
    refused = api.request("POST", "/articles", json={**body, "title": "More"}, params={"include": "everything"})
    assert refused.status_code == 422
    assert len(api.get("/articles").json()["data"]) == 1
