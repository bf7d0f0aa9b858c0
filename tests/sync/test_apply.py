import asyncio
from typing import Any

import httpx
import orjson

from contentsync.model import Kind
from contentsync.remote import Remote, Service
from contentsync.sync import Result, Status, apply, make_plan

from ..remote.script import Handler, json_response
from .entries import actual, desired


def run(plan: Any, handler: Handler) -> list[Result]:
    results: list[Result] = []

    async def applied() -> None:
        async with Service("http://127.0.0.1:1", "t", transport=httpx.MockTransport(handler)) as service:
            await apply(plan, Remote(service, 1), results.append)

    asyncio.run(applied())
    return results


def statuses(results: list[Result]) -> list[tuple[str, Status]]:
    return [(result.change.key, result.status) for result in results]


def test_an_id_that_the_server_gave_is_used_by_what_follows() -> None:
    bodies: list[Any] = []

    def handler(request: httpx.Request) -> httpx.Response:
        bodies.append(orjson.loads(request.content))
        return json_response(201, {"data": {"id": 100 + len(bodies)}})

    plan = make_plan(
        [desired(Kind.CATEGORY, "b", title="B", parent_id="a"), desired(Kind.CATEGORY, "a", title="A", parent_id=None)],
        [],
    )
    assert statuses(run(plan, handler)) == [("a", Status.DONE), ("b", Status.DONE)]
    assert bodies[1] == {"title": "B", "parent_id": 101}


def test_one_failing_entry_does_not_stop_the_others_and_is_named_by_its_line() -> None:
    """HT-15"""

    def handler(request: httpx.Request) -> httpx.Response:
        if orjson.loads(request.content)["title"] == "Bad":
            return json_response(422, {"message": "Invalid", "errors": {"title": ["title is bad"]}})
        return json_response(201, {"data": {"id": 1}})

    plan = make_plan([desired(Kind.PAGE, "a", line=3, title="Bad"), desired(Kind.PAGE, "b", title="Good")], [])
    results = run(plan, handler)
    assert statuses(results) == [("a", Status.FAILED), ("b", Status.DONE)]
    assert results[0].error == "page.md:3:1: title is bad"


def test_an_outcome_that_is_not_known_is_called_unknown() -> None:
    """HT-02, HT-03"""

    def handler(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("slow")

    plan = make_plan([desired(Kind.PAGE, "a", title="New")], [actual(Kind.PAGE, "a", 1, title="Old")])
    assert statuses(run(plan, handler)) == [("a", Status.UNKNOWN)]


def test_refused_credentials_stop_the_run_and_the_rest_is_skipped() -> None:
    """HT-14"""
    requests: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return json_response(*((201, {"data": {"id": 1}}) if len(requests) == 1 else (401, {"message": "No"})))

    plan = make_plan([desired(Kind.PAGE, key, title=key) for key in "abcd"], [])
    assert [status for _, status in statuses(run(plan, handler))] == [
        Status.DONE,
        Status.FAILED,
        Status.SKIPPED,
        Status.SKIPPED,
    ]
    assert len(requests) == 2


def test_an_entry_that_needs_one_that_failed_is_not_sent() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        assert "categories" in request.url.path
        return json_response(500, {"message": "Server Error"})

    plan = make_plan(
        [
            desired(Kind.CATEGORY, "tools", title="Tools"),
            desired(Kind.LISTING, "saw", slug="saw", categories=["tools"]),
        ],
        [],
    )
    results = run(plan, handler)
    assert statuses(results) == [("tools", Status.FAILED), ("saw", Status.FAILED)]
    assert results[1].error == "listing.md:1:1: category 'tools' is not on the server"


def test_new_listings_go_a_hundred_at_a_time() -> None:
    sizes: list[int] = []

    def handler(request: httpx.Request) -> httpx.Response:
        listings = orjson.loads(request.content)["listings"]
        sizes.append(len(listings))
        made = [{"id": sum(sizes) * 1000 + number, **listing} for number, listing in enumerate(listings)]
        return json_response(200, {"data": made, "errors": [], "total_created": len(made), "total_errors": 0})

    plan = make_plan([desired(Kind.LISTING, f"l{number:03}", slug=f"l{number:03}") for number in range(150)], [])
    assert {result.status for result in run(plan, handler)} == {Status.DONE}
    assert sizes == [100, 50]


def made(request: httpx.Request, **fields: Any) -> httpx.Response:
    """The answer to a bulk create in which all went well."""
    records = [
        {"id": number, **listing, **fields}
        for number, listing in enumerate(orjson.loads(request.content)["listings"], 1)
    ]
    return json_response(200, {"data": records, "errors": [], "total_created": len(records), "total_errors": 0})


def test_new_listings_that_are_too_large_together_go_in_smaller_requests() -> None:
    """HT-18"""
    sizes: list[int] = []

    def handler(request: httpx.Request) -> httpx.Response:
        sizes.append(len(orjson.loads(request.content)["listings"]))
        return made(request) if sizes[-1] < 3 else json_response(413, {"message": "Too large"})

    plan = make_plan([desired(Kind.LISTING, f"l{number}", slug=f"l{number}") for number in range(7)], [])
    assert [status for _, status in statuses(run(plan, handler))] == [Status.DONE] * 7
    assert sizes == [7, 3, 1, 2, 4, 2, 2]


def test_a_listing_that_is_too_large_alone_fails_alone() -> None:
    """HT-18"""

    def handler(request: httpx.Request) -> httpx.Response:
        slugs = [listing["slug"] for listing in orjson.loads(request.content)["listings"]]
        return json_response(413, {"message": "Too large"}) if "l1" in slugs else made(request)

    plan = make_plan([desired(Kind.LISTING, f"l{number}", slug=f"l{number}") for number in range(4)], [])
    assert sorted(statuses(run(plan, handler))) == [
        ("l0", Status.DONE),
        ("l1", Status.FAILED),
        ("l2", Status.DONE),
        ("l3", Status.DONE),
    ]


def test_an_organizer_that_the_service_links_by_itself_is_taken_off_again() -> None:
    """service-api.md 4.4.5; where the file says nothing of organizers, the link stays."""
    updates: list[Any] = []

    def handler(request: httpx.Request) -> httpx.Response:
        if request.method == "PUT":
            updates.append((request.url.path, orjson.loads(request.content)))
            return json_response(200, {"data": {"id": 1}})
        return made(request, organizers=[{"id": 9, "name": "Own", "slug": "own"}])

    plan = make_plan(
        [desired(Kind.LISTING, "a", slug="a", organizers=[]), desired(Kind.LISTING, "b", slug="b", name="B")], []
    )
    assert [status for _, status in statuses(run(plan, handler))] == [Status.DONE, Status.DONE]
    assert updates == [("/api/directories/1/projects/1", {"organizers": []})]


def test_cancelling_tells_what_is_known_of_every_change() -> None:
    """CO-14"""
    results: list[Result] = []
    sent = asyncio.Event()

    async def handler(request: httpx.Request) -> httpx.Response:
        if orjson.loads(request.content)["title"] == "a":
            return json_response(201, {"data": {"id": 1}})
        sent.set()
        await asyncio.sleep(60)
        raise AssertionError("never answered")

    async def interrupted() -> None:
        plan = make_plan([desired(Kind.PAGE, key, title=key) for key in "abc"], [])
        async with Service("http://127.0.0.1:1", "t", transport=httpx.MockTransport(handler)) as service:
            running = asyncio.create_task(apply(plan, Remote(service, 1), results.append))
            await sent.wait()
            running.cancel()
            await asyncio.wait([running])
            assert running.cancelled()

    asyncio.run(interrupted())
    assert statuses(results) == [("a", Status.DONE), ("b", Status.UNKNOWN), ("c", Status.SKIPPED)]
