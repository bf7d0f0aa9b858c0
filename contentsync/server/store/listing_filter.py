"""The filters of a visitor, as conditions on the documents of the search index."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from .search_documents import IndexedPart, field_choice, field_letter, link_choice
from .search_expression import AllOf, AnyOf, Condition, Token, all_of, any_of
from .search_index import NumberRange
from .words import QueryWord


class FieldValue(NamedTuple):
    """A value that a custom field must have, or that must be in its list."""

    field_id: int
    value: str | bool


class SearchWord(NamedTuple):
    """A word of a search, and what finds a record besides the word itself."""

    word: QueryWord
    choices: tuple[str, ...] = ()  # of categories, tags and organizers whose title has the word
    similar: "tuple[SearchWord, ...]" = ()  # without choices and words of their own, if the word may be an error


class SearchText(NamedTuple):
    """The words of a search, all of which a record must have; `whole_name` is that of a record with this name."""

    words: tuple[SearchWord, ...] = ()
    whole_name: str = ""
    field_ids: tuple[int, ...] = ()  # of the custom fields whose words are searched


NO_TEXT = SearchText()


class ListingFilter(NamedTuple):
    """The filters of a visitor; a listing must meet all of them."""

    categories: tuple[int, ...] = ()  # ids; a listing must be in one of them; (): no filter
    tag: int | None = None
    organizer: int | None = None
    text: SearchText = NO_TEXT
    fields: tuple[FieldValue, ...] = ()
    numbers: tuple[NumberRange, ...] = ()


# The parts in which a word is found, from the best to the worst; each tier has the parts of those before it.
_TIERS = (IndexedPart.NAME, IndexedPart.CHOICE, IndexedPart.DESCRIPTION, IndexedPart.BODY)


def filter_conditions(wanted: ListingFilter) -> Iterator[Condition]:
    """Yield the conditions of the filters, except the text and the numbers."""
    if wanted.categories:
        yield any_of(_choice(link_choice("categories", id_)) for id_ in wanted.categories)
    if wanted.tag is not None:
        yield _choice(link_choice("tags", wanted.tag))
    if wanted.organizer is not None:
        yield _choice(link_choice("organizers", wanted.organizer))
    for field_id, value in wanted.fields:
        yield _choice(field_choice(field_id, value))


def text_conditions(text: SearchText) -> list[Condition]:
    """Return the condition of each tier, from the best to the worst; each one includes those before it.

    The tiers are the exact name, the words in the name, then also in the titles of linked records, in the description,
    and anywhere; last the similar words anywhere, if there are any. There are none without a text.
    """
    if not text.words:
        return []
    tiers = [
        all_of(_word_condition(word, _TIERS[: index + 1], text.field_ids) for word in text.words)
        for index in range(len(_TIERS))
    ]
    if any(word.similar for word in text.words):
        tiers.append(
            all_of(
                any_of(_word_condition(each, _TIERS, text.field_ids) for each in (word, *word.similar))
                for word in text.words
            )
        )
    if text.whole_name:
        exact = Token(f"{IndexedPart.WHOLE_NAME}{text.whole_name}")
        tiers = [exact, *(AnyOf((exact, tier)) for tier in tiers)]
    return tiers


def name_condition(word: QueryWord) -> Condition:
    """Return the condition that a record has the word in its name."""
    return _word_condition(SearchWord(word), (IndexedPart.NAME,), ())


def whole_condition(text: SearchText, filters: Iterable[Condition] = ()) -> Condition | None:
    """Return the condition that a record meets the filters and has the text; None if there are neither."""
    conditions = [*filters, *text_conditions(text)[-1:]]
    return all_of(conditions) if conditions else None


def _word_condition(word: SearchWord, parts: Sequence[IndexedPart], field_ids: Sequence[int]) -> Condition:
    """Return the condition that a record has one of the spellings of a word in one of the `parts`.

    IndexedPart.BODY includes the custom fields `field_ids`. IndexedPart.CHOICE means the titles of linked records.
    """
    letters = [part.value for part in parts if part is not IndexedPart.CHOICE]
    if IndexedPart.BODY in parts:
        letters += map(field_letter, field_ids)
    spellings = (_spelling_condition(spelling, letters, word.word) for spelling in word.word.spellings)
    choices = map(_choice, word.choices if IndexedPart.CHOICE in parts else ())
    return any_of((*spellings, *choices))


def _spelling_condition(spelling: Sequence[str], letters: Sequence[str], word: QueryWord) -> Condition:
    *first, last = spelling
    conditions = [any_of(Token(letter + part) for letter in letters) for part in first]
    conditions.append(any_of(Token(letter + last, word.is_prefix) for letter in letters))
    return AllOf(tuple(conditions)) if first else conditions[0]


def _choice(choice: str) -> Token:
    return Token(f"{IndexedPart.CHOICE}{choice}")
