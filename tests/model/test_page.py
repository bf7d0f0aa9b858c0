"""Custom pages (docs/contract.md 2.1, 4.1, 17)."""

from typing import Any

import pytest

from contentsync.model import RECORDS, WIRE_FORM, Kind, validate

from .judge import faults, violations

PAGE = Kind.PAGE


def test_only_a_title_is_required() -> None:
    assert validate(PAGE, {"title": "About"}, WIRE_FORM) == {"title": "About"}
    assert faults(PAGE, {}) == {("title", "required")}


def test_the_defaults_of_a_page() -> None:
    defaults = {name: rule.default for name, rule in RECORDS[PAGE].rules().items()}
    assert defaults | {"title": None} == {
        "title": None,
        "slug": "",
        "markdown": None,
        "placement": "unlisted",
        "is_published": True,
        "is_external": False,
        "external_url": None,
        "new_tab": False,
        "order": 0,
        "seo": None,
    }


@pytest.mark.parametrize("placement", ["navbar", "footer", "sidebar", "unlisted"])
def test_a_page_has_one_of_four_placements(placement: str) -> None:
    """docs/contract.md 1."""
    assert faults(PAGE, {"title": "About", "placement": placement}) == set()


@pytest.mark.parametrize("placement", ["header", "Navbar", "", " footer", 1, ["navbar"], {}])
def test_another_placement_is_refused(placement: Any) -> None:
    assert faults(PAGE, {"title": "About", "placement": placement}) == {("placement", "not-a-choice")}


def test_a_misspelt_placement_suggests_the_nearest_one() -> None:
    (violation,) = violations(PAGE, {"title": "About", "placement": "footr"})
    assert violation.message == "placement must be one of navbar, footer, sidebar, unlisted"
    assert violation.hint == "did you mean 'footer'?"


def test_an_external_page_needs_an_external_url() -> None:
    assert faults(PAGE, {"title": "Forum", "is_external": True}) == {("external_url", "required-with")}
    assert faults(PAGE, {"title": "Forum", "is_external": True, "external_url": None}) == {
        ("external_url", "required-with")
    }
    assert faults(PAGE, {"title": "Forum", "is_external": True, "external_url": "https://forum.example/"}) == set()


def test_an_external_url_alone_does_not_make_a_page_external() -> None:
    values = {"title": "Forum", "external_url": "https://forum.example/"}
    assert validate(PAGE, values, WIRE_FORM) == values


def test_an_update_is_checked_together_with_the_stored_values() -> None:
    stored = {"title": "Forum", "is_external": True, "external_url": "https://forum.example/"}
    assert faults(PAGE, {"title": "The forum"}, stored=stored) == set()
    assert faults(PAGE, {"external_url": None}, stored=stored) == {("external_url", "required-with")}
    assert faults(PAGE, {"external_url": None, "is_external": False}, stored=stored) == set()
    assert faults(PAGE, {"is_external": True}, stored={"title": "About", "external_url": None}) == {
        ("external_url", "required-with")
    }


def test_a_wrong_external_url_is_reported_once() -> None:
    values = {"title": "Forum", "is_external": True, "external_url": "forum"}
    assert faults(PAGE, values) == {("external_url", "bad-url")}


@pytest.mark.parametrize("order", [0, -1, 2**31 - 1, -(2**31)])
def test_order_is_a_whole_number(order: int) -> None:
    assert faults(PAGE, {"title": "About", "order": order}) == set()


@pytest.mark.parametrize("order", ["1", 1.0, 1.5, True, [], {}])
def test_another_type_of_order_is_refused(order: Any) -> None:
    assert faults(PAGE, {"title": "About", "order": order}) == {("order", "not-an-integer")}


@pytest.mark.parametrize("order", [2**31, -(2**31) - 1, 10**400])
def test_order_must_fit_into_a_database(order: int) -> None:
    assert faults(PAGE, {"title": "About", "order": order}) == {("order", "out-of-range")}


@pytest.mark.parametrize("flag", ["is_published", "is_external", "new_tab"])
@pytest.mark.parametrize("value", ["true", 1, 0, "", []])
def test_a_boolean_on_the_wire_is_true_or_false(flag: str, value: Any) -> None:
    assert faults(PAGE, {"title": "About", flag: value}) == {(flag, "not-a-boolean")}


@pytest.mark.parametrize("field", ["title", "slug", "placement", "is_published", "is_external", "new_tab", "order"])
def test_null_is_refused_if_the_contract_does_not_allow_it(field: str) -> None:
    assert {name for name, _ in faults(PAGE, {"title": "About", field: None})} == {field}
    assert {name for name, _ in faults(PAGE, {field: None}, stored={"title": "About"})} == {field}


@pytest.mark.parametrize("field", ["markdown", "external_url"])
def test_null_clears_an_optional_field(field: str) -> None:
    assert validate(PAGE, {field: None}, WIRE_FORM, stored={"title": "About"}) == {field: None}


@pytest.mark.parametrize("title", ["", " ", "\n\t"])
def test_a_blank_title_is_refused(title: str) -> None:
    assert faults(PAGE, {"title": title, "slug": "about"}) == {("title", "required")}
