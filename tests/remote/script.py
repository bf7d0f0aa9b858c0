"""A service that answers as it is told, behind the client's injected transport."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import httpx
import orjson

from contentsync.remote import Remote, Service

Handler = Callable[[httpx.Request], httpx.Response]
Result = TypeVar("Result")


def json_response(status: int, document: Any) -> httpx.Response:
    return httpx.Response(status, content=orjson.dumps(document), headers={"Content-Type": "application/json"})


def page_of(records: list[dict[str, Any]], *, last: int = 1, total: int | None = None) -> httpx.Response:
    """A page of a list, as resolved.md, Transport has it."""
    meta = {"current_page": 1, "last_page": last, "per_page": 100, "total": len(records) if total is None else total}
    return json_response(200, {"data": records, "links": {}, "meta": meta})


def ask(handler: Handler, question: Callable[[Remote], Coroutine[Any, Any, Result]], *, token: str = "t") -> Result:
    """What the client makes of the answers of `handler`."""

    async def asked() -> Result:
        async with Service("http://127.0.0.1:1", token, transport=httpx.MockTransport(handler)) as service:
            return await question(Remote(service, 42))

    return asyncio.run(asked())
