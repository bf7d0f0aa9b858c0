"""Carrying out plans, against the real server."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from contentsync.errors import Denied, Refused, Unwritable
from contentsync.model import Entry, Kind, Notes, Source
from contentsync.sync import Journal, Policy, Result, Status, apply

from .entries import desired
from .faults import answered
from .full_disk import full_disk
from .site import TARGET, Script, Sent, Site, body, is_write, statuses


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def page(key: str, line: int = 1, **fields: Any) -> Entry:
    return desired(Kind.PAGE, key, line, slug=key, **{"title": key.upper(), **fields})


def in_file(path: str, key: str, title: str) -> Entry:
    return Entry(Kind.PAGE, key, {"slug": key, "title": title}, Source(path))


PAGES = [page(key) for key in "abcde"]


def test_an_applied_plan_is_followed_by_an_empty_one(site: Site) -> None:
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


def test_one_failing_entry_does_not_stop_the_others_and_is_named_by_its_line(site: Site) -> None:
    """HT-15"""
    results, stopped = site.sync([page("a", 3, title="x" * 300), page("b")])
    assert stopped is None
    assert statuses(results) == {"a": Status.FAILED, "b": Status.DONE}
    (error,) = (result.error for result in results if result.status is Status.FAILED)
    assert error.startswith("page.md:3:1: title ")


def test_an_entry_that_needs_one_that_failed_is_not_sent(site: Site) -> None:
    tools = desired(Kind.CATEGORY, "tools", title="x" * 300)
    saw = desired(Kind.LISTING, "saw", line=4, slug="saw", name="Saw", categories=["tools"])
    results, _ = site.sync([tools, saw])
    assert statuses(results) == {"tools": Status.FAILED, "saw": Status.FAILED}
    assert results[1].error == "listing.md:4:1: category 'tools' is not on the server"
    assert len(site.writes) == 1


def test_refused_credentials_stop_the_run_with_an_exact_list(site: Site) -> None:
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


def test_no_more_than_the_given_number_is_in_flight(site: Site) -> None:
    flying, most = 0, 0

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        nonlocal flying, most
        flying += 1
        most = max(most, flying if is_write(request) else 0)
        await asyncio.sleep(0.002)
        flying -= 1
        return await send(request)

    site.sync([page(f"p{number}") for number in range(12)], script, concurrency=3)
    assert most == 3


def test_on_error_stop_begins_nothing_more(site: Site) -> None:
    refuse = answered(422, {"message": "No"}, lambda request: is_write(request) and body(request)["title"] == "B")
    results, stopped = site.sync(PAGES, refuse, concurrency=1, on_error="stop")
    assert stopped is None
    assert list(statuses(results).values()) == [Status.DONE, Status.FAILED, *[Status.SKIPPED] * 3]
    assert "--on-error is stop" in results[-1].error


def test_two_pages_swap_their_slugs(site: Site) -> None:
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


def test_a_detour_that_fails_leaves_both_as_they_were(site: Site) -> None:
    """SL-15"""
    site.synced([in_file("one.md", "a", "One"), in_file("two.md", "b", "Two")])
    swapped = [in_file("one.md", "b", "One"), in_file("two.md", "a", "Two")]
    results, _ = site.sync(swapped, answered(422, {"message": "No"}, times=9))
    assert {result.status for result in results} == {Status.FAILED}
    site.synced(swapped)
    assert {key: entry.fields["title"] for key, entry in site.there(Kind.PAGE).items()} == {"a": "Two", "b": "One"}


def test_a_field_that_the_server_does_not_store_is_told_once(site: Site) -> None:
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
    assert [(result.status, result.unstored) for result in results] == [(Status.DONE, ("markdown",))]
    site.edit(Kind.PAGE, "a", markdown="*otherwise*")
    assert not site.planned([page("a", markdown="text", order=1)])


def test_what_somebody_changed_meanwhile_in_another_field_is_drift_in_the_next_plan(site: Site) -> None:
    """CO-07"""
    site.synced([page("a", order=1, markdown="text")])

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if is_write(request):
            await send(httpx.Request("PUT", request.url, json={"order": 7}))
        return await send(request)

    site.sync([page("a", order=1, markdown="new")], script)
    (change,) = site.planned([page("a", order=1, markdown="new")]).changes
    assert (tuple(change.fields), change.drift) == (("order",), ("order",))


def test_deletes_come_last_and_children_first(site: Site) -> None:
    """PL-04"""
    gone = [
        desired(Kind.CATEGORY, "tools", title="Tools"),
        desired(Kind.CATEGORY, "saws", title="Saws", parent_id="tools"),
        desired(Kind.LISTING, "https://saw.example", url="https://saw.example", name="Saw", categories=["saws"]),
    ]
    site.synced([*gone, *PAGES])
    results, _ = site.sync([*PAGES, page("f")])
    assert [result.change.key for result in results] == ["f", "https://saw.example", "saws", "tools"]
    assert {result.status for result in results} == {Status.DONE}
    assert site.there(Kind.CATEGORY) == {}


def test_deletes_need_a_second_look_that_agrees(site: Site) -> None:
    """CO-01, CO-06"""
    site.synced([*PAGES, desired(Kind.TAG, "t", title="T"), desired(Kind.TAG, "u", title="U")])
    entries = [page("x"), *PAGES[1:], desired(Kind.TAG, "t", title="T")]

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if is_write(request) and request.method == "POST":
            await send(httpx.Request("POST", request.url, json={"title": "Stranger"}))
        return await send(request)

    results, _ = site.sync(entries, script)
    assert statuses(results) == {"x": Status.DONE, "a": Status.SKIPPED, "u": Status.DONE}
    (error,) = (result.error for result in results if result.status is Status.SKIPPED)
    assert error == "not deleted: the server's pages have changed since the plan was made (stranger); run again"
    assert (Kind.PAGE, "a") in site.base
    site.synced(entries)
    assert "a" not in site.there(Kind.PAGE)


def test_an_entry_that_was_edited_meanwhile_is_not_deleted(site: Site) -> None:
    """CO-06"""
    site.synced([*PAGES, page("x")])

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if is_write(request) and request.method == "POST":
            url = httpx.URL(str(request.url) + "/1")
            await send(httpx.Request("PUT", url, json={"markdown": "precious"}))
        return await send(request)

    results, _ = site.sync([*PAGES[1:], page("x"), page("y")], script)
    assert statuses(results) == {"y": Status.DONE, "a": Status.SKIPPED}
    assert site.there(Kind.PAGE)["a"].fields["markdown"] == "precious"


def test_an_entry_that_is_gone_at_the_second_look_is_deleted(site: Site) -> None:
    """HT-17"""
    site.synced([*PAGES, page("x")])

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if is_write(request) and request.method == "POST":
            await send(httpx.Request("DELETE", httpx.URL(str(request.url) + "/1")))
        return await send(request)

    results, _ = site.sync([*PAGES[1:], page("x"), page("y")], script)
    assert statuses(results) == {"y": Status.DONE, "a": Status.DONE}
    assert (Kind.PAGE, "a") not in site.base


def test_without_a_complete_second_look_nothing_is_deleted(site: Site) -> None:
    """HT-06, HT-28"""
    site.synced([*PAGES, page("x")])
    looks = 0

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        nonlocal looks
        looks += request.method == "GET" and request.url.path.endswith("/pages")
        if looks > 1 and request.method == "GET":
            return httpx.Response(200, json={"data": None})
        return await send(request)

    results, _ = site.sync(PAGES, script)
    assert statuses(results) == {"x": Status.SKIPPED}
    assert "not deleted" in results[0].error
    assert "x" in site.there(Kind.PAGE)


def test_what_could_not_be_deleted_stays_ours_and_is_tried_again(site: Site) -> None:
    """PL-08"""
    site.synced([*PAGES, page("x"), page("y")])
    refuse = answered(422, {"message": "No"}, lambda request: request.method == "DELETE")
    results, _ = site.sync(PAGES, refuse)
    assert sorted(result.status for result in results) == [Status.DONE, Status.FAILED]
    assert len(site.base) == 6
    site.synced(PAGES)
    assert site.there(Kind.PAGE).keys() == {*"abcde"}


def test_a_run_that_has_lost_its_lock_writes_nothing_more(site: Site) -> None:
    """CO-12"""
    asked = 0

    def ours() -> None:
        nonlocal asked
        asked += 1
        if asked > 2:
            raise Refused("the lock was taken over")

    results, stopped = site.sync(PAGES, ours=ours, concurrency=1)
    assert isinstance(stopped, Refused)
    assert [result.status for result in results] == [*[Status.DONE] * 2, *[Status.SKIPPED] * 3]
    assert len(site.writes) == 2


def applying(site: Site, entries: list[Entry], script: Script, drive: Any) -> list[Result]:
    """Applies in a task that `drive` may cancel, and closes the journal afterwards."""
    results: list[Result] = []

    async def main() -> None:
        async with site.remote(script) as remote:
            plan = await site.plan(remote, entries, Policy(prune=True))
            journal = Journal.open(site.place, TARGET, site.next_run(), plan)
            running = asyncio.create_task(
                apply(plan, remote, results.append, journal=journal, ours=lambda: None, concurrency=2)
            )
            await drive(running)
            with pytest.raises(asyncio.CancelledError):
                await running
            journal.close()

    asyncio.run(main())
    return results


def test_a_first_interruption_lets_what_is_in_flight_end(site: Site) -> None:
    """CO-14"""
    flying = asyncio.Event()

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if is_write(request):
            flying.set()
            await asyncio.sleep(0.02)
        return await send(request)

    async def once(running: "asyncio.Task[None]") -> None:
        await flying.wait()
        running.cancel()

    results = applying(site, PAGES, script, once)
    assert [result.status for result in results] == [*[Status.DONE] * 2, *[Status.SKIPPED] * 3]
    assert results[-1].error == "not tried: interrupted"
    assert len(site.base) == 2
    site.synced(PAGES)
    assert len(site.there(Kind.PAGE)) == 5


def test_a_second_interruption_ends_at_once_and_what_was_in_flight_is_unknown(site: Site) -> None:
    """CO-14"""
    flying = asyncio.Event()

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        response = await send(request)
        if is_write(request):
            flying.set()
            await asyncio.sleep(60)
        return response

    async def twice(running: "asyncio.Task[None]") -> None:
        await flying.wait()
        running.cancel()
        await asyncio.sleep(0.01)
        running.cancel()

    results = applying(site, PAGES, script, twice)
    assert [result.status for result in results] == [*[Status.UNKNOWN] * 2, *[Status.SKIPPED] * 3]
    site.synced(PAGES)
    assert len(site.there(Kind.PAGE)) == 5
    assert len(site.base) == 5


def test_a_protected_entry_is_remembered_as_such(site: Site) -> None:
    site.synced([*PAGES, desired(Kind.PAGE, "x", notes=Notes(protect=True), title="X", slug="x")])
    assert site.base[Kind.PAGE, "x"].protect
    assert not site.planned(PAGES)


def test_a_disk_that_is_full_lets_nothing_out_that_is_not_noted(site: Site) -> None:
    """FI-24"""

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        return httpx.Response(201, json={"data": {"id": 1, **body(request)}})

    async def main() -> tuple[Any, list[Result]]:
        async with site.remote() as remote:
            plan = await site.plan(remote, PAGES, Policy())
        async with site.remote(script) as remote:
            journal = Journal.open(site.place, TARGET, "run", plan)
            results: list[Result] = []
            with full_disk(journal.file.stat().st_size + 900):
                stopped = await apply(plan, remote, results.append, journal=journal, ours=lambda: None, concurrency=1)
            journal.close()
        return stopped, results

    stopped, results = asyncio.run(main())
    assert isinstance(stopped, Unwritable)
    sent = len(site._requests)
    assert 0 < sent < 5
    assert [result.status for result in results] == [Status.DONE] * sent + [Status.SKIPPED] * (5 - sent)
    site.synced(PAGES)
    assert len(site.there(Kind.PAGE)) == 5
