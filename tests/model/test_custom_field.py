"""Definitions of custom fields (docs/contract.md 15)."""

from typing import Any

import pytest

from contentsync.model import RECORDS, WIRE_FORM, Kind, validate

from .judge import faults, least, violations

FIELD = Kind.CUSTOM_FIELD

TYPES = [
    "text",
    "number",
    "date",
    "file_upload",
    "url",
    "email",
    "rich_editor",
    "markdown",
    "textarea",
    "checkbox",
    "rating",
    "select",
    "list",
    "multi_select",
    "button",
    "javascript",
    "html",
]


def test_only_a_label_and_a_type_are_required() -> None:
    assert faults(FIELD, {}) == {("label", "required"), ("type", "required")}


@pytest.mark.parametrize("type_", TYPES)
def test_each_type_of_the_contract_is_known(type_: str) -> None:
    assert faults(FIELD, {"label": "Extra", "type": type_, "options": ["a"]}) == set()


@pytest.mark.parametrize("type_", ["string", "Text", "", None, 1, ["text"]])
def test_another_type_is_refused(type_: Any) -> None:
    assert faults(FIELD, {"label": "Extra", "type": type_}) == {("type", "not-a-choice")}


def test_the_defaults_of_a_custom_field() -> None:
    defaults = {name: rule.default for name, rule in RECORDS[FIELD].rules().items()}
    assert defaults["fieldable_type"] == "listing"
    assert defaults["is_visible"] is True
    for flag in (
        "is_required",
        "show_on_card",
        "show_on_public_submission",
        "show_label",
        "show_label_on_card",
        "show_icon",
        "show_icon_on_card",
        "filterable",
    ):
        assert defaults[flag] is False
    assert defaults["order"] == 0


@pytest.mark.parametrize(
    ("field", "choices"),
    [
        ("fieldable_type", ["listing", "organizer", "article"]),
        ("placement", ["after_tags", "after_categories", "before_content", "after_content"]),
        (
            "placement_on_card",
            ["after_categories", "before_categories", "after_buttons", "before_buttons", "after_title"],
        ),
    ],
)
def test_the_choices_are_those_of_the_contract(field: str, choices: list[str]) -> None:
    for choice in choices:
        assert faults(FIELD, least(FIELD, **{field: choice})) == set()
    assert faults(FIELD, least(FIELD, **{field: "page"})) == {(field, "not-a-choice")}


@pytest.mark.parametrize("name", ["licence", "fee_eur", "x1", "_a"])
def test_a_snake_case_name_is_accepted(name: str) -> None:
    assert faults(FIELD, least(FIELD, name=name)) == set()


@pytest.mark.parametrize("name", ["Licence", "fee-eur", "a b", "é", "", "_", "a.b", "a\n"])
def test_another_name_is_refused(name: str) -> None:
    assert faults(FIELD, least(FIELD, name=name)) == {("name", "bad-name")}


@pytest.mark.parametrize(
    "name", ["url", "name", "slug", "categories", "schema", "listing_url", "id", "ends_at", "created_at", "sync"]
)
def test_a_name_of_a_service_field_is_reserved(name: str) -> None:
    assert faults(FIELD, least(FIELD, name=name)) == {("name", "reserved-name")}


@pytest.mark.parametrize(
    ("fieldable_type", "label", "is_reserved"),
    [
        ("listing", "Phone", False),
        ("organizer", "Phone", True),
        ("article", "Phone", False),
        ("listing", "Thumbnail URL", False),
        ("article", "Thumbnail URL", True),
        ("listing", "URL", True),
        ("organizer", "URL", True),
        ("article", "URL", True),
    ],
)
def test_each_kind_reserves_its_own_fields_and_those_of_listings(
    fieldable_type: str, label: str, is_reserved: bool
) -> None:
    reported = faults(FIELD, {"label": label, "type": "text", "fieldable_type": fieldable_type})
    assert reported == ({("name", "reserved-name")} if is_reserved else set())


def test_a_custom_field_cannot_move_to_a_kind_that_reserves_its_name() -> None:
    stored = validate(FIELD, least(FIELD, name="phone"), WIRE_FORM)
    assert faults(FIELD, {"fieldable_type": "organizer"}, stored=stored) == {("name", "reserved-name")}


@pytest.mark.parametrize("label", ["URL", "Ends at", "description"])
def test_a_name_derived_from_the_label_is_checked_too(label: str) -> None:
    assert faults(FIELD, {"label": label, "type": "text"}) == {("name", "reserved-name")}
    assert faults(FIELD, {"label": label, "type": "text", "name": "extra"}) == set()


def test_a_custom_field_keeps_its_name_when_its_label_changes() -> None:
    stored = validate(FIELD, least(FIELD, name="licence"), WIRE_FORM)
    assert faults(FIELD, {"label": "URL"}, stored=stored) == set()


def test_a_label_without_letters_requires_a_name() -> None:
    (violation,) = violations(FIELD, {"label": "🎉", "type": "text"})
    assert (violation.code, violation.field, violation.hint) == ("no-name", "name", "set name")


@pytest.mark.parametrize("type_", ["select", "multi_select"])
def test_a_select_field_requires_options(type_: str) -> None:
    assert faults(FIELD, {"label": "Size", "type": type_}) == {("options", "required-with")}
    assert faults(FIELD, {"label": "Size", "type": type_, "options": []}) == {("options", "required-with")}


def test_a_list_field_needs_no_options() -> None:
    assert faults(FIELD, {"label": "Size", "type": "list"}) == set()


@pytest.mark.parametrize(
    ("options", "field"), [(["S", "S"], "options.1"), ([1], "options.0"), ([""], "options.0"), ("S", "options")]
)
def test_options_must_be_different_texts(options: Any, field: str) -> None:
    assert {name for name, _ in faults(FIELD, {"label": "Size", "type": "select", "options": options})} == {field}
