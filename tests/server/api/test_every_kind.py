"""Rules that all kinds have in common (docs/contract.md 2, 4, 7, 10, 11)."""

from typing import Any

import pytest

from ..conftest import Api
from .answers import data, is_timestamp, refused_fields, require_message
from .samples import SECRETS

EVERY_KIND = pytest.mark.parametrize(("collection", "body"), SECRETS.items(), ids=list(SECRETS))
PAGINATED = {"pages", "articles", "projects"}
DELETED = {
    "pages": "Page deleted successfully",
    "articles": "Article deleted successfully",
    "projects": "Listing deleted successfully",
    "organizers": "Organizer deleted successfully",
    "categories": "Category deleted successfully",
    "tags": "Tag deleted successfully",
    "custom-fields": "Custom field deleted successfully",
}


@EVERY_KIND
def test_a_create_returns_201_for_a_new_and_200_for_an_existing_record(
    api: Api, collection: str, body: dict[str, Any]
) -> None:
    """docs/contract.md 10."""
    made = data(api.post(f"/{collection}", body), 201)
    assert data(api.post(f"/{collection}", body), 200) == made
    assert data(api.put(f"/{collection}/{made['id']}", body), 200) == made


@EVERY_KIND
def test_a_record_is_in_data_and_a_paginated_list_has_links(api: Api, collection: str, body: dict[str, Any]) -> None:
    """docs/contract.md 4.1, 10."""
    made = api.make(collection, **body)
    one, many = api.get(f"/{collection}/{made['id']}").json(), api.get(f"/{collection}").json()
    assert one == {"data": made}
    assert many.keys() == ({"data", "links", "meta"} if collection in PAGINATED else {"data"})
    assert [record["id"] for record in many["data"]] == [made["id"]]


@EVERY_KIND
def test_an_id_is_an_integer_and_a_timestamp_has_microseconds(api: Api, collection: str, body: dict[str, Any]) -> None:
    """docs/contract.md 2, 2.2, 10."""
    made = api.make(collection, **body)
    assert type(made["id"]) is int
    assert is_timestamp(made["created_at"])
    assert is_timestamp(made["updated_at"])


@EVERY_KIND
def test_only_the_slug_of_a_page_or_an_article_follows_the_title(
    api: Api, collection: str, body: dict[str, Any]
) -> None:
    """docs/contract.md 4.1.3, 4.2.3, 14."""
    made = api.make(collection, **body)
    title = next(iter(body))
    changed = api.change(collection, made["id"], **{**body, title: "New words"})
    slug = "name" if collection == "custom-fields" else "slug"
    assert changed[slug] == ("new-words" if collection in ("pages", "articles") else made[slug])


@pytest.mark.parametrize("collection", [collection for collection in SECRETS if collection != "projects"])
def test_an_upsert_requires_the_required_fields(api: Api, collection: str) -> None:
    """docs/contract.md 10, 7.1."""
    body = SECRETS[collection]
    made = api.make(collection, **body)
    key, title = ("name" if collection == "custom-fields" else "slug"), next(iter(body))
    values = {name: value for name, value in body.items() if name != title}
    assert refused_fields(api.post(f"/{collection}", {**values, key: made[key]})) == {title}
    assert api.show(collection, made["id"]) == made


@EVERY_KIND
def test_a_delete_returns_a_message(api: Api, collection: str, body: dict[str, Any]) -> None:
    """docs/contract.md 10, 1, 7.2."""
    made = api.make(collection, **body)
    assert require_message(api.delete(f"/{collection}/{made['id']}"), 200) == DELETED[collection]
    require_message(api.get(f"/{collection}/{made['id']}"), 404)


@EVERY_KIND
def test_responses_of_every_status_are_json(api: Api, collection: str, body: dict[str, Any]) -> None:
    """docs/contract.md 4, 10."""
    made = api.make(collection, **body)
    path = f"/{collection}/{made['id']}"
    answers = [
        api.get(f"/{collection}"),
        api.get(path),
        api.put(path, body),
        api.post(f"/{collection}", {"zzz": 1}),
        api.request("POST", f"/{collection}", content=b"{"),
        api.request("PATCH", path),
        api.limited(scopes=("read",)).delete(path),
        api.delete(path),
        api.get(path),
        api.service.request("GET", "/api/user"),
    ]
    assert [response.status_code for response in answers] == [200, 200, 200, 422, 400, 405, 403, 200, 404, 401]
    assert {response.headers["Content-Type"] for response in answers} == {"application/json"}
    assert all(isinstance(response.json(), dict) for response in answers)


@EVERY_KIND
def test_paths_contain_no_version(api: Api, collection: str, body: dict[str, Any]) -> None:
    """docs/contract.md 9, 10."""
    path = f"directories/{api.directory_id}/{collection}"
    statuses = [
        api.service.request("GET", f"/{base}{path}", headers=api.headers).status_code
        for base in ("api/", "", "v1/", "api/v1/")
    ]
    assert statuses == [200, 404, 404, 404]
