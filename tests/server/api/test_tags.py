"""Tags (docs/contract.md 15)."""

from typing import Any

import pytest

from ..conftest import Api
from .answers import data, errors, is_timestamp, refused_fields, require_message

TAG = {"id", "title", "slug", "color", "text_color", "icon", "heroicon", "show_title", "show_icon", "is_active"}


def test_a_tag_has_the_fields_and_defaults_of_the_contract(api: Api) -> None:
    tag = api.make("tags", title="Open source")
    assert tag.keys() >= TAG
    assert tag["slug"] == "open-source"
    assert (tag["color"], tag["text_color"]) == (None, None)
    assert tag["show_title"] is tag["show_icon"] is tag["is_active"] is True
    assert is_timestamp(tag["created_at"])


def test_a_tag_is_stored_as_it_is_sent(api: Api) -> None:
    values: dict[str, Any] = {
        "title": "Free",
        "slug": "gratis",
        "color": "#0A7",
        "text_color": "#ffffff",
        "icon": "star",
        "heroicon": "star",
        "show_title": False,
        "show_icon": False,
        "is_active": False,
    }
    tag = api.make("tags", **values)
    assert {name: tag[name] for name in values} == values
    assert api.show("tags", tag["id"]) == tag
    assert api.all("tags") == [tag]


def test_a_title_is_required(api: Api) -> None:
    assert errors(api.post("/tags", {})) == {"title": ["title is required"]}


@pytest.mark.parametrize("colour", ["red", "fff", "#ff", "#ggg", "#fff;background:url(//e)", 7])
def test_a_hex_colour_is_accepted(api: Api, colour: Any) -> None:
    assert refused_fields(api.post("/tags", {"title": "Free", "color": colour})) == {"color"}


def test_a_create_updates_a_tag_with_the_same_slug(api: Api) -> None:
    made = api.make("tags", title="Free", is_active=False, color="#fff")
    found = data(api.post("/tags", {"title": "Free", "icon": "star"}), 200)
    assert (found["id"], found["is_active"], found["color"], found["icon"]) == (made["id"], False, "#fff", "star")


def test_an_update_changes_only_the_fields_sent(api: Api) -> None:
    tag = api.make("tags", title="Free", color="#fff")
    changed = api.change("tags", tag["id"], icon="star")
    assert changed == {**tag, "icon": "star", "updated_at": changed["updated_at"]}
    assert api.change("tags", tag["id"], color=None)["color"] is None


def test_deleting_a_tag_removes_its_assignments(api: Api) -> None:
    tag = api.make("tags", title="Free")
    listing = api.make("projects", name="Lathe", tags=[tag["id"]])
    assert require_message(api.delete(f"/tags/{tag['id']}"), 200) == "Tag deleted successfully"
    require_message(api.get(f"/tags/{tag['id']}"), 404)
    assert api.show("projects", listing["id"])["tags"] == []


def test_tags_are_listed_without_pages(api: Api) -> None:
    """docs/contract.md 10."""
    for number in range(101):
        api.make("tags", title=f"Tag {number}")
    response = api.get("/tags")
    assert response.json().keys() == {"data"}
    assert len(data(response)) == 101


def test_a_missing_tag_is_a_404(api: Api) -> None:
    require_message(api.get("/tags/999999999"), 404)
    require_message(api.put("/tags/999999999", {"title": "x"}), 404)
    require_message(api.delete("/tags/999999999"), 404)
