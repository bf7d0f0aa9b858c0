"""Categories, tags and organizers of listings (docs/contract.md 4.3.1, 4.3.5, 14)."""

from typing import Any

import pytest

from ..conftest import Api
from .answers import refused_fields
from .samples import ids, lathe


def test_assignments_are_sent_as_ids_and_returned_as_objects(api: Api, related: dict[str, list[int]]) -> None:
    """docs/contract.md 1, 2.3, 14."""
    parent = api.make("categories", title="Machines")
    wood, _ = related["categories"]
    api.change("categories", wood, parent_id=parent["id"])
    listing = lathe(
        api, categories=[wood, parent["id"]], tags=related["tags"][:1], organizers=related["organizers"][:1]
    )
    by_id = {category["id"]: category for category in listing["categories"]}
    assert by_id == {
        wood: {"id": wood, "title": "Wood", "parent_title": "Machines"},
        parent["id"]: {"id": parent["id"], "title": "Machines", "parent_title": None},
    }
    (tag,) = listing["tags"]
    assert tag == {
        "id": related["tags"][0],
        "title": "Free",
        "slug": "free",
        "color": None,
        "text_color": None,
        "is_active": True,
    }
    assert listing["organizers"] == [{"id": related["organizers"][0], "name": "Atelier", "slug": "atelier"}]
    assert api.show("projects", listing["id"]) == listing
    assert api.all("projects") == [listing]


def test_assigned_records_are_returned_in_their_present_state(api: Api, related: dict[str, list[int]]) -> None:
    listing = lathe(api, **related)
    api.change("tags", related["tags"][0], title="Gratis", color="#0a7")
    api.change("organizers", related["organizers"][0], name="Studio")
    api.change("categories", related["categories"][0], title="Timber")
    shown = api.show("projects", listing["id"])
    assert api.all("projects") == [shown]
    assert {tag["title"] for tag in shown["tags"]} == {"Gratis", "New"}
    assert {tag["color"] for tag in shown["tags"]} == {"#0a7", None}
    assert {organizer["name"] for organizer in shown["organizers"]} == {"Studio"}
    assert {category["title"] for category in shown["categories"]} == {"Timber", "Metal"}


@pytest.mark.parametrize("field", ["categories", "tags", "organizers"])
def test_a_missing_assignment_is_kept_and_an_empty_one_is_cleared(
    api: Api, related: dict[str, list[int]], field: str
) -> None:
    """docs/contract.md 4.3.5."""
    listing = lathe(api, **related)
    assert api.change("projects", listing["id"], description="x")[field] == listing[field]
    cleared = api.change("projects", listing["id"], **{field: []})
    assert cleared[field] == []
    assert all(cleared[name] == listing[name] for name in related if name != field)


@pytest.mark.parametrize("field", ["categories", "tags", "organizers"])
def test_a_new_assignment_replaces_the_old_one(api: Api, related: dict[str, list[int]], field: str) -> None:
    first, second = related[field]
    listing = lathe(api, **{field: [first]})
    assert ids(api.change("projects", listing["id"], **{field: [second]})[field]) == [second]
    assert sorted(ids(api.change("projects", listing["id"], **{field: [second, first]})[field])) == [first, second]


@pytest.mark.parametrize("field", ["categories", "tags", "organizers"])
def test_a_repeated_id_counts_once(api: Api, related: dict[str, list[int]], field: str) -> None:
    first, _ = related[field]
    assert ids(lathe(api, **{field: [first, first]})[field]) == [first]


@pytest.mark.parametrize("field", ["categories", "tags", "organizers"])
@pytest.mark.parametrize("wrong", [None, "1", 1, {}, ["1"], [None], [1.5], [True]])
def test_assignments_must_be_lists_of_ids(api: Api, field: str, wrong: Any) -> None:
    """docs/contract.md 2.3, 10: lists take [], not null."""
    assert {name.split(".")[0] for name in refused_fields(api.post("/projects", {"name": "Lathe", field: wrong}))} == {
        field
    }


@pytest.mark.parametrize("field", ["categories", "tags"])
@pytest.mark.parametrize("unknown", [999_999_999, 0, -1, 2**40, 2**70])
def test_an_unknown_category_or_tag_id_is_refused(
    api: Api, related: dict[str, list[int]], field: str, unknown: int
) -> None:
    """docs/contract.md 14."""
    body = {"name": "Lathe", field: [related[field][0], unknown]}
    assert {name.split(".")[0] for name in refused_fields(api.post("/projects", body))} == {field}
    assert api.all("projects") == []


def test_an_unknown_organizer_id_is_ignored(api: Api, related: dict[str, list[int]]) -> None:
    """docs/contract.md 2.3, 4.3.1."""
    first, second = related["organizers"]
    listing = lathe(api, organizers=[999_999_999, first])
    assert ids(listing["organizers"]) == [first]
    assert ids(api.change("projects", listing["id"], organizers=[second, 999_999_999])["organizers"]) == [second]


def test_category_id_is_merged_into_the_categories(api: Api, related: dict[str, list[int]]) -> None:
    """docs/contract.md 14."""
    wood, metal = related["categories"]
    assert ids(lathe(api, category_id=wood)["categories"]) == [wood]
    assert sorted(ids(lathe(api, category_id=wood, categories=[metal])["categories"])) == [wood, metal]
    assert ids(lathe(api, category_id=wood, categories=[wood])["categories"]) == [wood]
    assert refused_fields(api.post("/projects", {"name": "Lathe", "category_id": 999_999_999})) == {"category_id"}


@pytest.mark.parametrize("field", ["categories", "tags"])
def test_a_record_can_be_assigned_only_while_it_exists(api: Api, field: str) -> None:
    """A cached connection must not remember the record (decision 9)."""
    first = api.make(field, title="Wood")["id"]
    second = first + 1
    assert refused_fields(api.post("/projects", {"name": "Lathe", field: [first, second]})) == {f"{field}.1"}
    assert api.make(field, title="Metal")["id"] == second
    assert ids(lathe(api, **{field: [first, second]})[field]) == [first, second]
    assert api.delete(f"/{field}/{first}").status_code == 200
    assert refused_fields(api.post("/projects", {"name": "Saw", field: [first, second]})) == {f"{field}.0"}
