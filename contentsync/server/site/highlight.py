"""Mark the words of a text that a search has found."""

import re
import unicodedata
from collections.abc import Callable, Iterator

from markupsafe import Markup

from ..store.listing_rules import normalise, search_terms

# In a text whose letters and digits are `w`, its accents `m`, and others spaces, except the signs below.
_WORD = re.compile(r"w[wm]*(?:['’]w[wm]*)*[+#]*")
_SIGNS = "'’+#"


class _Shape(dict[int, str]):
    """For `str.translate`: characters as `_WORD` reads them."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if character.isalnum():
            self[code] = "w"
        elif unicodedata.category(character).startswith("M"):
            self[code] = "m"
        else:
            self[code] = character if character in _SIGNS else " "
        return self[code]


_SHAPE = _Shape()


def word_matcher(query: str) -> Callable[[str], bool]:
    """Return a function that says whether a word begins with a word of the query."""
    beginnings = tuple(term[start:end] for term in search_terms(query) for start, end in _words(term))
    return lambda word: normalise(word).startswith(beginnings)


def highlighted(text: str, matches: Callable[[str], bool]) -> Markup:
    """Return the text as HTML, in which each word that matches is in a `<mark>`.

    A word has letters, digits and their accents, apostrophes between them, and plus or number signs at its end (C++).
    """
    html, done = Markup(), 0
    for start, end in _words(text):
        if matches(text[start:end]):
            html += text[done:start]  # which `Markup` escapes
            html += Markup("<mark>{}</mark>").format(text[start:end])
            done = end
    return html + text[done:]


def _words(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each word."""
    for word in _WORD.finditer(text.translate(_SHAPE)):
        yield word.span()
