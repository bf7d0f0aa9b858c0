"""Mark the words of a text that a search has found."""

from collections.abc import Callable
from functools import cache

from markupsafe import Markup

from ..store.listing_filter import SearchText
from ..store.words import word_spans, words


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
