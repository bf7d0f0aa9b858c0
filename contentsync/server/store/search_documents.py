"""What the search index has of a record, written in the transaction of the record (decision 32).

A record that visitors may see, now or at some time, has a document: its words, as tokens, and the choices in the
visitors' filters that find it. A token is a letter for the part of the record (`IndexedPart`) and a word or choice.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from hashlib import blake2b
from html import unescape
from typing import Any, NamedTuple

from ...lazy_pattern import lazy_pattern
from ...model import Kind, Values
from .search_words import add_words
from .sql import Connection
from .words import whole_name, words

MAX_BODY = 100_000  # characters of a text; the rest is not searched
AFTER_CATEGORIES = ";"  # in a document's choices
MAX_CHOICE = 255  # characters of a value that may be an option of a field

_ID_BITS = 31
_ID_MASK = (1 << _ID_BITS) - 1
_KINDS = (Kind.LISTING, Kind.ARTICLE, Kind.PAGE, Kind.ORGANIZER)  # their positions are part of the keys
_TITLES_ONLY = (Kind.CATEGORY, Kind.TAG)  # listings are found by the titles of these records, which are in memory
_LINKS = {"categories": "c", "tags": "t", "organizers": "o"}  # the first letters of choices, by field

_ADDRESS = lazy_pattern(r"\b(?:https?://|www\.)\S+")
_TAG = lazy_pattern(r"<[^<>]*>")


class IndexedPart(StrEnum):
    """The parts of a record, and the first letters of their tokens."""

    WHOLE_NAME = "n"  # one token: `words.whole_name`
    NAME = "a"
    CHOICE = "b"  # of filters, and of records whose titles are searched too
    DESCRIPTION = "c"
    BODY = "d"
    FIELD = "e"  # followed by the id of a custom field, which visitors may not see now: `field_letter`


class SearchDocument(NamedTuple):
    """The document of one record."""

    key: int
    starts_at: str | None
    ends_at: str | None
    choices: str  # separated by spaces, those of categories before AFTER_CATEGORIES
    tokens: Sequence[str]  # sorted and different
    numbers: Sequence[tuple[int, float]]  # ids of custom fields, with the values


class KeyRange(NamedTuple):
    """The lowest and the highest key of some documents."""

    low: int
    high: int


def key_of(directory_id: int, kind: Kind, record_id: int, *, is_featured: bool = False) -> int:
    """Return the key of a record's document. Descending keys are in the order of results: featured, then newest."""
    kind_bits = directory_id << 2 | _KINDS.index(kind)
    return (kind_bits << 1 | is_featured) << _ID_BITS | record_id


def key_range(directory_id: int, kind: Kind, *, is_featured: bool | None = None) -> KeyRange:
    """Return the range of the keys of a kind; with `is_featured`, only those that are featured, or are not."""
    low = key_of(directory_id, kind, 0, is_featured=is_featured is True)
    return KeyRange(low, key_of(directory_id, kind, _ID_MASK, is_featured=is_featured is not False))


def record_id(key: int) -> int:
    """Return the id of the record with this key."""
    return key & _ID_MASK


def link_choice(field: str, linked_id: int) -> str:
    """Return the choice of listings that link to a record; `field` is `categories`, `tags` or `organizers`."""
    return f"{_LINKS[field]}{linked_id}"


@lru_cache(maxsize=4096)
def field_choice(field_id: int, value: str | bool) -> str:
    """Return the choice of records whose custom field has this value, or has it in its list."""
    written = repr(value) if isinstance(value, bool) else f"={value}"
    return f"f{field_id}={blake2b(written.encode('utf-8', 'surrogatepass'), digest_size=6).hexdigest()}"


def search_document(
    directory_id: int, kind: Kind, record_id: int, values: Values, field_ids: Mapping[str, int]
) -> SearchDocument | None:
    """Return the document of a record with these fields; None if visitors never see it.

    `field_ids` are the ids of the custom fields of the kind, by name. A choice is a value that a visitor's filter may
    ask for: a link to a category, tag or organizer, or a value of a custom field.
    """
    match kind:
        case Kind.LISTING if values["is_active"]:
            name, description, bodies = values["name"], values["description"], [values["content"], values["address"]]
            period = values["starts_at"], values["ends_at"]
        case Kind.ORGANIZER if values["is_active"]:
            name, description, bodies = values["name"], values["description"], [values["content"], values["address"]]
            period = None, None
        case Kind.ARTICLE if values["active"]:
            name, description = values["title"], values["seo"].get("description")
            bodies = [values["markdown"] or values["content"], *values["categories"]]
            period = values["published_at"], None
        case Kind.PAGE if values["is_published"] and not values["is_external"] and values["placement"] != "unlisted":
            name, description, bodies = values["title"], values["seo"].get("description"), [values["markdown"]]
            period = None, None
        case _:
            return None
    # One token for the name as a whole, and one for each of its words.
    tokens = {f"{IndexedPart.WHOLE_NAME}{whole_name(name)}", *_tokens(IndexedPart.NAME, name)}
    tokens.update(_tokens(IndexedPart.DESCRIPTION, description))
    for translation in (values.get("translations") or {}).values():
        tokens.update(_tokens(IndexedPart.NAME, translation.get("title") or translation.get("name")))
        tokens.update(_tokens(IndexedPart.DESCRIPTION, translation.get("description")))
        bodies.append(translation.get("markdown") or translation.get("content"))
    # Those of categories are separate, because a listing also counts for the categories above (`listing_counts`).
    category_choices: list[str] = []
    other_choices: dict[str, None] = {}  # a set that keeps the order
    if kind is Kind.LISTING:
        category_choices = [link_choice("categories", linked_id) for linked_id in values["categories"]]
        other_links = ((field, linked_id) for field in ("tags", "organizers") for linked_id in values[field])
        other_choices = {link_choice(*link): None for link in other_links}
    numbers = []
    for field_name, field_id in field_ids.items():
        value = values.get(field_name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            numbers.append((field_id, float(value)))
        for each in value if isinstance(value, list) else (value,):
            if isinstance(each, bool) or (isinstance(each, str) and len(each) <= MAX_CHOICE):
                other_choices[field_choice(field_id, each)] = None
            if isinstance(each, str):
                tokens.update(_tokens(field_letter(field_id), _plain(each)))
    tokens.update(f"{IndexedPart.CHOICE}{choice}" for choice in (*category_choices, *other_choices))
    for body in bodies:
        tokens.update(_tokens(IndexedPart.BODY, _plain(body or "")))
    key = key_of(directory_id, kind, record_id, is_featured=values.get("is_featured") is True)
    all_choices = f"{' '.join(category_choices)}{AFTER_CATEGORIES}{' '.join(other_choices)}"
    return SearchDocument(key, *period, all_choices, sorted(tokens), numbers)


def field_letter(field_id: int) -> str:
    """Return the beginning of the tokens of a custom field's words."""
    return f"{IndexedPart.FIELD}{field_id}="


def _tokens(letter: str, content: str | None) -> list[str]:
    return [letter + word for word in words(content)] if content else []


def _searched_words(documents: Iterable[SearchDocument]) -> set[str]:
    """Return the words that visitors find in a document, without their letters."""
    letters = (IndexedPart.NAME, IndexedPart.DESCRIPTION, IndexedPart.BODY)
    return {token[1:] for document in documents for token in document.tokens if token[0] in letters}


def _plain(body: str) -> str:
    """Return a body in Markdown or HTML without tags and addresses."""
    body = body[:MAX_BODY]
    if "<" in body or "&" in body:
        body = unescape(_TAG.sub(" ", body))
    return _ADDRESS.sub(" ", body) if "://" in body or "www." in body else body


def index_record(
    connection: Connection,
    directory_id: int,
    kind: Kind,
    record_id: int,
    before: Values | None,
    after: Values | None,
    field_ids: Mapping[str, int],
) -> None:
    """Write what the index has of a record that was created (`before` is None), changed or deleted (`after` is None).

    Both are all fields of the record; `field_ids` are those of its custom fields, by name.
    """
    if kind in _TITLES_ONLY:
        if after is not None:
            add_words(connection, directory_id, words(after["title"]))
        return
    if kind not in _KINDS:
        return
    document = None if after is None else search_document(directory_id, kind, record_id, after, field_ids)
    if before is not None:
        old_key = key_of(directory_id, kind, record_id, is_featured=before.get("is_featured") is True)
        replace_document(connection, directory_id, old_key, document)
    elif document is not None:
        insert_documents(connection, directory_id, [document])


def insert_documents(connection: Connection, directory_id: int, documents: Sequence[SearchDocument]) -> None:
    """Add the documents of new records."""
    if not documents:
        return
    if connection.is_sqlite:
        connection.insert_many("search_documents", _COLUMNS, [document[:4] for document in documents])
        tokens = [(document.key, " ".join(document.tokens)) for document in documents]
        connection.insert_many("search_index", ("rowid", "tokens"), tokens)
    else:
        connection.run_many(_UPSERT_POSTGRESQL, [_parameters(document) for document in documents])
    numbers = [(field_id, number, document.key) for document in documents for field_id, number in document.numbers]
    if numbers:
        connection.insert_many("search_numbers", ("field_id", "number", "key"), numbers)
    add_words(connection, directory_id, _searched_words(documents))


def replace_document(connection: Connection, directory_id: int, old_key: int, document: SearchDocument | None) -> None:
    """Write the document of a changed record, whose key was `old_key`; None: visitors do not see it any more."""
    if document is None or document.key != old_key:
        delete_document(connection, old_key)
    if document is None:
        return
    if connection.is_sqlite:
        new = {**document._asdict(), "tokens": " ".join(document.tokens)}
        stored = connection.scalar("SELECT tokens FROM search_index WHERE rowid = :key", new)
        if stored is None:
            insert_documents(connection, directory_id, [document])
            return
        connection.run(_UPDATE, new)
        if stored != new["tokens"]:
            connection.run("UPDATE search_index SET tokens = :tokens WHERE rowid = :key", new)
    else:
        connection.run(_UPSERT_POSTGRESQL, _parameters(document))
    connection.run(_DELETE_NUMBERS, {"key": document.key})
    if document.numbers:
        rows = [(field_id, number, document.key) for field_id, number in document.numbers]
        connection.insert_many("search_numbers", ("field_id", "number", "key"), rows)
    add_words(connection, directory_id, _searched_words([document]))


def delete_document(connection: Connection, key: int) -> None:
    """Delete the document with this key, if there is one."""
    if connection.is_sqlite:
        connection.run("DELETE FROM search_index WHERE rowid = :key", {"key": key})
    connection.run("DELETE FROM search_documents WHERE key = :key", {"key": key})
    connection.run(_DELETE_NUMBERS, {"key": key})


def _parameters(document: SearchDocument) -> dict[str, Any]:
    return {**document._asdict(), "tokens": list(document.tokens)}


_COLUMNS = ("key", "starts_at", "ends_at", "choices")
_DELETE_NUMBERS = "DELETE FROM search_numbers WHERE key = :key"
_UPDATE = "UPDATE search_documents SET starts_at = :starts_at, ends_at = :ends_at, choices = :choices WHERE key = :key"
_UPSERT_POSTGRESQL = (
    "INSERT INTO search_documents AS stored (key, starts_at, ends_at, choices, tokens)"
    " VALUES (:key, :starts_at, :ends_at, :choices, array_to_tsvector(CAST(:tokens AS text[])))"
    " ON CONFLICT (key) DO UPDATE SET"
    " starts_at = excluded.starts_at, ends_at = excluded.ends_at, choices = excluded.choices, tokens = excluded.tokens"
    " WHERE (stored.starts_at, stored.ends_at, stored.choices, stored.tokens)"
    " IS DISTINCT FROM (excluded.starts_at, excluded.ends_at, excluded.choices, excluded.tokens)"
)
