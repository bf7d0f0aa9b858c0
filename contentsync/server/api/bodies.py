"""Bodies in: read within a bound, parsed, and for the checks judged."""

from typing import Any

import orjson
from fastapi import Request
from starlette.requests import ClientDisconnect

from ...model import WIRE, Invalid, Kind, Violation, check, did_you_mean
from ...model.field_types import MAX_ITEMS
from ..auth import Call
from ..errors import Malformed, TooLarge

# A client that is still sending does not read an answer, so more than the limit is read, and thrown away.
DRAINED = 4


async def body_of(call: Call) -> dict[str, Any]:
    """The JSON object that the request carries; raises Malformed, TooLarge or Invalid."""
    text = await _bytes(call.request, call.service.max_body)
    try:
        body = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise Malformed(f"The body is not valid JSON: {error}") from error
    if not isinstance(body, dict):
        raise Invalid([Violation("not-an-object", ("body",), "body must be an object of keys and values")])
    return body


def only(body: dict[str, Any], field: str) -> Any:
    """The value of the one field that the body may have; raises Invalid."""
    if len(body) > MAX_ITEMS:  # then they are not told one by one
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


def checked(kind: Kind, field: str, value: Any) -> Any:
    """The value of one field as the model judges it, which is not null; raises Invalid."""
    try:
        found = check(kind, {field: value}, WIRE, stored={})[field]
    except Invalid as invalid:
        violations = [violation for violation in invalid.violations if violation.loc[:1] == (field,)]
        if violations:
            raise Invalid(violations) from invalid
        return value
    if found is None:
        raise Invalid([Violation("required", (field,), f"{field} is required")])
    return found


async def _bytes(request: Request, limit: int) -> bytes:
    chunks: list[bytes] = []
    size, more = 0, True
    while more and size <= limit * DRAINED:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        chunk, more = message.get("body", b""), message.get("more_body", False)
        size += len(chunk)
        if size <= limit:
            chunks.append(chunk)
        else:
            chunks.clear()
    if size > limit:
        raise TooLarge(f"The body is larger than {limit} bytes")
    return b"".join(chunks)
