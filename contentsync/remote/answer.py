"""What the service answered, read within bounds."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
import orjson

from .failure import Failed, refused, unclear
from .wire import number_of

LARGEST = 64 << 20  # bytes of one answer, decoded; a page of a list has a few hundred thousand

# One at most: each further one multiplies what a few bytes unfold to.
_CODINGS = frozenset({"", "identity", "gzip", "deflate"})

_TAG = re.compile(r'(?:W/)?"[\x21\x23-\x7e]+"\Z')
_MOVED = re.compile(r' *([a-z-]+) ("[\x21\x23-\x7e]+") ("[\x21\x23-\x7e]+") *(?:,|\Z)')


class Unreadable(Exception):
    """The answer cannot be read, or not within bounds."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request that succeeded."""

    document: Mapping[str, Any]  # empty when nothing has changed
    etag: str | None
    unchanged: bool = False  # a 304: what the client has is still true
    total: int | None = None  # of a 304: how many records the list has, where the service says so
    made: bool = False  # a 201: a create has made the record, and not found it
    # The ETags of lists before and after a write that changed nothing else in them, by the last segment of their paths.
    moved: Mapping[str, tuple[str, str]] = field(default_factory=dict)


async def receive(response: httpx.Response, largest: int = LARGEST) -> bytes:
    """The decoded body, of at most `largest` bytes. Raises Unreadable, and httpx's errors."""
    coding = response.headers.get("content-encoding", "").strip().lower()
    if coding not in _CODINGS:
        raise Unreadable(f"it is in an encoding that was not asked for: {coding}")
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.aiter_bytes():
        size += len(chunk)
        if size > largest:
            raise Unreadable(f"it is larger than {largest >> 20} MiB")
        chunks.append(chunk)
    return b"".join(chunks)


def judge(response: httpx.Response, body: bytes, request: str) -> Answer | Failed:
    """What a whole answer says; `request` names what it answers."""
    document, etag = _document(body), _etag(response)
    if response.status_code in (200, 201):
        if document is None:
            return unclear(f"{request} was answered with something that is not a JSON object")
        return Answer(document, etag, made=response.status_code == 201, moved=_moved(response))
    if response.status_code == 304 and "if-none-match" in response.request.headers:
        return Answer({}, etag, unchanged=True, total=number_of(response.headers.get("x-total-count")))
    return refused(response, document, request)


def _document(body: bytes) -> dict[str, Any] | None:
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:  # of broken UTF-8 too
        return None
    return document if isinstance(document, dict) else None


def _etag(response: httpx.Response) -> str | None:
    found = response.headers.get("etag", "")
    return found if _TAG.match(found) else None


def _moved(response: httpx.Response) -> dict[str, tuple[str, str]]:
    told = response.headers.get("x-list-etags", "")
    return {name: (before, after) for name, before, after in _MOVED.findall(told)}
