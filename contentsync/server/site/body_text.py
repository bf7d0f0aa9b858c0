"""Bodies in Markdown or HTML: as clean HTML, which is rendered once, and as excerpts in plain text."""

import sys
from collections.abc import Callable, Hashable, Mapping
from functools import wraps
from hashlib import blake2b
from typing import Any, Concatenate, ParamSpec

from markupsafe import Markup

from ...lazy_pattern import lazy_pattern
from ...model import markup
from ...model.markup import LinkBase
from ...model.markup.body_ids import is_markdown
from ..bounded_cache import BoundedCache

EXCERPT = 200  # characters
_EXCERPT_SOURCE = 2_000  # characters of a body that are read for its excerpt
_FOOTNOTE_MARK = lazy_pattern(r"<sup>\d+</sup>")  # also any other raised number

_P = ParamSpec("_P")

MAX_CACHE_BYTES = 64 * 1024 * 1024  # 10,000 pages of 6 KB
_ENTRY_BYTES = 400  # of memory for a cache entry, in addition to its HTML


def html_bytes(html: Markup) -> int:
    """Return the memory that a cache entry of this HTML uses, in bytes."""
    return _ENTRY_BYTES + sys.getsizeof(html)


_CACHE: BoundedCache[Hashable, Markup] = BoundedCache(MAX_CACHE_BYTES, html_bytes)


def cached_html(
    render: Callable[Concatenate[str, _P], Markup], cache: BoundedCache[Hashable, Markup] = _CACHE
) -> Callable[Concatenate[str, _P], Markup]:
    """Cache the function's results by a hash of the text and the other arguments."""

    @wraps(render)
    def render_cached(text: str, /, *args: _P.args, **kwargs: _P.kwargs) -> Markup:
        """Return the cached HTML; if there is none, render and cache it."""
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        key = (render, digest, args, *kwargs.items())
        html = cache.get(key)
        if html is None:
            html = render(text, *args, **kwargs)
            cache.put(key, html)
        return html

    return render_cached


clean_html = cached_html(markup.clean_html)
markdown_html = cached_html(markup.markdown_html)


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
