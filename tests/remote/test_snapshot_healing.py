"""A cached list that the server contradicts: it is dropped, and read whole (docs/evidence.md 1)."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from contentsync.errors import Conflicting
from contentsync.model import Entry, Kind
from contentsync.remote.http_client import Service
from contentsync.remote.record_reader import KnownLists
from contentsync.remote.remote import Remote

from ..embedded import open_server
from ..sync.site import Script, Scripted, Sent, untouched
from .script import json_response

Alter = Callable[[dict[str, Any]], dict[str, Any]]


def altered(method: str, path: str, alter: Alter, *, times: int = 1) -> Script:
    """Return a service that does what is asked, but alters the values in its first answers and keeps their ETags."""
    left = [times]

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        answer = await send(request)
        if request.method != method or not request.url.path.endswith(path) or not left[0]:
            return answer
        left[0] -= 1
        await answer.aread()
        headers = {name: answer.headers[name] for name in ("ETag", "X-List-ETags") if name in answer.headers}
        return json_response(answer.status_code, alter(orjson.loads(answer.content)), headers)

    return script


class Cached:
    """Commands that share a cache, one after the other, towards one directory."""

    def __init__(self, folder: Path) -> None:
        self._embedded = open_server(folder / "site.db", ("en",))
        self._cache = folder / "cache"
        self.requests: list[tuple[str, int]] = []  # of the last command: the path, and the status

    def command(self, act: Callable[[Remote], Awaitable[Any]], script: Script = untouched) -> Any:
        async def noting(request: httpx.Request, send: Sent) -> httpx.Response:
            answer = await script(request, send)
            self.requests.append((request.url.path.rpartition("/")[2], answer.status_code))
            return answer

        async def run() -> Any:
            transport = Scripted(httpx.ASGITransport(app=self._embedded.app), noting)
            async with Service("http://embedded", transport=transport) as service:
                remote = Remote(service, self._embedded.directory_id, KnownLists(self._cache))
                try:
                    return await act(remote)
                finally:
                    remote.save_lists()

        self.requests = []
        return asyncio.run(run())


@pytest.fixture
def cached(tmp_path: Path) -> Cached:
    """Return a directory, and commands that cache its lists in a folder."""
    return Cached(tmp_path)


def bulk(count: int) -> Callable[[Remote], Awaitable[Any]]:
    async def act(remote: Remote) -> None:
        await remote.fetch({Kind.LISTING})
        await remote.create_listings([{"name": f"L{n}", "url": f"https://l{n}.example"} for n in range(count)])

    return act


def keys(kind: Kind) -> Callable[[Remote], Awaitable[Any]]:
    async def act(remote: Remote) -> set[str]:
        entries: list[Entry] = await remote.fetch({kind})
        return {entry.key for entry in entries if entry.kind is kind}

    return act


def silent(document: dict[str, Any]) -> dict[str, Any]:
    return {**document, "data": [], "total_created": 0}


def halved(document: dict[str, Any]) -> dict[str, Any]:
    return {**document, "data": document["data"][:1], "total_created": 1}


@pytest.mark.parametrize("answer", [silent, halved])
def test_a_list_is_read_again_after_an_incomplete_bulk_response(cached: Cached, answer: Alter) -> None:
    cached.command(bulk(3), altered("POST", "/bulk", answer))
    assert cached.command(keys(Kind.LISTING)) == {"https://l0.example", "https://l1.example", "https://l2.example"}


def test_a_list_is_not_read_again_after_a_complete_bulk_response(cached: Cached) -> None:
    cached.command(bulk(3))
    assert len(cached.command(keys(Kind.LISTING))) == 3
    assert ("projects", 304) in cached.requests


def cut(document: dict[str, Any]) -> dict[str, Any]:
    data = document["data"][1:]
    return {**document, "data": data, "meta": {**document["meta"], "total": len(data)}}


async def two_pages(remote: Remote) -> None:
    for title in ("One", "Two"):
        await remote.create(Kind.PAGE, {"title": title, "slug": title.lower()})


def test_a_snapshot_with_another_number_of_records_is_read_again(cached: Cached) -> None:
    cached.command(two_pages)
    assert len(cached.command(keys(Kind.PAGE), altered("GET", "/pages", cut))) == 1
    assert cached.command(keys(Kind.PAGE)) == {"one", "two"}
    assert cached.requests[-2:] == [("pages", 304), ("pages", 200)]
    assert cached.command(keys(Kind.PAGE)) == {"one", "two"}
    assert cached.requests[-1:] == [("pages", 304)]


def test_a_discarded_list_is_read_without_a_condition(cached: Cached) -> None:
    async def contradicted(remote: Remote) -> set[str]:
        await remote.fetch({Kind.PAGE})
        with pytest.raises(Conflicting):
            await remote.create(Kind.PAGE, {"title": "Another", "slug": "one"})
        remote.discard_list(Kind.PAGE)
        return {entry.key for entry in await remote.fetch({Kind.PAGE})}

    cached.command(two_pages)
    cached.command(keys(Kind.PAGE))
    assert cached.command(contradicted) == {"one", "two"}
    assert cached.requests == [("pages", 304), ("pages", 409), ("pages", 200)]
