"""The wall between directories (docs/contract.md 11, 13; docs/faults.md AU-04 to AU-09)."""

from typing import Any

import httpx
import pytest

from ..conftest import Api
from .answers import data, refused_fields, require_message
from .samples import READS, SECRETS

EVERY_KIND = pytest.mark.parametrize("collection", SECRETS)


def seen(response: httpx.Response) -> tuple[int, bytes, set[str]]:
    """Return the parts of an answer by which a client could distinguish it from another one."""
    return response.status_code, response.content, {name for name in response.headers if name != "date"}


def update_of(collection: str) -> dict[str, Any]:
    """Return a body that an update accepts."""
    return {name: value for name, value in SECRETS[collection].items() if name != "type"}


# AU-09: foreign looks like missing


@pytest.mark.parametrize("path", READS)
def test_a_foreign_and_a_missing_directory_have_the_same_response(api: Api, other: Api, path: str) -> None:
    """docs/contract.md 11; docs/faults.md AU-09."""
    foreign, absent = api.at(other.directory_id).get(path), api.at(999_999_999).get(path)
    assert require_message(foreign, 403) == "You do not own this directory"
    assert seen(foreign) == seen(absent)


@EVERY_KIND
def test_nothing_can_be_written_into_a_foreign_directory(api: Api, other: Api, collection: str) -> None:
    """docs/contract.md 1; docs/faults.md AU-04."""
    made = other.make(collection, **SECRETS[collection])
    inside = api.at(other.directory_id)
    for response in (
        inside.post(f"/{collection}", SECRETS[collection]),
        inside.put(f"/{collection}/{made['id']}", update_of(collection)),
        inside.delete(f"/{collection}/{made['id']}"),
        inside.patch(f"/{collection}/{made['id']}/toggle"),
        inside.post("/projects/bulk", {"listings": [{"name": "x"}]}),
        inside.post("/projects/exists", {"url": "https://secret.example"}),
        inside.post("/articles/exists", {"slug": "secret"}),
    ):
        assert response.status_code in ((403, 404, 405) if response.request.method == "PATCH" else (403,))
        assert "ecret" not in response.text
    assert other.all(collection) == [{name: value for name, value in made.items() if name in other.all(collection)[0]}]


@EVERY_KIND
def test_a_foreign_and_a_missing_record_have_the_same_response(api: Api, other: Api, collection: str) -> None:
    """docs/contract.md 11; docs/faults.md AU-04, AU-09."""
    made = other.make(collection, **SECRETS[collection])
    asked = [
        ("GET", "", {}),
        ("PUT", "", {"json": update_of(collection)}),
        ("PUT", "", {"json": {"zzz": 1}}),
        ("DELETE", "", {}),
        ("PATCH", "/toggle", {}),
    ]
    for method, ending, options in asked:
        if method == "PATCH" and collection not in ("pages", "articles"):
            continue
        foreign = api.request(method, f"/{collection}/{made['id']}{ending}", **options)
        absent = api.request(method, f"/{collection}/999999999{ending}", **options)
        require_message(foreign, 404)
        assert seen(foreign) == seen(absent)
    assert other.show(collection, made["id"]) == made


@EVERY_KIND
def test_a_list_contains_only_records_of_its_directory(api: Api, other: Api, collection: str) -> None:
    """docs/faults.md AU-04."""
    other.make(collection, **SECRETS[collection])
    response = api.get(f"/{collection}")
    assert data(response) == []
    assert "ecret" not in response.text


@EVERY_KIND
def test_a_key_used_in_another_directory_is_free(api: Api, other: Api, collection: str) -> None:
    """docs/contract.md 4.2.1: within a directory."""
    foreign = other.make(collection, **SECRETS[collection])
    own = api.make(collection, **SECRETS[collection])
    assert own["id"] != foreign["id"]
    key = "name" if collection == "custom-fields" else "slug"
    assert own[key] == foreign[key]
    assert other.show(collection, foreign["id"]) == foreign


def test_an_exists_check_searches_only_its_directory(api: Api, other: Api) -> None:
    """docs/faults.md AU-04."""
    other.make("projects", **SECRETS["projects"])
    other.make("articles", **SECRETS["articles"])
    assert api.post("/projects/exists", {"url": "https://secret.example"}).status_code == 200
    assert api.post("/articles/exists", {"slug": "secret"}).status_code == 200


def test_two_directories_of_one_owner_are_separate(api: Api, bilingual: Api) -> None:
    """docs/contract.md 11: an id that lives in another directory."""
    page = api.make("pages", title="About")
    require_message(bilingual.get(f"/pages/{page['id']}"), 404)
    require_message(bilingual.delete(f"/pages/{page['id']}"), 404)
    category = api.make("categories", title="Wood")
    assert {
        name.split(".")[0]
        for name in refused_fields(bilingual.post("/projects", {"name": "x", "categories": [category["id"]]}))
    } == {"categories"}


# AU-06: references across the wall


@pytest.mark.parametrize(("collection", "field"), [("categories", "categories"), ("tags", "tags")])
def test_a_reference_to_a_foreign_record_is_refused_like_a_missing_one(
    api: Api, other: Api, collection: str, field: str
) -> None:
    """docs/contract.md 14; docs/faults.md AU-06."""
    foreign_id = other.make(collection, **SECRETS[collection])["id"]
    listing = api.make("projects", name="Lathe")
    for method, path in (("POST", "/projects"), ("PUT", f"/projects/{listing['id']}")):
        foreign = api.request(method, path, json={"name": "x", field: [foreign_id]})
        absent = api.request(method, path, json={"name": "x", field: [999_999_999]})
        assert {name.split(".")[0] for name in refused_fields(foreign)} == {field}
        assert foreign.text.replace(str(foreign_id), "999999999") == absent.text
    assert api.all("projects") == [listing]


def test_a_foreign_parent_and_a_foreign_main_category_are_refused(api: Api, other: Api) -> None:
    """docs/contract.md 15; docs/faults.md AU-06."""
    foreign = other.make("categories", title="Secret")["id"]
    assert refused_fields(api.post("/categories", {"title": "Lathes", "parent_id": foreign})) == {"parent_id"}
    assert refused_fields(api.post("/projects", {"name": "Lathe", "category_id": foreign})) == {"category_id"}


def test_a_foreign_organizer_is_ignored(api: Api, other: Api) -> None:
    """docs/contract.md 14, 4.3.1; docs/faults.md AU-06."""
    foreign = other.make("organizers", name="Secret")
    assert api.make("projects", name="Lathe", organizers=[foreign["id"]])["organizers"] == []
    assert other.show("organizers", foreign["id"])["projects"] == []


def test_a_custom_field_of_another_directory_is_an_unknown_key(api: Api, other: Api) -> None:
    other.make("custom-fields", label="Secret", type="text")
    response = api.post("/projects", {"name": "Lathe", "secre": "x"})
    assert refused_fields(response) == {"secre"}
    assert "secret" not in response.text
