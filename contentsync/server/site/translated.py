"""Articles and organizers in the reader's language."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from ...model import Kind
from ..store import Row
from ..store.texts import localised
from .cards import with_images
from .fields import Fields, fields_of_card
from .visit import Visit


@dataclass(frozen=True, slots=True)
class Translated:
    """A record in one language: that of the reader, else the default one."""

    slug: str
    values: dict[str, Any]
    seo: Mapping[str, Any]
    locale: str  # of the texts
    locales: tuple[str, ...]  # in which it has texts, the default first
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
    values, texts = localised(kind, orjson.loads(row.data), seo, stored.get(site.locale, {}))
    if kind is Kind.ORGANIZER:
        values = with_images(values, site.mount)
    return Translated(
        slug=row.slug,
        values=values,
        seo=texts or {},
        locale=site.locale if site.locale in stored else default,
        locales=(default, *(locale for locale in others if locale in stored)),
        card_fields=fields_of_card(visit.catalogue.fields[kind], values, site.mount),
        created_at=row.created_at,
        updated_at=row.updated_at,
    )
