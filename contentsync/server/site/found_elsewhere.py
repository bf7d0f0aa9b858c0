"""Articles, pages and organizers that a search finds besides listings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import orjson

from ...model import Kind
from ..store import Connection, Row, public_records
from ..store.listing_filter import SearchText
from ..store.search_text import OTHERS, find_others
from .displayed_records import LocalizedRecord, localized_record
from .page_request import PageRequest

MAX_FOUND = 10  # records of each kind


@dataclass(frozen=True, slots=True)
class FoundElsewhere:
    """The records of other kinds on a page of results, the best of each kind first."""

    articles: list[LocalizedRecord]
    pages: list[dict[str, Any]]  # their fields
    organizers: list[LocalizedRecord]

    def __bool__(self) -> bool:
        return bool(self.articles or self.pages or self.organizers)


def found_elsewhere(connection: Connection, request: PageRequest, text: SearchText) -> FoundElsewhere:
    """Return at most MAX_FOUND visible records of each kind that have the text."""
    directory, now, catalogue = request.site.directory, request.site.now, request.catalogue
    fields = tuple(each["id"] for kind in OTHERS for each in catalogue.searched_fields(kind))
    ids_by_kind = find_others(connection, directory, now, text._replace(field_ids=fields), limit=MAX_FOUND)

    def found(kind: Kind, rows_of: Callable[[list[int]], Sequence[Row]]) -> list[Row]:
        ids = ids_by_kind[kind]
        return sorted(rows_of(ids), key=lambda row: ids.index(row.id))

    articles = found(Kind.ARTICLE, partial(public_records.articles_by_ids, connection, directory, now))
    pages = found(Kind.PAGE, partial(public_records.pages_by_ids, connection, directory))
    organizers = found(Kind.ORGANIZER, partial(public_records.organizers_by_ids, connection, directory))
    return FoundElsewhere(
        [localized_record(Kind.ARTICLE, request, row) for row in articles],
        [{**orjson.loads(row.data), "slug": row.slug} for row in pages],
        [localized_record(Kind.ORGANIZER, request, row) for row in organizers],
    )
