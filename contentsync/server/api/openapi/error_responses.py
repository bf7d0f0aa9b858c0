"""Error responses, and the headers of all responses (docs/contract.md 11)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ....model.json_schema import Schema
from ...access import WRITE
from ..http import JSON
from .json_schemas import COUNT, TEXT, ref
from .operations import Operation

_SECONDS: Schema = {"type": "integer", "minimum": 0}

HEADERS: Mapping[str, dict[str, Any]] = {
    "X-Request-ID": {"description": "The request's name in the server's log", "required": True, "schema": TEXT},
    "ETag": {
        "description": "Of a record: its `updated_at` in quotes. Of a list: of the whole collection with its "
        "translations, the same on every page and in every language",
        "required": True,
        "schema": {"type": "string", "pattern": '^"[^"]+"$'},
    },
    "X-List-ETags": {
        "description": "With `Prefer: list-etags`: for each list in which no other record was changed, the last "
        "segment of its path and its ETag before and after the write",
        "schema": TEXT,
    },
    "WWW-Authenticate": {"required": True, "schema": {"const": "Bearer"}},
    "Retry-After": {"description": "Seconds", "required": True, "schema": _SECONDS},
    "X-RateLimit-Limit": {
        "description": "Requests a minute of a token in a directory; absent without a limit",
        "schema": COUNT,
    },
    "X-RateLimit-Remaining": {"description": "How many of them remain", "schema": COUNT},
}


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """An error response of the API, as the OpenAPI document describes it."""

    meaning: str
    examples: Mapping[str, Any]  # example bodies by the names of the examples
    headers: tuple[str, ...] = ()
    schema: str = "Message"  # the name of the body's schema

    def response(self) -> dict[str, Any]:
        """Return the response object for the OpenAPI document."""
        examples = {name: {"value": body} for name, body in self.examples.items()}
        return {
            "description": self.meaning,
            "headers": header_refs(*self.headers),
            "content": {JSON: {"schema": ref(self.schema), "examples": examples}},
        }


def _message(text: str) -> dict[str, Any]:
    return {"message": text}


ERROR_RESPONSES: Mapping[int, ErrorResponse] = {
    400: ErrorResponse(
        "The body is not JSON", {"malformed": _message("The body is not valid JSON: unexpected end of data")}
    ),
    401: ErrorResponse(
        "The token is missing, unknown, expired or revoked",
        {"unauthenticated": _message("Unauthenticated.")},
        ("WWW-Authenticate",),
    ),
    403: ErrorResponse(
        "The directory is not the user's or does not exist, the record is not the submitter's, "
        "or the token lacks the scope",
        {
            "foreign": _message("You do not own this directory"),
            "scope": _message(f'This token lacks the scope "{WRITE}"'),
        },
    ),
    404: ErrorResponse(
        "The directory has no such record, or there is no such path",
        {"record": _message("Page not found"), "path": _message("Not Found")},
    ),
    408: ErrorResponse("The body did not arrive in time", {"late": _message("The request was not complete in time")}),
    409: ErrorResponse(
        "`If-Match` names another state of the record; or `If-None-Match: *`, and there is a record",
        {
            "changed": _message("The record has changed since"),
            "taken": _message("A record with this key is there already"),
        },
    ),
    413: ErrorResponse("The body is too large", {"large": _message("The body is larger than 10485760 bytes")}),
    422: ErrorResponse(
        "Values break rules",
        {"invalid": {"message": "The given data was invalid.", "errors": {"title": ["title is required"]}}},
        schema="Invalid",
    ),
    429: ErrorResponse("Too many requests", {"limit": _message("Too Many Attempts.")}, ("Retry-After",)),
    500: ErrorResponse("The server failed", {"failure": _message("Server Error")}),
    503: ErrorResponse("The database is busy or full", {"busy": _message("the database is busy")}, ("Retry-After",)),
    504: ErrorResponse(
        "The database was lost during the commit: the write may be done or not",
        {"unconfirmed": _message("the database did not confirm the write: it may be done")},
    ),
}


def header_refs(*names: str) -> dict[str, Any]:
    """Return references, by name, to the named headers and to the headers that every response may have."""
    common = ("X-Request-ID", "X-RateLimit-Limit", "X-RateLimit-Remaining")
    return {name: {"$ref": f"#/components/headers/{name}"} for name in (*common, *names)}


def error_statuses(operation: Operation) -> Iterator[int]:
    """Yield the HTTP statuses of the errors that the operation can return."""
    if operation.body:
        yield from (400, 408, 413, 422)
    elif operation.query:
        yield 422
    if operation.scope:
        yield from (401, 403, 429, 503)
    if operation.scope == WRITE:
        yield 504
    if "{" in operation.path:
        yield 404
    if changes_record(operation) or operation.creates:
        yield 409
    yield 500


def changes_record(operation: Operation) -> bool:
    """Return whether the operation changes or deletes one record, so that `If-Match` applies."""
    return operation.scope == WRITE and operation.method in ("put", "patch", "delete")
