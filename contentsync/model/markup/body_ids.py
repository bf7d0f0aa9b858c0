"""The ids in a body, which the fragments of links name (decision 27)."""

from functools import lru_cache

from ...lazy_pattern import lazy_pattern
from .html_cleaning import FORMER_ID_PREFIX, clean_html, ids_in
from .markdown_rendering import markdown_html

_TAG = lazy_pattern(r"\s*<(?:[a-zA-Z][a-zA-Z0-9]*[\s>/]|!--)")


def is_markdown(text: str) -> bool:
    """Return whether a body that may be Markdown or HTML is Markdown. One that begins with a tag is HTML."""
    return not _TAG.match(text)


@lru_cache(maxsize=64)  # a text is needed for its own links, and again for those of others
def body_ids(text: str, *, markdown: bool) -> frozenset[str]:
    """Return the ids in a body, those that it had in former releases too: exactly those that the site gives it."""
    return frozenset(ids_in(markdown_html(text, highlighted=False) if markdown else clean_html(text)))


def current_ids(ids: frozenset[str]) -> set[str]:
    """Return the ids without those of former releases."""
    return {each for each in ids if each.removeprefix(FORMER_ID_PREFIX) == each}
