"""Suggestions for a value that a field does not accept: the hints."""

import re
from pathlib import Path
from typing import Any

import pytest

import contentsync
from contentsync.model import Context, Kind

from .judge import BILINGUAL, FILE, least, violations


def hint(kind: Kind, context: Context, **values: Any) -> str:
    """Return the hint of the one rule that the values break."""
    (violation,) = violations(kind, least(kind, **values), context)
    return violation.hint


@pytest.mark.parametrize(
    ("written", "reported"),
    [
        ("1_000", "write 1000"),
        ("1 000", "write 1000"),
        ("1e3", "write 1000"),
        ("5.0", "write 5"),
        ("1.000", "write it in digits, such as 10"),
        ("first", "write it in digits, such as 10"),
        ("9" * 5000, "write at most 18 digits"),
    ],
)
def test_a_whole_number_in_a_file_is_suggested_in_digits(written: str, reported: str) -> None:
    assert hint(Kind.PAGE, FILE, order=written) == reported


@pytest.mark.parametrize(
    ("values", "reported"), [("5", "write 5"), (5.0, "write 5"), (1e300, ""), (True, "write it in")]
)
def test_a_whole_number_on_the_wire_is_suggested_in_digits(values: Any, reported: str) -> None:
    assert hint(Kind.PAGE, BILINGUAL, order=values).startswith(reported)


@pytest.mark.parametrize(
    ("written", "reported"),
    [
        ("48,8566", "write 48.8566"),
        ("1_000.5", "write 1000.5"),
        ("1,000", "write it in digits, such as 48.5"),
        ("north", "write it in digits, such as 48.5"),
    ],
)
def test_a_number_is_suggested_with_a_decimal_point(written: str, reported: str) -> None:
    assert hint(Kind.LISTING, FILE, latitude=written) == reported


@pytest.mark.parametrize(
    ("written", "reported"),
    [
        ("www.example.org", "did you mean 'https://www.example.org'?"),
        ("//example.org/a", "did you mean 'https://example.org/a'?"),
        ("https://example.org/a b", "did you mean 'https://example.org/a%20b'?"),
        ("images/logo.png", "write the full address, such as https://example.org/about"),
        ("logo.png", "write the full address, such as https://example.org/about"),
        ("javascript:alert(1)", "write the full address, such as https://example.org/about"),
        ("https://ada:secret@example.org", ""),
    ],
)
@pytest.mark.parametrize("context", [BILINGUAL, FILE], ids=["wire", "file"])
def test_an_incomplete_address_suggests_the_complete_one(written: str, reported: str, context: Context) -> None:
    assert hint(Kind.LISTING, context, url=written) == reported


@pytest.mark.parametrize(
    ("written", "reported"),
    [
        ("mailto:ada@example.org", "did you mean 'ada@example.org'?"),
        ("Ada <ada@example.org>", "did you mean 'ada@example.org'?"),
        ("info at example.org", "write an address such as info@example.org"),
    ],
)
def test_an_email_address_is_suggested_without_its_surroundings(written: str, reported: str) -> None:
    assert hint(Kind.LISTING, FILE, email=written) == reported


def test_a_text_with_commas_is_suggested_as_a_list() -> None:
    assert hint(Kind.LISTING, FILE, categories="Saws, \u00c4xte") == 'write ["Saws", "\u00c4xte"]'
    assert hint(Kind.LISTING, FILE, categories={"a": "b"}) == 'write ["a", "b"]'


def test_a_mapping_in_place_of_a_text_suggests_quotes() -> None:
    assert hint(Kind.PAGE, FILE, title={"page.title": ""}) == "if the value is text, put it in quotes"


@pytest.mark.parametrize(
    ("values", "reported"),
    [
        ({"seo": "x"}, "its keys are title, description, keywords, "),
        ({"translations": {"fr": "x"}}, "its keys are title, content, markdown, "),
        ({"translations": {"fr": {"seo": "x"}}}, "its keys are title, description, keywords, "),
    ],
)
def test_the_hint_lists_the_keys_of_an_object(values: dict[str, Any], reported: str) -> None:
    assert hint(Kind.ARTICLE, BILINGUAL, **values).startswith(reported)


def test_an_object_with_free_keys_lists_none() -> None:
    assert hint(Kind.ARTICLE, BILINGUAL, translations="x") == ""
    assert hint(Kind.LISTING, FILE, social_links="x") == ""
    assert hint(Kind.CUSTOM_FIELD, FILE, settings="x") == ""


@pytest.mark.parametrize(
    ("written", "reported"),
    [("Thing", 'write {"@type": "Thing"}'), ('{"a":}', "expecting value in line 1, column 6")],
)
def test_text_that_is_not_json_has_a_hint_with_the_location(written: str, reported: str) -> None:
    assert hint(Kind.LISTING, FILE, schema=written) == reported


def test_a_wrong_user_suggests_a_number_or_an_address() -> None:
    (violation,) = violations(Kind.ORGANIZER, least(Kind.ORGANIZER, user_id="foo"), FILE)
    assert violation.message == "user_id must be the id or the e-mail address of a user"


def test_a_name_or_colour_is_suggested_in_the_accepted_form() -> None:
    assert hint(Kind.CUSTOM_FIELD, FILE, name="Licence-Name") == "did you mean 'licence_name'?"
    assert hint(Kind.TAG, FILE, color="00aa77") == 'write "#00aa77"'


def test_only_this_module_writes_hints_about_similar_words() -> None:
    package = Path(contentsync.__file__).parent
    texts = {str(file.relative_to(package)): file.read_text(encoding="utf-8") for file in package.rglob("*.py")}
    assert [path for path, text in texts.items() if "get_close_matches" in text] == ["model/suggestion.py"]
    assert [path for path, text in texts.items() if re.search("[\"']did you mean ", text)] == ["model/suggestion.py"]
