"""A service that answers as it is reported, behind the client's injected transport."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, TypeVar

import httpx
import orjson

from contentsync.remote.http_client import Service
from contentsync.remote.remote import Remote

Handler = Callable[[httpx.Request], httpx.Response]
Result = TypeVar("Result")


def json_response(status: int, document: Any, headers: dict[str, str] | None = None) -> httpx.Response:
    content = orjson.dumps(document)
    return httpx.Response(status, content=content, headers={"Content-Type": "application/json", **(headers or {})})


def page_of(
    records: list[dict[str, Any]], *, last: int = 1, total: int | None = None, etag: str | None = None
) -> httpx.Response:
    """Return a page of a list, as docs/contract.md 10 has it."""
    meta = {"current_page": 1, "last_page": last, "per_page": 100, "total": len(records) if total is None else total}
    return json_response(200, {"data": records, "links": {}, "meta": meta}, {} if etag is None else {"ETag": etag})


def in_turn(answers: Iterable[httpx.Response | Exception]) -> Handler:
    """Return one answer after the other; raise those that are exceptions."""
    left = iter(answers)

    def handler(request: httpx.Request) -> httpx.Response:
        answer = next(left)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return handler


async def at_once(seconds: float) -> None:
    """Return at once, in place of a wait of the client."""


def ask(
    handler: Handler,
    question: Callable[[Remote], Coroutine[Any, Any, Result]],
    *,
    token: str = "t",
    sleep: Callable[[float], Awaitable[None]] = at_once,
) -> Result:
    """Return the client's result for the answers of `handler`, without real waits."""

    async def asked() -> Result:
        transport = httpx.MockTransport(handler)
        async with Service("http://127.0.0.1:1", token, transport=transport, sleep=sleep) as service:
            return await question(Remote(service, 42))

    return asyncio.run(asked())
