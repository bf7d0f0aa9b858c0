"""Deletes, against the real server."""

import httpx

from contentsync.model import Kind, Notes
from contentsync.sync.comparing.change import Status

from ..entries import desired, page
from ..faults import answered
from ..site import Sent, Site, is_write, statuses

PAGES = [page(key) for key in "abcde"]


def test_deletes_come_last_and_children_before_parents(site: Site) -> None:
    """PL-04"""
    deleted = [
        desired(Kind.CATEGORY, "tools", title="Tools"),
        desired(Kind.CATEGORY, "saws", title="Saws", parent_id="tools"),
        desired(Kind.LISTING, "https://saw.example", url="https://saw.example", name="Saw", categories=["saws"]),
    ]
    site.synced([*deleted, *PAGES])
    results, _ = site.sync([*PAGES, page("f")])
    assert [result.change.key for result in results] == ["f", "https://saw.example", "saws", "tools"]
    assert {result.status for result in results} == {Status.DONE}
    assert site.there(Kind.CATEGORY) == {}


def test_an_entry_is_deleted_only_if_a_second_read_confirms_it(site: Site) -> None:
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


def test_an_entry_edited_during_the_run_is_not_deleted(site: Site) -> None:
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


def test_an_entry_deleted_by_another_user_during_the_run_counts_as_deleted(site: Site) -> None:
    """HT-17"""
    site.synced([*PAGES, page("x")])

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if is_write(request) and request.method == "POST":
            await send(httpx.Request("DELETE", httpx.URL(str(request.url) + "/1")))
        return await send(request)

    results, _ = site.sync([*PAGES[1:], page("x"), page("y")], script)
    assert statuses(results) == {"y": Status.DONE, "a": Status.DONE}
    assert (Kind.PAGE, "a") not in site.base


def test_nothing_is_deleted_if_the_second_read_is_incomplete(site: Site) -> None:
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


def test_an_entry_whose_delete_failed_stays_managed_and_is_retried(site: Site) -> None:
    """PL-08"""
    site.synced([*PAGES, page("x"), page("y")])
    refuse = answered(422, {"message": "No"}, lambda request: request.method == "DELETE")
    results, _ = site.sync(PAGES, refuse)
    assert sorted(result.status for result in results) == [Status.DONE, Status.FAILED]
    assert len(site.base) == 6
    site.synced(PAGES)
    assert site.there(Kind.PAGE).keys() == {*"abcde"}


def test_a_protected_entry_is_protected_in_the_base(site: Site) -> None:
    site.synced([*PAGES, desired(Kind.PAGE, "x", notes=Notes(protect=True), title="X", slug="x")])
    assert site.base[Kind.PAGE, "x"].protect
    assert not site.planned(PAGES)
