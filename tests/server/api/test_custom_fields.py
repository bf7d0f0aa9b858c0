"""Custom fields (docs/contract.md 15)."""

from typing import Any

import pytest

from ..conftest import Api
from .answers import data, errors, is_timestamp, refused_fields, require_message

CUSTOM_FIELD = {
    "id",
    "label",
    "type",
    "name",
    "fieldable_type",
    "placeholder",
    "description",
    "default_value",
    "value_prefix",
    "value_suffix",
    "options",
    "icon",
    "heroicon",
    "placement",
    "placement_on_card",
    "is_required",
    "is_visible",
    "show_on_card",
    "show_on_public_submission",
    "show_label",
    "show_label_on_card",
    "show_icon",
    "show_icon_on_card",
    "filterable",
    "order",
    "settings",
    "validation_rules",
}


def licence(api: Api, **fields: Any) -> dict[str, Any]:
    """Return a new custom field to choose from."""
    return api.make("custom-fields", **{"label": "Licence", "type": "select", "options": ["MIT", "GPL"], **fields})


def test_a_custom_field_has_the_fields_and_defaults_of_the_contract(api: Api) -> None:
    made = api.make("custom-fields", label="Run by Volunteers", type="checkbox")
    assert made.keys() >= CUSTOM_FIELD
    assert (made["name"], made["fieldable_type"], made["is_visible"]) == ("run_by_volunteers", "listing", True)
    assert made["is_required"] is False
    assert made["order"] == 0
    assert is_timestamp(made["created_at"])


def test_a_custom_field_is_stored_as_it_is_sent(api: Api) -> None:
    values: dict[str, Any] = {
        "label": "Licence",
        "type": "select",
        "name": "licence_code",
        "placeholder": "MIT",
        "description": "The licence",
        "default_value": "MIT",
        "value_prefix": "(",
        "value_suffix": ")",
        "options": ["MIT", "GPL"],
        "icon": "scale",
        "heroicon": "scale",
        "placement": "after_tags",
        "placement_on_card": "after_title",
        "is_required": True,
        "is_visible": False,
        "show_on_card": True,
        "show_on_public_submission": True,
        "show_label": True,
        "show_label_on_card": True,
        "show_icon": True,
        "show_icon_on_card": True,
        "filterable": True,
        "order": 3,
        "settings": {"a": [1, {"b": None}]},
        "validation_rules": ["x"],
    }
    made = api.make("custom-fields", **values)
    assert {name: made[name] for name in values} == values
    assert api.show("custom-fields", made["id"]) == made
    assert api.all("custom-fields") == [made]


def test_a_label_and_a_type_are_required(api: Api) -> None:
    assert set(errors(api.post("/custom-fields", {}))) == {"label", "type"}


@pytest.mark.parametrize("name", ["url", "name", "categories", "schema", "id"])
def test_a_name_of_a_listing_field_is_refused(api: Api, name: str) -> None:
    assert refused_fields(api.post("/custom-fields", {"label": "Extra", "type": "text", "name": name})) == {"name"}


def test_a_name_generated_from_the_label_is_checked_too(api: Api) -> None:
    assert refused_fields(api.post("/custom-fields", {"label": "URL", "type": "url"})) == {"name"}
    assert api.all("custom-fields") == []


def test_a_create_updates_a_custom_field_with_the_same_name(api: Api) -> None:
    made = licence(api, is_required=True)
    body = {"label": "Licence", "type": "select", "options": ["MIT", "GPL", "EUPL"]}
    found = data(api.post("/custom-fields", body), 200)
    assert (found["id"], found["is_required"], found["options"]) == (made["id"], True, ["MIT", "GPL", "EUPL"])
    assert len(api.all("custom-fields")) == 1


def test_an_update_changes_only_the_fields_sent(api: Api) -> None:
    made = licence(api)
    changed = api.change("custom-fields", made["id"], label="The licence")
    assert changed == {**made, "label": "The licence", "updated_at": changed["updated_at"]}


def test_a_name_of_another_custom_field_is_refused_on_update(api: Api) -> None:
    licence(api)
    fee = api.make("custom-fields", label="Fee", type="number")
    assert refused_fields(api.put(f"/custom-fields/{fee['id']}", {"name": "licence"})) == {"name"}


def test_a_renamed_custom_field_keeps_its_values(api: Api) -> None:
    made = licence(api)
    listing = api.make("projects", name="Lathe", licence="MIT")
    api.change("custom-fields", made["id"], name="licence_code")
    shown = api.show("projects", listing["id"])
    assert shown["licence_code"] == "MIT"
    assert "licence" not in shown


def test_a_select_field_requires_options(api: Api) -> None:
    assert refused_fields(api.post("/custom-fields", {"label": "Licence", "type": "select"})) == {"options"}
    made = licence(api)
    assert refused_fields(api.put(f"/custom-fields/{made['id']}", {"options": []})) == {"options"}


def test_deleting_a_custom_field_removes_its_values(api: Api) -> None:
    made = licence(api)
    listing = api.make("projects", name="Lathe", licence="MIT")
    assert require_message(api.delete(f"/custom-fields/{made['id']}"), 200) == "Custom field deleted successfully"
    shown = api.show("projects", listing["id"])
    assert "licence" not in shown
    assert refused_fields(api.put(f"/projects/{listing['id']}", {"licence": "MIT"})) == {"licence"}
    licence(api)
    assert api.show("projects", listing["id"]).get("licence") is None


def test_a_required_value_must_be_sent(api: Api) -> None:
    listing = api.make("projects", name="Old")
    licence(api, is_required=True)
    assert errors(api.post("/projects", {"name": "Lathe"})) == {"licence": ["licence is required"]}
    assert refused_fields(api.put(f"/projects/{listing['id']}", {"licence": None})) == {"licence"}
    assert api.change("projects", listing["id"], name="Older")["name"] == "Older"


@pytest.mark.parametrize(
    ("collection", "fieldable", "body"),
    [("organizers", "organizer", {"name": "Atelier"}), ("articles", "article", {"title": "News", "markdown": "x"})],
)
def test_organizers_and_articles_can_have_custom_field_values(
    api: Api, collection: str, fieldable: str, body: dict[str, Any]
) -> None:
    api.make("custom-fields", label="Legal form", type="text", fieldable_type=fieldable)
    record = api.make(collection, **body, legal_form="Association")
    assert record["legal_form"] == "Association"
    assert api.show(collection, record["id"])["legal_form"] == "Association"
    assert api.all(collection)[0]["legal_form"] == "Association"
    assert refused_fields(api.put(f"/{collection}/{record['id']}", {**body, "legal_form": 7})) == {"legal_form"}
    assert refused_fields(api.post("/projects", {"name": "Lathe", "legal_form": "x"})) == {"legal_form"}


def test_a_record_without_a_value_contains_null(api: Api) -> None:
    listing = api.make("projects", name="Lathe")
    licence(api)
    assert api.show("projects", listing["id"])["licence"] is None
    assert api.all("projects")[0]["licence"] is None


def test_a_value_that_no_longer_fits_stays_until_the_next_write(api: Api) -> None:
    """A client changes the field and its values one after the other (docs/contract.md 15: a value is checked)."""
    made = licence(api)
    listing = api.make("projects", name="Lathe", licence="MIT")
    api.change("custom-fields", made["id"], options=["GPL"])
    assert api.show("projects", listing["id"])["licence"] == "MIT"
    assert api.change("projects", listing["id"], name="Late")["licence"] == "MIT"
    assert refused_fields(api.put(f"/projects/{listing['id']}", {"licence": "MIT"})) == {"licence"}
    api.change("custom-fields", made["id"], type="number")
    assert api.change("projects", listing["id"], licence=7)["licence"] == 7


def test_a_custom_field_can_change_its_kind_only_without_values(api: Api) -> None:
    made = api.make("custom-fields", label="Form", type="text")
    listing = api.make("projects", name="Lathe", form="Ltd")
    organizer = api.make("organizers", name="Atelier")
    move = {"fieldable_type": "organizer"}
    assert refused_fields(api.put(f"/custom-fields/{made['id']}", move)) == {"fieldable_type"}
    assert api.show("projects", listing["id"])["form"] == "Ltd"
    api.change("projects", listing["id"], form=None)
    api.change("custom-fields", made["id"], **move)
    assert "form" not in api.show("projects", listing["id"])
    assert api.show("organizers", organizer["id"])["form"] is None


def test_custom_fields_are_listed_without_pages(api: Api) -> None:
    """docs/contract.md 10."""
    for number in range(101):
        api.make("custom-fields", label=f"Field {number}", type="text")
    response = api.get("/custom-fields")
    assert response.json().keys() == {"data"}
    assert len(data(response)) == 101


def test_a_missing_custom_field_is_a_404(api: Api) -> None:
    require_message(api.get("/custom-fields/999999999"), 404)
    require_message(api.put("/custom-fields/999999999", {"label": "x"}), 404)
    require_message(api.delete("/custom-fields/999999999"), 404)
