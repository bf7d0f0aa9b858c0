"""The table of all operations, which defines the routes and the OpenAPI document."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from ....model import PAGINATED, RECORDS, Kind
from ....model.json_schema import Schema
from ...access import READ, WRITE
from .json_schemas import BULK, MESSAGE, list_envelope, page_envelope, record_envelope, ref

DIRECTORY_PATH = "/api/directories/{directory_id}"

# Query parameters of each operation that returns records of the kind; a paginated list also has `page`.
QUERIES: Mapping[Kind, tuple[str, ...]] = {
    Kind.LISTING: ("include_visibility",),
    Kind.ARTICLE: ("locale", "include_translations"),
    Kind.ORGANIZER: ("locale", "include_translations"),
}
TOGGLES: Mapping[Kind, str] = {Kind.PAGE: "is_published", Kind.ARTICLE: "active"}


@dataclass(frozen=True, slots=True)
class DefinedResponse:
    """A response that an operation defines besides the usual errors: its meaning, its body's schema, and an example."""

    meaning: str
    body: Schema
    example: object = None


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the API. `responses` lacks the usual errors, which the document adds."""

    id: str
    method: Literal["get", "post", "put", "patch", "delete"]
    path: str
    summary: str
    tag: str
    responses: Mapping[int, DefinedResponse]
    scope: str | None  # None: the request needs no token
    body: str | None = None  # name of the request body's schema
    query: tuple[str, ...] = ()
    etag_of: Literal["record", "list"] | None = None  # in the response
    creates: Kind | None = None  # the response has the id of a record of this kind; `If-None-Match: *` applies


def _message_response(text: str) -> Mapping[int, DefinedResponse]:
    return {200: DefinedResponse("Done", MESSAGE, {"message": text})}


def _word(kind: Kind) -> str:
    return kind.replace("_", " ")


def _collection_path(kind: Kind) -> str:
    return f"{DIRECTORY_PATH}/{kind.collection}"


def _record_path(kind: Kind) -> str:
    # In paths a listing is called a project (docs/contract.md 4).
    return f"{_collection_path(kind)}/{{{'project' if kind is Kind.LISTING else kind}_id}}"


def _record_operations(kind: Kind) -> Iterator[Operation]:
    """Yield the operations that every kind has: list, create, get, update, perhaps toggle, and delete."""
    name, word, tag = RECORDS[kind].__name__, _word(kind), kind.plural
    record, query = record_envelope(name), QUERIES.get(kind, ())
    listed_record = ref("ListedPage" if kind is Kind.PAGE else name)
    existing = "The listing with this URL, unchanged" if kind is Kind.LISTING else f"The {word} with this key, updated"
    listed_records = DefinedResponse(
        f"The {kind.plural}", page_envelope(listed_record) if kind in PAGINATED else list_envelope(listed_record)
    )
    shown = {200: DefinedResponse(f"The {word}", record)}
    changed = {200: DefinedResponse(f"The {word} after the change", record)}

    yield Operation(
        f"list_{kind.plural.replace(' ', '_')}",
        "get",
        _collection_path(kind),
        f"The {kind.plural} of the directory",
        tag,
        {200: listed_records},
        READ,
        query=("page", *query) if kind in PAGINATED else query,
        etag_of="list",
    )
    yield Operation(
        f"create_{kind}",
        "post",
        _collection_path(kind),
        f"A new {word}",
        tag,
        {200: DefinedResponse(existing, record), 201: DefinedResponse(f"The new {word}", record)},
        WRITE,
        body=f"{name}Create",
        query=query,
        etag_of="record",
        creates=kind,
    )
    path = _record_path(kind)
    yield Operation(f"get_{kind}", "get", path, f"One {word}", tag, shown, READ, query=query, etag_of="record")
    yield Operation(
        f"update_{kind}",
        "put",
        path,
        f"Change fields of a {word}",
        tag,
        changed,
        WRITE,
        body=f"{name}Update",
        query=query,
        etag_of="record",
    )
    if kind in TOGGLES:
        yield Operation(
            f"toggle_{kind}",
            "patch",
            f"{path}/toggle",
            f"Invert `{TOGGLES[kind]}`",
            tag,
            changed,
            WRITE,
            query=query,
            etag_of="record",
        )
    deleted = _message_response(f"{word.capitalize()} deleted successfully")
    yield Operation(f"delete_{kind}", "delete", path, f"Delete a {word}", tag, deleted, WRITE)


def _exists_operation(kind: Kind, key_name: str) -> Operation:
    """Return the operation that says whether a record with a key exists: by status 400 if one exists, else 200."""
    word = _word(kind)
    return Operation(
        f"{kind}_exists",
        "post",
        f"{_collection_path(kind)}/exists",
        f"Whether a {word} has the {key_name}",
        kind.plural,
        {
            200: DefinedResponse(
                "None has it", MESSAGE, {"message": f"{word.capitalize()} does not exist in this directory"}
            ),
            400: DefinedResponse(
                "One has it; or the body is not JSON",
                MESSAGE,
                {"message": f"{word.capitalize()} already exists in this directory"},
            ),
        },
        READ,
        body=f"{RECORDS[kind].__name__}Exists",
    )


def _all_operations() -> Iterator[Operation]:
    """Yield all operations of the service, in the order of the document."""
    document = {200: DefinedResponse("The document", {"type": "object"})}
    yield Operation("get_openapi", "get", "/openapi.json", "This document", "service", document, scope=None)
    alive = _message_response("The process is alive")
    yield Operation("get_health", "get", "/healthz", "Whether the process is alive", "service", alive, scope=None)
    ready = {
        200: DefinedResponse("It accepts requests", MESSAGE, {"message": "The server is ready"}),
        503: DefinedResponse(
            "It is stopping, or its database cannot be used", MESSAGE, {"message": "The server is stopping"}
        ),
    }
    summary = "Whether the process accepts requests"
    yield Operation("get_readiness", "get", "/readyz", summary, "service", ready, scope=None)
    user = {200: DefinedResponse("The user", ref("User"), {"id": 1, "name": "Ada", "email": "ada@example.com"})}
    yield Operation("get_user", "get", "/api/user", "Whose token it is", "account", user, READ)
    brief = ref("DirectoryBrief")
    listed = {"anyOf": [list_envelope(brief), page_envelope(brief)]}
    directories = {200: DefinedResponse("The directories: all, or with `page` one page of them", listed)}
    path = "/api/directories"
    summary = "The directories that the token opens"
    yield Operation("list_directories", "get", path, summary, "account", directories, READ, query=("page",))
    directory = {200: DefinedResponse("The directory", record_envelope("Directory"))}
    yield Operation(
        "get_directory", "get", DIRECTORY_PATH, "One directory with its settings", "account", directory, READ
    )
    for kind in Kind:
        yield from _record_operations(kind)
    yield _exists_operation(Kind.ARTICLE, "slug")
    yield _exists_operation(Kind.LISTING, "URL, in any spelling")
    yield Operation(
        "list_articles_of_category",
        "get",
        f"{_collection_path(Kind.ARTICLE)}/category/{{category}}",
        "The articles of a category",
        Kind.ARTICLE.plural,
        {200: DefinedResponse("The articles", page_envelope(ref("Article")))},
        READ,
        query=("page", *QUERIES[Kind.ARTICLE]),
        etag_of="list",
    )
    yield Operation(
        "create_listings",
        "post",
        f"{_collection_path(Kind.LISTING)}/bulk",
        "Up to 100 new listings, independent of each other",
        Kind.LISTING.plural,
        {200: DefinedResponse("The created and found listings in order, and the errors", BULK)},
        WRITE,
        body="ListingBulk",
    )


OPERATIONS = tuple(_all_operations())
