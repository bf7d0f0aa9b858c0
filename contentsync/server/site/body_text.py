"""Bodies in Markdown or HTML: as HTML, and as excerpts in plain text."""

import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from ...model.markup import LinkBase
from ...model.markup.body_ids import is_markdown
from .html_cache import clean_html, markdown_html

EXCERPT = 200  # characters
_EXCERPT_SOURCE = 2_000  # characters of a body that are read for its excerpt
_FOOTNOTE_MARK = re.compile(r"<sup>\d+</sup>")  # also any other raised number


def article_html(values: Mapping[str, Any], base: LinkBase) -> Markup:
    """Return the body of an article as clean HTML; `is_markdown` selects its Markdown or its HTML text."""
    return _html(*_body(values), base)


def article_length(values: Mapping[str, Any]) -> int:
    """Return the number of characters of an article's body in its source format."""
    return len(_body(values)[0])


def content_html(text: str | None, base: LinkBase) -> Markup:
    """Return a body in Markdown or HTML as clean HTML; "" for None. A body that begins with a tag is HTML."""
    return _html(text or "", is_markdown(text or ""), base)


def article_excerpt(values: Mapping[str, Any]) -> str:
    """Return the beginning of an article's body as plain text."""
    text, is_markdown = _body(values)
    return markdown_excerpt(text) if is_markdown else html_excerpt(text)


def content_excerpt(text: str | None) -> str:
    """Return the beginning of a body in Markdown or HTML as plain text."""
    text = text or ""
    return markdown_excerpt(text) if is_markdown(text) else html_excerpt(text)


def markdown_excerpt(text: str) -> str:
    """Return the beginning of a Markdown text as plain text."""
    html = markdown_html(text[:_EXCERPT_SOURCE], anchors=False)
    return shorten(Markup(_FOOTNOTE_MARK.sub("", html)).striptags())  # noqa: S704  # as clean as before


def html_excerpt(text: str) -> str:
    """Return the beginning of an HTML text as plain text."""
    return shorten(clean_html(text[:_EXCERPT_SOURCE]).striptags())


def shorten(text: str, limit: int = EXCERPT) -> str:
    """Return the text on one line, cut at a word so that it has at most `limit` characters."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    cut = line[: limit - 1]
    return f"{cut.rpartition(' ')[0] or cut}…"


def _body(values: Mapping[str, Any]) -> tuple[str, bool]:
    """Return the body that the service shows, "" if there is none, and whether it is Markdown."""
    is_markdown = bool(values["is_markdown"])
    body = values["markdown"] if is_markdown else values["content"]
    return body or "", is_markdown


def _html(text: str, markdown: bool, base: LinkBase) -> Markup:
    return markdown_html(text, base=base) if markdown else clean_html(text, base=base)
