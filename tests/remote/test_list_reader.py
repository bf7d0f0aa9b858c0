"""Lists that change, lie or never end, page by page."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import httpx
import pytest

from contentsync.errors import RemoteError, ServerError
from contentsync.remote.http_client import Service
from contentsync.remote.list_reader import PARALLEL_PAGES, PASSES, RecordList, read_list, search_list

from .script import Handler, at_once, json_response, page_of

AsyncHandler = Callable[[httpx.Request], Coroutine[None, None, httpx.Response]]

PATH = "/api/directories/42/pages"


def records(first: int, last: int) -> list[dict[str, Any]]:
    return [{"id": number, "slug": f"p{number}"} for number in range(first, last + 1)]


def read(handler: Handler | AsyncHandler, *, paginated: bool = True, cached: RecordList | None = None) -> RecordList:
    """Return the list as the client reads it from a server with this handler."""

    async def asked() -> RecordList:
        async with Service("http://127.0.0.1:1", transport=httpx.MockTransport(handler), sleep=at_once) as service:
            return await read_list(service, PATH, {}, paginated=paginated, cached=cached)

    return asyncio.run(asked())


class Pages:
    """A list with changes between the requests: before the request of each number, from 1."""

    def __init__(self, ids: range, *, etags: bool = False) -> None:
        self.ids = list(ids)
        self.happens: dict[int, Callable[[], object]] = {}
        self.requests: list[int] = []
        self._etags = etags

    def __call__(self, request: httpx.Request) -> httpx.Response:
        number = int(request.url.params["page"])
        self.requests.append(number)
        self.happens.pop(len(self.requests), lambda: None)()
        etag = f'"{hash(tuple(self.ids))}"' if self._etags else None
        if etag is not None and request.headers.get("If-None-Match") == etag:
            return httpx.Response(304, headers={"ETag": etag})
        shown = self.ids[100 * number - 100 : 100 * number]
        last = max(1, -(-len(self.ids) // 100))
        return page_of([{"id": id_} for id_ in shown], last=last, total=len(self.ids), etag=etag)


@pytest.mark.parametrize(("count", "requests"), [(0, 1), (1, 1), (100, 1), (101, 2), (200, 2), (1950, 20)])
def test_a_list_costs_one_request_per_hundred_records(count: int, requests: int) -> None:
    """CO-04"""
    pages = Pages(range(1, count + 1))
    assert [record["id"] for record in read(pages)] == list(range(1, count + 1))
    assert sorted(pages.requests) == list(range(1, requests + 1))


def test_each_page_that_is_read_starts_the_request_for_another() -> None:
    """The last page in flight is answered only after the next one was requested; at most 8 are in flight."""
    last, in_flight, most = 3 * PARALLEL_PAGES, 0, 0
    requested = {number: asyncio.Event() for number in range(1, last + 2)}
    requested[last + 1].set()

    async def handler(request: httpx.Request) -> httpx.Response:
        nonlocal in_flight, most
        number = int(request.url.params["page"])
        requested[number].set()
        in_flight += 1
        most = max(most, in_flight)
        if number > PARALLEL_PAGES:
            async with asyncio.timeout(5):
                await requested[number + 1].wait()
        in_flight -= 1
        return page_of(records(100 * number - 99, 100 * number), last=last, total=100 * last)

    assert read(handler).total == 100 * last
    assert 1 < most <= PARALLEL_PAGES


def test_a_record_deleted_during_the_reading_hides_no_other() -> None:
    """CO-01"""
    pages = Pages(range(1, 251))
    pages.happens[2] = lambda: pages.ids.remove(5)
    assert [record["id"] for record in read(pages)] == pages.ids


def test_a_record_added_during_the_reading_is_listed_once() -> None:
    """CO-02"""
    pages = Pages(range(1, 251))
    pages.happens[2] = lambda: pages.ids.insert(0, 999)
    assert [record["id"] for record in read(pages)] == pages.ids


def test_a_list_in_changing_order_hides_no_record() -> None:
    """CO-03"""
    pages = Pages(range(1, 251))

    def swap() -> None:
        pages.ids[99], pages.ids[100] = pages.ids[100], pages.ids[99]

    pages.happens[2] = swap
    assert sorted(record["id"] for record in read(pages)) == list(range(1, 251))


def test_a_change_that_keeps_the_length_is_detected_by_the_etag() -> None:
    """CO-01, CO-03"""
    pages = Pages(range(1, 251), etags=True)

    def change() -> None:
        pages.ids.remove(5)
        pages.ids.append(999)

    pages.happens[3] = change
    assert [record["id"] for record in read(pages)] == pages.ids


def test_a_list_that_changes_again_and_again_is_an_error() -> None:
    """CO-01, HT-28"""
    pages = Pages(range(1, 151))
    for number in range(1, 2 * PASSES + 1):
        pages.happens[number] = lambda: pages.ids.pop()
    with pytest.raises(ServerError, match="length") as raised:
        read(pages)
    assert raised.value.hint.endswith("run again")
    assert len(pages.requests) == 2 * PASSES


def test_a_service_that_ignores_the_page_number_is_an_error() -> None:
    """HT-28"""
    asked = 0

    def handler(request: httpx.Request) -> httpx.Response:
        nonlocal asked
        asked += 1
        return page_of(records(1, 100), last=1_000_000, total=100_000_000)

    with pytest.raises(ServerError, match="twice"):
        read(handler)
    assert asked < 10 * PASSES


@pytest.mark.parametrize(("last", "total"), [(1, 99), (1, 101), (2, 100), (3, 300), (1, -1), (1, 0)])
def test_totals_that_contradict_the_records_are_an_error(last: int, total: int) -> None:
    """HT-28"""

    def handler(request: httpx.Request) -> httpx.Response:
        return page_of(records(1, 100) if request.url.params["page"] == "1" else [], last=last, total=total)

    with pytest.raises(ServerError):
        read(handler)


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"data": None},
        {"data": {}},
        {"data": [1]},
        {"data": [None]},
        {"data": [{"title": "no id"}], "meta": {"last_page": 1, "total": 1}},
        {"data": [{"id": True}], "meta": {"last_page": 1, "total": 1}},
        {"data": []},
        {"data": [], "meta": {}},
        {"data": [], "meta": []},
        {"data": [], "meta": {"last_page": 1, "total": None}},
        {"data": [], "meta": {"last_page": 1, "total": 7}},
    ],
)
def test_a_response_without_a_list_is_never_an_empty_list(document: Any) -> None:
    """HT-06"""
    with pytest.raises(ServerError):
        read(lambda request: json_response(200, document))


@pytest.mark.parametrize("status", [204, 206, 301, 302, 304, 307])
def test_another_status_is_never_an_empty_list(status: int) -> None:
    """HT-07"""
    with pytest.raises(RemoteError):
        read(lambda request: httpx.Response(status, json={"data": [], "meta": {"last_page": 1, "total": 0}}))


def test_a_list_without_pages_is_one_request() -> None:
    assert [*read(lambda request: json_response(200, {"data": records(1, 250)}), paginated=False)] == records(1, 250)


def test_an_unexpectedly_paginated_list_is_read_completely() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        number = int(request.url.params.get("page", 1))
        return page_of(records(100 * number - 99, min(100 * number, 130)), last=2, total=130)

    assert [*read(handler, paginated=False)] == records(1, 130)


def test_totals_can_be_numbers_in_text() -> None:
    """HT-23"""
    document = {"data": [{"id": "7"}], "meta": {"last_page": "1", "total": "1"}}
    assert [*read(lambda request: json_response(200, document))] == [{"id": "7"}]


def test_an_unchanged_list_is_one_request() -> None:
    pages = Pages(range(1, 1001), etags=True)
    cached = read(pages)
    pages.requests.clear()
    assert read(pages, cached=cached) is cached
    assert pages.requests == [1]


def test_a_changed_list_is_read_again() -> None:
    pages = Pages(range(1, 251), etags=True)
    cached = read(pages)
    pages.ids.append(999)
    pages.requests.clear()
    again = read(pages, cached=cached)
    assert again.total == 251
    assert again.etag != cached.etag
    assert sorted(pages.requests) == [1, 2, 3]


def test_a_record_that_a_page_lists_twice_is_an_error() -> None:
    with pytest.raises(ServerError):
        read(lambda _: page_of([{"id": 1}, {"id": 1}], total=1))


@pytest.mark.parametrize("has_count", [True, False])
def test_a_cached_list_of_another_length_is_read_again(has_count: bool) -> None:
    """A copy that lost records on disk has the ETag of the whole list."""
    known: list[str | None] = []

    def handler(request: httpx.Request) -> httpx.Response:
        known.append(request.headers.get("If-None-Match"))
        if known[-1] == '"e"':
            return httpx.Response(304, headers={"ETag": '"e"', **({"X-Total-Count": "3"} if has_count else {})})
        return page_of(records(1, 3), etag='"e"')

    cached = RecordList('"e"', count=2)
    assert (read(handler, cached=cached) is cached) != has_count
    assert known == (['"e"', None] if has_count else ['"e"'])


def test_a_weakened_etag_is_the_same() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        number = int(request.url.params["page"])
        return page_of(records(100 * number - 99, 100 * number), last=2, total=200, etag=('"e"', 'W/"e"')[number - 1])

    assert read(handler).etag == '"e"'


@pytest.mark.parametrize(("pages", "requests"), [(2, 4), (3, 3)])
def test_different_etags_on_each_page_are_ignored(pages: int, requests: int) -> None:
    asked = 0

    def handler(request: httpx.Request) -> httpx.Response:
        nonlocal asked
        asked += 1
        number = int(request.url.params["page"])
        return page_of(records(100 * number - 99, 100 * number), last=pages, total=100 * pages, etag=f'"{number}"')

    assert read(handler).etag is None
    assert asked == requests


def test_a_record_is_searched_from_the_last_page() -> None:
    pages = Pages(range(1, 1001))

    async def asked(wanted: int) -> dict[str, Any] | None:
        async with Service("http://127.0.0.1:1", transport=httpx.MockTransport(pages)) as service:
            return await search_list(service, PATH, lambda record: record["id"] == wanted)

    assert asyncio.run(asked(850)) == {"id": 850}
    assert pages.requests == [1, 10, 9]
    assert asyncio.run(asked(2000)) is None
