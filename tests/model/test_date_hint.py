"""contentsync.model.date_hint: dates in other forms, with the form to write."""

import pytest

from contentsync.model import Context, Kind
from contentsync.model.date_hint import date_hint

from .judge import FILE
from .test_suggestion import hint

MISSING = "this date or time does not exist"


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
