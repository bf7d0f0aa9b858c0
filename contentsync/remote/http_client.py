"""One request to the service: JSON in, JSON out, and every failure as a RemoteError."""

import asyncio
import random
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from functools import partial
from ipaddress import ip_address
from types import TracebackType
from typing import Any, Self

import httpx
import orjson

from ..errors import AmbiguousOutcome, Denied, Unreachable
from .connection_pool import ONE_CONNECTION, ConnectionPool
from .pacing import Pacer
from .response import Answer, FailedTry, UnreadableBody, broken_try, interpret, receive
from .retry import (
    OVERDUE,
    RETRY_SECONDS,
    SILENCE,
    Failure,
    NoRetry,
    RetryBudget,
    SilenceTimer,
    WaitCallback,
    decide_retry,
)

_TOKEN = re.compile(r"[!-~]+\Z")  # what a header can back_off, without spaces

# Seconds for one try in all, however slowly the answer arrives. The outcome of a write is read back after it: that must
# fit in before the silence limit.
DEADLINE = 80.0

# A write may wait for a server that is busy; the connection itself comes quickly or not at all.
TIMEOUT = httpx.Timeout(60.0, connect=10.0, pool=None)

_WRITE = {"Prefer": "list-etags"}  # asks for the ETags of lists before and after the write

_SLOT: ContextVar[float | None] = ContextVar("_SLOT", default=None)  # of a task that has waited for it and not yet sent

MIN_REPORTED_WAIT = 1.0  # seconds


class Service:
    """An HTTP client of the service at a base URL, with the rights of one user.

    `transport` replaces the network, for the embedded server. The token is sent to `url` only: redirects are not
    followed, and without TLS it is sent to this machine only. The environment's proxies are used for https alone,
    where they see no more than the host's name.

    Three callbacks report waits: `on_wait` a wait that the server asks for, with its seconds; `on_pacing` once the
    first wait for the pacer's limit; `on_overdue` requests that wait for an answer, with the seconds so far. After
    `silence` seconds without any answer, requests raise Unreachable.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        pacer: Pacer | None = None,
        on_wait: WaitCallback = lambda seconds: None,
        on_pacing: Callable[[], None] = lambda: None,
        retry_seconds: float = RETRY_SECONDS,
        deadline: float = DEADLINE,
        silence: float = SILENCE,
        on_overdue: WaitCallback = lambda seconds: None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.url = url
        self._pacer = pacer
        self._on_wait = on_wait
        self._on_pacing: Callable[[], None] | None = on_pacing  # None once it was called
        self._retry_budget = RetryBudget(retry_seconds)
        self._deadline = deadline
        self._silence = SilenceTimer(silence, on_overdue)
        self._queue = asyncio.Lock()  # orders the tasks that wait for the rate limit
        self._sleep = sleep
        headers = {"Accept": "application/json", "Accept-Encoding": "gzip, deflate"}
        if token is not None:
            if not _TOKEN.match(token):
                raise Denied("the token has characters that no token has", "check it for spaces and line ends")
            headers["Authorization"] = f"Bearer {token}"
        secure = url.lower().startswith("https:")
        try:
            self._pool = ConnectionPool(
                partial(
                    httpx.AsyncClient,
                    base_url=url,
                    headers=headers,
                    timeout=TIMEOUT,
                    limits=ONE_CONNECTION,
                    transport=transport,
                    trust_env=secure,
                    # Without TLS there is no certificate to verify, and loading the authorities is slow.
                    verify=httpx.create_ssl_context() if secure else False,
                )
            )
        except (
            httpx.InvalidURL,
            ValueError,
            OSError,
            ImportError,
        ) as error:  # also for a proxy or certificates of the environment
            raise Unreachable(f"cannot set up a connection to {url}: {error}") from error
        if token and not secure and not _is_loopback(self._pool.base_url.host):
            raise Denied(f"the token would travel unencrypted to {url}", "use https:// for any server but this machine")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._silence.close()
        await self._pool.close()

    @property
    def is_overdue(self) -> bool:
        """Whether requests have waited for an answer so long that it was reported."""
        return self._silence.seconds >= OVERDUE

    async def acquire_slot(self, ending: asyncio.Event) -> None:
        """Wait until this task's next request may be sent at once; stop without a slot once `ending` is set."""
        if self._pacer is None or _SLOT.get() is not None:
            return
        if not self._queue.locked() and not (now := self._pacer.acquire()).wait:
            _SLOT.set(now.at)
            return
        slot = asyncio.create_task(self._wait_for_slot(self._pacer))
        until = [slot, asyncio.create_task(ending.wait())]
        try:
            await asyncio.wait(until, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in until:
                each.cancel()
        if slot.done():
            _SLOT.set(slot.result())

    async def get(
        self, path: str, params: Mapping[str, str | int] | None = None, *, unless: str | None = None
    ) -> Answer:
        """Return the JSON object at a path. With `unless`, an ETag, the answer may only say that it is unchanged."""
        headers = {} if unless is None else {"If-None-Match": unless}
        return await self._request("GET", path, params=params, headers=headers, safe=True)

    async def ask(self, path: str, body: Mapping[str, Any]) -> Answer:
        """Return the answer to a POST that changes nothing."""
        return await self._request("POST", path, body, safe=True)

    async def post(
        self, path: str, body: Mapping[str, Any], params: Mapping[str, str] | None = None, *, new_only: bool = False
    ) -> Answer:
        """Return the answer to a create.

        With `new_only`, raise Conflicting if the service has the key already and honours `If-None-Match`.
        """
        condition = {"If-None-Match": "*"} if new_only else {}
        return await self._request("POST", path, body, params=params, headers=_WRITE | condition)

    async def put(
        self, path: str, body: Mapping[str, Any], params: Mapping[str, str] | None = None, *, match: str | None = None
    ) -> Answer:
        """Return the answer to an update. Raise Conflicting if the record's ETag is not `match`."""
        return await self._request("PUT", path, body, params=params, headers=_WRITE | _if_match(match))

    async def delete(self, path: str, *, match: str | None = None) -> Answer:
        """Return the answer to a delete; `match` is as in `put`."""
        return await self._request("DELETE", path, headers=_WRITE | _if_match(match))

    async def _request(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        params: Mapping[str, str | int] | None = None,
        headers: Mapping[str, str] | None = None,
        safe: bool = False,
    ) -> Answer:
        request: dict[str, Any] = {"method": method, "url": path, "params": params, "headers": dict(headers or {})}
        if body is not None:
            request["content"] = orjson.dumps(body)
            request["headers"]["Content-Type"] = "application/json"
        tries = 0
        while True:
            if not self._silence.remaining:
                raise self._silent_error()
            slot = await self._own_slot()
            async with self._pool.acquire() as client:
                started = time.monotonic()
                outcome = await self._try(client, request, slot)
                elapsed = time.monotonic() - started
            if isinstance(outcome, Answer):
                return outcome
            tries += 1
            jitter = random.random()  # noqa: S311
            after = decide_retry(
                outcome.failure, safe=safe, tries=tries, retry_after=outcome.retry_after, jitter=jitter
            )
            if after is NoRetry.UNKNOWN:
                raise AmbiguousOutcome(outcome.error.message, outcome.error.hint) from outcome.cause
            if not self._silence.remaining:
                raise self._silent_error() from outcome.cause
            if after is NoRetry.GIVE_UP or not self._retry_budget.spend(elapsed + after):
                raise outcome.error from outcome.cause
            if outcome.failure is Failure.LIMITED and self._pacer is not None:
                self._pacer.back_off(after)
            else:
                await self._pause(after)

    async def _own_slot(self) -> float | None:
        """Return the time of this task's slot by the pacer's clock; wait for one if the task has none."""
        if self._pacer is None:
            return None
        taken = _SLOT.get()
        _SLOT.set(None)
        renewed = None if taken is None else self._pacer.renew(taken)
        return await self._wait_for_slot(self._pacer) if renewed is None else renewed

    async def _wait_for_slot(self, pacer: Pacer) -> float:
        async with self._queue:
            while (slot := pacer.acquire()).wait:
                if slot.is_requested:
                    await self._pause(slot.wait)
                    continue
                if self._on_pacing is not None and slot.wait >= MIN_REPORTED_WAIT:
                    self._on_pacing()
                    self._on_pacing = None
                await self._sleep(slot.wait)
        return slot.at

    def _silent_error(self) -> Unreachable:
        tried = "1 request" if self._silence.requests == 1 else f"{self._silence.requests} requests"
        return Unreachable(
            f"{self.url} has not answered for {self._silence.seconds:.0f} s, while {tried} waited for an answer",
            "check that the server is up and not overloaded, and run the command again: it continues from here",
        )

    async def _pause(self, seconds: float) -> None:
        if seconds >= MIN_REPORTED_WAIT:
            self._on_wait(seconds)
        if seconds > 0:
            await self._sleep(seconds)

    async def _try(
        self, client: httpx.AsyncClient, request: Mapping[str, Any], slot: float | None
    ) -> Answer | FailedTry:
        name = f"{request['method']} {request['url']}"
        headers: Mapping[str, str] = {}
        try:
            with self._silence.waiting():
                async with (
                    asyncio.timeout(min(self._deadline, self._silence.remaining)),
                    client.stream(**request) as response,
                ):
                    body = await receive(response)
                self._silence.reset()
            headers = response.headers
        except (httpx.RequestError, UnreadableBody, TimeoutError) as error:
            return broken_try(error, name)
        finally:
            if self._pacer is not None and slot is not None:
                self._pacer.record_answer(slot, headers)
        return interpret(response, body, name)


def _if_match(etag: str | None) -> dict[str, str]:
    return {} if etag is None else {"If-Match": etag}


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a host name
        return False
