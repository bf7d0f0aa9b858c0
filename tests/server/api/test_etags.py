"""ETags, If-Match and If-None-Match (docs/contract.md 11, 18; docs/faults.md CO-07)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from contentsync.server.store import accounts

from ..conftest import Api, Service
from .answers import refused_fields, require_message
from .samples import SECRETS

EVERY_KIND = pytest.mark.parametrize(("collection", "body"), SECRETS.items())
OLD = '"2001-01-01T00:00:00.000000Z"'


def tag(api: Api, collection: str, **query: Any) -> str:
    """Return the ETag of a list."""
    value: str = api.get(f"/{collection}", **query).headers["ETag"]
    return value


def again(api: Api, path: str, etag: str, **query: Any) -> int:
    """Return the status of a read by a client that already has the version of the ETag."""
    response = api.request("GET", path, params=query, headers={"If-None-Match": etag})
    if response.status_code == 304:
        assert (response.content, response.headers["ETag"]) == (b"", etag.removeprefix("W/").split(",")[0])
    return response.status_code


def changed(body: dict[str, Any]) -> dict[str, Any]:
    """Return the body under another title."""
    return {**body, **{name: "Something else" for name in ("title", "name", "label") if name in body}}


# Records


@EVERY_KIND
def test_a_create_only_if_new_changes_no_existing_record(api: Api, collection: str, body: dict[str, Any]) -> None:
    new = {"If-None-Match": "*"}
    made = api.request("POST", f"/{collection}", json=body, headers=new)
    assert made.status_code == 201
    path = f"/{collection}/{made.json()['data']['id']}"
    before = api.get(path).json()
    key = "name" if collection == "custom-fields" else "slug"
    other = {**changed(body), key: made.json()["data"][key]}
    again = api.request("POST", f"/{collection}", json=other, headers=new)
    assert require_message(again, 409) == "A record with this key is there already"
    assert api.get(path).json() == before


@EVERY_KIND
def test_the_etag_of_a_record_is_its_updated_at(api: Api, collection: str, body: dict[str, Any]) -> None:
    made = api.post(f"/{collection}", body)
    record = made.json()["data"]
    shown = api.get(f"/{collection}/{record['id']}")
    changed = api.put(f"/{collection}/{record['id']}", body)
    for response in (made, shown, changed):
        assert response.headers["ETag"] == f'"{response.json()["data"]["updated_at"]}"'


@EVERY_KIND
def test_a_write_with_the_current_etag_succeeds(api: Api, collection: str, body: dict[str, Any]) -> None:
    record = api.make(collection, **body)
    headers = {"If-Match": f'"{record["updated_at"]}"'}
    path = f"/{collection}/{record['id']}"
    assert api.request("PUT", path, json=body, headers=headers).status_code == 200
    assert api.request("DELETE", path, headers=headers).status_code == 200


@EVERY_KIND
def test_a_write_with_an_old_etag_is_a_409_and_changes_nothing(api: Api, collection: str, body: dict[str, Any]) -> None:
    """CO-07."""
    record = api.make(collection, **body)
    path = f"/{collection}/{record['id']}"
    before = api.show(collection, record["id"])
    require_message(api.request("PUT", path, json=changed(body), headers={"If-Match": OLD}), 409)
    require_message(api.request("DELETE", path, headers={"If-Match": OLD}), 409)
    assert api.show(collection, record["id"]) == before


@pytest.mark.parametrize("collection", ["pages", "articles"])
def test_a_toggle_respects_if_match(api: Api, collection: str) -> None:
    record = api.make(collection, title="News", markdown="Text")
    path = f"/{collection}/{record['id']}/toggle"
    require_message(api.request("PATCH", path, headers={"If-Match": OLD}), 409)
    headers = {"If-Match": f'"{record["updated_at"]}"'}
    assert api.request("PATCH", path, headers=headers).status_code == 200
    require_message(api.request("PATCH", path, headers=headers), 409)


def test_an_etag_is_valid_until_the_record_changes(api: Api) -> None:
    record = api.make("pages", title="News")
    headers = {"If-Match": f'"{record["updated_at"]}"'}
    for body in ({"title": "News"}, {"title": "Olds"}):
        assert api.request("PUT", f"/pages/{record['id']}", json=body, headers=headers).status_code == 200
    require_message(api.request("PUT", f"/pages/{record['id']}", json={"title": "News"}, headers=headers), 409)


@pytest.mark.parametrize(
    ("value", "status"), [("*", 200), (f"{OLD}, {{etag}}", 200), ("W/{etag}", 409), ("", 409), ("x", 409)]
)
def test_if_match_is_read_as_rfc_9110_requires(api: Api, value: str, status: int) -> None:
    """RFC 9110, 13.1.1: any of several, a star for any state, and never a weak one."""
    record = api.make("pages", title="News")
    headers = {"If-Match": value.replace("{etag}", f'"{record["updated_at"]}"')}
    assert api.request("PUT", f"/pages/{record['id']}", json={"order": 1}, headers=headers).status_code == status


def test_a_missing_record_is_a_404_with_any_condition(api: Api, other: Api) -> None:
    foreign = other.make("pages", title="News")["id"]
    answers = [
        api.request("PUT", f"/pages/{number}", json={"order": 1}, headers={"If-Match": condition})
        for number in (foreign, 999_999)
        for condition in ("*", OLD)
    ]
    assert {(answer.status_code, answer.text) for answer in answers} == {(404, answers[0].text)}


# Lists


@EVERY_KIND
def test_an_unchanged_list_is_a_304(api: Api, collection: str, body: dict[str, Any]) -> None:
    api.make(collection, **body)
    etag = tag(api, collection)
    for known in (etag, f"W/{etag}", f'{etag}, "other"'):
        assert again(api, f"/{collection}", known) == 304
    assert again(api, f"/{collection}", OLD) == 200


@EVERY_KIND
def test_every_change_of_a_record_changes_the_etag_of_its_list(api: Api, collection: str, body: dict[str, Any]) -> None:
    etags = [tag(api, collection)]
    record = api.make(collection, **body)
    etags.append(tag(api, collection))
    api.change(collection, record["id"], **changed(body))
    etags.append(tag(api, collection))
    api.delete(f"/{collection}/{record['id']}")
    etags.append(tag(api, collection))
    assert len(set(etags)) == 4


@EVERY_KIND
def test_a_write_that_changes_nothing_keeps_the_etag(api: Api, collection: str, body: dict[str, Any]) -> None:
    record = api.make(collection, **body)
    etag = tag(api, collection)
    api.change(collection, record["id"], **body)
    api.post(f"/{collection}", {"nonsense": 1})
    assert tag(api, collection) == etag


def test_one_etag_covers_all_pages_and_locales_of_a_list(bilingual: Api) -> None:
    bilingual.make("articles", title="News", markdown="Text", translations={"fr": {"title": "Nouvelles"}})
    etag = tag(bilingual, "articles")
    for query in ({"page": 2}, {"locale": "fr"}, {"locale": "en", "page": 7}):
        assert tag(bilingual, "articles", **query) == etag
        assert again(bilingual, "/articles", etag, **query) == 304
    assert again(bilingual, "/articles/category/news", etag) == 304


def test_a_new_translation_changes_the_etag(bilingual: Api) -> None:
    article = bilingual.make("articles", title="News", markdown="Text")
    etag = tag(bilingual, "articles")
    bilingual.change("articles", article["id"], markdown="Text", translations={"fr": {"title": "Nouvelles"}})
    assert again(bilingual, "/articles", etag) == 200


def _rename_category(api: Api, related: dict[str, list[int]]) -> None:
    api.change("categories", related["categories"][0], title="Timber")


def _colour_tag(api: Api, related: dict[str, list[int]]) -> None:
    api.change("tags", related["tags"][0], color="#ff0000")


def _rename_organizer(api: Api, related: dict[str, list[int]]) -> None:
    api.change("organizers", related["organizers"][0], name="Workshop")


def _delete_category(api: Api, related: dict[str, list[int]]) -> None:
    api.delete(f"/categories/{related['categories'][0]}")


def _add_field(api: Api, related: dict[str, list[int]]) -> None:
    api.make("custom-fields", label="Licence", type="text")


def _rename_directory(api: Api, related: dict[str, list[int]]) -> None:
    api.service.run(
        lambda connection: accounts.update_directory(connection, api.directory_id, domain="tools.example.org")
    )


@pytest.mark.parametrize(
    "change", [_rename_category, _colour_tag, _rename_organizer, _delete_category, _add_field, _rename_directory]
)
def test_a_change_of_a_shown_record_changes_the_etag_of_listings(
    api: Api, related: dict[str, list[int]], change: Callable[[Api, dict[str, list[int]]], None]
) -> None:
    api.make("projects", name="Lathe", **related)
    etag, before = tag(api, "projects"), api.all("projects")
    change(api, related)
    assert api.all("projects") != before
    assert again(api, "/projects", etag) == 200


def test_a_changed_listing_changes_the_etag_of_organizers(api: Api, related: dict[str, list[int]]) -> None:
    listing = api.make("projects", name="Lathe", organizers=related["organizers"])
    etag = tag(api, "organizers")
    api.change("projects", listing["id"], name="Lathe and chuck")
    assert again(api, "/organizers", etag) == 200


def test_an_etag_is_not_valid_in_another_directory(api: Api, other: Api) -> None:
    """AU-14."""
    assert tag(api, "pages") != tag(other, "pages")
    assert again(other, "/pages", tag(api, "pages")) == 200


def test_an_etag_does_not_replace_a_valid_token(api: Api, other: Api) -> None:
    """AU-14."""
    etag = tag(api, "pages")
    assert again(replace(api, token=other.token), "/pages", etag) == 403
    assert again(replace(api, token="cs_none"), "/pages", etag) == 401


def test_a_wrong_query_is_refused_before_the_etag_is_compared(bilingual: Api) -> None:
    etag = tag(bilingual, "articles")
    for query in ({"locale": "de"}, {"page": 0}):
        response = bilingual.request("GET", "/articles", params=query, headers={"If-None-Match": etag})
        assert refused_fields(response) == query.keys()


def test_a_server_with_another_public_url_has_other_etags(service: Service, api: Api) -> None:
    with Service(service.url, public_url="https://tools.example.org") as moved:
        assert tag(replace(api, service=moved), "pages") != tag(api, "pages")
