"""Read a visitor's text: which records its words mean, and which words may be meant instead."""

from collections.abc import Iterator
from itertools import islice, product

from ...model import Kind
from ..access import Directory
from .catalogue import Catalogue
from .listing_filter import (
    ListingFilter,
    SearchText,
    SearchWord,
    name_condition,
    text_conditions,
    whole_condition,
)
from .public_listings import selected_listings
from .search_documents import KeyRange, key_range, link_choice, record_id
from .search_index import DocumentSelection, keys_in_tiers, select_keys
from .search_words import similar_words
from .sql import Connection
from .words import QueryWord, query_words, whole_name

OTHERS = (Kind.ARTICLE, Kind.PAGE, Kind.ORGANIZER)  # the kinds that are searched besides listings

FEW = 5  # listings; if fewer have the words, similar words are searched too
MAX_ORGANIZERS = 100  # that one word finds
MAX_OTHERS = 100  # records of OTHERS that are put in order at once
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
    others = DocumentSelection(_all_others(directory), now, condition=whole_condition(written))
    if select_keys(connection, others, limit=1):
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
    connection: Connection, directory: Directory, now: str, text: SearchText, *, limit: int
) -> dict[Kind, list[int]]:
    """Return ids of articles, pages and organizers that have the text, at most `limit` of each kind, the best first."""

    def in_tiers(keys: KeyRange, number: int) -> list[int]:
        return keys_in_tiers(connection, DocumentSelection(keys, now), text_conditions(text), limit=number)

    ranges = {kind: key_range(directory.id, kind) for kind in OTHERS}
    found = in_tiers(_all_others(directory), MAX_OTHERS)  # at once: a frequent word takes long to look up
    if len(found) == MAX_OTHERS:  # there may be more of each kind
        found = [key for keys in ranges.values() for key in in_tiers(keys, limit)]
    return {
        kind: [record_id(key) for key in found if keys.low <= key <= keys.high][:limit] for kind, keys in ranges.items()
    }


def _all_others(directory: Directory) -> KeyRange:
    """Return the range of the keys of all OTHERS, in which no listing is (`search_documents.key_of`)."""
    ranges = [key_range(directory.id, kind) for kind in OTHERS]
    return KeyRange(min(each.low for each in ranges), max(each.high for each in ranges))


def _has(connection: Connection, directory: Directory, now: str, text: SearchText, number: int) -> bool:
    """Return whether at least so many listings have the text."""
    selection = selected_listings(connection, directory, now, ListingFilter(text=text))
    # In tiers, because the listings with a frequent word in the name are found before all others are looked up.
    return len(keys_in_tiers(connection, selection, text_conditions(text), limit=number)) == number


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
