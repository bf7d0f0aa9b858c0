"""Pages of a list, and the cache of those that were sent before (docs/contract.md 4.2, pagination envelope)."""

import re
from threading import Lock
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request

from ...model import Invalid, Violation
from ..bounded_cache import BoundedCache
from ..paging import Paging

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


def envelope(page: Paging, request: Request, public_url: str) -> dict[str, Any]:
    """Return `links`, which keep the request's other query parameters, and `meta`."""
    path = request.scope["raw_path"].decode("ascii")  # as requested, still escaped
    others = urlencode([item for item in request.query_params.multi_items() if item[0] != "page"])
    base = f"{public_url}{path}?{others}{'&' if others else ''}page="

    def link(number: int | None) -> str | None:
        return None if number is None else f"{base}{number}"

    length = max(0, min(PER_PAGE, page.total - page.offset))
    return {
        "links": {"first": link(1), "last": link(page.last), "prev": link(page.previous), "next": link(page.next)},
        "meta": {
            "current_page": page.number,
            "from": page.offset + 1 if length else None,
            "last_page": page.last,
            "per_page": PER_PAGE,
            "to": page.offset + length if length else None,
            "total": page.total,
        },
    }


class PageCache:
    """Bodies of list pages by ETag and URL; each server process has its own.

    An ETag stands for everything that a list shows, so an entry never becomes wrong. A body is stored when its URL is
    requested for the second time, so that reading a long list once evicts nothing.
    """

    def __init__(self, max_bytes: int = MAX_CACHE_BYTES) -> None:
        self._max_body = max_bytes // 8
        self._bodies = BoundedCache[_Key, bytes](max_bytes, len)
        self._requested_once: set[int] = set()  # hashes of keys
        self._lock = Lock()  # PostgreSQL is read by several threads

    def get(self, request: Request, etag: str) -> bytes | None:
        """Return the cached body, or None."""
        return self._bodies.get(_key(request, etag))

    def put(self, request: Request, etag: str, body: bytes) -> None:
        """Store the body if its URL is requested again, unless it is more than an eighth of the cache."""
        key = _key(request, etag)
        if len(body) > self._max_body:
            return
        with self._lock:
            if self._is_first_request(key):
                return
        self._bodies.put(key, body)

    def _is_first_request(self, key: _Key) -> bool:
        if hash(key) in self._requested_once:
            return False
        if len(self._requested_once) >= MAX_REQUESTED_ONCE:
            self._requested_once.clear()
        self._requested_once.add(hash(key))
        return True


def _key(request: Request, etag: str) -> _Key:
    return etag, request.scope["raw_path"], request.scope["query_string"]
