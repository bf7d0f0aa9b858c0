"""Categories and tags (docs/contract.md 15)."""

from typing import Any

import pytest

from contentsync.model import RECORDS, WIRE_FORM, Kind, validate

from .judge import FILE, faults


def test_only_a_title_is_required() -> None:
    for kind in (Kind.CATEGORY, Kind.TAG):
        assert validate(kind, {"title": "Wood"}, WIRE_FORM) == {"title": "Wood"}
        assert faults(kind, {}) == {("title", "required")}


def test_the_defaults_of_a_category() -> None:
    rules = RECORDS[Kind.CATEGORY].rules()
    assert {name: rules[name].default for name in ("is_active", "show_on_sidebar", "order", "parent_id")} == {
        "is_active": True,
        "show_on_sidebar": True,
        "order": 0,
        "parent_id": None,
    }


def test_the_defaults_of_a_tag() -> None:
    rules = RECORDS[Kind.TAG].rules()
    assert all(rules[name].default is True for name in ("show_title", "show_icon", "is_active"))


def test_a_parent_is_an_id_on_the_wire_and_a_name_in_files() -> None:
    assert validate(Kind.CATEGORY, {"title": "Lathes", "parent_id": 3}, WIRE_FORM)["parent_id"] == 3
    assert validate(Kind.CATEGORY, {"title": "Lathes", "parent_id": "wood"}, FILE)["parent_id"] == "wood"
    assert faults(Kind.CATEGORY, {"title": "Lathes", "parent_id": "wood"}) == {("parent_id", "not-an-integer")}


def test_a_parent_can_be_cleared() -> None:
    assert validate(Kind.CATEGORY, {"parent_id": None}, WIRE_FORM, stored={"title": "Lathes"}) == {"parent_id": None}


def test_only_a_category_accepts_the_title_of_its_parent() -> None:
    assert validate(Kind.CATEGORY, {"title": "Lathes", "parent_title": "Wood"}, WIRE_FORM) == {"title": "Lathes"}
    assert faults(Kind.TAG, {"title": "Free", "parent_title": "Wood"}) == {("parent_title", "unknown-key")}


def test_a_custom_icon_must_be_a_url() -> None:
    assert faults(Kind.CATEGORY, {"title": "Wood", "custom_icon_url": "icon.svg"}) == {("custom_icon_url", "bad-url")}


@pytest.mark.parametrize("colour", ["#fff", "#0A7b", "#00aa77", "#00aa7780"])
@pytest.mark.parametrize("field", ["color", "text_color"])
def test_a_hex_colour_is_accepted(field: str, colour: str) -> None:
    assert validate(Kind.TAG, {"title": "Free", field: colour}, WIRE_FORM)[field] == colour


@pytest.mark.parametrize(
    "colour", ["red", "fff", "#ff", "#fffff", "#ggg", "#fff;background:url(//e)", "#fff\n", "rgb(0,0,0)", 0xFFF]
)
def test_another_notation_of_a_colour_is_refused(colour: Any) -> None:
    """docs/faults.md XS-07."""
    assert {name for name, _ in faults(Kind.TAG, {"title": "Free", "color": colour})} == {"color"}


@pytest.mark.parametrize("field", ["title", "slug", "show_title", "show_icon", "is_active"])
def test_null_is_refused_for_required_tag_fields(field: str) -> None:
    assert {name for name, _ in faults(Kind.TAG, {"title": "Free", field: None})} == {field}


@pytest.mark.parametrize("field", ["title", "slug", "order", "show_on_sidebar", "is_active"])
def test_null_is_refused_for_required_category_fields(field: str) -> None:
    assert {name for name, _ in faults(Kind.CATEGORY, {"title": "Wood", field: None})} == {field}
