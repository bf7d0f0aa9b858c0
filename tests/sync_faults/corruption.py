"""Faults that a proxy causes in a request or its answer."""

import asyncio
import gzip
import json
import re
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from .proxy import Answer, Exchange, Fault

LATE = 0.7  # seconds: longer than a client of these tests waits for an answer
DRIP = 0.05  # seconds between two bytes: shorter than it waits for each
BOMB = 200_000_000  # bytes, of 194 KB
_PAGE = re.compile(rb"(?<=[?&])page=\d+")
_LENGTH = re.compile(rb"(?<=\r\ncontent-length: )\d+", re.IGNORECASE)
_DATE = re.compile(rb"(?<=\r\ndate: )[^\r]+", re.IGNORECASE)


# What ends the connection.


async def closed(exchange: Exchange) -> None:
    """Before the service has seen the request."""


async def reset(exchange: Exchange) -> None:
    exchange.reset()


async def lost(exchange: Exchange) -> None:
    await exchange.answer()


async def lost_with_reset(exchange: Exchange) -> None:
    await exchange.answer()
    exchange.reset()


async def late(exchange: Exchange) -> None:
    """Pass the request on after the client has stopped waiting."""
    await asyncio.sleep(LATE)
    await exchange.answer()


async def late_answer(exchange: Exchange) -> None:
    await exchange.answer()
    await asyncio.sleep(LATE)


async def short(exchange: Exchange) -> None:
    answer = await exchange.answer()
    await exchange.send(answer.raw()[: -max(1, len(answer.body) // 2)])


async def cut_chunk(exchange: Exchange) -> None:
    body = (await exchange.answer()).body
    await exchange.send(_head(200, {"Transfer-Encoding": "chunked"}) + b"%x\r\n" % len(body) + body[: len(body) // 2])


async def early_end(exchange: Exchange) -> None:
    """Without a length the end of the connection is the end of the body."""
    body = (await exchange.answer()).body
    await exchange.send(_head(200, {}) + body[: len(body) // 2])


async def drip(exchange: Exchange) -> None:
    answer = await exchange.answer()
    try:
        for byte in answer.raw():
            await exchange.send(bytes([byte]))
            await asyncio.sleep(DRIP)
    except ConnectionError:
        return


async def half_done(exchange: Exchange) -> None:
    """The service does a part of a bulk, and then the connection is gone."""
    head, body = exchange.request.split(b"\r\n\r\n", 1)
    listings = json.loads(body)["listings"]
    part = json.dumps({"listings": listings[: len(listings) * 3 // 5]}).encode()
    await exchange.answer(_LENGTH.sub(b"%d" % len(part), head) + b"\r\n\r\n" + part)


def unsure(answer: Fault) -> Fault:
    """The answer of a create is lost, and so it is asked whether the entry exists; that is what is answered."""

    async def answered(exchange: Exchange) -> None:
        await (answer if exchange.path.endswith("/exists") else lost)(exchange)

    return answered


async def deleted_before(exchange: Exchange) -> None:
    """Another user was quicker."""
    await exchange.answer()
    await exchange.send((await exchange.answer()).raw())


# What is not what was asked for.


def _head(status: int, headers: Mapping[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} As asked", "Content-Type: application/json", "Connection: close"]
    return "\r\n".join([*lines, *(f"{name}: {value}" for name, value in headers.items()), "", ""]).encode("latin-1")


def answering(body: bytes = b"", status: int = 200, *, done: bool = False, **headers: str) -> Fault:
    """Always the same answer; with `done` the service has done what was asked for all the same."""

    async def answered(exchange: Exchange) -> None:
        if done:
            await exchange.answer()
        reported = {name.replace("_", "-"): value for name, value in headers.items()}
        if status not in (204, 304):
            reported["Content-Length"] = str(len(body))
        await exchange.send(_head(status, reported) + body)

    return answered


def refusing(status: int, *, done: bool = False, **headers: str) -> Fault:
    return answering(json.dumps({"message": f"asked to say {status}"}).encode(), status, done=done, **headers)


def rewritten(change: Callable[[Any], Any]) -> Fault:
    """The true answer with something in its document changed."""

    async def answered(exchange: Exchange) -> None:
        answer = await exchange.answer()
        if answer.status >= 300:  # a 304 has no document
            await exchange.send(answer.raw())
            return
        body = json.dumps(change(json.loads(answer.body))).encode()
        await exchange.send(_head(answer.status, {"Content-Length": str(len(body))}) + body)

    return answered


def reshaped(change: Callable[[Answer], bytes]) -> Fault:
    async def answered(exchange: Exchange) -> None:
        await exchange.send(change(await exchange.answer()))

    return answered


def half(answer: Answer) -> bytes:
    body = answer.body[: len(answer.body) // 2]
    return _head(206, {"Content-Length": str(len(body)), "Content-Range": f"bytes 0-{len(body)}/*"}) + body


def other_time(answer: Answer) -> bytes:
    return _DATE.sub(b"Thu, 01 Jan 1970 00:00:00 GMT", answer.head) + answer.body


def huge_header(answer: Answer) -> bytes:
    return answer.head[:-2] + b"X-Large: " + b"x" * 2_000_000 + b"\r\n\r\n" + answer.body


def many_interim(answer: Answer) -> bytes:
    return b"HTTP/1.1 102 Processing\r\n\r\n" * 2_000 + answer.raw()


@cache
def _bomb() -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    chunk = bytes(1_000_000)
    return b"".join(packer.compress(chunk) for _ in range(BOMB // len(chunk))) + packer.flush()


async def gzip_bomb(exchange: Exchange) -> None:
    body = _bomb()
    await exchange.answer()
    await exchange.send(_head(200, {"Content-Encoding": "gzip", "Content-Length": str(len(body))}) + body)


def wrong_gzip(answer: Answer) -> bytes:
    packed = gzip.compress(answer.body)[:-9] + b"not quite"
    return _head(200, {"Content-Encoding": "gzip", "Content-Length": str(len(packed))}) + packed


def bad_utf8(answer: Answer) -> bytes:
    body = answer.body.replace(b'"data"', b'"\xff\xfe", "data"', 1)
    return _head(200, {"Content-Length": str(len(body))}) + body


# Lists and bulk answers that do not hold what they say.


def without_ids(document: Any) -> Any:
    for record in _records(document):
        record.pop("id", None)
    return document


def _records(document: Any) -> list[dict[str, Any]]:
    data = document.get("data")
    found = data if isinstance(data, list) else [data]
    return [record for record in found if isinstance(record, dict)]


def meta(**changed: int) -> Fault:
    def change(document: Any) -> Any:
        for name, more in changed.items():
            document["meta"][name] += more
        return document

    return rewritten(change)


def shortened(document: Any) -> Any:
    """Remove a record from the list, without a trace in its envelope."""
    document["data"] = document["data"][1:]
    return document


async def same_page(exchange: Exchange) -> None:
    """Answer every page of a list with the first one, as one of many."""
    answer = await exchange.answer(_PAGE.sub(b"page=1", exchange.request, count=1))
    if answer.status != 200:
        await exchange.send(answer.raw())
        return
    document = json.loads(answer.body)
    document["meta"] |= {"last_page": 1_000_000, "total": 100_000_000}
    body = json.dumps(document).encode()
    await exchange.send(_head(200, {"Content-Length": str(len(body))}) + body)


def bulk(change: Callable[[list[Any], list[Any]], None], *, totals: bool = True) -> Fault:
    def changed(document: Any) -> Any:
        change(document["data"], document["errors"])
        if totals:
            document |= {"total_created": len(document["data"]), "total_errors": len(document["errors"])}
        return document

    return rewritten(changed)


def out_of_range(data: list[Any], errors: list[Any]) -> None:
    data.pop()
    errors.append({"index": 1_000, "name": "?", "error": "of nobody"})


def twice(data: list[Any], errors: list[Any]) -> None:
    data.pop()
    errors += [{"index": 0, "name": "?", "error": "first"}, {"index": 0, "name": "?", "error": "second"}]


def missing(data: list[Any], errors: list[Any]) -> None:
    data.pop(0)


def reordered(data: list[Any], errors: list[Any]) -> None:
    data.reverse()
