"""The OpenAPI document (3.1.1), made from the models and the table of operations, with its errors and headers.

docs/contract.md 11 has the errors.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from .... import __version__
from ....model import Kind
from ....model.json_schema import NAMED, Schema
from ...access import SCOPES, WRITE
from ...service_errors import Overloaded
from ..etags import LIST_ETAGS, PREFERENCE
from ..http import JSON, JsonResponse
from ..serializers import INCLUDES
from .json_schemas import COUNT, EXAMPLES, ID, INVALID, MESSAGE, TEXT, record_schemas, ref, request_schemas
from .operations import OPERATIONS, DefinedResponse, Operation

Object = dict[str, Any]

_DESCRIPTION = """\
Manages the content of directories: pages, articles, listings ("projects" in paths), organizers, categories, tags and
custom fields.

- Records come as `{"data": {...}}`, lists as `{"data": [...]}`; those of pages, articles and listings 100 a page.
- Creates answer 201 if they created a record, 200 if they found one.
- Unknown keys are refused with 422; keys that the service returns may be sent back, and are ignored.
- HEAD is answered like GET, without a body.
- On any path, malformed HTTP is answered with 400, 408, 414 or 431, and too many connections with 503; the body is
  `{"message": "..."}` too.
- A directory of another user gets the same response as one that does not exist; so does a record of another directory.
"""

_PARAMETERS: dict[str, Object] = {
    "page": {"description": "The number of the page", "schema": {"type": "integer", "minimum": 1, "default": 1}},
    "locale": {"description": "The language of the texts", "schema": ref("Locale")},
    "include_translations": {
        "name": "include",
        "description": "Adds the texts in other languages as they are stored",
        "schema": {"enum": [*INCLUDES, ""]},
    },
    "include_visibility": {
        "name": "include",
        "description": "Adds whether the site shows the listing now",
        "schema": {"enum": [*INCLUDES, ""]},
    },
}
_CONDITIONS: dict[str, Object] = {
    "If-Match": {"description": "The ETag of the state that the request changes", "schema": {"type": "string"}},
    "If-None-Match": {"description": "ETags of the list that the client has", "schema": {"type": "string"}},
    "Prefer": {
        "description": f"`{PREFERENCE}` asks for `{LIST_ETAGS}` in the answer",
        "schema": {"type": "string"},
        "example": PREFERENCE,
    },
}

_CREATE_CONDITION: Object = {
    "description": "`*` refuses to change an existing record with the key",
    "schema": {"type": "string"},
    "example": "*",
}

_SECONDS: Schema = {"type": "integer", "minimum": 0}

_HEADERS: Mapping[str, Object] = {
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
class _ErrorResponse:
    """An error response of the API, as the OpenAPI document describes it."""

    meaning: str
    examples: Mapping[str, Any]  # example bodies by the names of the examples
    headers: tuple[str, ...] = ()
    schema: str = "Message"  # the name of the body's schema

    def response(self) -> Object:
        """Return the response object for the OpenAPI document."""
        examples = {name: {"value": body} for name, body in self.examples.items()}
        return {
            "description": self.meaning,
            "headers": _header_refs(*self.headers),
            "content": {JSON: {"schema": ref(self.schema), "examples": examples}},
        }


def _message(text: str) -> Object:
    return {"message": text}


_ERROR_RESPONSES: Mapping[int, _ErrorResponse] = {
    400: _ErrorResponse(
        "The body is not JSON", {"malformed": _message("The body is not valid JSON: unexpected end of data")}
    ),
    401: _ErrorResponse(
        "The token is missing, unknown, expired or revoked",
        {"unauthenticated": _message("Unauthenticated.")},
        ("WWW-Authenticate",),
    ),
    403: _ErrorResponse(
        "The directory is not the user's or does not exist, the record is not the submitter's, "
        "or the token lacks the scope",
        {
            "foreign": _message("You do not own this directory"),
            "scope": _message(f'This token lacks the scope "{WRITE}"'),
        },
    ),
    404: _ErrorResponse(
        "The directory has no such record, or there is no such path",
        {"record": _message("Page not found"), "path": _message("Not Found")},
    ),
    408: _ErrorResponse("The body did not arrive in time", {"late": _message("The request was not complete in time")}),
    409: _ErrorResponse(
        "`If-Match` names another state of the record; or `If-None-Match: *`, and there is a record",
        {
            "changed": _message("The record has changed since"),
            "taken": _message("A record with this key is there already"),
        },
    ),
    413: _ErrorResponse("The body is too large", {"large": _message("The body is larger than 10485760 bytes")}),
    422: _ErrorResponse(
        "Values break rules",
        {"invalid": {"message": "The given data was invalid.", "errors": {"title": ["title is required"]}}},
        schema="Invalid",
    ),
    429: _ErrorResponse("Too many requests", {"limit": _message("Too Many Attempts.")}, ("Retry-After",)),
    500: _ErrorResponse("The server failed", {"failure": _message("Server Error")}),
    503: _ErrorResponse(
        "The database is busy or full, or too many long reads of the directory wait",
        {"busy": _message("the database is busy"), "overloaded": _message(Overloaded.message)},
        ("Retry-After",),
    ),
    504: _ErrorResponse(
        "The database was lost during the commit: the write may be done or not",
        {"unconfirmed": _message("the database did not confirm the write: it may be done")},
    ),
}


def build_document() -> Object:
    """Return the OpenAPI document."""
    paths: dict[str, Object] = {}
    for operation in OPERATIONS:
        item = paths.setdefault(operation.path, _path_item(operation.path))
        item[operation.method] = _operation(operation)
    return {
        "openapi": "3.1.1",
        "info": {
            "title": "contentsync",
            "version": __version__,
            "description": _DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": tag} for tag in dict.fromkeys(operation.tag for operation in OPERATIONS)],
        "paths": paths,
        "components": {
            "schemas": {**NAMED, "Message": MESSAGE, "Invalid": INVALID, **request_schemas(), **record_schemas()},
            "responses": {f"{status}": error.response() for status, error in _ERROR_RESPONSES.items()},
            "headers": _HEADERS,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token of a user, for all of the user's directories or one, with scopes "
                    f"({', '.join(SCOPES)}). Made with `contentsync admin token create`",
                }
            },
        },
    }


def _path_item(path: str) -> Object:
    """Return the OpenAPI object of a path, without operations: the parameters in the path, which all of them share."""
    schemas: dict[str, Schema] = {"category": {"type": "string", "minLength": 1}}  # all others are ids
    names = [part.strip("{}") for part in path.split("/") if part.startswith("{")]
    parameters = [{"name": name, "in": "path", "required": True, "schema": schemas.get(name, ID)} for name in names]
    return {"parameters": parameters} if names else {}


def _operation(operation: Operation) -> Object:
    """Return the OpenAPI object of an operation."""
    parameters = [{"name": name, "in": "query", **_PARAMETERS[name]} for name in operation.query]
    if _changes_record(operation):
        parameters.append({"name": "If-Match", "in": "header", **_CONDITIONS["If-Match"]})
    elif operation.creates:
        parameters.append({"name": "If-None-Match", "in": "header", **_CREATE_CONDITION})
    elif operation.etag_of == "list":
        parameters.append({"name": "If-None-Match", "in": "header", **_CONDITIONS["If-None-Match"]})
    if operation.scope == WRITE:
        parameters.append({"name": "Prefer", "in": "header", **_CONDITIONS["Prefer"]})
    result: Object = {
        "operationId": operation.id,
        "summary": operation.summary,
        "tags": [operation.tag],
        "security": [{"token": [operation.scope]}] if operation.scope else [],
        "responses": _responses(operation),
    }
    if parameters:
        result["parameters"] = parameters
    if operation.body:
        content = {"schema": ref(operation.body), "example": EXAMPLES[operation.body]}
        result["requestBody"] = {"required": True, "content": {JSON: content}}
    return result


def _responses(operation: Operation) -> Object:
    """Return the responses of an operation by status: errors, 304 where it applies, and its successes."""
    responses: dict[int, Object] = {
        status: {"$ref": f"#/components/responses/{status}"} for status in _error_statuses(operation)
    }
    if operation.etag_of == "list":
        responses[304] = {"description": "The client has it already", "headers": _header_refs("ETag")}
    responses |= {status: _response(operation, response) for status, response in operation.responses.items()}
    return {str(status): responses[status] for status in sorted(responses)}


def _error_statuses(operation: Operation) -> Iterator[int]:
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
    if _changes_record(operation) or operation.creates:
        yield 409
    yield 500


def _changes_record(operation: Operation) -> bool:
    """Return whether the operation changes or deletes one record, so that `If-Match` applies."""
    return operation.scope == WRITE and operation.method in ("put", "patch", "delete")


def _response(operation: Operation, response: DefinedResponse) -> Object:
    """Return the OpenAPI object of a response, with its headers and its links to other operations."""
    content: Object = {"schema": response.body}
    if response.example is not None:
        content["example"] = response.example
    headers = ["ETag"] if operation.etag_of else []
    if operation.scope == WRITE:
        headers.append(LIST_ETAGS)
    result: Object = {
        "description": response.meaning,
        "headers": _header_refs(*headers),
        "content": {JSON: content},
    }
    if operation.creates:
        result["links"] = _links(operation.creates)
    return result


def _header_refs(*names: str) -> Object:
    """Return references, by name, to the named headers and to the headers that every response may have."""
    common = ("X-Request-ID", "X-RateLimit-Limit", "X-RateLimit-Remaining")
    return {name: {"$ref": f"#/components/headers/{name}"} for name in (*common, *names)}


def _links(kind: Kind) -> Object:
    """Return OpenAPI links from the response with a created record to all operations on that record."""
    id_parameter = f"{'project' if kind is Kind.LISTING else kind}_id"
    return {
        operation.id: {
            "operationId": operation.id,
            "parameters": {"directory_id": "$request.path.directory_id", id_parameter: "$response.body#/data/id"},
        }
        for operation in OPERATIONS
        if f"{{{id_parameter}}}" in operation.path
    }


async def show_document(request: Request) -> Response:
    """Return the OpenAPI document; it needs no token, because it contains no data of any directory."""
    return JsonResponse(_encoded_document())


@cache
def _encoded_document() -> bytes:
    return orjson.dumps(build_document())
