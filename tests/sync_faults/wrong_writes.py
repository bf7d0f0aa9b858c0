"""Answers to writes, and to the reading of one record, that are well-formed and wrong (docs/evidence.md 2, 3)."""

import json
import re
from typing import Any

from . import corruption
from .proxy import Exchange, Fault
from .wrong_lists import Record, rebuilt

_BY_ID = re.compile(r"/\d+\Z")


def bulk(part: slice, *, etag: bool) -> Fault:
    """Create all listings of a bulk, and answer with some of them and without errors."""

    async def answered(exchange: Exchange) -> None:
        answer = await exchange.answer()
        document = json.loads(answer.body)
        if "data" in document:
            shown = document["data"][part]
            document |= {"data": shown, "errors": [], "total_created": len(shown), "total_errors": 0}
        await exchange.send(rebuilt(answer, document, etag=etag))
        exchange.kept = True

    return answered


def another_record(*, done: bool, etag: bool) -> Fault:
    """Answer a write with another record of the same kind; with `done` the write happened all the same."""

    async def answered(exchange: Exchange) -> None:
        if done or exchange.method == "GET":
            answer = await exchange.answer()
        else:
            answer = await exchange.answer(_get(exchange, exchange.path))
        document = json.loads(answer.body)
        own = document.get("data") if isinstance(document, dict) else None
        other = await _another(exchange, own.get("id") if isinstance(own, dict) else None)
        if answer.status >= 300 or other is None:
            await exchange.send(answer.raw())
        else:
            document = {"message": "Done", "data": other}
            await exchange.send(rebuilt(answer, document, etag=etag))
        exchange.kept = True

    return answered


def another_id(*, etag: bool) -> Fault:
    """Do the write, and answer with the right record under the id of another one."""

    async def answered(exchange: Exchange) -> None:
        answer = await exchange.answer()
        document = json.loads(answer.body)
        if answer.status < 300:
            other = await _another(exchange, document["data"]["id"])
            if other is not None:
                document["data"]["id"] = other["id"]
        await exchange.send(rebuilt(answer, document, etag=etag))
        exchange.kept = True

    return answered


async def read_back_another(exchange: Exchange) -> None:
    """Lose the answer of a write, and answer each question for one record with another one."""
    await (_READ_ANOTHER if exchange.method == "GET" else corruption.lost)(exchange)


async def not_found(exchange: Exchange) -> None:
    """Answer 404 and leave the record where it is."""
    body = b'{"message": "Not found"}'
    head = b"HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
    await exchange.send(head + body)
    exchange.kept = True


async def _another(exchange: Exchange, own: Any) -> Record | None:
    """Return a record of the collection that is not the one with the id: if possible one that others made."""
    place, _, query = exchange.path.partition("?")
    collection = _BY_ID.sub("", place) + (f"?{query}" if query else "")
    listed = json.loads((await exchange.answer(_get(exchange, collection))).body)
    asked = place.rpartition("/")[2]
    others = [record for record in listed.get("data", []) if record["id"] != own and str(record["id"]) != asked]
    foreign = [record for record in others if record.get("slug") == "foreign"]
    return next(iter([*foreign, *reversed(others)]), None)


def _get(exchange: Exchange, path: str) -> bytes:
    """Return a request for a path, with the credentials of the one that was sent."""
    head = exchange.request.split(b"\r\n\r\n", 1)[0]
    headers = [line for line in head.split(b"\r\n")[1:] if line.lower().startswith((b"host:", b"authorization:"))]
    return b"\r\n".join([f"GET {path} HTTP/1.1".encode(), *headers, b"", b""])


_READ_ANOTHER = another_record(done=True, etag=True)
