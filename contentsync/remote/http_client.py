"""One request to the service: JSON in, JSON out, and every failure as a RemoteError."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import orjson

from ..errors import AmbiguousOutcome, Denied, ServerError, Unreachable, pluralize
from ..lazy_pattern import lazy_pattern
from .connection_pool import Application, Client, ConnectionPool, InProcessClient
from .pacing import Pacer
from .response import Answer, FailedTry, interpret_response
from .retry import (
    DEFAULT_TIME_LIMITS,
    NO_REPORTS,
    OVERDUE,
    Failure,
    NoRetry,
    RetryBudget,
    SilenceTimer,
    TimeLimits,
    WaitReports,
    decide_retry,
)

if TYPE_CHECKING:
    import httpx

_TOKEN = lazy_pattern(r"[!-~]+\Z")  # the characters of a header's value, without spaces

_WRITE_HEADERS = {"Prefer": "list-etags"}  # request the ETags of lists before and after the write

_SLOT_TIME: ContextVar[float | None] = ContextVar("_SLOT_TIME", default=None)  # of the slot that the task will use

MIN_REPORTED_WAIT = 1.0  # seconds


class Service:
    """An HTTP client of the service at a base URL, with the rights of one user.

    `application` is the service itself, if it is in this process; `transport` replaces the network. The token is sent
    only to `url`, and without TLS only to this machine; redirects are not followed. Proxies of the environment are used
    only for https, where they see only the host name.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        application: Application | None = None,
        transport: "httpx.AsyncBaseTransport | None" = None,
        pacer: Pacer | None = None,
        reports: WaitReports = NO_REPORTS,
        time_limits: TimeLimits = DEFAULT_TIME_LIMITS,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.url = url
        self._pacer = pacer
        self._on_wait = reports.on_wait
        self._on_pacing: Callable[[], None] | None = reports.on_pacing  # None once it was called
        self._retry_budget = RetryBudget(time_limits.retries)
        self._max_seconds = time_limits.one_try
        self._silence = SilenceTimer(time_limits.silence, reports.on_overdue)
        self._queue = asyncio.Lock()  # orders the tasks that wait for the rate limit
        self._sleep = sleep
        headers = {"Accept": "application/json", "Accept-Encoding": "gzip, deflate"}
        if token is not None:
            if not _TOKEN.match(token):
                raise Denied("the token has characters that no token has", "check it for spaces and line ends")
            headers["Authorization"] = f"Bearer {token}"
        if application is not None:
            self._pool = ConnectionPool(partial(InProcessClient, application, headers))
            return
        from .network_client import client_factory  # imported here: an application in this process needs no httpx

        self._pool = ConnectionPool(client_factory(url, headers, transport))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._silence.close()
        await self._pool.close()

    @property
    def is_overdue(self) -> bool:
        """Whether requests have waited for an answer for at least OVERDUE seconds."""
        return self._silence.seconds >= OVERDUE

    async def acquire_slot(self, ending: asyncio.Event) -> None:
        """Wait for a slot for this task's next request, and take it; return without a slot once `ending` is set."""
        if self._pacer is None or _SLOT_TIME.get() is not None:
            return
        if not self._queue.locked():  # no task waits for the pacer
            slot = self._pacer.try_acquire()
            if not slot.wait_seconds:  # else, it only says how long to wait
                _SLOT_TIME.set(slot.at)
                return
        slot_task = asyncio.create_task(self._wait_for_slot(self._pacer))
        tasks = [slot_task, asyncio.create_task(ending.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
        if slot_task.done():
            _SLOT_TIME.set(slot_task.result())

    async def get(
        self, path: str, params: Mapping[str, str | int] | None = None, *, known_etag: str | None = None
    ) -> Answer:
        """Return the answer to a GET; it is `unchanged` and has no document if the ETag is still `known_etag`.

        Without `known_etag`, the request has no condition.
        """
        headers = {} if known_etag is None else {"If-None-Match": known_etag}
        return await self._request("GET", path, params=params, headers=headers, safe=True)

    async def post_query(self, path: str, body: Mapping[str, Any]) -> Answer:
        """Send a POST that changes nothing on the server, and return the answer; it is retried like a read."""
        return await self._request("POST", path, body, safe=True)

    async def post(
        self,
        path: str,
        body: Mapping[str, Any],
        params: Mapping[str, str] | None = None,
        *,
        new_only: bool = False,
        on_sent: Callable[[], None] | None = None,
    ) -> Answer:
        """Create a record, and return the answer.

        With `new_only`, raise Conflicting if the record's key exists and the service honours `If-None-Match`.
        """
        headers = _WRITE_HEADERS | ({"If-None-Match": "*"} if new_only else {})
        return await self._request("POST", path, body, params=params, headers=headers, on_sent=on_sent)

    async def put(
        self, path: str, body: Mapping[str, Any], params: Mapping[str, str] | None = None, *, match: str | None = None
    ) -> Answer:
        """Update a record, and return the answer. Raise Conflicting if its ETag is not `match`; None: any is right."""
        return await self._request("PUT", path, body, params=params, headers=_WRITE_HEADERS | _if_match(match))

    async def delete(self, path: str, *, match: str | None = None) -> Answer:
        """Delete a record, and return the answer. Raise Conflicting if its ETag is not `match`; None: any is right."""
        return await self._request("DELETE", path, headers=_WRITE_HEADERS | _if_match(match))

    async def _request(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        params: Mapping[str, str | int] | None = None,
        headers: Mapping[str, str] | None = None,
        safe: bool = False,
        on_sent: Callable[[], None] | None = None,
    ) -> Answer:
        """Send a request, again after failures as `decide_retry` decides, and return the answer. Raise RemoteError.

        A `safe` request changes nothing on the server.
        """
        request: dict[str, Any] = {"method": method, "url": path, "params": params, "headers": dict(headers or {})}
        if body is not None:
            request["content"] = orjson.dumps(body)
            request["headers"]["Content-Type"] = "application/json"
        if on_sent is not None:
            request["on_sent"] = on_sent
        tries = 0
        while True:
            if not self._silence.remaining:
                raise self._silence_error()
            slot = await self._take_slot()
            async with self._pool.acquire() as client:
                started = time.monotonic()
                outcome = await self._try(client, request, slot)
                elapsed = time.monotonic() - started
            if isinstance(outcome, Answer):
                return outcome
            tries += 1
            jitter = random.random()  # noqa: S311
            delay = decide_retry(
                outcome.failure, safe=safe, tries=tries, retry_after=outcome.retry_after, jitter=jitter
            )
            if delay is NoRetry.UNKNOWN:
                raise AmbiguousOutcome(outcome.error.message, outcome.error.hint) from outcome.cause
            if not self._silence.remaining:  # the failed try has used it up
                raise self._silence_error() from outcome.cause
            if delay is NoRetry.GIVE_UP or not self._retry_budget.try_spend(elapsed + delay):
                raise outcome.error from outcome.cause
            if outcome.failure is Failure.LIMITED and self._pacer is not None:
                self._pacer.back_off(delay)
            else:
                await self._pause(delay)

    async def _take_slot(self) -> float | None:
        """Return the time of this task's slot; wait for a new one if it has none or its slot expired.

        Return None if there is no pacer, so that no slot is needed.
        """
        if self._pacer is None:
            return None
        acquired_at = _SLOT_TIME.get()
        _SLOT_TIME.set(None)
        if acquired_at is not None:
            renewed = self._pacer.renew(acquired_at)
            if renewed is not None:
                return renewed
        return await self._wait_for_slot(self._pacer)

    async def _wait_for_slot(self, pacer: Pacer) -> float:
        """Wait until the pacer gives a slot, and return the time of the slot by the pacer's clock.

        One task waits at a time.
        """
        async with self._queue:
            while (slot := pacer.try_acquire()).wait_seconds:
                if slot.is_requested:  # by the server
                    with pacer.waiting():
                        await self._pause(slot.wait_seconds)
                    continue
                if self._on_pacing is not None and slot.wait_seconds >= MIN_REPORTED_WAIT:
                    self._on_pacing()
                    self._on_pacing = None
                with pacer.waiting():
                    await self._sleep(slot.wait_seconds)
        return slot.at

    def _silence_error(self) -> Unreachable:
        """Return the error of a server that has not answered any of the running requests for too long."""
        requests = pluralize(self._silence.requests, "request")
        return Unreachable(
            f"{self.url} has not answered for {self._silence.seconds:.0f} s, while {requests} waited for an answer",
            "check that the server is up and not overloaded, and run the command again: it continues from here",
        )

    async def _pause(self, seconds: float) -> None:
        """Wait, and report the wait unless it is very short."""
        if seconds >= MIN_REPORTED_WAIT:
            self._on_wait(seconds)
        if seconds > 0:
            await self._sleep(seconds)

    async def _try(self, client: Client, request: Mapping[str, Any], slot: float | None) -> Answer | FailedTry:
        """Send a request once, and return the answer or the failure. `slot` is its time slot; None without a pacer."""
        request_name = f"{request['method']} {request['url']}"
        headers: Mapping[str, str] = {}
        try:
            with self._silence.waiting():
                async with asyncio.timeout(min(self._max_seconds, self._silence.remaining)):
                    response = await client.send(request)
                if isinstance(response, FailedTry):
                    return response
                self._silence.reset()
            headers = response.headers
        except TimeoutError as error:
            late = ServerError(f"no answer to {request_name}: it did not arrive in time")
            return FailedTry(Failure.AMBIGUOUS, late, cause=error)
        finally:
            if self._pacer is not None and slot is not None:
                self._pacer.record_answer(slot, headers)
        is_conditional = "If-None-Match" in request["headers"]
        return interpret_response(response, request_name, is_conditional=is_conditional, base_url=self.url)


def _if_match(etag: str | None) -> dict[str, str]:
    """Return the header that makes a write conditional; none for None."""
    return {} if etag is None else {"If-Match": etag}
