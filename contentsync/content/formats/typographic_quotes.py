"""Recognise typographic quotes, which word processors put in place of the straight quotes that formats require."""

import re

TYPOGRAPHIC_QUOTES = "\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b"
STRAIGHT_QUOTES_HINT = 'type straight quotes (") in place of the typographic ones'

_ENCLOSED = re.compile(rf"[{TYPOGRAPHIC_QUOTES}][^\u201c\u201d\u201e\u201f]*[\u201c\u201d\u2018\u2019]")


def is_in_typographic_quotes(text: str) -> bool:
    """Return whether one pair of typographic quotes encloses the whole text."""
    return text[:1] in TYPOGRAPHIC_QUOTES and _ENCLOSED.fullmatch(text) is not None
