"""Answers to the reading of a list that are well-formed, of one moment, and wrong (docs/evidence.md 1)."""

import json
import re
from collections.abc import Callable
from typing import Any

from .proxy import Answer, Exchange, Fault, passed_on

Record = dict[str, Any]
Keeps = Callable[[list[Record]], list[Record]]  # which records of the true list the answer has

_PAGE = re.compile(rb"(?<=[?&])page=\d+")
_CONDITION = re.compile(rb"\r\nif-none-match: ([^\r]*)", re.IGNORECASE)
_LENGTH = re.compile(rb"(?<=\r\ncontent-length: )\d+", re.IGNORECASE)
_ETAG = re.compile(rb"\r\netag: [^\r]*", re.IGNORECASE)
_PAGE_ASKED = re.compile(r"[?&]page=(\d+)")


def no_records(records: list[Record]) -> list[Record]:
    return []


def without_first(records: list[Record]) -> list[Record]:
    return records[1:]


def without_last(records: list[Record]) -> list[Record]:
    return records[:-1]


def without_even(records: list[Record]) -> list[Record]:
    return records[1::2]


def without_odd(records: list[Record]) -> list[Record]:
    return records[::2]


def listing(keeps: Keeps, *, etag: bool) -> Fault:
    """Answer with a part of the list, paged as if that were all of it.

    Each page comes from the whole list, so all pages of one pass agree. With `etag` the answer has the ETag of the
    true list, which a client could store the part under.
    """

    async def answered(exchange: Exchange) -> None:
        answer, records = await _whole(exchange)
        if answer.status != 200:
            await exchange.send(answer.raw())
        else:
            document = _paged(json.loads(answer.body), keeps(records), page_of(exchange.path))
            await exchange.send(rebuilt(answer, document, etag=etag))
        exchange.kept = True

    return answered


async def unchanged(exchange: Exchange) -> None:
    """Answer a conditional request with 304, whatever has changed."""
    condition = _CONDITION.search(exchange.request)
    if condition is None:
        await passed_on(exchange)
        return
    await exchange.send(b"HTTP/1.1 304 Not Modified\r\nETag: " + condition[1] + b"\r\n\r\n")
    exchange.kept = True


def rebuilt(answer: Answer, document: Any, *, etag: bool) -> bytes:
    """Return the answer with another document, and with or without its ETag."""
    body = json.dumps(document).encode()
    head = _LENGTH.sub(b"%d" % len(body), answer.head)
    return (head if etag else _ETAG.sub(b"", head)) + body


def page_of(path: str) -> int:
    """Return the number of the page that a request asks for."""
    asked = _PAGE_ASKED.search(path)
    return int(asked[1]) if asked else 1


async def _whole(exchange: Exchange) -> tuple[Answer, list[Record]]:
    """Return the answer to the first page, and the records of all pages."""
    request = _CONDITION.sub(b"", exchange.request)
    first = await exchange.answer(_PAGE.sub(b"page=1", request, count=1))
    if first.status != 200:
        return first, []
    document = json.loads(first.body)
    records = list(document["data"])
    for number in range(2, document.get("meta", {}).get("last_page", 1) + 1):
        page = await exchange.answer(_PAGE.sub(b"page=%d" % number, request, count=1))
        records += json.loads(page.body)["data"]
    return first, records


def _paged(document: Any, records: list[Record], number: int) -> Any:
    if "meta" not in document:
        return document | {"data": records}
    size = document["meta"]["per_page"]
    start = (number - 1) * size
    shown = records[start : start + size]
    meta = {
        "current_page": number,
        "last_page": max(1, -(-len(records) // size)),
        "total": len(records),
        "from": start + 1 if shown else None,
        "to": start + len(shown) if shown else None,
    }
    return document | {"data": shown, "meta": document["meta"] | meta}
