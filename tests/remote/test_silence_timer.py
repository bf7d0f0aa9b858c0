"""Servers that let requests wait for an answer, mostly in the virtual time of the event loop."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

import httpx
import pytest

from contentsync.errors import AmbiguousOutcome, Unreachable
from contentsync.remote.http_client import Service
from contentsync.remote.pacing import Pacer
from contentsync.remote.retry import TimeLimits, WaitReports

from ..exit_codes import SERVER_ERROR
from ..virtual_time import run_virtually
from .tcp import Answering, ask_tcp

PATH = "/api/directories/42/pages"
TWO_MINUTES = 120.0


class Slow(httpx.AsyncBaseTransport):
    """A server that answers each request after the number of seconds in it."""

    def __init__(self, *seconds: float) -> None:
        self._seconds = [*seconds]
        self.requests: list[str] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request.method)
        await asyncio.sleep(self._seconds.pop(0) if len(self._seconds) > 1 else self._seconds[0])
        return httpx.Response(200, json={"data": []})


SILENT = 1e9


class Asked(NamedTuple):
    """The answer to a question, and what happened until then."""

    result: object  # the answer or the error
    duration: float  # seconds
    reports: list[float]  # during the delay
    requests: list[str]  # that were sent


def ask(
    transport: Slow, question: Callable[[Service], Coroutine[Any, Any, object]], pacer: Callable[[], Pacer | None]
) -> Asked:
    """Return what happens when a client asks a question."""
    reports: list[float] = []

    async def asked() -> tuple[object, float]:
        loop = asyncio.get_running_loop()
        began = loop.time()
        on_overdue = WaitReports(on_overdue=reports.append)
        client = Service("http://127.0.0.1:1", "t", transport=transport, pacer=pacer(), reports=on_overdue)
        async with client as service:
            try:
                result = await question(service)
            except (AmbiguousOutcome, Unreachable) as error:
                result = error
        return result, loop.time() - began

    result, duration = run_virtually(asked())
    return Asked(result, duration, [round(seconds) for seconds in reports], transport.requests)


def unpaced() -> None:
    """Do not wait for a pacer."""


def test_a_silent_server_is_reported_and_given_up_within_two_minutes() -> None:
    """HT-08"""
    error, duration, reports, requests = ask(Slow(SILENT), lambda service: service.get(PATH), unpaced)
    assert isinstance(error, Unreachable)
    assert error.exit_code == SERVER_ERROR
    assert error.message == "http://127.0.0.1:1 has not answered for 110 s, while 2 requests waited for an answer"
    assert "run the command again" in error.hint
    assert reports == [10, 30, 60, 90]
    assert requests == ["GET", "GET"]
    assert duration < TWO_MINUTES


def test_a_silent_write_and_its_read_share_the_two_minutes() -> None:
    """HT-03, HT-08"""

    async def written(service: Service) -> tuple[str, str]:
        with pytest.raises(AmbiguousOutcome) as unknown:
            await service.post(PATH, {})
        with pytest.raises(Unreachable) as unread:
            await service.get(PATH)
        return unknown.value.message, unread.value.message

    result, duration, reports, requests = ask(Slow(SILENT), written, unpaced)
    assert result == (
        "no answer to POST /api/directories/42/pages: it did not arrive in time",
        "http://127.0.0.1:1 has not answered for 110 s, while 2 requests waited for an answer",
    )
    assert requests == ["POST", "GET"]
    assert reports == [10, 30, 60, 90]
    assert duration < TWO_MINUTES


def test_concurrent_silent_requests_share_the_two_minutes() -> None:
    """HT-08"""

    async def many(service: Service) -> int:
        answers = await asyncio.gather(*(service.get(PATH) for _ in range(4)), return_exceptions=True)
        answers += await asyncio.gather(*(service.get(PATH) for _ in range(4)), return_exceptions=True)
        return sum(isinstance(answer, Unreachable) for answer in answers)

    given_up, duration, reports, requests = ask(Slow(SILENT), many, unpaced)
    assert given_up == 8
    assert len(requests) == 8  # two tries of the first four
    assert reports == [10, 30, 60, 90]  # once, not once for each request
    assert duration < TWO_MINUTES


def test_a_slow_server_that_keeps_responding_is_waited_for() -> None:
    async def ten(service: Service) -> int:
        return len([await service.get(PATH) for _ in range(10)])

    answers, duration, reports, _ = ask(Slow(50), ten, unpaced)
    assert answers == 10
    assert duration == pytest.approx(500)
    assert reports == [10, 30] * 10


def test_a_wait_for_the_rate_limit_does_not_count_as_silence() -> None:
    async def five(service: Service) -> int:
        return len([await service.get(PATH) for _ in range(5)])

    def slowly() -> Pacer:
        return Pacer(1, clock=asyncio.get_running_loop().time)

    asked = ask(Slow(1), five, slowly)
    assert asked.result == 5
    assert asked.duration > 2 * TWO_MINUTES
    assert asked.reports == []


def test_an_interrupted_request_does_not_wait_for_a_silent_server() -> None:
    """CO-14"""

    async def interrupted(service: Service) -> bool:
        asking = asyncio.create_task(service.get(PATH))
        await asyncio.sleep(9)
        assert not service.is_overdue
        await asyncio.sleep(2)
        asking.cancel()
        return service.is_overdue

    asked = ask(Slow(SILENT), interrupted, unpaced)
    assert asked.result is True
    assert asked.duration == 11


async def drip(writer: asyncio.StreamWriter) -> None:
    """Send an endless answer, byte by byte."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.02)


async def silence(writer: asyncio.StreamWriter) -> None:
    """Send no answer while the client is connected."""
    while True:
        writer.write(b"")
        await asyncio.sleep(0.02)
        if writer.transport.is_closing():
            return


@pytest.mark.parametrize("answering", [drip, silence])
def test_a_silent_real_connection_is_given_up_too(answering: Answering) -> None:
    """HT-08"""
    with pytest.raises(Unreachable, match="has not answered for"):
        ask_tcp(answering, lambda service: service.get(PATH), time_limits=TimeLimits(one_try=0.2, silence=0.3))
