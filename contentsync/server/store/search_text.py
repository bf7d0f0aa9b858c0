"""Read a visitor's text: which records its words mean, and which words may be meant instead."""

from collections.abc import Iterator
from itertools import islice, product

from sqlalchemy import Connection

from ...model import Kind
from ..access import Directory
from .catalogue import Catalogue
from .listing_filter import (
    ListingFilter,
    SearchText,
    SearchWord,
    name_condition,
    separate_tiers,
    text_conditions,
    whole_condition,
)
from .public_listings import selected_listings
from .search_documents import KeyRange, key_range, link_choice, record_id
from .search_index import DocumentSelection, count_keys, keys_in_tiers, select_keys
from .search_words import similar_words
from .words import QueryWord, query_words, whole_name

FEW = 5  # listings; if fewer have the words, similar words are searched too
MAX_ORGANIZERS = 100  # that one word finds
MAX_SUGGESTIONS = 16  # texts that may be meant, of which the first one that finds a listing is suggested


def search_text(connection: Connection, directory: Directory, catalogue: Catalogue, now: str, query: str) -> SearchText:
    """Return the words of a query for listings, and words that may be meant if few listings have them."""
    field_ids = tuple(each["id"] for each in catalogue.searched_fields(Kind.LISTING))
    words = query_words(query)
    found = tuple(_search_word(connection, directory, catalogue, now, word) for word in words)
    text = SearchText(found, whole_name(query), field_ids)
    if not words or _has(connection, directory, now, text, FEW):
        return text
    similar = (_with_similar(connection, directory, catalogue, now, word) for word in found)
    return text._replace(words=tuple(similar))


def suggested_text(connection: Connection, directory: Directory, now: str, text: SearchText) -> str:
    """Return the text that a visitor may have meant; "" if the words are found as they are, or no other is known."""
    written = _as_written(text)
    if written == text or _has(connection, directory, now, written, 1):
        return ""
    others = KeyRange(key_range(directory.id, Kind.ARTICLE).low, key_range(directory.id, Kind.ORGANIZER).high)
    if select_keys(connection, DocumentSelection(others, now, condition=whole_condition(written)), limit=1):
        return ""
    alternatives = []
    for word in text.words:
        alone = text._replace(words=(word._replace(similar=()),), whole_name="")
        alternatives.append((word,) if _has(connection, directory, now, alone, 1) else word.similar)
    for words in islice(product(*alternatives), MAX_SUGGESTIONS):
        meant = _as_written(text._replace(words=words, whole_name=""))
        if _has(connection, directory, now, meant, 1):
            return " ".join(word.word.text for word in words)
    return ""


def find_others(
    connection: Connection, directory: Directory, now: str, kind: Kind, text: SearchText, *, limit: int
) -> list[int]:
    """Return ids of articles, pages or organizers that have the text, the best first."""
    selection = DocumentSelection(key_range(directory.id, kind), now, condition=whole_condition(text))
    if not select_keys(connection, selection, limit=1):  # as for most searches
        return []
    keys = keys_in_tiers(connection, selection, separate_tiers(text_conditions(text)), limit=limit)
    return [record_id(key) for key in keys]


def _has(connection: Connection, directory: Directory, now: str, text: SearchText, number: int) -> bool:
    """Return whether at least so many listings have the text."""
    selection = selected_listings(directory, now, ListingFilter(text=text))
    return count_keys(connection, selection, limit=number) == number


def _as_written(text: SearchText) -> SearchText:
    return text._replace(words=tuple(word._replace(similar=()) for word in text.words))


def _search_word(
    connection: Connection, directory: Directory, catalogue: Catalogue, now: str, word: QueryWord
) -> SearchWord:
    organizers = _organizers(connection, directory, now, word) if directory.organizers_enabled else ()
    return SearchWord(word, (*catalogue.choices_of(word), *organizers))


def _organizers(connection: Connection, directory: Directory, now: str, word: QueryWord) -> Iterator[str]:
    selection = DocumentSelection(key_range(directory.id, Kind.ORGANIZER), now, condition=name_condition(word))
    for key in select_keys(connection, selection, limit=MAX_ORGANIZERS):
        yield link_choice("organizers", record_id(key))


def _with_similar(
    connection: Connection, directory: Directory, catalogue: Catalogue, now: str, word: SearchWord
) -> SearchWord:
    similar = similar_words(connection, directory.id, word.word.text)
    others = (QueryWord(each, [(each,)], is_prefix=False) for each in similar)
    return word._replace(similar=tuple(_search_word(connection, directory, catalogue, now, other) for other in others))
