"""New rows of one table: a hundred is prepared while the server answers the hundred before it."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from contentsync.errors import Refused
from contentsync.model import Entry, Kind, Source
from contentsync.sync.applying.apply import apply
from contentsync.sync.applying.bulk_create import Turn
from contentsync.sync.comparing.change import Result, Status
from contentsync.sync.state.journal import Journal

from ...sampling import sampled
from ..entries import desired
from ..faults import of
from ..site import PRUNING, TARGET, Script, Sent, Site

BULK = of("POST", "/projects/bulk")


def row(number: int, **fields: Any) -> Entry:
    url = f"https://{number:03}.example"
    entry = desired(Kind.LISTING, url, url=url, name=f"L{number}", **fields)
    return Entry(entry.kind, entry.key, entry.fields, source=Source("all.csv", number + 2))


ROWS = [row(number) for number in range(210)]  # three requests


def recorded_intents(site: Site) -> int:
    return sum(file.read_bytes().count(b'"intent":') for file in site.state_dir.journals.glob("*"))


async def until_recorded(site: Site, count: int) -> None:
    async with asyncio.timeout(5):
        while recorded_intents(site) < count:  # noqa: ASYNC110  # the journal is a file
            await asyncio.sleep(0.001)


def statuses(results: list[Result]) -> list[Status]:
    return [result.status for result in results]


def test_the_next_bulk_is_recorded_during_the_previous_request(site: Site) -> None:
    """It is sent only after that answer, so that the server creates the rows in the order of the file."""
    recorded: list[int] = []
    in_flight: list[int] = []
    waiting = 0

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        nonlocal waiting
        if not BULK(request):
            return await send(request)
        waiting += 1
        in_flight.append(waiting)
        expected = min(len(ROWS), 100 * (len(recorded) + 2))
        await until_recorded(site, expected)
        recorded.append(recorded_intents(site))
        answer = await send(request)
        waiting -= 1
        return answer

    results, stopped = site.sync(ROWS, script)
    assert stopped is None
    assert recorded == [200, 210, 210]
    assert in_flight == [1, 1, 1]
    assert {result.change.key for result in results} == {entry.key for entry in ROWS}
    ids = {key: entry.id or 0 for key, entry in site.there(Kind.LISTING).items()}
    assert [ids[entry.key] for entry in ROWS] == sorted(ids.values())


def test_the_next_bulk_is_sent_before_the_previous_response_is_processed() -> None:
    events: list[str] = []

    async def send(turn: Turn) -> None:
        async with turn:
            for _ in range(9):  # the tasks of httpx also give way to others
                await asyncio.sleep(0)
            events.append("sent")
            turn.note_sent()
            await asyncio.sleep(0.001)
            await turn.pass_on()
            events.append("read")

    async def both() -> None:
        first = Turn()
        await asyncio.gather(send(first), send(Turn(first)))

    asyncio.run(both())
    assert events == ["sent", "sent", "read", "read"]


def test_the_next_bulk_is_recorded_after_the_previous_request_is_sent(site: Site) -> None:
    """Preparing takes longer than sending, so the server would be idle."""
    recorded: list[int] = []

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if BULK(request):
            recorded.append(recorded_intents(site))
        return await send(request)

    site.sync(ROWS, script)
    assert recorded == [100, 200, 210]


def test_a_response_is_processed_though_the_next_bulk_is_not_sent() -> None:
    async def pass_on() -> None:
        first = Turn()
        Turn(first)  # waits for the rate limit, perhaps
        async with asyncio.timeout(5), first:
            await first.pass_on()

    asyncio.run(pass_on())


def test_no_further_bulk_is_recorded_after_a_failure_with_on_error_stop(site: Site) -> None:
    broken = [row(7, email="nobody"), *(entry for entry in ROWS if entry.key != row(7).key)]
    results, _ = site.sync(broken, on_error="stop")
    assert statuses(results).count(Status.DONE) == 99
    assert statuses(results).count(Status.SKIPPED) == 110
    assert sum(map(BULK, site.sent)) == 1
    assert recorded_intents(site) == 100


def test_an_interruption_skips_a_bulk_that_waits_for_its_turn(site: Site) -> None:
    """CO-14: no write of it is unclear, so the journal has an end."""
    results: list[Result] = []

    async def interrupted() -> None:
        async with site.remote(_when_prepared(site, 200, lambda: running.cancel())) as remote:
            plan = await site.plan(remote, ROWS, PRUNING)
            journal = Journal(site.state_dir, TARGET, site.next_run(), plan)
            running = asyncio.create_task(apply(plan, remote, results.append, journal=journal))
            await asyncio.wait([running])
            assert running.cancelled()
            journal.close(110)
            assert {id(result.change) for result in results} == {id(change) for change in plan.changes}

    asyncio.run(interrupted())
    assert Counter(statuses(results)) == {Status.DONE: 100, Status.SKIPPED: 110}
    assert {result.error for result in results if result.status is Status.SKIPPED} == {"not tried: interrupted"}
    assert [run.has_ended for run in site.runs] == [True]
    site.synced(ROWS)
    assert len(site.there(Kind.LISTING)) == len(ROWS)


def test_a_waiting_bulk_is_not_sent_after_the_lock_was_lost(site: Site) -> None:
    """CO-12"""
    taken_over = False

    def take_over() -> None:
        nonlocal taken_over
        taken_over = True

    def check_lock() -> None:
        if taken_over:
            raise Refused("the lock of this run was taken over")

    results, stopped = site.sync(ROWS, _when_prepared(site, 200, take_over), check_lock=check_lock)
    assert isinstance(stopped, Refused)
    assert Counter(statuses(results)) == {Status.DONE: 100, Status.SKIPPED: 110}
    assert len(site.there(Kind.LISTING)) == 100


def _when_prepared(site: Site, count: int, act: Callable[[], object]) -> Script:
    """Run an action during the first hundred writes, as soon as this number of intents is recorded."""

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if BULK(request) and recorded_intents(site) <= count:
            await until_recorded(site, count)
            act()
        return await send(request)

    return script


class Died(BaseException):
    """The process ends here."""


DEATHS = [(number, stored) for number in (1, 2, 3) for stored in (True, False)]  # the request, and whether it was done


@pytest.mark.parametrize(("number", "stored"), sampled(DEATHS, every=2))
def test_a_run_that_dies_between_two_bulks_loses_and_duplicates_nothing(site: Site, number: int, stored: bool) -> None:
    """CO-15: this includes the hundred listings that were recorded and not sent."""
    requests = 0

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        nonlocal requests
        requests += BULK(request)
        is_last = BULK(request) and requests == number
        if is_last:
            await until_recorded(site, min(len(ROWS), 100 * (number + 1)))
        answer = await send(request) if stored or not is_last else None
        if is_last or answer is None:
            raise Died
        return answer

    with pytest.raises(Died):
        site.sync(ROWS, script)
    assert [run.has_ended for run in site.runs] == [False]
    site.synced(ROWS)
    assert site.there(Kind.LISTING).keys() == {entry.key for entry in ROWS}
    assert len(site.base) == len(ROWS)
    assert not site.planned(ROWS)
