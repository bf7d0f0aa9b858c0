"""The OpenAPI document: it is one, and it says what the service does."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import jsonschema
import jsonschema_rs
import pytest

from contentsync.model import RECORDS, Kind
from contentsync.server.api.openapi import OPERATIONS, Operation
from contentsync.server.api.openapi.openapi_document import build_document
from contentsync.server.api.routing import ServiceRoute
from contentsync.server.service_errors import ServiceError

from ..server.conftest import PUBLIC_URL, Api
from .conformance import conformance
from .conftest import Server

DOCUMENT = build_document()
BODIES = [operation for operation in OPERATIONS if operation.body]


def schema_named(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]}


def example_of(operation: Operation) -> dict[str, Any]:
    """A copy, which a test may change."""
    content = DOCUMENT["paths"][operation.path][operation.method]["requestBody"]["content"]["application/json"]
    return dict(content["example"])


def test_the_document_is_valid_openapi() -> None:
    # Not where all tests are collected: it takes a second and a half.
    from schemathesis.specs.openapi.definitions import OPENAPI_31

    jsonschema_rs.Draft202012Validator(OPENAPI_31).validate(DOCUMENT)


def test_every_reference_in_the_document_resolves() -> None:
    def references(value: Any) -> Iterator[str]:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if key == "$ref":
                yield inner
            elif isinstance(inner, dict | list):
                yield from references(inner)

    for reference in set(references(DOCUMENT)):
        target: Any = DOCUMENT
        for part in reference.removeprefix("#/").split("/"):
            target = target[part]


@pytest.mark.parametrize("name", sorted(DOCUMENT["components"]["schemas"]))
def test_every_schema_is_valid_json_schema(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(DOCUMENT["components"]["schemas"][name])
    jsonschema_rs.Draft202012Validator(schema_named(name))  # regular expressions too


def test_the_document_names_exactly_the_routes_of_the_service(service: Server) -> None:
    routes = {
        (method.lower(), re.sub(r"\{\w+(:\w+)?\}", "{}", route.path))
        for route in service.routes
        if isinstance(route, ServiceRoute)
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert {(it.method, re.sub(r"\{\w+\}", "{}", it.path)) for it in OPERATIONS} == routes


def test_every_operation_has_a_unique_id() -> None:
    assert len({operation.id for operation in OPERATIONS}) == len(OPERATIONS)


def test_the_document_is_served_without_a_token(service: Server) -> None:
    response = service.request("GET", "/openapi.json")
    assert (response.status_code, response.json()) == (200, DOCUMENT)


@pytest.mark.parametrize("model", RECORDS.values(), ids=lambda model: model.kind)
def test_every_field_is_described(model: Any) -> None:
    for name in (f"{model.__name__}Create", f"{model.__name__}Update", model.__name__):
        properties = DOCUMENT["components"]["schemas"][name]["properties"]
        shown = model.rules().keys() & properties.keys()
        assert shown >= model.rules().keys() - {"translations", "category_id"}
        assert [field for field in shown if not properties[field].get("description")] == []


@pytest.mark.parametrize("error", ServiceError.__subclasses__())
def test_the_document_has_the_status_of_every_error(error: type[ServiceError]) -> None:
    assert str(error.status) in DOCUMENT["components"]["responses"]


def test_every_example_response_matches_its_schema() -> None:
    answers = list(DOCUMENT["components"]["responses"].values())
    answers += [answer for item in DOCUMENT["paths"].values() for it in item.values() for answer in _answers(it)]
    shown = [(content["schema"], body) for content in map(_content, answers) for body in _examples(content)]
    assert len(shown) > 20
    for schema, body in shown:
        jsonschema_rs.Draft202012Validator({**schema, "components": DOCUMENT["components"]}).validate(body)


def _answers(operation: Any) -> list[Any]:
    return list(operation.get("responses", {}).values()) if isinstance(operation, dict) else []


def _content(answer: dict[str, Any]) -> dict[str, Any]:
    content: dict[str, Any] = answer.get("content", {}).get("application/json", {})
    return content


def _examples(content: dict[str, Any]) -> list[Any]:
    named = [example["value"] for example in content.get("examples", {}).values()]
    return named + ([content["example"]] if "example" in content else [])


@pytest.mark.parametrize("operation", BODIES, ids=lambda operation: operation.id)
def test_the_server_accepts_every_example(api: Api, operation: Operation) -> None:
    """The answer is held to the document by the client itself."""
    path = operation.path.removeprefix("/api/directories/{directory_id}")
    if operation.method == "put":
        made = next(it for it in BODIES if it.body == str(operation.body).replace("Update", "Create"))
        collection = path.split("/")[1]
        path = f"/{collection}/{api.make(collection, **example_of(made))['id']}"
    body = example_of(operation)
    response = api.request(operation.method, path, json=body)
    assert response.status_code in (200, 201), response.text
    if "data" in response.json() and operation.body != "ListingBulk":
        same = {name for name, value in body.items() if not isinstance(value, dict) and not name.endswith("_at")}
        assert {name: response.json()["data"][name] for name in same} == {name: body[name] for name in same}
    else:
        assert not response.json().get("errors")


@pytest.mark.parametrize("kind", Kind)
def test_a_returned_record_may_be_sent_back_as_an_update(api: Api, kind: Kind) -> None:
    """docs/contract.md 11: echoed keys."""
    create = next(it for it in BODIES if it.id == f"create_{kind}")
    record = api.make(kind.collection, **example_of(create))
    body = {name: value for name, value in record.items() if name not in ("categories", "tags", "organizers")}
    jsonschema_rs.Draft202012Validator(schema_named(f"{RECORDS[kind].__name__}Update")).validate(body)


ECHOES = {"projects": "additional_images_urls", "articles": "blog_buster_article_id"}


@pytest.mark.parametrize("collection", ECHOES)
def test_a_key_that_only_the_hosted_service_returns_may_be_sent(api: Api, collection: str) -> None:
    """docs/contract.md 11, 19."""
    create = next(it for it in BODIES if it.path.endswith(f"/{collection}"))
    record = api.make(collection, **example_of(create), **{ECHOES[collection]: ["https://cdn.example.org/a.png"]})
    assert ECHOES[collection] not in record


# The client of all API tests checks every answer against the document, so it would report a difference.


def answer(
    status: int, body: Any, path: str = "/pages/1", method: str = "GET", sent: Any = None, **headers: str
) -> httpx.Response:
    request = httpx.Request(method, f"{PUBLIC_URL}/api/directories/1{path}", json=sent)
    return httpx.Response(status, json=body, headers=headers, request=request)


@pytest.fixture
def page(api: Api) -> dict[str, Any]:
    return api.make("pages", title="About")


def test_a_conforming_response_is_accepted(page: dict[str, Any]) -> None:
    conformance().hold(answer(200, {"data": page}, ETag='"x"'))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda page: answer(204, {"data": page}, ETag='"x"'),
        lambda page: answer(200, page, ETag='"x"'),
        lambda page: answer(200, {"data": page}),
        lambda page: answer(200, {"data": page}, ETag="x"),
        lambda page: answer(200, {"data": {**page, "order": "1"}}, ETag='"x"'),
        lambda page: answer(200, {"data": {**page, "owner": 1}}, ETag='"x"'),
        lambda page: answer(200, {"data": {**page, "updated_at": "2026-01-15"}}, ETag='"x"'),
        lambda page: answer(200, {"data": {name: page[name] for name in page if name != "seo"}}, ETag='"x"'),
        lambda page: answer(401, {"message": "Unauthenticated."}),
        lambda page: answer(422, {"message": "The given data was invalid."}, method="DELETE"),
        lambda page: answer(200, {"data": page}, path="/secrets/1", ETag='"x"'),
        lambda page: answer(200, {"data": page}, method="PATCH", ETag='"x"'),
    ],
    ids=range(12),
)
def test_a_response_outside_of_the_document_is_reported(page: dict[str, Any], wrong: Any) -> None:
    with pytest.raises((AssertionError, jsonschema_rs.ValidationError)):
        conformance().hold(wrong(page))


def test_an_accepted_body_outside_of_the_document_is_reported(page: dict[str, Any]) -> None:
    sent = {"title": "About", "owner": 1}
    with pytest.raises(jsonschema_rs.ValidationError, match="owner"):
        conformance().hold(answer(201, {"data": page}, path="/pages", method="POST", sent=sent, ETag='"x"'))
