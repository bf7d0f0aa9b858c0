"""Bodies as clean HTML, rendered once."""

import sys
from collections.abc import Callable, Hashable
from functools import wraps
from hashlib import blake2b
from typing import Concatenate, ParamSpec

from markupsafe import Markup

from ...model import markup
from ..bounded_cache import BoundedCache

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
