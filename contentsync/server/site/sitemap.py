"""The addresses that a site wants to be found by (sitemaps.org, protocol 0.9).

A large one is divided into parts, each of one kind of pages: to make one, only its own rows are brought out of the
database.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

import orjson
from starlette.responses import Response

from ..store import Connection
from ..store.public import articles, listings, organizers, pages
from . import page_paths
from .head import alternates
from .paging import number_of
from .visit import NotFound, Visit
from .xml import add, xml_answer

SITEMAP = "/sitemap.xml"
# Of a file, by the languages that each URL may have beside it. The protocol allows 50,000 URLs in 50 MB, but while a
# file is made, other requests wait.
MOST_ALTERNATES = 2_000

_XMLNS = "http://www.sitemaps.org/schemas/sitemap/0.9"
_XHTML = "http://www.w3.org/1999/xhtml"


class Place(NamedTuple):
    """A page below the site's address, and the languages in which it has an address of its own."""

    path: str
    locales: tuple[str, ...]
    updated_at: str | None = None


class Url(NamedTuple):
    """A page in one of its languages."""

    place: Place
    locale: str


class Section(NamedTuple):
    """One kind of pages."""

    rows: int
    urls_of_row: int  # at most
    urls: Callable[[int, int], Iterable[Url]]  # of some rows, by limit and offset


class Part(NamedTuple):
    """Some rows of a section."""

    section: Section
    limit: int
    offset: int


def sitemap(connection: Connection, visit: Visit) -> Response:
    """Every page, or where they are too many for a file, all parts."""
    sections, most = _sections(connection, visit), _most(visit)
    if _is_divided(sections, most):
        return _answer(_index(visit, len(_parts(sections, most))))
    return _answer(_url_set(visit, (url for section in sections for url in section.urls(most, 0))))


def part(connection: Connection, visit: Visit) -> Response:
    """The pages of a part, by its number from 1 on; raises NotFound where there is none, or one that has all."""
    sections, most, number = _sections(connection, visit), _most(visit), number_of(visit.slug)
    parts = _parts(sections, most)
    if not _is_divided(sections, most) or not 1 <= number <= len(parts):
        raise NotFound
    section, limit, offset = parts[number - 1]
    return _answer(_url_set(visit, section.urls(limit, offset)))


def _most(visit: Visit) -> int:
    """How many URLs a file has."""
    return max(1, MOST_ALTERNATES // len(visit.site.directory.locales))


def _is_divided(sections: Sequence[Section], most: int) -> bool:
    return sum(section.rows * section.urls_of_row for section in sections) > most


def _parts(sections: Sequence[Section], most: int) -> list[Part]:
    found = []
    for section in sections:
        limit = max(1, most // section.urls_of_row)
        found += [Part(section, limit, offset) for offset in range(0, section.rows, limit)]
    return found


def _sections(connection: Connection, visit: Visit) -> list[Section]:
    """What is shown now and may be found. There is at least a home page."""
    site, directory = visit.site, visit.site.directory
    every = len(directory.locales)
    listed, written, known = (
        listings.count(connection, directory, site.now),
        articles.count(connection, directory, site.now),
        organizers.count(connection, directory),
    )
    fixed = list(_urls(_fixed_places(connection, visit, has_articles=written > 0, has_organizers=known > 0)))
    return [
        Section(len(fixed), 1, lambda limit, offset: fixed[offset : offset + limit]),
        Section(listed, 1, lambda limit, offset: _urls(_listings(connection, visit, limit, offset))),
        Section(written, every, lambda limit, offset: _urls(_articles(connection, visit, limit, offset))),
        Section(known, every, lambda limit, offset: _urls(_organizers(connection, visit, limit, offset))),
    ]


def _fixed_places(connection: Connection, visit: Visit, *, has_articles: bool, has_organizers: bool) -> Iterator[Place]:
    """The pages that every site has, its categories and its custom pages; all of them are remembered or few."""
    site, directory, categories = visit.site, visit.site.directory, visit.catalogue.categories.values()
    every, default = directory.locales, (site.default_locale,)
    yield Place(page_paths.HOME, every)
    if categories:
        yield Place(page_paths.CATEGORIES, every)
    for category in categories:
        yield Place(page_paths.category(category["slug"]), every, category["updated_at"])
    if has_articles:
        yield Place(page_paths.BLOG, every)
    for row in pages.addresses(connection, directory):
        if not orjson.loads(row.data)["is_external"]:
            yield Place(page_paths.page(row.slug), default, row.updated_at)
    if has_organizers:
        yield Place(site.organizers_path, every)


def _listings(connection: Connection, visit: Visit, limit: int, offset: int) -> Iterator[Place]:
    site, default = visit.site, (visit.site.default_locale,)
    for row in listings.addresses(connection, site.directory, site.now, limit=limit, offset=offset):
        yield Place(page_paths.listing(row.slug), default, row.updated_at)


def _articles(connection: Connection, visit: Visit, limit: int, offset: int) -> Iterator[Place]:
    site, every = visit.site, visit.site.directory.locales
    for row in articles.addresses(connection, site.directory, site.now, limit=limit, offset=offset):
        if not orjson.loads(row.seo).get("canonical"):  # else it wants to be found elsewhere
            yield Place(page_paths.article(row.slug), _locales(every, row.translations), row.updated_at)


def _organizers(connection: Connection, visit: Visit, limit: int, offset: int) -> Iterator[Place]:
    site, every = visit.site, visit.site.directory.locales
    for row in organizers.addresses(connection, site.directory, limit=limit, offset=offset):
        yield Place(site.organizer_path(row.slug), _locales(every, row.translations), row.updated_at)


def _urls(places: Iterable[Place]) -> Iterator[Url]:
    """A page is in the languages that its own head names."""
    return (Url(place, locale) for place in places for locale in place.locales)


def _locales(every: tuple[str, ...], translations: str) -> tuple[str, ...]:
    default, *others = every
    known = orjson.loads(translations)
    return (default, *(locale for locale in others if locale in known))


def _index(visit: Visit, parts: int) -> Element:
    root = Element("sitemapindex", xmlns=_XMLNS)
    for number in range(1, parts + 1):
        add(add(root, "sitemap"), "loc", visit.site.url(f"/sitemap-{number}.xml"))
    return root


def _url_set(visit: Visit, urls: Iterable[Url]) -> Element:
    root = Element("urlset", {"xmlns": _XMLNS, "xmlns:xhtml": _XHTML})
    for place, locale in urls:
        url = add(root, "url")
        add(url, "loc", visit.site.url(place.path, locale=locale))
        if place.updated_at:
            add(url, "lastmod", place.updated_at)
        for other in alternates(visit.site, place.path, place.locales):
            add(url, "xhtml:link", rel="alternate", hreflang=other.hreflang, href=other.url)
    return root


def _answer(root: Element) -> Response:
    return xml_answer(root, "application/xml")
