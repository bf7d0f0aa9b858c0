"""Bulk create of listings (docs/contract.md 4.3.3, 8, 14)."""

from typing import Any

import pytest

from ..conftest import Api
from .answers import errors, refused_fields


def bulk(api: Api, *listings: Any) -> dict[str, Any]:
    """Return the body of the answer; fail unless the request as a whole succeeded."""
    response = api.post("/projects/bulk", {"listings": list(listings)})
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    assert body.keys() == {"data", "errors", "total_created", "total_errors"}
    assert body["total_errors"] == len(body["errors"])
    assert all(failed.keys() == {"index", "name", "error"} for failed in body["errors"])
    return body


def test_bulk_listings_are_created_in_order(api: Api) -> None:
    answer = bulk(api, *({"name": f"Tool {number}", "url": f"https://example.org/{number}"} for number in range(5)))
    assert [listing["name"] for listing in answer["data"]] == [f"Tool {number}" for number in range(5)]
    assert (answer["total_created"], answer["errors"]) == (5, [])
    assert {listing["id"]: listing for listing in api.all("projects")} == {
        listing["id"]: listing for listing in answer["data"]
    }


def test_a_hundred_listings_fit_into_one_request(api: Api) -> None:
    """docs/contract.md 8."""
    assert bulk(api, *({"name": f"Tool {number}"} for number in range(100)))["total_created"] == 100


@pytest.mark.parametrize("count", [0, 101])
def test_a_bulk_create_of_no_or_more_than_100_listings_is_refused(api: Api, count: int) -> None:
    """docs/contract.md 8, 14."""
    assert refused_fields(api.post("/projects/bulk", {"listings": [{"name": "Tool"}] * count})) == {"listings"}
    assert api.all("projects") == []


@pytest.mark.parametrize("body", [{}, {"listings": None}, {"listings": {}}, {"listings": "x"}, {"listings": 1}])
def test_the_listings_of_a_bulk_create_must_be_a_list(api: Api, body: Any) -> None:
    assert refused_fields(api.post("/projects/bulk", body)) == {"listings"}


def test_an_unknown_key_beside_the_listings_is_refused(api: Api) -> None:
    """docs/contract.md 11."""
    body = {"listings": [{"name": "Tool"}], "listing": []}
    assert set(errors(api.post("/projects/bulk", body))) == {"listing"}
    assert api.all("projects") == []


def test_each_listing_of_a_bulk_create_succeeds_or_fails_separately(api: Api) -> None:
    """docs/contract.md 4.3.3."""
    answer = bulk(
        api,
        {"name": "Lathe"},
        {"name": ""},
        {"name": "Saw", "latitude": 91},
        {"nmae": "Drill"},
        {"name": "Plane", "categories": [999_999_999]},
        {"name": "Vice"},
    )
    assert [listing["name"] for listing in answer["data"]] == ["Lathe", "Vice"]
    assert answer["total_created"] == 2
    assert [(failed["index"], failed["name"]) for failed in answer["errors"]] == [
        (1, ""),
        (2, "Saw"),
        (3, None),
        (4, "Plane"),
    ]
    assert {listing["name"] for listing in api.all("projects")} == {"Lathe", "Vice"}


def test_the_error_of_a_listing_describes_its_mistake(api: Api) -> None:
    answer = bulk(api, {"name": "Saw", "latitude": 91}, {"name": "Drill", "nmae": "x"})
    first, second = (failed["error"] for failed in answer["errors"])
    assert "latitude must be at most 90" in first
    assert "did you mean 'name'?" in second


def test_an_error_names_nested_values_with_dots(api: Api) -> None:
    """docs/contract.md 11, 14."""
    answer = bulk(api, {"name": "Saw", "tags": [999_999_999], "social_links": {"github": "x"}}, {"name": "Lathe"})
    (failed,) = answer["errors"]
    assert "social_links.github must be a valid URL" in failed["error"]
    (failed,) = bulk(api, {"name": "Saw", "tags": [999_999_999]})["errors"]
    assert failed["error"] == "tags.0 999999999 is no tag of this directory"


@pytest.mark.parametrize("item", [None, 7, "Lathe", [], [{"name": "Lathe"}], True])
def test_a_bulk_item_that_is_not_an_object_fails_alone(api: Api, item: Any) -> None:
    answer = bulk(api, {"name": "Lathe"}, item, {"name": "Saw"})
    assert [listing["name"] for listing in answer["data"]] == ["Lathe", "Saw"]
    assert [failed["index"] for failed in answer["errors"]] == [1]


def test_all_listings_of_a_bulk_create_can_fail(api: Api) -> None:
    answer = bulk(api, {}, {})
    assert (answer["data"], answer["total_created"], answer["total_errors"]) == ([], 0, 2)


def test_a_bulk_listing_with_an_existing_url_is_returned_unchanged(api: Api) -> None:
    """docs/contract.md 4.3.2, 14: made or found, in order."""
    old = api.make("projects", name="Lathe", url="https://example.org/lathe")
    answer = bulk(api, {"name": "Saw"}, {"name": "Other", "url": "https://EXAMPLE.org/lathe"})
    assert [listing["name"] for listing in answer["data"]] == ["Saw", "Lathe"]
    assert answer["data"][1] == old
    assert len(api.all("projects")) == 2


def test_one_url_twice_in_a_bulk_create_creates_one_listing(api: Api) -> None:
    """docs/contract.md 4.3.2."""
    answer = bulk(api, {"name": "Lathe", "url": "https://a.example/"}, {"name": "Saw", "url": "https://a.example"})
    assert [listing["name"] for listing in answer["data"]] == ["Lathe", "Lathe"]
    assert len(api.all("projects")) == 1


def test_generated_slugs_are_numbered_within_a_bulk_create(api: Api) -> None:
    """docs/contract.md 14."""
    answer = bulk(api, {"name": "Lathe"}, {"name": "Lathe", "email": "x"}, {"name": "Lathe"})
    assert [listing["slug"] for listing in answer["data"]] == ["lathe", "lathe-2"]


def test_a_bulk_listing_with_a_slug_of_an_earlier_one_fails(api: Api) -> None:
    answer = bulk(api, {"name": "Lathe", "slug": "tool"}, {"name": "Saw", "slug": "tool"})
    assert [failed["index"] for failed in answer["errors"]] == [1]
    assert "slug" in answer["errors"][0]["error"]


def test_bulk_listings_can_have_assignments_and_custom_fields(api: Api) -> None:
    api.make("custom-fields", label="Fee", type="number")
    wood = api.make("categories", title="Wood")["id"]
    atelier = api.make("organizers", name="Atelier")["id"]
    (listing,) = bulk(api, {"name": "Lathe", "categories": [wood], "organizers": [atelier, 999_999_999], "fee": 3})[
        "data"
    ]
    assert [category["title"] for category in listing["categories"]] == ["Wood"]
    assert [organizer["name"] for organizer in listing["organizers"]] == ["Atelier"]
    assert listing["fee"] == 3


def test_a_failed_bulk_listing_leaves_no_data(api: Api) -> None:
    """docs/contract.md 14: each item on its own savepoint."""
    atelier = api.make("organizers", name="Atelier")["id"]
    bulk(api, {"name": "Lathe", "organizers": [atelier], "tags": [999_999_999]})
    assert api.show("organizers", atelier)["projects"] == []
    assert api.all("projects") == []


def test_a_foreign_category_fails_one_listing_and_reveals_nothing(api: Api, other: Api) -> None:
    """docs/faults.md AU-08."""
    secret = other.make("categories", title="Secret")["id"]
    answer = bulk(
        api, {"name": "Lathe", "categories": [secret]}, {"name": "Saw", "categories": [999_999_999]}, {"name": "Vice"}
    )
    foreign, absent = (failed["error"] for failed in answer["errors"])
    assert foreign.replace(str(secret), "999999999") == absent
    assert [listing["name"] for listing in answer["data"]] == ["Vice"]


MANY_WRONG = {
    "unknown keys": {f"key{number}": 1 for number in range(900)},
    "references": {"categories": list(range(1000, 1900))},
    "values": {"tags": ["x"] * 900},
}


@pytest.mark.parametrize("wrong", MANY_WRONG.values(), ids=MANY_WRONG)
def test_a_bulk_listing_with_many_mistakes_reports_only_the_first(api: Api, wrong: dict[str, Any]) -> None:
    """AU-17."""
    for failed in bulk(api, {"name": "Saw", **wrong}, {"name": "Plane", **wrong})["errors"]:
        *reported, more = failed["error"].split("; ")
        assert len(reported) == 20
        assert "has more errors" in more


def test_a_single_listing_reports_every_error(api: Api) -> None:
    assert len(errors(api.post("/projects", {"name": "Saw", "categories": list(range(1000, 1900))}))) == 900
