"""Holds requests and answers to the OpenAPI document."""

import json
import re
from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any, NamedTuple

import httpx
import jsonschema_rs

from contentsync.server.api.openapi.openapi_document import build_document

JSON = "application/json"
SUCCESS = (200, 201)
AROUND = frozenset({"X-Request-ID"})  # headers of the layers around the application, which is asked without them here
WHOLE = 1_000_000  # bytes of a body that are looked at


class Operation(NamedTuple):
    """An operation as a request found it: its template, its method, and what the document says."""

    path: str
    method: str
    says: Mapping[str, Any]


class Conformance:
    """The document, asked whether an answer is one that it describes."""

    def __init__(self, says: Mapping[str, Any]) -> None:
        self._says = says
        # `a/exists` is looked for before `a/{id}`.
        paths = sorted(says["paths"], key=lambda path: (path.count("{"), path))
        self._paths = [(re.compile(_expression(path)), path) for path in paths]

    def hold(self, response: httpx.Response) -> None:
        """Raise AssertionError unless the document knows the answer."""
        request = response.request
        path = request.url.raw_path.decode("ascii").partition("?")[0]
        template = next((template for expression, template in self._paths if expression.fullmatch(path)), None)
        method = "get" if request.method == "HEAD" else request.method.lower()
        if template is None or method not in self._says["paths"][template]:
            assert response.status_code == (404 if template is None else 405), f"{request.method} {path} is unknown"
            return
        operation = Operation(template, method, self._says["paths"][template][method])
        self._hold_answer(operation, response)
        if response.status_code in SUCCESS and "requestBody" in operation.says:
            self._hold_request(operation, request, response)

    def _hold_answer(self, operation: Operation, response: httpx.Response) -> None:
        where = f"{response.status_code} of {operation.method} {operation.path}"
        says = self._resolved(operation.says["responses"].get(str(response.status_code)))
        assert says is not None, f"the document does not know the {where}: {response.text}"
        for name, reference in says["headers"].items():
            header = self._resolved(reference)
            if name in response.headers:
                text = response.headers[name]
                value = int(text) if header["schema"].get("type") == "integer" else text
                judge = self._validator(("header", name), header["schema"])
                assert judge.is_valid(value), f"{name} of the {where}: {text}"
            else:
                assert name in AROUND or not header.get("required"), f"{name} is missing from the {where}"
        if "content" not in says:
            assert response.content == b"", where
        elif response.request.method != "HEAD":
            assert response.headers["Content-Type"] == JSON, where
            schema = says["content"][JSON]["schema"]
            key = (operation.path, operation.method, str(response.status_code))
            self._validator(key, schema).validate(response.json())

    def _hold_request(self, operation: Operation, request: httpx.Request, response: httpx.Response) -> None:
        """Fail if the service accepted a body that the document does not allow."""
        content = request.read()
        if len(content) > WHOLE or response.json().get("total_errors"):  # of a bulk create, which judges its items
            return
        body = {name: value for name, value in json.loads(content).items() if not _stands_in(name, value)}
        schema = operation.says["requestBody"]["content"][JSON]["schema"]
        self._validator((operation.path, operation.method, "request"), schema).validate(body)

    @cached_property
    def _validators(self) -> dict[tuple[str, ...], jsonschema_rs.Draft202012Validator]:
        return {}

    def _validator(self, key: tuple[str, ...], schema: Mapping[str, Any]) -> jsonschema_rs.Draft202012Validator:
        if key not in self._validators:
            whole = {**schema, "components": self._says["components"]}
            self._validators[key] = jsonschema_rs.Draft202012Validator(whole)
        return self._validators[key]

    def _resolved(self, value: Any) -> Any:
        while isinstance(value, dict) and "$ref" in value:
            target: Any = self._says
            for part in value["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            value = target
        return value


@cache
def conformance() -> Conformance:
    """The one of this server."""
    return Conformance(build_document())


def _expression(path: str) -> str:
    pieces = re.split(r"(\{\w+\})", path)
    wild = {"{category}": ".*"}  # a name with slashes, too
    return "".join(wild.get(piece, "[^/]+") if piece.startswith("{") else re.escape(piece) for piece in pieces)


def _stands_in(name: str, value: Any) -> bool:
    """Return whether it is the address of an uploaded image, which may be sent back however long it is."""
    return name in ("logo_url", "cover_image_url") and isinstance(value, str) and "/storage/" in value
