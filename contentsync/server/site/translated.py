"""Articles and organizers in the reader's language."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from ...model import Kind
from ..store import Row
from ..store.organizer_store import uploaded_image_urls
from ..store.record_drafts import localised
from .fields import Fields, fields_of_card
from .text import article_excerpt, content_excerpt, shortened
from .visit import Visit

# The words among an article's `seo`; the rest are addresses.
_SPOKEN = frozenset(
    {"title", "description", "keywords", "og_title", "og_description", "card_title", "card_description"}
)


@dataclass(frozen=True, slots=True)
class Translated:
    """A record in one language: that of the reader, else the default one."""

    slug: str
    values: dict[str, Any]
    seo: Mapping[str, Any]
    locale: str  # of the texts
    locales: tuple[str, ...]  # in which it has texts, the default first
    summary: str  # plain, on one line
    card_fields: Fields
    created_at: str
    updated_at: str


def localised_article(visit: Visit, row: Row[Any]) -> Translated:
    """A whole row of an article."""
    return _localised(Kind.ARTICLE, visit, row, orjson.loads(row.seo))


def localised_organizer(visit: Visit, row: Row[Any]) -> Translated:
    """A whole row of an organizer."""
    return _localised(Kind.ORGANIZER, visit, row, {})


def _localised(kind: Kind, visit: Visit, row: Row[Any], seo: dict[str, Any]) -> Translated:
    site = visit.site
    stored = orjson.loads(row.translations)
    default, *others = site.directory.locales
    own = stored.get(site.locale, {})
    if own:  # its title says more in this language than what was written for search engines in another one
        seo = {name: None if name in _SPOKEN else value for name, value in seo.items()}
    values, texts = localised(kind, orjson.loads(row.data), seo, own)
    seo = texts or {}
    if kind is Kind.ORGANIZER:
        values = with_images(values, site.mount)
    return Translated(
        slug=row.slug,
        values=values,
        seo=seo,
        locale=site.locale if site.locale in stored else default,
        locales=(default, *(locale for locale in others if locale in stored)),
        summary=_summary(kind, values, seo),
        card_fields=fields_of_card(visit.catalogue.fields[kind], values, site.root),
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def with_images(values: Mapping[str, Any], base: str) -> dict[str, Any]:
    """An organizer's fields, in which uploaded images have addresses below a site's mount or address."""
    return {**values, **uploaded_image_urls(dict(values), base)}


def _summary(kind: Kind, values: Mapping[str, Any], seo: Mapping[str, Any]) -> str:
    if kind is Kind.ARTICLE:
        return seo["description"] or article_excerpt(values)
    return shortened(values["description"] or "") or content_excerpt(values["content"])
