"""Articles, pages and organizers that a search finds besides listings."""

from dataclasses import dataclass
from typing import Any

import orjson

from ...model import Kind
from ..store import Connection, public_records
from ..store.listing_filter import SearchText
from ..store.search_text import find_others
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

    def ids(kind: Kind) -> list[int]:
        fields = tuple(each["id"] for each in catalogue.searched_fields(kind))
        return find_others(connection, directory, now, kind, text._replace(field_ids=fields), limit=MAX_FOUND)

    organizers = ids(Kind.ORGANIZER)
    return FoundElsewhere(
        [
            localized_record(Kind.ARTICLE, request, row)
            for row in public_records.articles_by_ids(connection, directory, now, ids(Kind.ARTICLE))
        ],
        [
            {**orjson.loads(row.data), "slug": row.slug}
            for row in public_records.pages_by_ids(connection, directory, ids(Kind.PAGE))
        ],
        [
            localized_record(Kind.ORGANIZER, request, row)
            for row in public_records.organizers_by_ids(connection, directory, organizers)
        ],
    )
