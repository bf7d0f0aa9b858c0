"""What a page of search results shows besides its listings.

The active filters, each with the link that removes it, marks around found words, and records of other kinds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import orjson
from markupsafe import Markup

from ...model import Kind
from ..store import Connection, Row, public_records
from ..store.listing_filter import SearchText
from ..store.search_text import OTHERS, find_others
from ..store.words import word_spans, words
from .displayed_records import LocalizedRecord, localized_record
from .listing_search import ListingSearch
from .page_request import PageRequest

MAX_FOUND = 10  # records of each kind


@dataclass(frozen=True, slots=True)
class ActiveFilter:
    """A filter of a search, as a page shows it."""

    value: str
    link: str  # to the first page of the list without this filter
    label: str = ""  # of a custom field, in the default language
    is_translated: bool = False  # False: the value is in the default language

    @property
    def title(self) -> str:
        """Return the filter in the title of a list: options of authors alone, "Yes" and numbers with their label."""
        return f"{self.label} {self.value}" if self.label and self.is_translated else self.value


def active_filters(request: PageRequest, search: ListingSearch) -> list[ActiveFilter]:
    """Return the filters of a search: category, tag, custom fields and text."""

    def active(value: str, label: str = "", *, is_translated: bool = False, **removed: Any) -> ActiveFilter:
        rest = replace(search, **removed)
        return ActiveFilter(value, request.site.link(rest.path, **rest.query), label, is_translated)

    filters = []
    if search.category:
        filters.append(active(search.category["title"], category=None))
    if search.tag:
        filters.append(active(search.tag["title"], tag=None))
    for name, value in search.fields.items():
        definition = request.catalogue.field_filters[name]
        is_flag = definition["type"] == "checkbox"
        text = request.words(value) if is_flag else value
        others = {other: chosen for other, chosen in search.fields.items() if other != name}
        filters.append(active(text, definition["label"], is_translated=is_flag, fields=others))
    for name, bounds in search.numbers.items():
        others_ranges = {other: chosen for other, chosen in search.numbers.items() if other != name}
        label = request.catalogue.number_filters[name]["label"]
        filters.append(active(str(bounds), label, is_translated=True, numbers=others_ranges))
    if search.text:
        filters.append(active(request.words("found_for", text=search.text), is_translated=True, text=""))
    return filters


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


def word_matcher(text: SearchText) -> Callable[[str], bool]:
    """Return a function that says whether a word is one of a search, or may be meant by one of them."""
    searched = [each.word for word in text.words for each in (word, *word.similar)]
    whole = {part for word in searched for spelling in word.spellings for part in spelling}
    beginnings = tuple(spelling[-1] for word in searched if word.is_prefix for spelling in word.spellings)
    return cache(lambda word: any(part in whole or part.startswith(beginnings) for part in words(word)))


def highlighted(text: str, matches: Callable[[str], bool]) -> Markup:
    """Return the text as HTML, in which each word that matches is in a `<mark>`.

    A word has letters, digits and their accents, apostrophes between them, and plus or number signs at its end (C++).
    """
    html, done = Markup(), 0
    for start, end in word_spans(text):
        if matches(text[start:end]):
            html += text[done:start]  # which `Markup` escapes
            html += Markup("<mark>{}</mark>").format(text[start:end])
            done = end
    return html + text[done:]
