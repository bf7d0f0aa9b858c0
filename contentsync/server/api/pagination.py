"""Pages of a list, and the cache of their bodies (docs/contract.md 4.2, pagination envelope)."""

from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request

from ...model import PER_PAGE, Invalid, Violation
from ..bounded_cache import BoundedCache
from ..paging import Paging, parse_page_number

MAX_CACHE_BYTES = 32 * 1024 * 1024
MAX_REQUESTED = 16_384  # pages whose first request is recorded

_Key = tuple[str, bytes, bytes]


def page_number(request: Request) -> int:
    """Return the number in `?page`, by default 1; raise Invalid unless it is a whole number from 1."""
    number = parse_page_number(request.query_params.get("page", "1"))
    if not number:
        raise Invalid([Violation("not-an-integer", ("page",), "page must be a whole number, 1 or more")])
    return number


def envelope(page: Paging, request: Request, public_url: str) -> dict[str, Any]:
    """Return the members `links`, with the request's other query parameters, and `meta` for a page."""
    path = request.scope["raw_path"].decode("ascii")  # as requested, still escaped
    query = urlencode([item for item in request.query_params.multi_items() if item[0] != "page"])
    base = f"{public_url}{path}?{query}{'&' if query else ''}page="

    def link(number: int | None) -> str | None:
        return None if number is None else f"{base}{number}"

    count = max(0, min(PER_PAGE, page.total - page.offset))
    return {
        "links": {"first": link(1), "last": link(page.last), "prev": link(page.previous), "next": link(page.next)},
        "meta": {
            "current_page": page.number,
            "from": page.offset + 1 if count else None,
            "last_page": page.last,
            "per_page": PER_PAGE,
            "to": page.offset + count if count else None,
            "total": page.total,
        },
    }


class PageCache:
    """Caches the bodies of list pages by ETag and URL, in this process.

    An ETag changes with everything that its list shows, so a cached body is never outdated. A body is stored at the
    second request of its URL, so that a client that reads a long list once evicts nothing.
    """

    def __init__(self, max_bytes: int = MAX_CACHE_BYTES) -> None:
        self._max_body = max_bytes // 8
        self._bodies = BoundedCache[_Key, bytes](max_bytes, len)
        self._requested = BoundedCache[int, bool](MAX_REQUESTED)  # by the hash of the key

    def get(self, request: Request, etag: str) -> bytes | None:
        """Return the cached body for the request's URL and the ETag, or None."""
        return self._bodies.get(_key(request, etag))

    def put(self, request: Request, etag: str, body: bytes) -> None:
        """Store the body, except at the first request of its URL or if it exceeds an eighth of the cache."""
        key = _key(request, etag)
        if len(body) <= self._max_body and self._requested.get(hash(key)):
            self._bodies.put(key, body)
        self._requested.put(hash(key), True)


def _key(request: Request, etag: str) -> _Key:
    return etag, request.scope["raw_path"], request.scope["query_string"]
