"""Listings and organizers as they stand in lists."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from ...model import Kind
from ...model.dates import visibility
from ..store import Row
from ..store.public.catalogue import Values
from . import paths
from .fields import Fields, fields_of_card
from .text import content_excerpt, shortened
from .visit import Visit

MOST_LINKS = 10  # of a card, to categories and as many to tags


@dataclass(frozen=True, slots=True)
class Card:
    """A listing in a list."""

    values: Mapping[str, Any]
    link: str
    summary: str
    is_expired: bool
    categories: list[Values]
    tags: list[Values]
    fields: Fields


def listing_cards(visit: Visit, rows: Iterable[Row[Any]]) -> list[Card]:
    """Cards of rows with slug, links and data."""
    return [_listing_card(visit, row) for row in rows]


def _listing_card(visit: Visit, row: Row[Any]) -> Card:
    values = orjson.loads(row.data)
    categories, tags = linked(visit, row)
    return Card(
        values=values,
        link=visit.site.link(paths.listing(row.slug)),
        summary=shortened(values["description"] or "") or content_excerpt(values["content"]),
        is_expired=is_expired(visit, values),
        categories=categories[:MOST_LINKS],
        tags=tags[:MOST_LINKS],
        fields=fields_of_card(visit.catalogue.fields[Kind.LISTING], values, visit.site.root),
    )


def linked(visit: Visit, row: Row[Any]) -> tuple[list[Values], list[Values]]:
    """The active categories and tags of a listing's row."""
    links, catalogue = orjson.loads(row.links), visit.catalogue
    return (
        [catalogue.categories[other] for other in links["categories"] if other in catalogue.categories],
        [catalogue.tags[other] for other in links["tags"] if other in catalogue.tags],
    )


def is_expired(visit: Visit, values: Mapping[str, Any]) -> bool:
    """Whether a listing that is shown is over."""
    return visibility(values, now=visit.site.now, expired=visit.site.directory.expired) == "expired"
