"""Serialize stored records to JSON texts with their ids, linked records and URLs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson
from starlette.requests import Request

from ...model import Invalid, Kind, Violation, did_you_mean
from ...model.directory_settings import visibility
from ..access import Directory
from ..store import Connection, Row
from ..store.listing_links import EmbeddedRecords, organizer_projects
from ..store.listing_store import list_columns
from ..store.record_drafts import with_translation
from ..store.record_kinds import IMAGES, article_authors, category_titles, uploaded_image_urls
from ..store.record_store import json_text
from ..store.versions import CollectionStates, collection_states, now
from .auth import ApiCall

# Values of `?include`.
TRANSLATIONS = "translations"
VISIBILITY = "visibility_now"
INCLUDES = (TRANSLATIONS, VISIBILITY)


@dataclass(frozen=True, slots=True)
class SerializerContext:
    """The arguments of a serializer besides the records."""

    directory: Directory
    site: str  # URL of the public site, without a trailing slash
    embedded: EmbeddedRecords
    states: CollectionStates | None = None  # of the directory's collections, for a list; None for a single record
    locale: str | None = None  # None: the default language
    include: str | None = None  # TRANSLATIONS, VISIBILITY or None

    @property
    def is_single(self) -> bool:
        """Return whether the response has a single record, not a list."""
        return self.states is None


Rows = Sequence[Any]  # named rows, or for listings also the tuples of `ListingStore.page`
Serializer = Callable[[Connection, Rows, SerializerContext], list[str]]


def serializer_context(
    call: ApiCall, states: CollectionStates | None = None, *, supported: str = "", localised: bool = False
) -> SerializerContext:
    """Return the context for the request's `?include` and `?locale`; raise Invalid.

    `states` are for a list (None: for a single record). `supported` is the only value of `?include` that the kind
    supports; without one ("") the parameter is ignored. `?locale` is ignored unless the kind is `localised`.
    """
    directory = call.access.directory
    locale = None
    include = None
    if localised and call.request.scope["query_string"]:
        locale = _requested_locale(call.request, directory)
    if supported and call.request.scope["query_string"]:
        requested = call.request.query_params.get("include") or None
        if requested not in (None, *INCLUDES):
            message = f"include must be one of {', '.join(INCLUDES)}"
            raise Invalid([Violation("not-a-choice", ("include",), message, did_you_mean(requested, INCLUDES))])
        # A client may send the same query for every kind, so a value that only other kinds support is ignored.
        include = requested if requested == supported else None
    return SerializerContext(directory, call.access.site, call.service.embedded, states, locale, include)


def serialize_pages(connection: Connection, rows: Rows, context: SerializerContext) -> list[str]:
    """Serialize pages (docs/contract.md 2.1), a single one with its directory; `[1:-1]` drops the braces of JSON."""
    directory = f',"directory":{json_text(directory_brief(context.directory))}' if context.is_single else ""
    return [
        f'{{"id":{row.id},{row.data[1:-1]},"is_markdown":true,"seo":{{"id":{row.id},{row.seo[1:-1]}}}'
        f',"page_url":"{context.site}/pages/{row.slug}/"{directory}{_timestamps(row)}}}'
        for row in rows
    ]


def serialize_articles(connection: Connection, rows: Rows, context: SerializerContext) -> list[str]:
    """Serialize articles (docs/contract.md 2.2); `[1:-1]` drops the braces of a stored JSON object.

    The JSON members of the translations, if any, and of the timestamps begin with a comma.
    """
    timestamps = {"created_at": context.directory.created_at, "updated_at": context.directory.updated_at}
    directory = json_text(directory_brief(context.directory) | timestamps)
    authors = article_authors(connection, [row.user_id for row in rows])
    users = {user_id: json_text(user) for user_id, user in authors.items()}
    documents = []
    for row in rows:
        data, seo, translations = _localised_texts(Kind.ARTICLE, row, context)
        documents.append(
            f'{{"id":{row.id},{data[1:-1]},"blog_tool_article_id":null'
            f',"seo":{{"id":{row.id},{seo[1:-1]}}},"user":{users[row.user_id]},"directory":{directory}'
            f',"article_url":"{context.site}/blog/{row.slug}/"{translations}{_timestamps(row)}}}'
        )
    return documents


def serialize_listings(connection: Connection, rows: Rows, context: SerializerContext) -> list[str]:
    """Serialize one or more listings with linked records (docs/contract.md 14); `[1:-1]` drops the braces of JSON.

    The `links` of a listing are the ids of its linked records, as JSON text.
    """
    directory_id = context.directory.id
    states = context.states or collection_states(connection, directory_id)
    # The rows are tuples of LIST_COLUMNS, or whole rows; `isinstance` would take these, named tuples, for tuples too.
    tuples = rows if type(rows[0]) is tuple else list(map(list_columns, rows))
    all_links = [links for _id, _slug, links, _data, _created_at, _updated_at in tuples]
    # The members are texts such as '"categories":[...],"tags":[...]'.
    members_by_links, deleted_at_by_links = context.embedded.members(connection, directory_id, states, all_links)
    if deleted_at_by_links:  # the delete of a linked record is a change of the listing
        tuples = [
            (listing_id, slug, links, data, created_at, max(updated_at, deleted_at_by_links.get(links, "")))
            for listing_id, slug, links, data, created_at, updated_at in tuples
        ]
    base_url = f"{context.site}/listings"
    documents = [
        f'{{"id":{listing_id},{data[1:-1]},{members_by_links[links]},"listing_url":"{base_url}/{slug}/"'
        f',"created_at":"{created_at}","updated_at":"{updated_at}"}}'
        for listing_id, slug, links, data, created_at, updated_at in tuples
    ]
    if context.include == VISIBILITY:
        texts = [data for _id, _slug, _links, data, _created_at, _updated_at in tuples]
        return [_with_visibility(document, data, context) for document, data in zip(documents, texts, strict=True)]
    return documents


def serialize_organizers(connection: Connection, rows: Rows, context: SerializerContext) -> list[str]:
    """Serialize organizers with their listings; the URL of an uploaded image replaces an empty image URL.

    Each result is a JSON object as text. Stored objects become members of it: `[1:-1]` drops their braces.
    """
    organizer_id = rows[0].id if context.is_single else None  # None: those of all organizers
    projects = organizer_projects(connection, context.directory.id, organizer_id)
    documents = []
    for row in rows:
        texts = _localised_texts(Kind.ORGANIZER, row, context)
        data = _with_image_urls(texts.data, context.site)
        documents.append(
            f'{{"id":{row.id},{data[1:-1]},"projects":{projects.get(row.id, "[]")}'
            f"{texts.translations}{_timestamps(row)}}}"
        )
    return documents


def serialize_categories(connection: Connection, rows: Rows, context: SerializerContext) -> list[str]:
    """Serialize categories with the title of their parent; `[1:-1]` drops the braces of a stored JSON object."""
    titles = category_titles(connection, context.directory.id)
    return [
        f'{{"id":{row.id},{row.data[1:-1]},"parent_id":{json_text(row.parent_id)}'
        f',"parent_title":{json_text(titles.get(row.parent_id))}{_timestamps(row)}}}'
        for row in rows
    ]


def serialize_plain(connection: Connection, rows: Rows, context: SerializerContext) -> list[str]:
    """Serialize tags or custom fields, which contain no values of other records."""
    return [f'{{"id":{row.id},{row.data[1:-1]}{_timestamps(row)}}}' for row in rows]


def directory_brief(directory: Directory) -> dict[str, Any]:
    """Return the brief description of a directory that records contain."""
    return {"id": directory.id, "name": directory.name, "slug": directory.slug, "domain": directory.domain}


def _requested_locale(request: Request, directory: Directory) -> str | None:
    """Return the language of `?locale`; None for the default one. Raise Invalid for an unknown one."""
    locale = request.query_params.get("locale")
    if locale is None or locale == directory.locales[0]:
        return None
    if locale not in directory.locales:
        message = f"locale must be one of the directory's languages ({', '.join(directory.locales)})"
        raise Invalid([Violation("unknown-locale", ("locale",), message, did_you_mean(locale, directory.locales))])
    return locale


class _LocalisedTexts(NamedTuple):
    data: str  # a JSON object
    seo: str  # a JSON object
    translations: str  # the member `translations` with a comma before it; "" if the request does not include it


def _localised_texts(kind: Kind, row: Row, context: SerializerContext) -> _LocalisedTexts:
    """Return the JSON of an article or organizer in the context's language; texts without a translation stay."""
    seo = row.seo if kind is Kind.ARTICLE else "{}"
    if context.locale is None and context.include is None:
        return _LocalisedTexts(row.data, seo, translations="")
    translations = orjson.loads(row.translations)
    member = ""
    if context.include == TRANSLATIONS:
        _default, *translated_locales = context.directory.locales  # stored texts may be in a language that it dropped
        visible = {locale: texts for locale, texts in translations.items() if locale in translated_locales}
        member = f',"translations":{json_text(visible)}'
    translation = translations.get(context.locale, {})
    values, seo_values = with_translation(kind, orjson.loads(row.data), orjson.loads(seo), translation)
    return _LocalisedTexts(json_text(values), json_text(seo_values), member)


def _with_visibility(document: str, data: str, context: SerializerContext) -> str:
    """Return a listing's JSON with `visibility_now`, which changes with time without a change of `updated_at`."""
    visible = visibility(orjson.loads(data), now=now(), expired=context.directory.expired)
    return f'{document[:-1]},"visibility_now":"{visible}"}}'


def _with_image_urls(data: str, site: str) -> str:
    """Return an organizer's JSON in which each uploaded image without a URL has the URL of its file.

    `data` is the stored JSON: without spaces, and with all fields of the record, those without a value as null. `site`
    is the URL of the public site.
    """
    for image, url in IMAGES.items():
        # Only members of the record match: quotes inside JSON strings are escaped, and no other object in it has nulls.
        has_no_url, has_upload = f'"{url}":null' in data, f'"{image}":null' not in data
        if has_no_url and has_upload:
            values = orjson.loads(data)
            return json_text({**values, **uploaded_image_urls(values, site)})
    return data  # the usual case, without parsing


def _timestamps(row: Row) -> str:
    return f',"created_at":"{row.created_at}","updated_at":"{row.updated_at}"'
