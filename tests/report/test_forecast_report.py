from datetime import UTC, datetime, timedelta, tzinfo
from io import StringIO
from zoneinfo import ZoneInfo

from rich.console import Console

from contentsync.model import Entry, Kind, Source
from contentsync.model.dates import instant_text
from contentsync.report.forecast_report import MAX_MARKDOWN, ForecastReport
from contentsync.sync.forecast import Forecast, make_forecast

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
    return ForecastReport(forecast, zone, "as it is", secret)


def text(forecast: Forecast, *, full: bool = False, secret: str = "") -> str:
    stream = StringIO()
    Console(file=stream, width=200).print(report(forecast, PARIS, secret).text(full=full), end="")
    return stream.getvalue()


def test_times_are_in_the_zone_of_the_site_and_entries_are_clickable() -> None:
    ended = Entry(Kind.LISTING, "old", {"name": "Old", "ends_at": "2026-07-01T21:59:59.000000Z"})
    forecast = make_forecast([ended], NOW, datetime(2026, 7, 31, tzinfo=UTC))
    assert text(forecast) == (
        "until 2026-07-31 02:00 CEST, as it is: 1 entry expires\n"
        '  - listing old  "Old"  expires 2026-07-01 23:59:59 CEST\n'
        "  current then: 0 listings (and 1 expired)\n"
    )
    assert '  + listing l0000  "Sale"  appears 2026-03-01 01:01 CET  listings/all.csv:2\n' in text(of_listings(1))


def test_nothing_is_reported_as_such() -> None:
    forecast = make_forecast([], NOW, datetime.max.replace(tzinfo=UTC))
    assert text(forecast).startswith("until 9999-12-31 23:59:59 UTC, as it is: nothing appears or expires\n")


def test_a_long_list_is_shortened_unless_all_of_it_is_wanted() -> None:
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
    assert "t0ken" not in str(report(forecast, secret="t0ken").document())


def test_a_program_gets_times_in_utc_and_numbers_by_kind() -> None:
    document = report(of_listings(1)).document()
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
