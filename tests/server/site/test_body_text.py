"""HTML is rendered once, and the cache is large enough for the pages of an ordinary directory."""

import sys
from collections.abc import Hashable

import pytest
from markupsafe import Markup

from contentsync.server.bounded_cache import BoundedCache
from contentsync.server.site.body_text import MAX_CACHE_BYTES, cached_html, html_bytes


def html_cache(capacity: int) -> BoundedCache[Hashable, Markup]:
    return BoundedCache(capacity, html_bytes)


def test_cached_html_is_not_rendered_again() -> None:
    made: list[str] = []

    def make(text: str, *, mount: str = "") -> Markup:
        made.append(text + mount)
        return Markup("<p>{}</p>").format(text)

    cached = cached_html(make, html_cache(10_000))
    assert cached("a") == cached("a") == "<p>a</p>"
    cached("a", mount="/b")
    cached("x" * 10_000)  # which drives everything out
    cached("a")
    assert [text[:3] for text in made] == ["a", "a/b", "xxx", "a"]


def test_each_function_has_its_own_cache_entries() -> None:
    cache = html_cache(MAX_CACHE_BYTES)
    loud, plain = cached_html(lambda text: Markup(text.upper()), cache), cached_html(lambda text: Markup(text), cache)
    assert (loud("a"), plain("a"), loud("a")) == ("A", "a", "A")


@pytest.mark.parametrize("letter", ["a", "é", "日", "🎉"])
def test_the_cache_is_limited_in_bytes_for_any_script(letter: str) -> None:
    """One letter is one to four bytes."""
    cache = html_cache(100_000)
    pages = {number: Markup(letter * 1_000) for number in range(200)}
    for number, html in pages.items():
        cache.put(number, html)
    found = [html for number, html in pages.items() if cache.get(number)]
    assert 50_000 < sum(map(sys.getsizeof, found)) < 100_000


def test_the_cache_has_room_for_5000_pages() -> None:
    """5,000 pages of 8 KB; the source text is not cached."""
    cache = html_cache(MAX_CACHE_BYTES)
    for number in range(5_000):
        cache.put(number, Markup("x" * 8_000))
    assert all(cache.get(number) for number in range(5_000))
    assert MAX_CACHE_BYTES > 5_000 * 8_000
