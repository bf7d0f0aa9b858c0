"""The OpenAPI document (3.1.1), made from the models and the table of operations."""

from functools import cache
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from .... import __version__
from ....model import Kind
from ....model.json_schema import Schema
from ....model.wire_schema import NAMED
from ...access import SCOPES, WRITE
from ..etags import LIST_ETAGS, PREFERENCE
from ..http import JSON, JsonResponse
from ..serializers import INCLUDES
from .error_responses import ERROR_RESPONSES, HEADERS, changes_record, error_statuses, header_refs
from .json_schemas import EXAMPLES, ID, INVALID, MESSAGE, record_schemas, ref, request_schemas
from .operations import OPERATIONS, Operation, SuccessResponse

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
            "responses": {f"{status}": error.response() for status, error in ERROR_RESPONSES.items()},
            "headers": HEADERS,
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
    if changes_record(operation):
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
        status: {"$ref": f"#/components/responses/{status}"} for status in error_statuses(operation)
    }
    if operation.etag_of == "list":
        responses[304] = {"description": "The client has it already", "headers": header_refs("ETag")}
    responses |= {status: _response(operation, response) for status, response in operation.responses.items()}
    return {str(status): responses[status] for status in sorted(responses)}


def _response(operation: Operation, response: SuccessResponse) -> Object:
    """Return the OpenAPI object of a success, with its headers and its links to other operations."""
    content: Object = {"schema": response.body}
    if response.example is not None:
        content["example"] = response.example
    headers = ["ETag"] if operation.etag_of else []
    if operation.scope == WRITE:
        headers.append(LIST_ETAGS)
    result: Object = {
        "description": response.meaning,
        "headers": header_refs(*headers),
        "content": {JSON: content},
    }
    if operation.creates:
        result["links"] = _links(operation.creates)
    return result


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
