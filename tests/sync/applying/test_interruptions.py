"""A run that is cancelled: once, and twice."""

import asyncio
from typing import Any

import httpx
import pytest

from contentsync.model import Entry, Kind
from contentsync.remote.pacing import Pacer
from contentsync.sync.applying.apply import apply
from contentsync.sync.comparing.change import Result, Status
from contentsync.sync.planning.plan import Policy
from contentsync.sync.state.journal import Journal

from ..entries import page
from ..site import TARGET, Script, Sent, Site, is_write

PAGES = [page(key) for key in "abcde"]


def applying(site: Site, entries: list[Entry], script: Script, drive: Any, **options: Any) -> list[Result]:
    """Apply in a task that `drive` may cancel, and closes the journal afterwards."""
    results: list[Result] = []

    async def main() -> None:
        async with site.remote(script, **options) as remote:
            plan = await site.plan(remote, entries, Policy(prune=True, on_drift="overwrite"))
            journal = Journal(site.state_dir, TARGET, site.next_run(), plan)
            running = asyncio.create_task(apply(plan, remote, results.append, journal=journal, concurrency=2))
            async with asyncio.timeout(60):
                await drive(running)
                with pytest.raises(asyncio.CancelledError):
                    await running
            journal.close()

    asyncio.run(main())
    return results


def test_a_first_interruption_completes_the_requests_in_flight(site: Site) -> None:
    """CO-14"""
    in_flight = asyncio.Event()

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if is_write(request):
            in_flight.set()
            await asyncio.sleep(0.02)
        return await send(request)

    async def interrupt(running: "asyncio.Task[None]") -> None:
        await in_flight.wait()
        running.cancel()

    results = applying(site, PAGES, script, interrupt)
    assert [result.status for result in results] == [*[Status.DONE] * 2, *[Status.SKIPPED] * 3]
    assert results[-1].error == "not tried: interrupted"
    assert len(site.base) == 2
    site.synced(PAGES)
    assert len(site.there(Kind.PAGE)) == 5


def test_an_interruption_does_not_wait_for_the_rate_limit(site: Site) -> None:
    """CO-14: a request that waits for the rate limit is not in flight."""
    waiting = asyncio.Event()

    async def sleep(seconds: float) -> None:
        """Wait for the rate limit, for ever."""
        waiting.set()
        await asyncio.Event().wait()

    async def interrupt(running: "asyncio.Task[None]") -> None:
        await waiting.wait()
        running.cancel()

    sent: list[httpx.Request] = []

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        sent.append(request)
        return await send(request)

    allowed_requests = len(Kind) + 2  # the list of each kind, and the creates of two pages
    results = applying(site, PAGES, script, interrupt, sleep=sleep, pacer=Pacer(allowed_requests))
    assert [result.status for result in results] == [*[Status.DONE] * 2, *[Status.SKIPPED] * 3]
    assert len(sent) == allowed_requests
    site.synced(PAGES)
    assert len(site.there(Kind.PAGE)) == 5


def test_a_second_interruption_stops_at_once_and_leaves_unknown_results(site: Site) -> None:
    """CO-14"""
    in_flight = asyncio.Event()

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        response = await send(request)
        if is_write(request):
            in_flight.set()
            await asyncio.sleep(60)
        return response

    async def interrupt_twice(running: "asyncio.Task[None]") -> None:
        await in_flight.wait()
        running.cancel()
        await asyncio.sleep(0.01)
        running.cancel()

    results = applying(site, PAGES, script, interrupt_twice)
    assert [result.status for result in results] == [*[Status.UNKNOWN] * 2, *[Status.SKIPPED] * 3]
    site.synced(PAGES)
    assert len(site.there(Kind.PAGE)) == 5
    assert len(site.base) == 5
