"""Carrying out plans, against the real server."""

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from contentsync.errors import Denied, Refused, Unwritable
from contentsync.model import RECORDS, Entry, Kind, Notes, Source
from contentsync.sync.applying.apply import apply
from contentsync.sync.comparing.change import Result, Status
from contentsync.sync.planning.plan import Policy
from contentsync.sync.state.journal import Journal
from contentsync.sync.state.state_dir import StateDir

from ..entries import desired
from ..faults import answered, of
from ..full_disk import full_disk
from ..site import TARGET, Sent, Site, body, is_write, statuses


def page(key: str, line: int = 1, **fields: Any) -> Entry:
    return desired(Kind.PAGE, key, line, slug=key, **{"title": key.upper(), **fields})


def in_file(path: str, key: str, title: str) -> Entry:
    """Return a page in a file."""
    return Entry(Kind.PAGE, key, {"slug": key, "title": title}, Source(path))


PAGES = [page(key) for key in "abcde"]


def test_a_plan_is_empty_after_it_was_applied(site: Site) -> None:
    """PL-11"""
    entries = [
        desired(Kind.CATEGORY, "saws", title="Saws", parent_id="tools"),
        desired(Kind.CATEGORY, "tools", title="Tools", parent_id=None),
        desired(Kind.TAG, "open", title="Open"),
        desired(Kind.CUSTOM_FIELD, "licence", name="licence", label="Licence", type="text"),
        desired(Kind.ORGANIZER, "atelier", name="Atelier"),
        desired(
            Kind.LISTING,
            "https://saw.example",
            url="https://saw.example",
            name="Saw",
            categories=["saws"],
            tags=["open"],
            organizers=["atelier"],
            licence="MIT",
        ),
        desired(Kind.ARTICLE, "hello", title="Hello", slug="hello", markdown="Hello"),
        *PAGES,
    ]
    site.synced(entries)
    assert site.there(Kind.LISTING)["https://saw.example"].fields["categories"] == ["saws"]
    assert not site.planned(entries)
    site.synced(entries)
    assert site.writes == []


def test_a_failed_entry_does_not_stop_the_others_and_is_located(site: Site) -> None:
    """HT-15"""
    results, stopped = site.sync([page("a", 3, title="x" * 300), page("b")])
    assert stopped is None
    assert statuses(results) == {"a": Status.FAILED, "b": Status.DONE}
    (error,) = (result.error for result in results if result.status is Status.FAILED)
    assert error.startswith("page.md:3:1: title ")


@pytest.mark.parametrize(
    ("status", "document", "is_open"),
    [
        (422, {"message": "no", "errors": {"title": ["is bad"]}}, False),
        (413, {"message": "too large"}, False),
        (404, {"message": "no such page"}, True),
        (404, {}, True),  # of a server that stands in for the service
        (501, {"message": "not yet"}, True),
        (503, {"message": "down"}, True),
    ],
    ids=["HT-15", "HT-18", "HT-17", "404 of no service", "501", "HT-13"],
)
def test_only_a_refusal_of_the_record_itself_is_not_worth_a_retry(
    site: Site, status: int, document: Any, is_open: bool
) -> None:
    site.synced([page("a")])
    ([result], _) = site.sync([page("a", title="New")], answered(status, document, of("PUT", "/pages/"), times=9))
    assert result.is_open == is_open
    ([result], _) = site.sync([page("a", title="New")])
    assert not result.is_open


def test_an_entry_that_needs_a_failed_one_is_not_sent(site: Site) -> None:
    tools = desired(Kind.CATEGORY, "tools", title="x" * 300)
    saw = desired(Kind.LISTING, "saw", line=4, slug="saw", name="Saw", categories=["tools"])
    results, _ = site.sync([tools, saw])
    assert statuses(results) == {"tools": Status.FAILED, "saw": Status.FAILED}
    assert (
        results[1].error
        == "listing.md:4:1: category 'tools' is not on the server: sync it first, or remove the reference"
    )
    assert len(site.writes) == 1


def test_a_reference_follows_a_renamed_entry_even_if_another_rename_fails(site: Site) -> None:
    """a becomes c, and b, which fails, was to become a: a reference to a is a reference to b, and not to c."""

    def category(key: str, title: str, *previous: str) -> Entry:
        fields = {"slug": key, "title": title}
        return Entry(Kind.CATEGORY, key, fields, Source("all.yaml"), Notes(previous=previous))

    def listing(*keys: str) -> Entry:
        return desired(Kind.LISTING, "saw", slug="saw", name="Saw", categories=[*keys])

    site.synced([category("a", "x"), category("b", "y"), listing()])
    after = [category("c", "x", "a"), category("a", "y", "b"), listing("a")]
    results, _ = site.sync(after, answered(422, {"message": "no"}, of("PUT", "/categories/2")))
    assert statuses(results) == {"c": Status.DONE, "a": Status.FAILED, "saw": Status.DONE}
    assert site.there(Kind.LISTING)["saw"].fields["categories"] == ["b"]
    site.synced(after)
    assert site.there(Kind.LISTING)["saw"].fields["categories"] == ["a"]
    assert site.there(Kind.CATEGORY)["a"].id == 2


def test_refused_credentials_stop_the_run_and_list_what_was_not_sent(site: Site) -> None:
    """HT-14"""

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if is_write(request) and body(request)["title"] == "C":
            return httpx.Response(401, json={"message": "Unauthenticated."})
        return await send(request)

    results, stopped = site.sync(PAGES, script, concurrency=1)
    assert isinstance(stopped, Denied)
    assert [result.status for result in results] == [
        *[Status.DONE] * 2,
        Status.FAILED,
        *[Status.SKIPPED] * 2,
    ]
    assert len(site.writes) == 3
    assert site.there(Kind.PAGE).keys() == {"a", "b"}


def test_the_number_of_requests_in_flight_is_limited(site: Site) -> None:
    flying, most, full = 0, 0, asyncio.Event()

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        nonlocal flying, most
        if not is_write(request):
            return await send(request)
        flying += 1
        most = max(most, flying)
        if flying == 3:
            full.set()
        await asyncio.wait_for(full.wait(), 10)
        await asyncio.sleep(0.002)
        flying -= 1
        return await send(request)

    site.sync([page(f"p{number}") for number in range(12)], script, concurrency=3)
    assert most == 3


def test_on_error_stop_sends_no_further_write(site: Site) -> None:
    refuse = answered(422, {"message": "No"}, lambda request: is_write(request) and body(request)["title"] == "B")
    results, stopped = site.sync(PAGES, refuse, concurrency=1, on_error="stop")
    assert stopped is None
    assert list(statuses(results).values()) == [Status.DONE, Status.FAILED, *[Status.SKIPPED] * 3]
    assert "--on-error is stop" in results[-1].error


def test_two_pages_exchange_their_slugs(site: Site) -> None:
    """SL-15"""
    site.synced([in_file("one.md", "a", "One"), in_file("two.md", "b", "Two")])
    before = {key: entry.id for key, entry in site.there(Kind.PAGE).items()}
    swapped = [in_file("one.md", "b", "One"), in_file("two.md", "a", "Two")]
    site.synced(swapped)
    after = site.there(Kind.PAGE)
    assert {key: entry.id for key, entry in after.items()} == {"a": before["b"], "b": before["a"]}
    assert {key: entry.fields["title"] for key, entry in after.items()} == {"a": "Two", "b": "One"}
    assert {key[1]: line.id for key, line in site.base.items()} == {"a": before["b"], "b": before["a"]}
    assert not site.planned(swapped)


def test_a_failed_exchange_of_slugs_leaves_both_entries_unchanged(site: Site) -> None:
    """SL-15"""
    site.synced([in_file("one.md", "a", "One"), in_file("two.md", "b", "Two")])
    swapped = [in_file("one.md", "b", "One"), in_file("two.md", "a", "Two")]
    results, _ = site.sync(swapped, answered(422, {"message": "No"}, times=9))
    assert {result.status for result in results} == {Status.FAILED}
    site.synced(swapped)
    assert {key: entry.fields["title"] for key, entry in site.there(Kind.PAGE).items()} == {"a": "Two", "b": "One"}


def test_a_field_that_the_server_stores_differently_is_reported_once(site: Site) -> None:
    """HT-25"""

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        response = await send(request)
        if is_write(request):
            await response.aread()
            document = response.json()
            document["data"]["markdown"] = "*otherwise*"
            return httpx.Response(response.status_code, json=document)
        return response

    results, _ = site.sync([page("a", markdown="text", order=1)], script)
    assert [(result.status, result.altered_fields) for result in results] == [(Status.DONE, ("markdown",))]
    site.edit(Kind.PAGE, "a", markdown="*otherwise*")
    assert not site.planned([page("a", markdown="text", order=1)])


def test_a_concurrent_change_of_another_field_is_drift_in_the_next_plan(site: Site) -> None:
    """CO-07"""
    site.synced([page("a", order=1, markdown="text")])

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if is_write(request):
            await send(httpx.Request("PUT", request.url, json={"order": 7}))
        return await send(request)

    site.sync([page("a", order=1, markdown="new")], script)
    (change,) = site.planned([page("a", order=1, markdown="new")]).changes
    assert (tuple(change.fields), change.drift) == (("order",), ("order",))


def test_references_resolved_in_favour_of_the_server_stay_after_the_next_plan(site: Site) -> None:
    def listing(*keys: str) -> Entry:
        return desired(Kind.LISTING, "saw", slug="saw", name="Saw", tags=[*keys])

    tags = {key: desired(Kind.TAG, key, slug=key, title=key.upper()) for key in ("old", "other", "new")}
    site.synced([tags["old"], tags["other"], listing("old")])
    site.edit(Kind.LISTING, "saw", tags=[])
    folder = [*tags.values(), listing("other", "new")]
    site.sync(folder, policy=Policy(on_conflict="theirs"))
    assert site.there(Kind.LISTING)["saw"].fields["tags"] == []
    assert not site.planned(folder)


def test_a_run_that_lost_its_lock_sends_no_further_write(site: Site) -> None:
    """CO-12"""
    asked = 0

    def check_lock() -> None:
        nonlocal asked
        asked += 1
        if asked > 2:
            raise Refused("the lock was taken over")

    results, stopped = site.sync(PAGES, check_lock=check_lock, concurrency=1)
    assert isinstance(stopped, Refused)
    assert [result.status for result in results] == [*[Status.DONE] * 2, *[Status.SKIPPED] * 3]
    assert len(site.writes) == 2
    assert not site.state_dir.state.exists()  # it is the other run's by now
    site.synced(PAGES)
    assert len(site.writes) == 3


def test_two_concurrent_runs_of_one_commit_create_no_duplicates(site: Site, tmp_path: Path) -> None:
    """CO-05: they share no lock."""
    listings = [
        desired(Kind.LISTING, f"https://{n}.example", url=f"https://{n}.example", name=f"L{n}") for n in range(9)
    ]
    entries = [*PAGES, *listings]

    async def both() -> list[Result]:
        results: list[Result] = []
        async with site.remote() as one, site.remote() as other:
            applying = []
            for name, remote in (("one", one), ("other", other)):
                plan = await site.plan(remote, entries, Policy())
                journal = Journal(StateDir.for_target(tmp_path / name, TARGET.name), TARGET, "run", plan)
                again = partial(site.plan_again, remote, entries, Policy())
                applying.append(apply(plan, remote, results.append, replan=again, journal=journal))
            assert await asyncio.gather(*applying) == [None, None]
        return results

    assert {result.status for result in asyncio.run(both())} == {Status.DONE}
    assert len(site.everything()) == len(entries)
    assert not site.planned(entries)


def test_a_full_disk_stops_every_write_that_is_not_in_the_journal(site: Site) -> None:
    """FI-24"""

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if not is_write(request):
            return await send(request)
        return httpx.Response(201, json={"data": {"id": 1, **body(request)}})

    async def main() -> tuple[Any, list[Result]]:
        async with site.remote() as remote:
            plan = await site.plan(remote, PAGES, Policy())
        async with site.remote(script) as remote:
            journal = Journal(site.state_dir, TARGET, "run", plan)
            results: list[Result] = []
            with full_disk(journal.file.stat().st_size + 900):
                stopped = await apply(plan, remote, results.append, journal=journal, concurrency=1)
            journal.close()
        return stopped, results

    stopped, results = asyncio.run(main())
    assert isinstance(stopped, Unwritable)
    sent = sum(map(is_write, site._requests))
    assert 0 < sent < 5
    assert [result.status for result in results] == [Status.DONE] * sent + [Status.SKIPPED] * (5 - sent)
    site.synced(PAGES)
    assert len(site.there(Kind.PAGE)) == 5


@pytest.mark.parametrize("kind", [Kind.LISTING, Kind.TAG])
def test_new_rows_of_a_table_are_created_in_the_order_of_the_file(site: Site, kind: Kind) -> None:
    """Also if an earlier request takes longer than a later one, and if the rows need several requests."""
    number = 250 if kind is Kind.LISTING else 12
    rows = [
        desired(kind, f"t-{(row * 7919) % number}", row, slug=f"t-{(row * 7919) % number}")
        for row in range(2, number + 2)
    ]
    named = [replace(row, fields={**row.fields, RECORDS[kind].title_field: row.key}) for row in rows]
    waits = iter([0.05, 0.02])

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if is_write(request):
            await asyncio.sleep(next(waits, 0))
        return await send(request)

    results, _ = site.sync(named, script, concurrency=4)
    assert set(statuses(results).values()) == {Status.DONE}
    there = site.there(kind)
    assert sorted(there, key=lambda key: there[key].id or 0) == [row.key for row in named]
