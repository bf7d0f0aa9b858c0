"""The document itself (OpenAPI 3.1.1)."""

from typing import Any

from .... import __version__
from ....model import Kind
from ....model.json_schema import Schema
from ....model.wire_schema import NAMED
from ...access import SCOPES, WRITE
from ..answers import JSON
from ..lists import LIST_ETAGS, PREFERENCE
from ..view import INCLUDES
from .envelopes import INVALID, MESSAGE
from .errors import FAILURES, HEADERS, changes, creates, failures_of, headers
from .examples import REQUESTS
from .operations import OPERATIONS, Answer, Operation
from .records import record_schemas
from .requests import request_schemas
from .schemas import ID, ref

Object = dict[str, Any]

_DESCRIPTION = """\
Manages the content of directories: pages, articles, listings ("projects" in paths), organizers, categories, tags and
custom fields.

- Records come as `{"data": {...}}`, lists as `{"data": [...]}`; those of pages, articles and listings 100 a page.
- Creates answer 201 when a record was made, 200 when one was found.
- Unknown keys are refused with 422; what the service itself returns may be echoed, and is ignored.
- HEAD is answered like GET, without a body.
- On any path, what is no HTTP is answered with 400, 408, 414 or 431, and a connection too many with 503; the body is
  `{"message": "..."}` too.
- A directory that is another's answers like one that does not exist, and so does a record of another directory.
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
    "If-Match": {"description": "The ETag of the state that is to be changed", "schema": {"type": "string"}},
    "If-None-Match": {"description": "ETags of the list that the client has", "schema": {"type": "string"}},
    "Prefer": {
        "description": f"`{PREFERENCE}` asks for `{LIST_ETAGS}` in the answer",
        "schema": {"type": "string"},
        "example": PREFERENCE,
    },
}

_CREATE_CONDITION: Object = {
    "description": "`*` refuses to change a record that has the key already",
    "schema": {"type": "string"},
    "example": "*",
}


def document() -> Object:
    """The document as a new value."""
    paths: dict[str, Object] = {}
    for operation in OPERATIONS:
        item = paths.setdefault(operation.path, _path(operation.path))
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
            "responses": {f"{status}": failure.response() for status, failure in FAILURES.items()},
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


def _path(path: str) -> Object:
    names = [part.strip("{}") for part in path.split("/") if part.startswith("{")]
    if not names:
        return {}
    return {"parameters": [_in_path(name) for name in names]}


def _in_path(name: str) -> Object:
    schema: Schema = {"type": "string", "minLength": 1} if name == "category" else ID
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _operation(operation: Operation) -> Object:
    parameters = [{"name": name, "in": "query", **_PARAMETERS[name]} for name in operation.query]
    if changes(operation):
        parameters.append({"name": "If-Match", "in": "header", **_CONDITIONS["If-Match"]})
    elif creates(operation):
        parameters.append({"name": "If-None-Match", "in": "header", **_CREATE_CONDITION})
    elif operation.shows == "list":
        parameters.append({"name": "If-None-Match", "in": "header", **_CONDITIONS["If-None-Match"]})
    if operation.scope == WRITE:
        parameters.append({"name": "Prefer", "in": "header", **_CONDITIONS["Prefer"]})
    made: Object = {
        "operationId": operation.id,
        "summary": operation.summary,
        "tags": [operation.tag],
        "security": [{"token": [operation.scope]}] if operation.scope else [],
        "responses": _responses(operation),
    }
    if parameters:
        made["parameters"] = parameters
    if operation.body:
        content = {"schema": ref(operation.body), "example": REQUESTS[operation.body]}
        made["requestBody"] = {"required": True, "content": {JSON: content}}
    return made


def _responses(operation: Operation) -> Object:
    responses: dict[int, Object] = {
        status: {"$ref": f"#/components/responses/{status}"} for status in failures_of(operation)
    }
    if operation.shows == "list":
        responses[304] = {"description": "The client has it already", "headers": headers("ETag")}
    responses |= {status: _answer(operation, answer) for status, answer in operation.answers.items()}
    return {str(status): responses[status] for status in sorted(responses)}


def _answer(operation: Operation, answer: Answer) -> Object:
    content: Object = {"schema": answer.body}
    if answer.example is not None:
        content["example"] = answer.example
    shown: Object = {
        "description": answer.meaning,
        "headers": headers(*(["ETag"] if operation.shows else []), *([LIST_ETAGS] if operation.scope == WRITE else [])),
        "content": {JSON: content},
    }
    if operation.makes:
        shown["links"] = _links(operation.makes)
    return shown


def _links(kind: Kind) -> Object:
    """What can be done with the record that an answer holds."""
    name = f"{'project' if kind is Kind.LISTING else kind}_id"
    return {
        operation.id: {
            "operationId": operation.id,
            "parameters": {"directory_id": "$request.path.directory_id", name: "$response.body#/data/id"},
        }
        for operation in OPERATIONS
        if f"{{{name}}}" in operation.path
    }
