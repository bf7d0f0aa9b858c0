"""One request to the service: JSON in, JSON out, and every way to fail as an error of ours."""

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
from .answer import Answer, Unreadable, judge, receive
from .failure import Failed, broken_off
from .lanes import ONE, Lanes
from .pacing import Pacer
from .retry import PATIENCE, End, Failure, Patience, decide
from .silence import OVERDUE, SILENCE, Silence, Waiting

_TOKEN = re.compile(r"[!-~]+\Z")  # what a header can hold, without spaces

# Seconds for one try as a whole, however slowly the answer drips in. What a write has done is read back after it, and
# for that there must be time before the silence has lasted for too long.
DEADLINE = 80.0

# A write may wait for a server that is busy; the connection itself comes quickly or not at all.
TIMEOUT = httpx.Timeout(60.0, connect=10.0, pool=None)

_WRITE = {"Prefer": "list-etags"}  # what the write makes of the ETags of lists

_TURN: ContextVar[float | None] = ContextVar("_TURN", default=None)  # of a task that has waited and not yet sent

WORTH_TELLING = 1.0  # seconds of a wait


class Service:
    """The service at a base URL, spoken to as one user.

    `transport` replaces the network, for the embedded server. The token is sent to `url` only: redirects are not
    followed, and it never leaves in the clear except towards this machine. The proxies of the environment are used
    for https alone, where they see no more than the host's name.

    `waiting` is called before a wait that the server asks for, with its seconds; `paced` once, before the first wait
    for the pacer's limit; `overdue` while the server lets requests wait for an answer, with the seconds so far. After
    `silence` seconds without any answer, requests raise Unreachable.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        pacer: Pacer | None = None,
        waiting: Waiting = lambda seconds: None,
        paced: Callable[[], None] = lambda: None,
        patience: float = PATIENCE,
        deadline: float = DEADLINE,
        silence: float = SILENCE,
        overdue: Waiting = lambda seconds: None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.url = url
        self._pacer = pacer
        self._waiting = waiting
        self._paced: Callable[[], None] | None = paced  # None once it was called
        self._patience = Patience(patience)
        self._deadline = deadline
        self._silence = Silence(silence, overdue)
        self._queue = asyncio.Lock()  # of the tasks that wait for the rate limit
        self._sleep = sleep
        headers = {"Accept": "application/json", "Accept-Encoding": "gzip, deflate"}
        if token is not None:
            if not _TOKEN.match(token):
                raise Denied("the token holds characters that no token has", "check it for spaces and line ends")
            headers["Authorization"] = f"Bearer {token}"
        secure = url.lower().startswith("https:")
        try:
            self._lanes = Lanes(
                partial(
                    httpx.AsyncClient,
                    base_url=url,
                    headers=headers,
                    timeout=TIMEOUT,
                    limits=ONE,
                    transport=transport,
                    trust_env=secure,
                    # Without TLS there is no certificate to verify, and reading the authorities takes its time.
                    verify=httpx.create_ssl_context() if secure else False,
                )
            )
        except (
            httpx.InvalidURL,
            ValueError,
            OSError,
            ImportError,
        ) as error:  # also a proxy or certificates of the environment
            raise Unreachable(f"cannot set up a connection to {url}: {error}") from error
        if token and not secure and not _is_loopback(self._lanes.base_url.host):
            raise Denied(f"the token would travel unencrypted to {url}", "use https:// for any server but this machine")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._silence.close()
        await self._lanes.close()

    @property
    def is_overdue(self) -> bool:
        """Whether the server has let requests wait for so long that it was reported."""
        return self._silence.seconds >= OVERDUE

    async def turn(self, ending: asyncio.Event) -> None:
        """Waits, so that this task's next request need not; no longer than until the `ending`, which loses the turn."""
        if self._pacer is None or _TURN.get() is not None:
            return
        if not self._queue.locked() and not (now := self._pacer.take()).wait:
            _TURN.set(now.at)
            return
        turn = asyncio.create_task(self._turn(self._pacer))
        until = [turn, asyncio.create_task(ending.wait())]
        try:
            await asyncio.wait(until, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in until:
                each.cancel()
        if turn.done():
            _TURN.set(turn.result())

    async def get(
        self, path: str, params: Mapping[str, str | int] | None = None, *, unless: str | None = None
    ) -> Answer:
        """The JSON object at a path; with `unless`, an ETag, possibly just that it is unchanged."""
        headers = {} if unless is None else {"If-None-Match": unless}
        return await self._request("GET", path, params=params, headers=headers, safe=True)

    async def ask(self, path: str, body: Mapping[str, Any]) -> Answer:
        """The JSON object that answers a question with a body: nothing is changed by it."""
        return await self._request("POST", path, body, safe=True)

    async def post(
        self, path: str, body: Mapping[str, Any], params: Mapping[str, str] | None = None, *, new_only: bool = False
    ) -> Answer:
        """Return the JSON object that answers a create.

        With `new_only`, raise Conflicting where the service has the key already and honours `If-None-Match`.
        """
        condition = {"If-None-Match": "*"} if new_only else {}
        return await self._request("POST", path, body, params=params, headers=_WRITE | condition)

    async def put(
        self, path: str, body: Mapping[str, Any], params: Mapping[str, str] | None = None, *, match: str | None = None
    ) -> Answer:
        """The JSON object that answers an update; raises Conflicting unless the record's ETag is `match`, if given."""
        return await self._request("PUT", path, body, params=params, headers=_WRITE | _if_match(match))

    async def delete(self, path: str, *, match: str | None = None) -> Answer:
        """The JSON object that answers a delete; `match` as in `put`."""
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
        sent: dict[str, Any] = {"method": method, "url": path, "params": params, "headers": dict(headers or {})}
        if body is not None:
            sent["content"] = orjson.dumps(body)
            sent["headers"]["Content-Type"] = "application/json"
        tries = 0
        while True:
            if not self._silence.left:
                raise self._given_up()
            turn = await self._own_turn()
            async with self._lanes.lane() as client:
                started = time.monotonic()
                outcome = await self._try(client, sent, turn)
                lost = time.monotonic() - started
            if isinstance(outcome, Answer):
                return outcome
            tries += 1
            after = decide(outcome.failure, safe=safe, tries=tries, asked=outcome.asked, chance=random.random())  # noqa: S311
            if after is End.UNKNOWN:
                raise AmbiguousOutcome(outcome.error.message, outcome.error.hint) from outcome.cause
            if not self._silence.left:
                raise self._given_up() from outcome.cause
            if after is End.GIVE_UP or not self._patience.spend(lost + after):
                raise outcome.error from outcome.cause
            if outcome.failure is Failure.LIMITED and self._pacer is not None:
                self._pacer.hold(after)
            else:
                await self._pause(after)

    async def _own_turn(self) -> float | None:
        """Wait for a turn, unless this task has one; its moment by the pacer's clock."""
        if self._pacer is None:
            return None
        held = _TURN.get()
        _TURN.set(None)
        renewed = None if held is None else self._pacer.renew(held)
        return await self._turn(self._pacer) if renewed is None else renewed

    async def _turn(self, pacer: Pacer) -> float:
        async with self._queue:
            while (turn := pacer.take()).wait:
                if turn.is_asked:
                    await self._pause(turn.wait)
                    continue
                if self._paced is not None and turn.wait >= WORTH_TELLING:
                    self._paced()
                    self._paced = None
                await self._sleep(turn.wait)
        return turn.at

    def _given_up(self) -> Unreachable:
        tried = "1 request" if self._silence.requests == 1 else f"{self._silence.requests} requests"
        return Unreachable(
            f"{self.url} has not answered for {self._silence.seconds:.0f} s, in which {tried} waited for an answer",
            "check that the server is up and not overloaded, and run the command again: it goes on from here",
        )

    async def _pause(self, seconds: float) -> None:
        if seconds >= WORTH_TELLING:
            self._waiting(seconds)
        if seconds > 0:
            await self._sleep(seconds)

    async def _try(self, client: httpx.AsyncClient, sent: Mapping[str, Any], turn: float | None) -> Answer | Failed:
        name = f"{sent['method']} {sent['url']}"
        headers: Mapping[str, str] = {}
        try:
            with self._silence.waiting():
                async with (
                    asyncio.timeout(min(self._deadline, self._silence.left)),
                    client.stream(**sent) as response,
                ):
                    body = await receive(response)
                self._silence.answered()
            headers = response.headers
        except (httpx.RequestError, Unreadable, TimeoutError) as error:
            return broken_off(error, name)
        finally:
            if self._pacer is not None and turn is not None:
                self._pacer.answered(turn, headers)
        return judge(response, body, name)


def _if_match(etag: str | None) -> dict[str, str]:
    return {} if etag is None else {"If-Match": etag}


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name, whatever it begins with
        return False
