"""The words of a text, as visitors search for them: without case and accents."""

import unicodedata

MOST_LETTERS = 1_000  # of a listing
MOST_TERMS = 8
LONGEST_QUERY = 100  # characters

_ESCAPES = str.maketrans({"\\": r"\\", "%": r"\%", "_": r"\_"})


def words_of(*texts: str | None) -> str:
    """The beginning of the texts in the form in which they are compared, with one space between two words."""
    given = " ".join(text[:MOST_LETTERS] for text in texts if text)
    return _folded(given)[:MOST_LETTERS]


def patterns_of(query: str) -> tuple[str, ...]:
    """A pattern of `LIKE`, with a backslash as escape, for each of the first words that somebody typed."""
    terms = _folded(query[:LONGEST_QUERY].replace("\0", " ")).split()  # PostgreSQL takes no NUL
    return tuple(f"%{term.translate(_ESCAPES)}%" for term in terms[:MOST_TERMS])


def _folded(text: str) -> str:
    if text.isascii():
        return " ".join(text.lower().split())
    letters = (letter for letter in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(letter))
    return " ".join("".join(letters).casefold().split())
