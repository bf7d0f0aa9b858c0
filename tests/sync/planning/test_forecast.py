"""When entries appear and expire."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from contentsync.model import Entry, Kind, Source
from contentsync.model.directory_settings import visibility
from contentsync.model.scalar import instant_text
from contentsync.sync.comparing.base import Base, applied_entry
from contentsync.sync.planning.forecast import entries_after, events_of, make_forecast, state_at
from contentsync.sync.planning.plan import Policy
from contentsync.sync.planning.plan_builder import make_plan

from ..entries import actual, desired

NOW = datetime(2026, 3, 1, tzinfo=UTC)
UNTIL = NOW + timedelta(days=30)


def at(days: float) -> str:
    """Return the time some days after NOW, in the wire form."""
    return instant_text(NOW + timedelta(days=days))


def listing(key: str = "a", **fields: Any) -> Entry:
    """Return an active record of a listing that has no start and no end."""
    return Entry(Kind.LISTING, key, {"is_active": True, "starts_at": None, "ends_at": None, **fields}, id=1)


def events(*entries: Entry) -> list[tuple[str, str, str]]:
    forecast = make_forecast(entries, NOW, UNTIL)
    return [(instant_text(event.time), event.happening, event.entry.key) for event in forecast.events]


def test_events_are_sorted_by_time() -> None:
    article = Entry(Kind.ARTICLE, "b", {"active": True, "published_at": at(5)})
    assert events(listing(starts_at=at(2), ends_at=at(9)), article) == [
        (at(2), "appears", "a"),
        (at(5), "appears", "b"),
        (at(9), "expires", "a"),
    ]


@pytest.mark.parametrize(
    "entry",
    [
        listing(is_active=False, starts_at=at(2), ends_at=at(9)),
        listing(starts_at=at(-2), ends_at=at(-1)),
        listing(starts_at=at(31), ends_at=at(32)),
        listing(starts_at="soon", ends_at=7),
        Entry(Kind.ARTICLE, "b", {"active": False, "published_at": at(5)}),
        Entry(Kind.ARTICLE, "b", {"active": True, "published_at": None}),
        Entry(Kind.PAGE, "c", {"is_published": False}),
        Entry(Kind.TAG, "d", {"starts_at": at(2)}),
    ],
    ids=lambda entry: f"{entry.kind} {[*entry.fields.values()]}",
)
def test_hidden_entries_and_dates_outside_of_the_period_cause_no_events(entry: Entry) -> None:
    assert events(entry) == []


def test_an_event_at_the_border_of_two_periods_is_counted_once() -> None:
    """The events of two neighbouring periods are those of both together."""
    middle = NOW + timedelta(days=7)
    for days in (0, 7, 30):
        entry = listing(starts_at=at(days), ends_at=at(days))
        halves = [*events_of(entry, NOW, middle), *events_of(entry, middle, UNTIL)]
        assert halves == list(events_of(entry, NOW, UNTIL))


@pytest.mark.parametrize("days", [-1, 0, 1, 2, 3])
@pytest.mark.parametrize(
    "fields", [{}, {"starts_at": at(1)}, {"ends_at": at(2)}, {"starts_at": at(1), "ends_at": at(2)}]
)
def test_the_state_of_a_listing_equals_the_one_that_the_server_shows(days: int, fields: dict[str, str]) -> None:
    """`visibility` is the server's rule; "visible" is current."""
    entry = listing(**fields)
    shown = visibility(entry.fields, now=at(days), expired="badge")
    assert state_at(entry, NOW + timedelta(days=days)) == {"visible": "current"}.get(shown, shown)


def test_entries_visible_at_the_requested_time_are_counted() -> None:
    entries = [
        listing("a"),
        listing("b", ends_at=at(1)),
        listing("c", starts_at=at(40)),
        Entry(Kind.PAGE, "p", {}),
        Entry(Kind.ORGANIZER, "o", {"is_active": False}),
        Entry(Kind.CATEGORY, "k", {}),
    ]
    forecast = make_forecast(entries, NOW, UNTIL)
    assert {kind: count for kind, count in forecast.current.items() if count} == {Kind.LISTING: 1, Kind.PAGE: 1}
    assert forecast.expired == {Kind.LISTING: 1}


def test_a_forecast_after_a_plan_includes_its_changes() -> None:
    old = [desired(Kind.LISTING, key, name=key) for key in ("changed", "deleted", "same")]
    synced = [
        actual(Kind.LISTING, "changed", 1, name="changed", is_active=True, starts_at=at(3)),
        actual(Kind.LISTING, "deleted", 2, name="deleted", is_active=True, starts_at=at(4)),
        actual(Kind.LISTING, "same", 3, name="same", is_active=True, starts_at=at(5)),
    ]
    theirs = actual(Kind.LISTING, "theirs", 4, name="theirs", is_active=True, starts_at=at(6))
    base = Base.from_entries(map(applied_entry, old, synced))
    folder = [
        desired(Kind.LISTING, "changed", name="changed", starts_at=at(7)),
        old[2],
        desired(Kind.LISTING, "new", name="new", starts_at=at(8)),
        desired(Kind.LISTING, "draft", name="draft", starts_at=at(9), is_active=False),
    ]
    plan = make_plan(folder, [*synced, theirs], base=base, policy=Policy(prune=True))
    assert events(*entries_after(plan)) == [
        (at(5), "appears", "same"),
        (at(6), "appears", "theirs"),
        (at(7), "appears", "changed"),
        (at(8), "appears", "new"),
    ]


def test_an_event_has_the_file_of_its_entry() -> None:
    entries = [listing("a", starts_at=at(1)), listing("b", starts_at=at(2))]
    located = make_forecast(entries, NOW, UNTIL, [desired(Kind.LISTING, "a", line=4)])
    assert [event.entry.source for event in located.events] == [Source("listing.md", 4), None]
