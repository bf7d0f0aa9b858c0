"""Categories (docs/contract.md 15)."""

from typing import Any

import pytest

from ..conftest import Api
from .answers import data, errors, is_timestamp, refused_fields, require_message

CATEGORY = {
    "id",
    "title",
    "slug",
    "description",
    "content",
    "icon",
    "custom_icon_url",
    "parent_id",
    "parent_title",
    "is_active",
    "show_on_sidebar",
    "order",
    "seo_title",
    "seo_description",
    "head_html",
}


def test_a_category_has_the_fields_and_defaults_of_the_contract(api: Api) -> None:
    category = api.make("categories", title="Wood work")
    assert category.keys() >= CATEGORY
    defaults = {
        "slug": "wood-work",
        "parent_id": None,
        "parent_title": None,
        "is_active": True,
        "show_on_sidebar": True,
        "order": 0,
    }
    assert {name: category[name] for name in defaults} == defaults
    assert is_timestamp(category["created_at"])


def test_a_category_is_stored_as_it_is_sent(api: Api) -> None:
    values: dict[str, Any] = {
        "title": "Wood",
        "slug": "wood-1",
        "description": "short",
        "content": "# Long",
        "icon": "tree",
        "custom_icon_url": "https://example.org/i.svg",
        "is_active": False,
        "show_on_sidebar": False,
        "order": 7,
        "seo_title": "T",
        "seo_description": "D",
        "head_html": "<meta>",
    }
    category = api.make("categories", **values)
    assert {name: category[name] for name in values} == values
    assert api.show("categories", category["id"]) == category
    assert api.all("categories") == [category]


def test_a_title_is_required(api: Api) -> None:
    assert errors(api.post("/categories", {})) == {"title": ["title is required"]}


def test_the_order_of_a_category_is_0_or_more(api: Api) -> None:
    """docs/contract.md 19."""
    assert refused_fields(api.post("/categories", {"title": "Wood", "order": -1})) == {"order"}
    assert api.make("categories", title="Wood", order=0)["order"] == 0


@pytest.mark.parametrize("collection", ["categories", "projects"])
def test_head_html_has_at_most_10000_characters(api: Api, collection: str) -> None:
    """docs/contract.md 19."""
    named = {"title": "Wood"} if collection == "categories" else {"name": "Wood"}
    assert refused_fields(api.post(f"/{collection}", {**named, "head_html": "x" * 10_001})) == {"head_html"}
    assert api.make(collection, **named, head_html="x" * 10_000)["head_html"] == "x" * 10_000


def test_a_create_updates_a_category_with_the_same_slug(api: Api) -> None:
    made = api.make("categories", title="Wood", order=3, show_on_sidebar=False)
    found = data(api.post("/categories", {"title": "Wood", "icon": "tree"}), 200)
    assert (found["id"], found["order"], found["show_on_sidebar"], found["icon"]) == (made["id"], 3, False, "tree")
    assert len(api.all("categories")) == 1


def test_an_update_changes_only_the_fields_sent(api: Api) -> None:
    category = api.make("categories", title="Wood", icon="tree")
    changed = api.change("categories", category["id"], order=2)
    assert changed == {**category, "order": 2, "updated_at": changed["updated_at"]}


def test_a_slug_of_another_category_is_refused_on_update(api: Api) -> None:
    api.make("categories", title="Wood")
    metal = api.make("categories", title="Metal")
    assert refused_fields(api.put(f"/categories/{metal['id']}", {"slug": "wood"})) == {"slug"}


def test_a_category_contains_its_parent(api: Api) -> None:
    wood = api.make("categories", title="Wood")
    lathes = api.make("categories", title="Lathes", parent_id=wood["id"])
    assert (lathes["parent_id"], lathes["parent_title"]) == (wood["id"], "Wood")
    api.change("categories", wood["id"], title="Timber")
    assert api.show("categories", lathes["id"])["parent_title"] == "Timber"
    assert api.change("categories", lathes["id"], parent_id=None)["parent_title"] is None


@pytest.mark.parametrize("parent_id", [999_999_999, 0, -1, 2**70])
def test_a_missing_parent_is_refused(api: Api, parent_id: int) -> None:
    assert refused_fields(api.post("/categories", {"title": "Lathes", "parent_id": parent_id})) == {"parent_id"}
    assert api.all("categories") == []


def test_a_cycle_of_categories_is_refused(api: Api) -> None:
    top = api.make("categories", title="Top")
    middle = api.make("categories", title="Middle", parent_id=top["id"])
    low = api.make("categories", title="Low", parent_id=middle["id"])
    for parent in (top, middle, low):
        assert refused_fields(api.put(f"/categories/{top['id']}", {"parent_id": parent["id"]})) == {"parent_id"}
    assert refused_fields(api.post("/categories", {"title": "Top", "parent_id": low["id"]})) == {"parent_id"}
    assert api.show("categories", top["id"]) == top


def test_deleting_a_category_moves_its_children_up_and_removes_its_assignments(api: Api) -> None:
    top = api.make("categories", title="Top")
    middle = api.make("categories", title="Middle", parent_id=top["id"])
    low = api.make("categories", title="Low", parent_id=middle["id"])
    listing = api.make("projects", name="Lathe", categories=[middle["id"], low["id"]])
    assert require_message(api.delete(f"/categories/{middle['id']}"), 200) == "Category deleted successfully"
    lifted = api.show("categories", low["id"])
    assert (lifted["parent_id"], lifted["parent_title"]) == (top["id"], "Top")
    assert lifted["updated_at"] > low["updated_at"]
    shown = api.show("projects", listing["id"])
    assert shown["categories"] == [{"id": low["id"], "title": "Low", "parent_title": "Top"}]
    assert shown["updated_at"] > listing["updated_at"]


def test_the_children_of_a_deleted_top_category_become_top_categories(api: Api) -> None:
    top = api.make("categories", title="Top")
    low = api.make("categories", title="Low", parent_id=top["id"])
    api.delete(f"/categories/{top['id']}")
    assert api.show("categories", low["id"])["parent_id"] is None


def test_categories_are_listed_without_pages(api: Api) -> None:
    """docs/contract.md 10."""
    for number in range(101):
        api.make("categories", title=f"Category {number}")
    response = api.get("/categories")
    assert response.json().keys() == {"data"}
    assert len(data(response)) == 101


def test_a_missing_category_is_a_404(api: Api) -> None:
    require_message(api.get("/categories/999999999"), 404)
    require_message(api.put("/categories/999999999", {"title": "x"}), 404)
    require_message(api.delete("/categories/999999999"), 404)
