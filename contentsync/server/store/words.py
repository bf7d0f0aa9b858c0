"""The words of texts and of visitors' queries, as the search index has them (docs/server.md, Search and filters).

A word is in lower case and without accents. Letters of Chinese, Japanese and Korean, which are written without spaces,
are pieces of two. A plus or a number sign at the end belongs to a word (C++, C#), and parts that a dot, a hyphen
or an apostrophe joins are words, apart and together: `Node.js` is `node`, `js` and `nodejs`.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...lazy_pattern import lazy_pattern

MAX_QUERY = 100  # characters
MAX_QUERY_WORDS = 8  # different words of a query that count
MIN_BEGINNING = 2  # letters of an incomplete word: one letter begins too many
MAX_WORD = 40  # characters; the rest of a longer word is not searched
MAX_PARTS = 4  # of a compound that is also one word; more of them are an address or a path

# Letters that Unicode does not decompose into a letter and an accent.
_PLAIN_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)
# Combining classes of marks that are no accents, but change the consonant or join it to the next one.
_KEPT_MARKS = frozenset({7, 8, 9})  # nukta, voiced kana, virama
_JOINERS = "-.‐‑_/&@·'’ʼ"
_SIGNS = "+#"
_WITHOUT_SPACES = lazy_pattern("[぀-ヿ㐀-䶿一-鿿豈-﫿가-힣𠀀-𳎯]+")
_PART = lazy_pattern(f"[^{re.escape(_JOINERS + _SIGNS)}]+[{re.escape(_SIGNS)}]*")
# As a part, but with spaces around it; an apostrophe inside belongs to it.
_SHOWN_WORD = lazy_pattern(
    f"[^ {re.escape(_JOINERS + _SIGNS)}]+(?:['’][^ {re.escape(_JOINERS + _SIGNS)}]+)*[{re.escape(_SIGNS)}]*"
)


class _Spaced(dict[int, int]):
    """For `str.translate`: letters, digits, joiners and signs stay, and all else becomes a space."""

    def __missing__(self, code: int) -> int:
        letter = chr(code)
        is_kept = letter.isalnum() or letter in _JOINERS or letter in _SIGNS or unicodedata.category(letter)[0] == "M"
        self[code] = code if is_kept else ord(" ")
        return self[code]


_SPACED = _Spaced()


class QueryWord(NamedTuple):
    """A word of a query. A record has it if it has all words of one of its spellings."""

    text: str  # as the visitor has typed it, in lower case and without accents
    spellings: Sequence[tuple[str, ...]]
    is_prefix: bool  # whether the last word of a spelling may be the beginning of a longer one


def normalise(text: str) -> str:
    """Return the text in lower case, without accents, with one space between words."""
    if text.isascii():
        return " ".join(text.lower().split())
    letters = (
        letter
        for letter in unicodedata.normalize("NFKD", text.casefold())
        if unicodedata.combining(letter) in _KEPT_MARKS or not unicodedata.combining(letter)
    )
    # Case is removed again, because the decomposition of some letters is a capital.
    plain = unicodedata.normalize("NFC", "".join(letters)).casefold().translate(_PLAIN_LETTERS)
    return " ".join(plain.split())


def words(text: str) -> list[str]:
    """Return the words of a text, some of them more than once."""
    spaced = _spaced(text)
    chunks = dict.fromkeys(spaced.split())
    if spaced.isascii() and spaced.replace(" ", "").isalnum():  # as most texts; no word is a compound
        return [chunk[:MAX_WORD] for chunk in chunks]
    found = []
    for chunk in chunks:
        for is_piece, part in _parts(chunk):
            found.append(part[:MAX_WORD])
            if part[-1] in _SIGNS:
                found.append(part.rstrip(_SIGNS)[:MAX_WORD])
            elif is_piece:
                found.append(part[-1])
        found += _joined(chunk)
    return found


def word_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each word in a text as it is shown; the parts of a compound are words."""
    for word in _SHOWN_WORD.finditer(text.translate(_SPACED)):  # which has the same length
        yield word.span()


def whole_name(text: str) -> str:
    """Return all words of a name as one, which only the same name is, however it is written; "" without a word."""
    return "".join(part for chunk in _spaced(text).split() for part in _PART.findall(chunk))[:MAX_WORD]


def query_words(query: str) -> list[QueryWord]:
    """Return the first MAX_QUERY_WORDS different words of a visitor's query; the last one may be incomplete."""
    chunks = list(dict.fromkeys(_spaced(query[:MAX_QUERY]).split()))[:MAX_QUERY_WORDS]
    found = []
    for number, chunk in enumerate(chunks, 1):
        parts = [part[:MAX_WORD] for _, part in _parts(chunk)]
        if not parts:
            continue
        spellings = [tuple(parts), *((word,) for word in _joined(chunk))]
        is_first_letter = len(parts[0]) == 1 and _WITHOUT_SPACES.match(parts[0]) is not None  # of a piece of two
        may_go_on = number == len(chunks) and len(parts[-1]) >= MIN_BEGINNING
        found.append(QueryWord(chunk.strip(_JOINERS), spellings, is_first_letter or may_go_on))
    return found


def _spaced(text: str) -> str:
    """Return the text normalised, with spaces between its chunks: words, compounds, and texts without spaces."""
    return (text.lower() if text.isascii() else normalise(text)).translate(_SPACED)


def _parts(chunk: str) -> Iterator[tuple[bool, str]]:
    """Yield the parts of a chunk; True marks a piece of a text that is written without spaces."""
    for part in _PART.findall(chunk):
        start = 0
        for run in _WITHOUT_SPACES.finditer(part):
            if run.start() > start:
                yield False, part[start : run.start()]
            letters = run[0]
            for index in range(max(1, len(letters) - 1)):
                yield index + 2 >= len(letters), letters[index : index + 2]
            start = run.end()
        if start < len(part):
            yield False, part[start:]


def _joined(chunk: str) -> Iterator[str]:
    """Yield the parts of a compound as one word; nothing if there is one part, or too many."""
    parts = _PART.findall(chunk)
    if 1 < len(parts) <= MAX_PARTS:
        yield "".join(part.rstrip(_SIGNS) for part in parts)[:MAX_WORD]
