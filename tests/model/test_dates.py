"""Dates and times, and whether a listing is visible.

docs/contract.md 2, 2.3, 3, 14; docs/content.md 3; docs/faults.md YA-11, YA-12, TM-01 to TM-03, TM-06
"""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.model.directory_settings import visibility
from contentsync.model.scalar import ACCEPTED_DATES, clock_change, instant_text, parse_instant, wire_instant

LONDON = ZoneInfo("Europe/London")


@pytest.mark.parametrize(
    ("text", "wire"),
    [
        ("2026-03-01", "2026-03-01T00:00:00.000000Z"),
        ("2026-03-01 09:00", "2026-03-01T09:00:00.000000Z"),
        ("2026-03-01 09:00:30", "2026-03-01T09:00:30.000000Z"),
        ("2026-03-01T09:00", "2026-03-01T09:00:00.000000Z"),
        ("2026-03-01T09:00:00Z", "2026-03-01T09:00:00.000000Z"),
        ("2026-03-01T09:00:00z", "2026-03-01T09:00:00.000000Z"),
        ("2026-03-01T09:00:00.5Z", "2026-03-01T09:00:00.500000Z"),
        ("2026-03-01T09:00:00.123456Z", "2026-03-01T09:00:00.123456Z"),
        ("2026-03-01T09:00:00+02:00", "2026-03-01T07:00:00.000000Z"),
        ("2026-03-01T09:00:00-0530", "2026-03-01T14:30:00.000000Z"),
        ("2026-03-01 09:00 +02:00", "2026-03-01T07:00:00.000000Z"),
        ("2026-03-01 9:00", "2026-03-01T09:00:00.000000Z"),
        ("2026-3-1 9:00:00", "2026-03-01T09:00:00.000000Z"),
        ("2026-03-01t09:00:00.1234567Z", "2026-03-01T09:00:00.123456Z"),
        ("2026-03-01 09:00:00.999999999 -04:00", "2026-03-01T13:00:00.999999Z"),
        ("2026-03-01 09:00:00. Z", "2026-03-01T09:00:00.000000Z"),
        ("2026-03-01 09:00:00 -4", "2026-03-01T13:00:00.000000Z"),
        ("2026-03-01 09:00:00  -0400", "2026-03-01T13:00:00.000000Z"),
        ("2026-03-01\t09:00:00+5:30", "2026-03-01T03:30:00.000000Z"),
        ("2026-03-01T09:00:00+00:00", "2026-03-01T09:00:00.000000Z"),
        ("2026-03-01T09:00:00 UTC", "2026-03-01T09:00:00.000000Z"),
        ("2026-03-01 09:00 GMT", "2026-03-01T09:00:00.000000Z"),
        ("2024-02-29", "2024-02-29T00:00:00.000000Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"),
        ("2038-01-19T03:14:08Z", "2038-01-19T03:14:08.000000Z"),
        ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
    ],
)
def test_each_accepted_form_gives_the_same_wire_form(text: str, wire: str) -> None:
    """docs/contract.md 10; docs/faults.md YA-11, TM-06."""
    assert instant_text(parse_instant(text, UTC)) == wire


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "2026",
        "2026-03",
        "01.03.2026",
        "03/01/2026",
        "1 March 2026",
        "2026-3-1",
        "2024-02-30",
        "2023-02-29",
        "2026-13-01",
        "2026-00-01",
        "2026-01-00",
        "0000-01-01",
        "2026-03-01 24:00",
        "2026-03-01 12:60",
        "2026-03-01 12:00:60",
        "2026-03-01T09:00:00+99:00",
        "2026-03-01T09:00:00+00:60",
        "2026-03-01T09:00:00.1234567890Z",
        "2026-03-01T09:00:00 -430",
        "2026-03-01T09:00:00 EST",
        "2026-03-01 09:00 ",
        "2026-3-01",
        "2026-03-01T09",
        "2026-03-01 Z",
        " 2026-03-01",
        "2026-03-01\n",
        "٢٠٢٦-٠٣-٠١",
        "1772323200",
        "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-01:00",
    ],
)
def test_another_form_or_an_impossible_date_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_instant(text, UTC)


def test_each_form_shown_in_the_error_is_accepted() -> None:
    for text in ACCEPTED_DATES.replace(" or ", ", ").split(", "):
        assert parse_instant(text, UTC).date().isoformat() == "2026-03-01"


def test_a_time_without_an_offset_is_in_the_zone_of_the_site() -> None:
    kathmandu = ZoneInfo("Asia/Kathmandu")
    assert instant_text(parse_instant("2026-08-01 09:00", kathmandu)) == "2026-08-01T03:15:00.000000Z"
    assert instant_text(parse_instant("2026-08-01", kathmandu)) == "2026-07-31T18:15:00.000000Z"


def test_a_bare_date_can_mean_the_end_of_the_day() -> None:
    assert instant_text(parse_instant("2026-03-01", UTC, end_of_day=True)) == "2026-03-01T23:59:59.000000Z"
    assert instant_text(parse_instant("2026-07-01", LONDON, end_of_day=True)) == "2026-07-01T22:59:59.000000Z"


def test_an_explicit_time_is_not_moved_to_the_end_of_the_day() -> None:
    assert instant_text(parse_instant("2026-03-01 00:00", UTC, end_of_day=True)) == "2026-03-01T00:00:00.000000Z"


def test_a_time_that_occurs_twice_has_two_instants() -> None:
    first, second = clock_change("2025-10-26 01:30", LONDON) or (None, None)
    assert first == datetime(2025, 10, 26, 0, 30, tzinfo=UTC)
    assert second == datetime(2025, 10, 26, 1, 30, tzinfo=UTC)


def test_a_skipped_time_has_two_readings() -> None:
    assert clock_change("2025-03-30 01:30", LONDON) == (
        datetime(2025, 3, 30, 1, 30, tzinfo=UTC),
        datetime(2025, 3, 30, 0, 30, tzinfo=UTC),
    )


@pytest.mark.parametrize("text", ["2025-03-30 03:30", "2025-10-26T01:30:00Z", "2025-10-26 01:30+01:00", "2025-10-26"])
def test_any_other_time_has_one_instant(text: str) -> None:
    assert clock_change(text, LONDON) is None


OFFSETS = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 29), timezones=OFFSETS)


@given(MOMENTS)
def test_an_instant_is_read_back_from_its_wire_form(moment: datetime) -> None:
    assert parse_instant(instant_text(moment), LONDON) == moment


@given(MOMENTS)
def test_an_instant_with_any_offset_is_read(moment: datetime) -> None:
    assert parse_instant(moment.isoformat(), LONDON) == moment


@given(MOMENTS, MOMENTS)
def test_wire_forms_sort_by_time(one: datetime, other: datetime) -> None:
    assert (instant_text(one) < instant_text(other)) == (one < other)


@given(st.text(alphabet="0123456789-:. TZ+", max_size=40))
def test_text_similar_to_a_date_is_read_or_refused(text: str) -> None:
    try:
        moment = parse_instant(text, UTC)
    except ValueError:
        return
    assert moment.tzinfo is UTC


def test_the_wire_form_depends_on_the_zone_and_on_the_end_of_day() -> None:
    forms = {wire_instant("2026-07-01", zone, end_of_day=end) for zone in (UTC, LONDON) for end in (False, True)}
    assert forms == {
        "2026-07-01T00:00:00.000000Z",
        "2026-07-01T23:59:59.000000Z",
        "2026-06-30T23:00:00.000000Z",
        "2026-07-01T22:59:59.000000Z",
    }


MOMENT = "2026-03-01T12:00:00.000000Z"
BEFORE, AFTER = "2026-03-01T11:59:59.999999Z", "2026-03-01T12:00:00.000001Z"


def seen(now: str, expired: str = "badge", **fields: Any) -> str:
    return visibility({"starts_at": None, "ends_at": None, "is_active": True, **fields}, now=now, expired=expired)


def test_a_listing_without_dates_is_visible() -> None:
    """docs/contract.md 2.3, 3.3."""
    assert seen(MOMENT) == "visible"


@pytest.mark.parametrize(("now", "state"), [(BEFORE, "hidden"), (MOMENT, "visible"), (AFTER, "visible")])
def test_a_listing_is_hidden_until_its_start(now: str, state: str) -> None:
    assert seen(now, starts_at=MOMENT) == state


@pytest.mark.parametrize(("expired", "state"), [("badge", "expired"), ("hide", "hidden")])
def test_the_expired_setting_determines_the_state_after_the_end(expired: str, state: str) -> None:
    assert seen(BEFORE, expired, ends_at=MOMENT) == seen(MOMENT, expired, ends_at=MOMENT) == "visible"
    assert seen(AFTER, expired, ends_at=MOMENT) == state


def test_an_inactive_listing_is_hidden() -> None:
    assert seen(MOMENT, is_active=False) == "hidden"
