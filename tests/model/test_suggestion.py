"""Suggestions for a value that a field does not accept: the hints, also for dates in other forms."""

import re
from pathlib import Path
from typing import Any

import pytest

import contentsync
from contentsync.model import Context, Kind
from contentsync.model.suggestion import certain_word, date_hint, plain_date

from .judge import BILINGUAL, FILE, least, violations

MISSING = "this date or time does not exist"


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


@pytest.mark.parametrize(
    ("written", "dates"),
    [
        ("1.3.2026", "2026-03-01"),
        ("1. 3. 2026", "2026-03-01"),
        ("2026/03/01", "2026-03-01"),
        ("2026/3/1 9:00", "2026-03-01 09:00"),
        ("20260314", "2026-03-14"),
        ("14/03/2026", "2026-03-14"),
        ("03/14/2026", "2026-03-14"),
        ("14-03-2026 10:30", "2026-03-14 10:30"),
        ("03/03/2026", "2026-03-03"),
        ("25 Aug 2024", "2024-08-25"),
        ("25-aug-2024", "2024-08-25"),
        ("1st March 2026", "2026-03-01"),
        ("August 5, 2024", "2024-08-05"),
        ("Sept. 5 2024", "2024-09-05"),
        ("Sun, 25 Aug 2024 10:00:05 +0200", "2024-08-25 10:00:05+0200"),
    ],
)
def test_a_date_in_another_form_suggests_the_accepted_form(written: str, dates: str) -> None:
    assert hint(Kind.ARTICLE, FILE, published_at=written) == f"did you mean '{dates}'?"


def test_an_ambiguous_date_suggests_both_readings() -> None:
    assert date_hint("3/1/2026", with_time=True) == "did you mean '2026-01-03' or '2026-03-01'?"


@pytest.mark.parametrize(
    "written", ["2026-02-30", "30.02.2026", "2026-03-01 25:00", "31 Apr 2026", "14/14/2026", "20261301"]
)
def test_a_date_that_does_not_exist_is_not_suggested(written: str) -> None:
    assert hint(Kind.ARTICLE, FILE, published_at=written) == MISSING


@pytest.mark.parametrize("written", ["soon", "3/1/26", "2026", "12345", "450000", "Marchmallow 3, 2026", "1-2/2026"])
def test_a_text_that_is_not_a_date_has_no_hint(written: str) -> None:
    assert hint(Kind.ARTICLE, FILE, published_at=written) == ""


@pytest.mark.parametrize(
    ("written", "with_time", "date"),
    [
        ("25 Aug 2024", False, "2024-08-25"),
        ("Jul 08 2022", True, "2022-07-08"),
        ("Sunday, 25 August 2024 10:00", True, "2024-08-25 10:00"),
        ("2026/3/1", True, "2026-03-01"),
        ("25 Aug 2024 10:00", False, None),  # a time that a day cannot have
        ("31 Apr 2026", True, None),
        ("03/01/2026", True, None),  # two readings
        ("14/03/2026", True, None),
        ("1.3.2026", True, None),
        ("20260314", True, None),
        ("2026-03-01", True, None),  # in the accepted form already
        ("soon", True, None),
    ],
)
def test_a_date_with_one_reading_is_read(written: str, *, with_time: bool, date: str | None) -> None:
    assert plain_date(written, with_time=with_time) == date


@pytest.mark.parametrize(
    ("written", "date"),
    [("45000", "2023-03-15"), ("45000.5", "2023-03-15 12:00"), ("46095.385416666664", "2026-03-14 09:15")],
)
def test_a_spreadsheet_day_number_suggests_its_date(written: str, date: str) -> None:
    reported = hint(Kind.ARTICLE, FILE, published_at=written)
    assert reported == f"did you mean '{date}'? A spreadsheet stores this date as the number {written}"


def test_a_day_without_a_time_is_suggested_without_a_time() -> None:
    definition = {"label": "Day", "name": "day", "type": "date"}
    context = Context(authored=True, custom_fields={Kind.LISTING: {"day": definition}})
    assert hint(Kind.LISTING, context, day="2026-03-01 09:00") == "did you mean '2026-03-01'?"
    assert date_hint("45000.5", with_time=False).startswith("did you mean '2023-03-15'?")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("titel", "title"),
        ("titl", "title"),
        ("ttitle", "title"),
        ("tatle", "title"),
        (" Title\u00a0", "title"),
        ("ti\u200btle", "title"),
        ("level3", ""),  # another digit is no typing mistake
        ("node", ""),  # it may be `note` or `mode`
        ("tile", "title"),
        ("tiel", ""),  # two mistakes
        ("ul", "url"),
        ("ix", ""),  # `in` is too short
        ("", ""),
        ("x" * 100, ""),
    ],
)
def test_a_word_with_one_mistake_is_certain_if_only_one_is_so_near(word: str, meant: str) -> None:
    assert certain_word(word, ["title", "level1", "note", "mode", "url", "in"]) == meant


def test_a_word_that_differs_by_capitals_only_is_certain_beside_a_similar_one() -> None:
    assert certain_word("Title", ["title", "titles"]) == "title"
    assert certain_word("Title", ["title", "TITLE"]) == ""
    assert certain_word("loudd", ["loud"], least=5) == ""
