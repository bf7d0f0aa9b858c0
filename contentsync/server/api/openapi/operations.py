"""The table of all operations, from which the routes and the document are made."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from ....model import RECORDS, Kind
from ....model.json_schema import Schema
from ...access import READ, WRITE
from .json_schemas import BULK, MESSAGE, list_envelope, page_envelope, record_envelope, ref

DIRECTORY = "/api/directories/{directory_id}"

# Query parameters of every operation that shows a record of the kind; lists also have the page.
QUERIES: Mapping[Kind, tuple[str, ...]] = {
    Kind.LISTING: ("include_visibility",),
    Kind.ARTICLE: ("locale", "include_translations"),
    Kind.ORGANIZER: ("locale", "include_translations"),
}
TOGGLES: Mapping[Kind, str] = {Kind.PAGE: "is_published", Kind.ARTICLE: "active"}
PAGINATED = frozenset({Kind.PAGE, Kind.ARTICLE, Kind.LISTING})


@dataclass(frozen=True, slots=True)
class SuccessResponse:
    """The meaning of a status that is not an error, and its body."""

    meaning: str
    body: Schema
    example: object = None


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation with its own responses; `error_statuses` derives those of errors."""

    id: str
    method: Literal["get", "post", "put", "patch", "delete"]
    path: str
    summary: str
    tag: str
    responses: Mapping[int, SuccessResponse]
    scope: str | None  # None: needs no token
    body: str | None = None  # the schema of the request
    query: tuple[str, ...] = ()
    shows: Literal["record", "list"] | None = None  # whose ETag the response has
    creates: Kind | None = None  # whose id the response has


def _message(text: str) -> Mapping[int, SuccessResponse]:
    return {200: SuccessResponse("Done", MESSAGE, {"message": text})}


def _word(kind: Kind) -> str:
    return kind.replace("_", " ")


def _collection(kind: Kind) -> str:
    return f"{DIRECTORY}/{kind.collection}"


def _entry(kind: Kind) -> str:
    # In paths a listing is called a project (docs/contract.md 4).
    return f"{_collection(kind)}/{{{'project' if kind is Kind.LISTING else kind}_id}}"


def _record_operations(kind: Kind) -> Iterator[Operation]:
    name, word, tag = RECORDS[kind].__name__, _word(kind), kind.plural
    record, query = record_envelope(name), QUERIES.get(kind, ())
    listed = ref("ListedPage" if kind is Kind.PAGE else name)
    found = "The listing with this URL, unchanged" if kind is Kind.LISTING else f"The {word} with this key, updated"
    listed_records = SuccessResponse(
        f"The {kind.plural}", page_envelope(listed) if kind in PAGINATED else list_envelope(listed)
    )
    shown, changed = (
        {200: SuccessResponse(meaning, record)} for meaning in (f"The {word}", f"The {word} after the change")
    )

    yield Operation(
        f"list_{kind.plural.replace(' ', '_')}",
        "get",
        _collection(kind),
        f"The {kind.plural} of the directory",
        tag,
        {200: listed_records},
        READ,
        query=("page", *query) if kind in PAGINATED else query,
        shows="list",
    )
    yield Operation(
        f"create_{kind}",
        "post",
        _collection(kind),
        f"A new {word}",
        tag,
        {200: SuccessResponse(found, record), 201: SuccessResponse(f"The new {word}", record)},
        WRITE,
        body=f"{name}Create",
        query=query,
        shows="record",
        creates=kind,
    )
    yield Operation(f"get_{kind}", "get", _entry(kind), f"One {word}", tag, shown, READ, query=query, shows="record")
    yield Operation(
        f"update_{kind}",
        "put",
        _entry(kind),
        f"Change fields of a {word}",
        tag,
        changed,
        WRITE,
        body=f"{name}Update",
        query=query,
        shows="record",
    )
    if kind in TOGGLES:
        yield Operation(
            f"toggle_{kind}",
            "patch",
            f"{_entry(kind)}/toggle",
            f"Invert `{TOGGLES[kind]}`",
            tag,
            changed,
            WRITE,
            query=query,
            shows="record",
        )
    deleted = _message(f"{word.capitalize()} deleted successfully")
    yield Operation(f"delete_{kind}", "delete", _entry(kind), f"Delete a {word}", tag, deleted, WRITE)


def _exists(kind: Kind, by: str) -> Operation:
    word = _word(kind)
    return Operation(
        f"{kind}_exists",
        "post",
        f"{_collection(kind)}/exists",
        f"Whether a {word} has the {by}",
        kind.plural,
        {
            200: SuccessResponse(
                "None has it", MESSAGE, {"message": f"{word.capitalize()} does not exist in this directory"}
            ),
            400: SuccessResponse(
                "One has it; or the body is not JSON",
                MESSAGE,
                {"message": f"{word.capitalize()} already exists in this directory"},
            ),
        },
        READ,
        body=f"{RECORDS[kind].__name__}Exists",
    )


def _table() -> Iterator[Operation]:
    document = {200: SuccessResponse("The document", {"type": "object"})}
    yield Operation("get_openapi", "get", "/openapi.json", "This document", "service", document, None)
    alive = _message("The process is alive")
    yield Operation("get_health", "get", "/healthz", "Whether the process is alive", "service", alive, None)
    ready = {
        200: SuccessResponse("It accepts requests", MESSAGE, {"message": "The server is ready"}),
        503: SuccessResponse(
            "It is stopping, or its database cannot be used", MESSAGE, {"message": "The server is stopping"}
        ),
    }
    yield Operation("get_readiness", "get", "/readyz", "Whether the process accepts requests", "service", ready, None)
    user = {200: SuccessResponse("The user", ref("User"), {"id": 1, "name": "Ada", "email": "ada@example.com"})}
    yield Operation("get_user", "get", "/api/user", "Whose token it is", "account", user, READ)
    directories = {200: SuccessResponse("The directories", list_envelope(ref("DirectoryBrief")))}
    opened = "The directories that the token opens"
    yield Operation("list_directories", "get", "/api/directories", opened, "account", directories, READ)
    directory = {200: SuccessResponse("The directory", record_envelope("Directory"))}
    settings = "One directory with its settings"
    yield Operation("get_directory", "get", DIRECTORY, settings, "account", directory, READ)
    for kind in Kind:
        yield from _record_operations(kind)
    yield _exists(Kind.ARTICLE, "slug")
    yield _exists(Kind.LISTING, "URL, in any spelling")
    yield Operation(
        "list_articles_of_category",
        "get",
        f"{_collection(Kind.ARTICLE)}/category/{{category}}",
        "The articles of a category",
        Kind.ARTICLE.plural,
        {200: SuccessResponse("The articles", page_envelope(ref("Article")))},
        READ,
        query=("page", *QUERIES[Kind.ARTICLE]),
        shows="list",
    )
    yield Operation(
        "create_listings",
        "post",
        f"{_collection(Kind.LISTING)}/bulk",
        "Up to 100 new listings, independent of each other",
        Kind.LISTING.plural,
        {200: SuccessResponse("The created and found listings in order, and the errors", BULK)},
        WRITE,
        body="ListingBulk",
    )


OPERATIONS = tuple(_table())
