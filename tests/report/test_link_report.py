"""The report of `links`: which group an address is in, and what the forms show of it."""

from dataclasses import replace
from datetime import date

from contentsync.linkcheck.address_changes import UnwrittenAddress
from contentsync.linkcheck.external_addresses import AddressUse
from contentsync.linkcheck.link_history import LinkHistory
from contentsync.linkcheck.link_results import LinkResult, Outcome, works
from contentsync.model import Entry, Kind, Source
from contentsync.report.link_report import LinkReport, link_document, link_lines, link_markdown

DAYS = (date(2026, 11, 2), date(2026, 11, 9), date(2026, 11, 16))
SAW = Entry(Kind.LISTING, "https://saw.dev", {"name": "Saw"}, Source("all.csv", 2, {"url": ("all.csv", (2, 5))}))
HISTORIES = {
    "https://dead.dev/": LinkHistory(DAYS, "404 Not Found"),
    "https://failing.dev/": LinkHistory(DAYS[:1], "410 Gone"),
    "https://moved.dev/": LinkHistory(moved=DAYS[:2], moved_to="https://new.dev/"),
    "https://once.dev/": LinkHistory(moved=DAYS[:1], moved_to="https://new.dev/"),
}
RESULTS = {
    "https://blocked.dev/": LinkResult(Outcome.UNKNOWN, "403 Forbidden"),
    "https://private.dev/": LinkResult(Outcome.SKIPPED, "a private address"),
    "https://works.dev/": works("https://works.dev/"),
    "https://dead.dev/": LinkResult(Outcome.UNKNOWN, "503 Service Unavailable"),
}


def report(uses: int = 1) -> LinkReport:
    addresses = HISTORIES.keys() | RESULTS.keys()
    places = {address: [AddressUse(SAW, "url", address)] * uses for address in addresses}
    return LinkReport(places, HISTORIES, RESULTS)


def lines(shown: LinkReport, *, full: bool = False) -> list[str]:
    return [*link_lines(link_document(shown), full=full)]


def test_each_address_is_in_one_group() -> None:
    groups = {
        name: [address.removeprefix("https://") for address in found] for name, found in report().groups().items()
    }
    assert groups == {
        "dead": ["dead.dev/"],
        "moved": ["moved.dev/"],
        "failing": ["failing.dev/"],
        "unknown": ["blocked.dev/"],
        "skipped": ["private.dev/"],
    }
    assert report().dead == ["https://dead.dev/"]


def test_the_document_has_the_days_and_the_places() -> None:
    document = link_document(report())
    assert (document["addresses"], document["checked"]) == (7, 3)
    assert document["moved"] == [
        {
            "url": "https://moved.dev/",
            "reason": "",
            "failed": [],
            "moved": ["2026-11-02", "2026-11-09"],
            "moved_to": "https://new.dev/",
            "places": [
                {
                    "kind": "listing",
                    "key": "https://saw.dev",
                    "title": "Saw",
                    "path": "all.csv",
                    "line": 2,
                    "field": "url",
                }
            ],
        }
    ]
    assert document["dead"][0]["reason"] == "503 Service Unavailable"
    assert link_document(LinkReport({}, {}))["checked"] is None


def test_the_text_names_places_and_counts_the_groups() -> None:
    assert lines(report())[:8] == [
        "Dead: failed on three days, at least a week apart",
        "  https://dead.dev/: 503 Service Unavailable, since 2026-11-02",
        "    all.csv, line 2: url of listing https://saw.dev",
        "",
        "Moved: a permanent redirect on two days",
        "  https://moved.dev/ → https://new.dev/",
        "    all.csv, line 2: url of listing https://saw.dev",
        "",
    ]
    last = "7 external addresses: 1 dead, 1 moved, 1 failing, 1 unknown, 1 not checked"
    assert lines(report())[-1] == last
    assert "  https://private.dev/: a private address" in lines(report(), full=True)
    assert "  https://private.dev/: a private address" not in lines(report())
    assert lines(LinkReport({}, {})) == ["0 external addresses: none is dead"]


def test_many_places_of_an_address_are_counted() -> None:
    assert "    and 4 more places" in lines(report(uses=9))
    assert lines(report(uses=9), full=True).count("    all.csv, line 2: url of listing https://saw.dev") == 5 * 9


def test_an_address_that_was_not_written_is_named() -> None:
    left_out = LinkReport({}, {}, left_out=[UnwrittenAddress(SAW, "it exists already")])
    assert lines(left_out)[0] == "not written: listing https://saw.dev: it exists already"


def test_the_heading_says_whether_moved_addresses_were_written() -> None:
    headings = []
    for left_out in (None, [], [UnwrittenAddress(SAW, "it exists already")]):
        headings += [line for line in lines(replace(report(), left_out=left_out)) if line.startswith("Moved")]
    assert [heading.partition("days")[2] for heading in headings] == [
        "",
        "; written",
        "; written, except what is named below",
    ]


def test_the_issue_shows_what_needs_work_as_code() -> None:
    assert link_markdown(link_document(report())) == (
        "## External addresses\n\n1 dead, 1 moved.\n\n"
        "### Dead: failed on three days, at least a week apart\n\n"
        "- `https://dead.dev/`: `503 Service Unavailable`, since 2026-11-02\n"
        "  - `all.csv`, line 2: url of listing `https://saw.dev`\n\n"
        "### Moved: a permanent redirect on two days\n\n"
        "- `https://moved.dev/` → `https://new.dev/`\n"
        "  - `all.csv`, line 2: url of listing `https://saw.dev`\n"
    )
    assert "None is dead, and none has moved." in link_markdown(link_document(LinkReport({}, {})))


def test_an_issue_is_never_too_long_for_a_forge() -> None:
    addresses = [f"https://host-{number}.dev/{'x' * 100}" for number in range(5000)]
    places = {address: [AddressUse(SAW, "url", address)] for address in addresses}
    text = link_markdown(link_document(LinkReport(places, dict.fromkeys(addresses, LinkHistory(DAYS, "404")))))
    assert len(text.encode()) < 65_000
    shown = text.count("- `https://host-")
    assert f"\n{5000 - shown:,} more addresses: `contentsync links --no-check`\n" in text
