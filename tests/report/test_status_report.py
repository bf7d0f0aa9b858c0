"""contentsync.report.status_report: the last run, changes on the server, and entries that appear or expire."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from io import StringIO
from pathlib import Path
from zoneinfo import ZoneInfo

from rich.console import Console

from contentsync.model import Entry, Kind, Source
from contentsync.model.scalar import instant_text
from contentsync.report.status_report import (
    MAX_MARKDOWN,
    ForecastReport,
    drift_lines,
    forecast_document,
    last_run_line,
    status_document,
)
from contentsync.sync.comparing.change import Action, Status
from contentsync.sync.comparing.diff import FieldChange
from contentsync.sync.planning.forecast import Forecast, make_forecast
from contentsync.sync.planning.plan import Drift, Plan, Policy
from contentsync.sync.planning.plan_builder import make_plan
from contentsync.sync.state.run_history import Run, Step

from ..sync.entries import actual, desired
from .plans import HERE, plan_of_everything


def created(key: str, status: Status) -> Step:
    return Step(
        Action.CREATE, Kind.PAGE, key, id=None, previous=None, before=None, fields={}, intended=None, status=status
    )


def run(*statuses: Status, ended: bool = True) -> Run:
    steps = [created(f"p{number}", status) for number, status in enumerate(statuses)]
    return Run("20260301T090000Z-1a2b", Path("run.jsonl"), digest="", has_ended=ended, steps=steps)


def test_the_last_sync_is_reported_with_its_results() -> None:
    assert last_run_line(run(Status.DONE, Status.DONE, Status.FAILED), HERE) == (
        "last sync: 2026-03-01 09:00:00 UTC, 2 done, 1 failed (run 20260301T090000Z-1a2b)"
    )


def test_skipped_changes_are_counted_with_and_without_a_step() -> None:
    stopped = replace(run(Status.FAILED, Status.UNKNOWN, Status.SKIPPED, ended=False), skipped=777)
    assert "1 failed, 1 unknown, 777 skipped (run" in last_run_line(stopped, HERE)
    assert status_document(Plan((), (), {}, ()), HERE, stopped)["last_run"]["skipped"] == 777
    assert "1 skipped (run" in last_run_line(replace(stopped, skipped=0), HERE)  # of an earlier version


def test_an_interrupted_run_is_reported() -> None:
    assert last_run_line(run(Status.DONE, Status.UNKNOWN, ended=False), HERE) == (
        "last sync: 2026-03-01 09:00:00 UTC, 1 done, 1 unknown (run 20260301T090000Z-1a2b); "
        "it was interrupted or an outcome is unknown: the next sync finds out"
    )


def test_an_incomplete_undo_is_reported_with_the_next_step() -> None:
    undo = replace(run(Status.DONE, Status.FAILED), undone_run="20260301T080000Z-000000-1")
    assert last_run_line(undo, HERE).endswith("; it did not complete: contentsync undo continues it")
    assert last_run_line(replace(undo, is_complete=True), HERE).endswith("(run 20260301T090000Z-1a2b)")


def test_an_undo_is_reported_with_the_run_that_it_reverts() -> None:
    undo = replace(run(Status.DONE), undone_run="20260301T080000Z-000000-1", is_complete=True)
    assert last_run_line(undo, HERE) == (
        "last undo of run 20260301T080000Z-000000-1: 2026-03-01 09:00:00 UTC, 1 done (run 20260301T090000Z-1a2b)"
    )
    assert status_document(Plan((), (), {}, ()), HERE, undo)["last_run"]["undoes"] == "20260301T080000Z-000000-1"


def test_a_missing_journal_is_reported() -> None:
    assert last_run_line(None, HERE) == "last sync: there is no journal of one here"


def test_changes_of_other_users_on_the_server_are_listed() -> None:
    for policy in (Policy(prune=True, on_drift="overwrite"), Policy(on_drift="keep")):
        assert list(drift_lines(plan_of_everything(policy))) == [
            "1 entry was changed on the server since the last sync",
            "  ! page about: title",
        ]


def test_deletes_of_other_users_on_the_server_are_listed() -> None:
    plan = plan_of_everything()
    folder = [change.entry for change in plan.changes if change.key == "about"]
    without_it = make_plan(folder, [], base=plan.base)
    assert list(drift_lines(without_it)) == ["1 entry was deleted on the server since the last sync", "  ! page about"]
    assert status_document(without_it, HERE, last_run=None)["deleted_there"] == [{"kind": "page", "key": "about"}]


def test_only_the_first_of_many_drifted_entries_are_named() -> None:
    drift = [Drift(desired(Kind.PAGE, f"p{number}"), {"title": FieldChange("a", "b")}) for number in range(10)]
    lines = list(drift_lines(Plan((), (), {}, (), drift=tuple(drift))))
    assert lines[0] == "10 entries were changed on the server since the last sync"
    assert (len(lines), lines[-1]) == (7, "  … and 5 more")


def test_the_document_counts_every_kind() -> None:
    document = status_document(plan_of_everything(), HERE, run(Status.DONE))
    assert document["kinds"]["page"] == {
        "create": 1,
        "update": 2,
        "delete": 0,
        "adopt": 1,
        "unchanged": 1,
        "unmanaged": 2,
    }
    assert set(document["kinds"]) == set(Kind)
    assert document["drift"] == [{"kind": "page", "key": "about", "fields": ["title"]}]
    assert document["last_run"] == {
        "run": "20260301T090000Z-1a2b",
        "ended": True,
        "done": 1,
        "failed": 0,
        "unknown": 0,
        "skipped": 0,
    }
    assert document["in_sync"] is False


def test_equal_sides_are_in_sync() -> None:
    plan = make_plan([desired(Kind.PAGE, "a", title="A")], [actual(Kind.PAGE, "a", 1, title="A")])
    assert status_document(plan, HERE, last_run=None)["in_sync"] is True


NOW = datetime(2026, 3, 1, tzinfo=UTC)
PARIS = ZoneInfo("Europe/Paris")


def of_listings(count: int, name: str = "Sale") -> Forecast:
    entries = [
        Entry(
            Kind.LISTING,
            f"l{number:04}",
            {"name": name, "starts_at": instant_text(NOW + timedelta(minutes=number + 1))},
            Source("listings/all.csv", number + 2),
        )
        for number in range(count)
    ]
    return make_forecast(entries, NOW, NOW + timedelta(days=180))


def report(forecast: Forecast, zone: tzinfo = UTC, secret: str = "") -> ForecastReport:
    return ForecastReport(forecast_document(forecast, secret), zone, "as it is")


def text(forecast: Forecast, *, full: bool = False, secret: str = "") -> str:
    stream = StringIO()
    Console(file=stream, width=200).print(report(forecast, PARIS, secret).text(full=full), end="")
    return stream.getvalue()


def test_times_are_shown_in_the_zone_of_the_site() -> None:
    ended = Entry(Kind.LISTING, "old", {"name": "Old", "ends_at": "2026-07-01T21:59:59.000000Z"})
    forecast = make_forecast([ended], NOW, datetime(2026, 7, 31, tzinfo=UTC))
    assert text(forecast) == (
        "until 2026-07-31 02:00 CEST, as it is: 1 entry expires\n"
        '  - listing old  "Old"  expires 2026-07-01 23:59:59 CEST\n'
        "  current then: 0 listings (and 1 expired)\n"
    )
    assert '  + listing l0000  "Sale"  appears 2026-03-01 01:01 CET  listings/all.csv:2\n' in text(of_listings(1))


def test_a_period_without_events_is_reported() -> None:
    forecast = make_forecast([], NOW, datetime.max.replace(tzinfo=UTC))
    assert text(forecast).startswith("until 9999-12-31 23:59:59 UTC, as it is: nothing appears or expires\n")


def test_a_long_list_of_events_is_shortened_without_full() -> None:
    assert len(text(of_listings(100)).splitlines()) == 22
    assert "… and 81 more later" in text(of_listings(100))
    assert len(text(of_listings(100), full=True).splitlines()) == 102


def test_markdown_shows_titles_as_code_and_stays_short() -> None:
    markdown = report(of_listings(1, "@all `x` <b>")).markdown()
    assert '- listing `l0000` ``"@all `x` <b>"`` appears' in markdown
    long = report(of_listings(1_000)).markdown()
    assert len(long) < MAX_MARKDOWN + 300
    assert "more\n- current then: 1,000 listings" in long


def test_a_token_in_a_title_is_not_shown() -> None:
    forecast = of_listings(1, "my t0ken")
    assert "t0ken" not in text(forecast, secret="t0ken")
    assert "t0ken" not in report(forecast, secret="t0ken").markdown()
    assert "t0ken" not in str(report(forecast, secret="t0ken").document)


def test_the_json_document_has_times_in_utc_and_counts_by_kind() -> None:
    document = report(of_listings(1)).document
    assert document["events"] == [
        {
            "time": "2026-03-01T00:01:00.000000Z",
            "event": "appears",
            "kind": "listing",
            "key": "l0000",
            "title": "Sale",
            "path": "listings/all.csv",
            "line": 2,
        }
    ]
    assert document["current"] == {"organizer": 0, "listing": 1, "page": 0, "article": 0}
    assert document["expired"] == {"listing": 0}
