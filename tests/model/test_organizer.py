"""Organizers (docs/contract.md 2.4, 4.4, 16)."""

from typing import Any

import pytest

from contentsync.model import RECORDS, WIRE_FORM, Kind, validate

from .judge import FILE, faults, least

ORGANIZER = Kind.ORGANIZER


def test_only_a_name_is_required() -> None:
    assert validate(ORGANIZER, {"name": "Atelier"}, WIRE_FORM) == {"name": "Atelier"}
    assert faults(ORGANIZER, {}) == {("name", "required")}


def test_the_defaults_of_an_organizer() -> None:
    rules = RECORDS[ORGANIZER].rules()
    assert rules["is_active"].default is True
    assert rules["order"].default == 0


@pytest.mark.parametrize("field", ["logo_url", "cover_image_url", "website_url"])
def test_urls_are_checked(field: str) -> None:
    assert faults(ORGANIZER, least(ORGANIZER, **{field: "vbscript:x"})) == {(field, "bad-url")}


@pytest.mark.parametrize("field", ["logo", "cover_image"])
@pytest.mark.parametrize("path", ["logos/a.png", "a b.svg", "2026/é.webp"])
def test_an_uploaded_image_is_a_path(field: str, path: str) -> None:
    assert faults(ORGANIZER, least(ORGANIZER, **{field: path})) == set()


@pytest.mark.parametrize(
    "path", ["../../.env", "a/../../b", "/etc/passwd", "~/.ssh/id_rsa", "file:///x", "https://x.example/a.png", "\\x"]
)
def test_an_image_path_must_stay_in_its_folder(path: str) -> None:
    """docs/faults.md FI-31."""
    assert faults(ORGANIZER, least(ORGANIZER, logo=path)) == {("logo", "bad-path")}


@pytest.mark.parametrize("user", ["7", 7.0, True, "ada@example.org", [7]])
def test_a_user_on_the_wire_is_an_id(user: Any) -> None:
    assert faults(ORGANIZER, least(ORGANIZER, user_id=user)) == {("user_id", "not-an-integer")}


def test_a_user_in_a_file_is_an_id_or_an_email_address() -> None:
    assert validate(ORGANIZER, least(ORGANIZER, user_id="7"), FILE)["user_id"] == 7
    assert validate(ORGANIZER, least(ORGANIZER, user_id="ada@example.org"), FILE)["user_id"] == "ada@example.org"
    assert faults(ORGANIZER, least(ORGANIZER, user_id="ada"), FILE) == {("user_id", "bad-email")}


@pytest.mark.parametrize("field", ["name", "slug", "is_active", "order"])
def test_null_is_refused_if_the_contract_does_not_allow_it(field: str) -> None:
    assert {name for name, _ in faults(ORGANIZER, least(ORGANIZER, **{field: None}))} == {field}


@pytest.mark.parametrize(
    "field",
    [
        "description",
        "content",
        "logo",
        "logo_url",
        "email",
        "phone",
        "address",
        "website_url",
        "social_links",
        "user_id",
    ],
)
def test_null_clears_an_optional_field(field: str) -> None:
    assert validate(ORGANIZER, {field: None}, WIRE_FORM, stored=least(ORGANIZER)) == {field: None}


def test_the_listings_of_an_organizer_can_be_sent_back() -> None:
    assert validate(ORGANIZER, least(ORGANIZER, projects=[{"id": 1, "name": "Lathe"}]), WIRE_FORM) == least(ORGANIZER)
