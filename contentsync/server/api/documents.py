"""Records as they leave the service: stored JSON text with ids, links and addresses spliced in."""

from collections.abc import Callable, Sequence
from typing import Any

import orjson

from ...model import Kind
from ...model.dates import visibility
from ..access import Directory
from ..store import Connection, Row, versions
from ..store.articles import authors
from ..store.categories import titles
from ..store.clock import now
from ..store.links import listings_of
from ..store.listings import listed
from ..store.organizers import IMAGES, image_addresses
from ..store.records import json_text
from ..store.texts import localised
from .view import TRANSLATIONS, VISIBILITY, View

Rows = Sequence[Any]  # each a Row with names, or what a page of its kind consists of
Documents = Callable[[Connection, Rows, View], list[str]]


def pages(connection: Connection, rows: Rows, view: View) -> list[str]:
    """Pages (docs/contract.md 2.1); only a single one names its directory."""
    directory = f',"directory":{json_text(brief(view.directory))}' if view.alone else ""
    return [
        f'{{"id":{row.id},{row.data[1:-1]},"is_markdown":true,"seo":{{"id":{row.id},{row.seo[1:-1]}}}'
        f',"page_url":"{view.site}/pages/{row.slug}/"{directory}{_stamps(row)}}}'
        for row in rows
    ]


def articles(connection: Connection, rows: Rows, view: View) -> list[str]:
    """Articles (docs/contract.md 2.2)."""
    stamped = {"created_at": view.directory.created_at, "updated_at": view.directory.updated_at}
    directory = json_text(brief(view.directory) | stamped)
    people = {user_id: json_text(user) for user_id, user in authors(connection, [row.user_id for row in rows]).items()}
    documents = []
    for row in rows:
        data, seo, translations = _texts(Kind.ARTICLE, row, view)
        documents.append(
            f'{{"id":{row.id},{data[1:-1]},"blog_tool_article_id":null'
            f',"seo":{{"id":{row.id},{seo[1:-1]}}},"user":{people[row.user_id]},"directory":{directory}'
            f',"article_url":"{view.site}/blog/{row.slug}/"{translations}{_stamps(row)}}}'
        )
    return documents


def listings(connection: Connection, rows: Rows, view: View) -> list[str]:
    """Listings with all that they are linked to (docs/contract.md 14)."""
    directory_id = view.directory.id
    states = view.states or versions.states(connection, directory_id)
    shown = rows if type(rows[0]) is tuple else list(map(listed, rows))
    members, lost = view.mentions.members(connection, directory_id, states, [row[2] for row in shown])
    if lost:
        shown = [(*row[:5], max(row[5], lost[row[2]])) if row[2] in lost else row for row in shown]
    base = f"{view.site}/listings"
    documents = [
        f'{{"id":{listing_id},{data[1:-1]},{members[links]},"listing_url":"{base}/{slug}/"'
        f',"created_at":"{created_at}","updated_at":"{updated_at}"}}'
        for listing_id, slug, links, data, created_at, updated_at in shown
    ]
    if view.include == VISIBILITY:
        documents = [_with_visibility(document, row[3], view) for document, row in zip(documents, shown, strict=True)]
    return documents


def organizers(connection: Connection, rows: Rows, view: View) -> list[str]:
    """Organizers with their listings; an uploaded image stands in for a missing URL."""
    projects = listings_of(connection, view.directory.id, rows[0].id if view.alone else None)
    documents = []
    for row in rows:
        data, _, translations = _texts(Kind.ORGANIZER, row, view)
        documents.append(
            f'{{"id":{row.id},{_with_addresses(data, view.site)[1:-1]},"projects":{projects.get(row.id, "[]")}'
            f"{translations}{_stamps(row)}}}"
        )
    return documents


def categories(connection: Connection, rows: Rows, view: View) -> list[str]:
    """Categories with the title of their parent."""
    known = titles(connection, view.directory.id)
    return [
        f'{{"id":{row.id},{row.data[1:-1]},"parent_id":{json_text(row.parent_id)}'
        f',"parent_title":{json_text(known.get(row.parent_id))}{_stamps(row)}}}'
        for row in rows
    ]


def bare(connection: Connection, rows: Rows, view: View) -> list[str]:
    """Tags and custom fields, which stand alone."""
    return [f'{{"id":{row.id},{row.data[1:-1]}{_stamps(row)}}}' for row in rows]


def brief(directory: Directory) -> dict[str, Any]:
    """A directory as other records name it."""
    return {"id": directory.id, "name": directory.name, "slug": directory.slug, "domain": directory.domain}


def _texts(kind: Kind, row: Row[Any], view: View) -> tuple[str, str, str]:
    """The record's data, its SEO and the `translations` member, in the language of the view."""
    seo = row.seo if kind is Kind.ARTICLE else "null"
    if view.locale is None and view.include is None:
        return row.data, seo, ""
    stored = orjson.loads(row.translations)
    member = ""
    if view.include == TRANSLATIONS:
        shown = {locale: texts for locale, texts in stored.items() if locale in view.directory.locales[1:]}
        member = f',"translations":{json_text(shown)}'
    data, texts = localised(kind, orjson.loads(row.data), orjson.loads(seo), stored.get(view.locale, {}))
    return json_text(data), json_text(texts), member


def _with_visibility(document: str, data: str, view: View) -> str:
    """With the `visibility_now` member, which changes with time, as `updated_at` does not."""
    seen = visibility(orjson.loads(data), now=now(), expired=view.directory.expired)
    return f'{document[:-1]},"visibility_now":"{seen}"}}'


def _with_addresses(data: str, site: str) -> str:
    """An organizer's data, in which an uploaded image without a URL has one."""
    # In JSON text a quote inside of a string is escaped, so only a member can read like this.
    if all(f'"{image}":null' in data or f'"{address}":null' not in data for image, address in IMAGES.items()):
        return data
    values = orjson.loads(data)
    return json_text({**values, **image_addresses(values, site)})


def _stamps(row: Row[Any]) -> str:
    return f',"created_at":"{row.created_at}","updated_at":"{row.updated_at}"'
