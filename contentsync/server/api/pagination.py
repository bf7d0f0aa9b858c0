"""Pages of a list, and the cache of those that were sent before (docs/contract.md 4.2, pagination envelope)."""

import re
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Any
from urllib.parse import urlencode

from fastapi import Request

from ...model import Invalid, Violation

PER_PAGE = 100
MAX_BULK = 100  # listings in one bulk create
MAX_CACHE_BYTES = 32 * 1024 * 1024
MAX_REQUESTED_ONCE = 16_384

_NUMBER = re.compile(r"[1-9][0-9]{0,99}\Z", re.ASCII)
_Key = tuple[str, bytes, bytes]


def page_number(request: Request) -> int:
    """Return the number of the page that the request asks for, from 1; raises Invalid."""
    text = request.query_params.get("page", "1")
    if not _NUMBER.match(text):
        raise Invalid([Violation("not-an-integer", ("page",), "page must be a whole number, 1 or more")])
    return int(text)


@dataclass(frozen=True, slots=True)
class ListPage:
    """One page of a list with a known total."""

    number: int
    total: int

    @property
    def offset(self) -> int:
        """Return the number of records before the page."""
        return (self.number - 1) * PER_PAGE

    @property
    def last(self) -> int:
        """Return the number of the last page; an empty list has one page."""
        return max(1, -(-self.total // PER_PAGE))

    def envelope(self, request: Request, public_url: str) -> dict[str, Any]:
        """Return `links`, which keep the request's other query parameters, and `meta`."""
        path = request.scope["raw_path"].decode("ascii")  # as requested, still escaped
        others = urlencode([item for item in request.query_params.multi_items() if item[0] != "page"])
        base = f"{public_url}{path}?{others}{'&' if others else ''}page="

        def link(number: int | None) -> str | None:
            return None if number is None else f"{base}{number}"

        length = max(0, min(PER_PAGE, self.total - self.offset))
        return {
            "links": {
                "first": link(1),
                "last": link(self.last),
                "prev": link(min(self.number - 1, self.last) or None),
                "next": link(self.number + 1 if self.number < self.last else None),
            },
            "meta": {
                "current_page": self.number,
                "from": self.offset + 1 if length else None,
                "last_page": self.last,
                "per_page": PER_PAGE,
                "to": self.offset + length if length else None,
                "total": self.total,
            },
        }


class PageCache:
    """Bodies of list pages by ETag and URL; each server process has its own.

    An ETag stands for everything that a list shows, so an entry never becomes wrong. A body is stored when its URL is
    requested for the second time, so that reading a long list once evicts nothing.
    """

    def __init__(self, max_bytes: int = MAX_CACHE_BYTES) -> None:
        self._max_bytes = max_bytes
        self._bodies: OrderedDict[_Key, bytes] = OrderedDict()
        self._size = 0
        self._requested_once: set[int] = set()  # hashes of keys
        self._lock = Lock()  # PostgreSQL is read by several threads

    def get(self, request: Request, etag: str) -> bytes | None:
        """Return the cached body, or None."""
        key = _key(request, etag)
        with self._lock:
            body = self._bodies.get(key)
            if body is not None:
                self._bodies.move_to_end(key)
            return body

    def put(self, request: Request, etag: str, body: bytes) -> None:
        """Store the body if its URL is requested again; evict the least recently used ones.

        A body of more than an eighth of the cache is not stored.
        """
        key = _key(request, etag)
        with self._lock:
            if len(body) > self._max_bytes // 8 or self._is_first_request(key):
                return
            self._size += len(body) - len(self._bodies.pop(key, b""))
            self._bodies[key] = body
            while self._size > self._max_bytes:
                self._size -= len(self._bodies.popitem(last=False)[1])

    def _is_first_request(self, key: _Key) -> bool:
        if hash(key) in self._requested_once:
            return False
        if len(self._requested_once) >= MAX_REQUESTED_ONCE:
            self._requested_once.clear()
        self._requested_once.add(hash(key))
        return True


def _key(request: Request, etag: str) -> _Key:
    return etag, request.scope["raw_path"], request.scope["query_string"]
