"""HTML that was made before: a body is shown more often than it changes."""

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from hashlib import blake2b
from threading import Lock
from typing import Concatenate, ParamSpec

from markupsafe import Markup

MAX_BYTES = 64 * 1024 * 1024  # 10,000 pages of 6 KB
_ENTRY = 400  # bytes of an entry beside its HTML

_P = ParamSpec("_P")


class HtmlCache:
    """HTML by what it was made of, as much as fits; what was asked for last stays. For any number of threads."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max = max_bytes
        self._size = 0
        self._known: OrderedDict[Hashable, Markup] = OrderedDict()
        self._lock = Lock()  # PostgreSQL's views run in several threads

    def find(self, key: Hashable) -> Markup | None:
        """The HTML, if it is known."""
        with self._lock:
            html = self._known.get(key)
            if html is not None:
                self._known.move_to_end(key)
            return html

    def keep(self, key: Hashable, html: Markup) -> None:
        """Remember the HTML, and forget what was asked for longest ago where that is too much."""
        with self._lock:
            if key not in self._known:
                self._known[key] = html
                self._size += _bytes(html)
            while self._size > self._max:
                self._size -= _bytes(self._known.popitem(last=False)[1])


_CACHE = HtmlCache()


def cached_html(
    make: Callable[Concatenate[str, _P], Markup], cache: HtmlCache = _CACHE
) -> Callable[Concatenate[str, _P], Markup]:
    """The function, which is not called again for texts that were asked for lately with the same arguments."""

    @wraps(make)
    def made(text: str, /, *args: _P.args, **kwargs: _P.kwargs) -> Markup:
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        key = (make, digest, args, *kwargs.items())
        html = cache.find(key)
        if html is None:
            html = make(text, *args, **kwargs)
            cache.keep(key, html)
        return html

    return made


def _bytes(html: Markup) -> int:
    return _ENTRY + sys.getsizeof(html)
