"""Bodies as HTML, and their beginnings as plain text."""

import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from .markup import Root, clean_html, markdown_html

EXCERPT = 200  # characters
_LOOKED_AT = 2_000  # of a body, for its excerpt
_TAG = re.compile(r"\s*<(?:[a-zA-Z][a-zA-Z0-9]*[\s>/]|!--)")


def article_html(values: Mapping[str, Any], root: Root) -> Markup:
    """The body of an article, in the format that was given last."""
    return _html(*_body(values), root)


def article_length(values: Mapping[str, Any]) -> int:
    """How many characters the body of an article has as it is written."""
    return len(_body(values)[0])


def content_html(text: str | None, root: Root) -> Markup:
    """A body that may be Markdown or HTML: it is HTML when it begins with a tag."""
    return _html(text or "", _is_markdown(text or ""), root)


def article_excerpt(values: Mapping[str, Any]) -> str:
    """The beginning of an article as plain text."""
    text, is_markdown = _body(values)
    return markdown_excerpt(text) if is_markdown else html_excerpt(text)


def content_excerpt(text: str | None) -> str:
    """The beginning of a body that may be Markdown or HTML."""
    text = text or ""
    return markdown_excerpt(text) if _is_markdown(text) else html_excerpt(text)


def markdown_excerpt(text: str) -> str:
    """The beginning of a Markdown text."""
    return shortened(markdown_html(text[:_LOOKED_AT]).striptags())


def html_excerpt(text: str) -> str:
    """The beginning of an HTML text."""
    return shortened(clean_html(text[:_LOOKED_AT]).striptags())


def shortened(text: str, most: int = EXCERPT) -> str:
    """The text on one line, at most so long, ended at a word."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    cut = line[: most - 1]
    return f"{cut.rpartition(' ')[0] or cut}…"


def _body(values: Mapping[str, Any]) -> tuple[str, bool]:
    is_markdown = bool(values["is_markdown"])
    return (values["markdown"] if is_markdown else values["content"]) or "", is_markdown


def _is_markdown(text: str) -> bool:
    return not _TAG.match(text)


def _html(text: str, is_markdown: bool, root: Root) -> Markup:
    return markdown_html(text, root=root) if is_markdown else clean_html(text, root=root)
