"""Listings, articles and organizers as lists and pages show them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from ...model import Kind
from ...model.dates import visibility
from ..store import Row
from ..store.catalogue import CatalogueRecord
from ..store.record_drafts import with_translation
from ..store.record_kinds import uploaded_image_urls
from . import page_paths
from .displayed_fields import DisplayedFields, fields_of_card
from .markup.body_text import article_excerpt, content_excerpt, shorten
from .page_request import PageRequest

MAX_LINKS = 10  # of a card to categories; the same number to tags

# The texts in an article's `seo`; its other values are addresses.
_SEO_TEXTS = frozenset(
    {"title", "description", "keywords", "og_title", "og_description", "card_title", "card_description"}
)


@dataclass(frozen=True, slots=True)
class ListingCard:
    """The values of a listing's card in a list."""

    values: Mapping[str, Any]
    link: str
    summary: str
    is_expired: bool
    categories: list[CatalogueRecord]
    tags: list[CatalogueRecord]
    fields: DisplayedFields


@dataclass(frozen=True, slots=True)
class LocalizedRecord:
    """An article or organizer in the reader's language or, if it has no translation, in the default language."""

    slug: str
    values: dict[str, Any]
    seo: Mapping[str, Any]
    locale: str  # of the texts
    locales: tuple[str, ...]  # of all its texts, the default language first
    summary: str  # plain text on one line
    thumbnail: str  # the address of an article's image; may be empty
    card_fields: DisplayedFields
    created_at: str
    updated_at: str


def listing_card(request: PageRequest, row: Row[Any]) -> ListingCard:
    """Return the card of a listing's row, which must have slug, links and data."""
    values = orjson.loads(row.data)
    categories, tags = categories_and_tags(request, row)
    return ListingCard(
        values=values,
        link=request.site.link(page_paths.listing(row.slug)),
        summary=summary_of(values),
        is_expired=is_expired(request, values),
        categories=categories[:MAX_LINKS],
        tags=tags[:MAX_LINKS],
        fields=fields_of_card(request.catalogue.fields[Kind.LISTING], values, request.site.link_base),
    )


def categories_and_tags(request: PageRequest, row: Row[Any]) -> tuple[list[CatalogueRecord], list[CatalogueRecord]]:
    """Return the active categories and tags that a listing's row links to."""
    links, catalogue = orjson.loads(row.links), request.catalogue
    return (
        [catalogue.categories[id_] for id_ in links["categories"] if id_ in catalogue.categories],
        [catalogue.tags[id_] for id_ in links["tags"] if id_ in catalogue.tags],
    )


def is_expired(request: PageRequest, values: Mapping[str, Any]) -> bool:
    """Return whether a visible listing has ended."""
    return visibility(values, now=request.site.now, expired=request.site.directory.expired) == "expired"


def summary_of(values: Mapping[str, Any]) -> str:
    """Return the description of a listing or organizer, or the beginning of its body, as plain text on one line."""
    return shorten(values["description"] or "") or content_excerpt(values["content"])


def localized_record(kind: Kind, request: PageRequest, row: Row[Any]) -> LocalizedRecord:
    """Return the article or organizer of a whole row in the reader's language."""
    site, is_article = request.site, kind is Kind.ARTICLE
    seo = orjson.loads(row.seo) if is_article else {}
    translations = orjson.loads(row.translations)
    default, *others = site.directory.locales
    translation = translations.get(site.locale, {})
    if translation:  # without SEO texts in the default language, the page uses the translated title and summary
        seo = {name: None if name in _SEO_TEXTS else value for name, value in seo.items()}
    values, seo = with_translation(kind, orjson.loads(row.data), seo, translation)
    if is_article:
        summary = seo["description"] or article_excerpt(values)
        thumbnail = site.link_base.image(values["thumbnail_url"] or "")
    else:
        values = with_image_addresses(values, site.mount)
        summary = summary_of(values)
        thumbnail = ""
    return LocalizedRecord(
        slug=row.slug,
        values=values,
        seo=seo,
        locale=site.locale if site.locale in translations else default,
        locales=(default, *(locale for locale in others if locale in translations)),
        summary=summary,
        thumbnail=thumbnail,
        card_fields=fields_of_card(request.catalogue.fields[kind], values, site.link_base),
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def with_image_addresses(values: Mapping[str, Any], base: str) -> dict[str, Any]:
    """Return an organizer's fields with the URLs of uploaded images; `base` is a mount or an absolute address."""
    return {**values, **uploaded_image_urls(dict(values), base)}
