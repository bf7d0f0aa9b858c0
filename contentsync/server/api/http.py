"""Read requests, build JSON responses, and cache those with a page of a list (docs/contract.md 4.2)."""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import orjson
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Scope

from ...model import PER_PAGE, Invalid, Violation, did_you_mean
from ...model.field_types import MAX_ITEMS
from ..bounded_cache import BoundedCache
from ..paging import Paging, parse_page_number
from ..service_errors import BodyTooLarge, MalformedBody

JSON = "application/json"
TOTAL_COUNT = "X-Total-Count"  # the header with the number of records in a list
MAX_CACHE_BYTES = 32 * 1024 * 1024  # of a PageCache
MAX_REQUESTED = 16_384  # pages whose first request is recorded

# A client reads no response while it sends. So the server reads and discards up to this multiple of the body limit.
DRAIN_FACTOR = 4

_CONTENT_TYPE = (b"content-type", JSON.encode())
_Key = tuple[str, bytes, bytes]


def header_values(scope: Scope, name: bytes) -> list[str]:
    """Return the values of all headers with the name, which must be in lower case."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


async def read_body(request: Request, limit: int) -> dict[str, Any]:
    """Return the body, a JSON object of at most `limit` bytes; raise MalformedBody, BodyTooLarge or Invalid."""
    text = await _read_bytes(request, limit)
    try:
        body = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise MalformedBody(f"The body is not valid JSON: {error}") from error
    if not isinstance(body, dict):
        raise Invalid([Violation("not-an-object", ("body",), "body must be an object of keys and values")])
    return body


async def _read_bytes(request: Request, limit: int) -> bytes:
    """Return the body. Raise BodyTooLarge, or ClientDisconnect if the client closes the connection.

    A body above the limit is read and dropped, up to DRAIN_FACTOR times the limit, so that the client gets the error.
    """
    chunks: list[bytes] = []
    size = 0
    has_more = True
    while has_more and size <= limit * DRAIN_FACTOR:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        chunk = message.get("body", b"")
        has_more = message.get("more_body", False)
        size += len(chunk)
        if size <= limit:
            chunks.append(chunk)
        else:
            chunks.clear()
    if size > limit:
        raise BodyTooLarge(f"The body is larger than {limit} bytes")
    return b"".join(chunks)


def only_value(body: dict[str, Any], field: str) -> Any:
    """Return the value of `field`; raise Invalid if it is missing or null, or if the body has other keys."""
    if len(body) > MAX_ITEMS:  # one violation instead of one for each key
        message = f"body must have at most {MAX_ITEMS} keys, has {len(body)}"
        raise Invalid([Violation("too-many", ("body",), message)])
    violations = [
        Violation("unknown-key", (key,), f"{key} is not a known key", did_you_mean(key, [field]))
        for key in body
        if key != field
    ]
    if body.get(field) is None:
        violations.append(Violation("required", (field,), f"{field} is required"))
    if violations:
        raise Invalid(violations)
    return body[field]


def page_number(request: Request) -> int:
    """Return the number in `?page`, by default 1; raise Invalid unless it is a whole number from 1."""
    number = parse_page_number(request.query_params.get("page", "1"))
    if not number:
        raise Invalid([Violation("not-an-integer", ("page",), "page must be a whole number, 1 or more")])
    return number


class JsonResponse(Response):
    """A response with encoded JSON. Its headers are bytes: Starlette would encode them for every response."""

    def __init__(self, body: bytes, status: int = 200, etag: str | None = None) -> None:
        self.body, self.status_code, self.background = body, status, None
        self.raw_headers = [(b"content-length", b"%d" % len(body)), _CONTENT_TYPE]
        if etag is not None:
            self.raw_headers.insert(0, (b"etag", etag.encode()))


def json_response(value: Any, status: int = 200) -> Response:
    """Return a response with the value as JSON."""
    return JsonResponse(orjson.dumps(value), status)


def message_response(text: str, status: int = 200) -> Response:
    """Return a response with the JSON object `{"message": text}`."""
    return json_response({"message": text}, status)


def record_response(document: str, etag: str, status: int = 200) -> Response:
    """Return a response with one record, whose JSON text is `document`."""
    return JsonResponse(f'{{"data":{document}}}'.encode(), status, etag)


def list_response(documents: Sequence[str], members: dict[str, Any] | None = None, etag: str | None = None) -> Response:
    """Return a response with the JSON texts of records, and with more `members`, such as those of `envelope`."""
    more = f",{_json_text(members)[1:-1]}" if members else ""
    return JsonResponse(f'{{"data":[{",".join(documents)}]{more}}}'.encode(), etag=etag)


def _json_text(value: dict[str, Any]) -> str:
    """Return an object as compact JSON."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # a page number may have more than 64 bits
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


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


def not_modified(etag: str, *, total_count: int | None = None) -> Response:
    """Return status 304 for a list that the client has; with `total_count`, it can check the length of its copy."""
    headers = {"ETag": etag} if total_count is None else {"ETag": etag, TOTAL_COUNT: str(total_count)}
    return Response(status_code=304, headers=headers)


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
