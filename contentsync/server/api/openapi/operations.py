"""Every operation of the service, in one table: the document is made of it, and tests hold the routes to it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from ....model import RECORDS, Kind
from ....model.json_schema import Schema
from ...access import READ, WRITE
from .envelopes import BULK, MESSAGE, one, paged, whole
from .schemas import ref

DIRECTORY = "/api/directories/{directory_id}"

# What the query may ask for wherever a record of the kind is shown, besides the page.
QUERIES: Mapping[Kind, tuple[str, ...]] = {
    Kind.LISTING: ("include_visibility",),
    Kind.ARTICLE: ("locale", "include_translations"),
    Kind.ORGANIZER: ("locale", "include_translations"),
}
TOGGLES: Mapping[Kind, str] = {Kind.PAGE: "is_published", Kind.ARTICLE: "active"}
PAGINATED = frozenset({Kind.PAGE, Kind.ARTICLE, Kind.LISTING})


@dataclass(frozen=True, slots=True)
class Answer:
    """What a status means, and the body that comes with it."""

    meaning: str
    body: Schema
    example: object = None


@dataclass(frozen=True, slots=True)
class Operation:
    """What a client may ask for, and the answers that are its own; those of errors follow from the rest."""

    id: str
    method: Literal["get", "post", "put", "patch", "delete"]
    path: str
    summary: str
    tag: str
    answers: Mapping[int, Answer]
    scope: str | None  # None: no token is asked for
    body: str | None = None  # the schema of the request
    query: tuple[str, ...] = ()
    shows: Literal["record", "list"] | None = None  # whose ETag comes with the answer
    makes: Kind | None = None  # whose id the answer holds


def _said(text: str) -> Mapping[int, Answer]:
    return {200: Answer("Done", MESSAGE, {"message": text})}


def _word(kind: Kind) -> str:
    return kind.replace("_", " ")


def _collection(kind: Kind) -> str:
    return f"{DIRECTORY}/{kind.collection}"


def _entry(kind: Kind) -> str:
    # In paths a listing is called a project (docs/contract.md 4).
    return f"{_collection(kind)}/{{{'project' if kind is Kind.LISTING else kind}_id}}"


def _of_records(kind: Kind) -> Iterator[Operation]:
    name, word, tag = RECORDS[kind].__name__, _word(kind), kind.plural
    record, query = one(name), QUERIES.get(kind, ())
    listed = ref("ListedPage" if kind is Kind.PAGE else name)
    found = "The listing with this URL, as it was" if kind is Kind.LISTING else f"The {word} with this key, updated"
    some = Answer(f"The {kind.plural}", paged(listed) if kind in PAGINATED else whole(listed))
    shown, changed = ({200: Answer(meaning, record)} for meaning in (f"The {word}", f"The {word} after the change"))

    yield Operation(
        f"list_{kind.plural.replace(' ', '_')}",
        "get",
        _collection(kind),
        f"The {kind.plural} of the directory",
        tag,
        {200: some},
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
        {200: Answer(found, record), 201: Answer(f"The new {word}", record)},
        WRITE,
        body=f"{name}Create",
        query=query,
        shows="record",
        makes=kind,
    )
    yield Operation(f"get_{kind}", "get", _entry(kind), f"One {word}", tag, shown, READ, query=query, shows="record")
    yield Operation(
        f"update_{kind}",
        "put",
        _entry(kind),
        f"Change the given fields of a {word}",
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
            f"Turn `{TOGGLES[kind]}` round",
            tag,
            changed,
            WRITE,
            query=query,
            shows="record",
        )
    told = _said(f"{word.capitalize()} deleted successfully")
    yield Operation(f"delete_{kind}", "delete", _entry(kind), f"Remove a {word}", tag, told, WRITE)


def _exists(kind: Kind, by: str) -> Operation:
    word = _word(kind)
    return Operation(
        f"{kind}_exists",
        "post",
        f"{_collection(kind)}/exists",
        f"Whether a {word} has the {by}",
        kind.plural,
        {
            200: Answer("None has it", MESSAGE, {"message": f"{word.capitalize()} does not exist in this directory"}),
            400: Answer(
                "One has it; or the body is no JSON",
                MESSAGE,
                {"message": f"{word.capitalize()} already exists in this directory"},
            ),
        },
        READ,
        body=f"{RECORDS[kind].__name__}Exists",
    )


def _table() -> Iterator[Operation]:
    document = {200: Answer("The document", {"type": "object"})}
    yield Operation("get_openapi", "get", "/openapi.json", "This document", "service", document, None)
    alive = _said("The process is alive")
    yield Operation("get_health", "get", "/healthz", "Whether the process lives", "service", alive, None)
    ready = {
        200: Answer("It takes requests", MESSAGE, {"message": "The server is ready"}),
        503: Answer("It is stopping, or its database cannot be used", MESSAGE, {"message": "The server is stopping"}),
    }
    yield Operation("get_readiness", "get", "/readyz", "Whether the process takes requests", "service", ready, None)
    user = {200: Answer("The user", ref("User"), {"id": 1, "name": "Ada", "email": "ada@example.com"})}
    yield Operation("get_user", "get", "/api/user", "Whose token it is", "account", user, READ)
    directories = {200: Answer("The directories", whole(ref("DirectoryBrief")))}
    opened = "The directories that the token opens"
    yield Operation("list_directories", "get", "/api/directories", opened, "account", directories, READ)
    directory = {200: Answer("The directory", one("Directory"))}
    settings = "One directory with its settings"
    yield Operation("get_directory", "get", DIRECTORY, settings, "account", directory, READ)
    for kind in Kind:
        yield from _of_records(kind)
    yield _exists(Kind.ARTICLE, "slug")
    yield _exists(Kind.LISTING, "URL, however it is written")
    yield Operation(
        "list_articles_of_category",
        "get",
        f"{_collection(Kind.ARTICLE)}/category/{{category}}",
        "The articles of a category",
        Kind.ARTICLE.plural,
        {200: Answer("The articles", paged(ref("Article")))},
        READ,
        query=("page", *QUERIES[Kind.ARTICLE]),
        shows="list",
    )
    yield Operation(
        "create_listings",
        "post",
        f"{_collection(Kind.LISTING)}/bulk",
        "Up to 100 new listings, each on its own",
        Kind.LISTING.plural,
        {200: Answer("What was made or found, in order, and what failed", BULK)},
        WRITE,
        body="ListingBulk",
    )


OPERATIONS = tuple(_table())
