"""Read request headers and JSON bodies, and build JSON responses."""

import json
from collections.abc import Sequence
from typing import Any

import orjson
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Scope

from ...model import Invalid, Violation, did_you_mean
from ...model.field_types import MAX_ITEMS
from ..service_errors import BodyTooLarge, MalformedBody

JSON = "application/json"
TOTAL_COUNT = "X-Total-Count"  # the header with the number of records in a list

# A client reads no response while it sends. So the server reads and discards up to this multiple of the body limit.
DRAIN_FACTOR = 4

_CONTENT_TYPE = (b"content-type", JSON.encode())


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


def list_response(
    documents: Sequence[str], envelope: dict[str, Any] | None = None, etag: str | None = None
) -> Response:
    """Return a response with the JSON texts of records, and with the members of the envelope (`links` and others)."""
    members = f",{_json_text(envelope)[1:-1]}" if envelope else ""
    return JsonResponse(f'{{"data":[{",".join(documents)}]{members}}}'.encode(), etag=etag)


def not_modified(etag: str, total: int | None = None) -> Response:
    """Return status 304 for a list that the client has; `total`, the number of records, lets it check its copy."""
    headers = {"ETag": etag} if total is None else {"ETag": etag, TOTAL_COUNT: str(total)}
    return Response(status_code=304, headers=headers)


def _json_text(value: dict[str, Any]) -> str:
    """Return an object as compact JSON."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # a page number may have more than 64 bits
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
