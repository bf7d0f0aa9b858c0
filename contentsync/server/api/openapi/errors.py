"""The answers that are no success, and the headers of all answers (docs/contract.md 11)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ....model.json_schema import Schema
from ...access import WRITE
from ..answers import JSON
from .operations import Operation
from .schemas import COUNT, TEXT, ref

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
    "X-RateLimit-Remaining": {"description": "How many of them are left", "schema": COUNT},
}


@dataclass(frozen=True, slots=True)
class Failure:
    """An answer that is no success."""

    meaning: str
    examples: Mapping[str, Any]  # bodies by name
    headers: tuple[str, ...] = ()
    schema: str = "Message"

    def response(self) -> dict[str, Any]:
        """The response object."""
        examples = {name: {"value": body} for name, body in self.examples.items()}
        return {
            "description": self.meaning,
            "headers": headers(*self.headers),
            "content": {JSON: {"schema": ref(self.schema), "examples": examples}},
        }


def _message(text: str) -> dict[str, Any]:
    return {"message": text}


FAILURES: Mapping[int, Failure] = {
    400: Failure("The body is no JSON", {"malformed": _message("The body is not valid JSON: unexpected end of data")}),
    401: Failure(
        "The token is missing, unknown, expired or revoked",
        {"unauthenticated": _message("Unauthenticated.")},
        ("WWW-Authenticate",),
    ),
    403: Failure(
        "The directory is not the user's or does not exist, the record is not the submitter's, "
        "or the token lacks the scope",
        {
            "foreign": _message("You do not own this directory"),
            "scope": _message(f'This token lacks the scope "{WRITE}"'),
        },
    ),
    404: Failure(
        "The directory has no such record, or the path is none",
        {"record": _message("Page not found"), "path": _message("Not Found")},
    ),
    408: Failure("The body did not come in time", {"late": _message("The request did not come to its end")}),
    409: Failure(
        "`If-Match` was given, and the record is in another state; or `If-None-Match: *`, and there is a record",
        {
            "changed": _message("The record has changed since"),
            "taken": _message("A record with this key is there already"),
        },
    ),
    413: Failure("The body is too large", {"large": _message("The body is larger than 10485760 bytes")}),
    422: Failure(
        "Values break rules",
        {"invalid": {"message": "The given data was invalid.", "errors": {"title": ["title is required"]}}},
        schema="Invalid",
    ),
    429: Failure("Too many requests", {"limit": _message("Too Many Attempts.")}, ("Retry-After",)),
    500: Failure("The server failed", {"failure": _message("Server Error")}),
    503: Failure("The database is busy or full", {"busy": _message("the database is busy")}, ("Retry-After",)),
    504: Failure(
        "The database was lost while it committed: the write may be done, or not",
        {"unconfirmed": _message("the database did not confirm the write: it may be done")},
    ),
}


def headers(*names: str) -> dict[str, Any]:
    """The headers of an answer: its own, and those that every one may have."""
    every = ("X-Request-ID", "X-RateLimit-Limit", "X-RateLimit-Remaining")
    return {name: {"$ref": f"#/components/headers/{name}"} for name in (*every, *names)}


def failures_of(operation: Operation) -> Iterator[int]:
    """The statuses that follow from what an operation asks for."""
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
    if changes(operation) or creates(operation):
        yield 409
    yield 500


def creates(operation: Operation) -> bool:
    """Return whether it makes one record, so that `If-None-Match: *` applies."""
    return operation.makes is not None


def changes(operation: Operation) -> bool:
    """Whether it changes a record that is there, so that `If-Match` holds."""
    return operation.scope == WRITE and operation.method in ("put", "patch", "delete")
