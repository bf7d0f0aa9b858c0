"""The addresses that a site wants to be found by (sitemaps.org, protocol 0.9)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

import orjson
from starlette.responses import Response

from ..store import Connection
from ..store.public import articles, listings, organizers, pages
from . import paths
from .head import alternates
from .paging import number_of
from .visit import NotFound, Visit
from .xml import add, xml_answer

SITEMAP = "/sitemap.xml"
# Of a file, by the languages that each URL may have beside it: the protocol allows 50,000 URLs in 50 MB.
MOST_ALTERNATES = 10_000

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


def sitemap(connection: Connection, visit: Visit) -> Response:
    """Every page, or where they are too many for a file, all parts."""
    parts = _parts(connection, visit)
    return xml_answer(_url_set(visit, parts[0]) if len(parts) == 1 else _index(visit, len(parts)), "application/xml")


def part(connection: Connection, visit: Visit) -> Response:
    """The pages of a part, by its number from 1 on; raises NotFound where there is none, or one that has all."""
    parts = _parts(connection, visit)
    number = number_of(visit.slug)
    if len(parts) == 1 or not 1 <= number <= len(parts):
        raise NotFound
    return xml_answer(_url_set(visit, parts[number - 1]), "application/xml")


def _parts(connection: Connection, visit: Visit) -> list[list[Url]]:
    """At least one: every site has a home page."""
    urls = [Url(place, locale) for place in _places(connection, visit) for locale in place.locales]
    most = max(1, MOST_ALTERNATES // len(visit.site.directory.locales))
    return [urls[start : start + most] for start in range(0, len(urls), most)]


def _index(visit: Visit, parts: int) -> Element:
    root = Element("sitemapindex", xmlns=_XMLNS)
    for number in range(1, parts + 1):
        add(add(root, "sitemap"), "loc", visit.site.url(f"/sitemap-{number}.xml"))
    return root


def _url_set(visit: Visit, urls: Sequence[Url]) -> Element:
    root = Element("urlset", {"xmlns": _XMLNS, "xmlns:xhtml": _XHTML})
    for place, locale in urls:
        url = add(root, "url")
        add(url, "loc", visit.site.url(place.path, locale=locale))
        if place.updated_at:
            add(url, "lastmod", place.updated_at)
        for other in alternates(visit.site, place.path, place.locales):
            add(url, "xhtml:link", rel="alternate", hreflang=other.hreflang, href=other.url)
    return root


def _places(connection: Connection, visit: Visit) -> Iterator[Place]:
    """What is shown now and may be found; a page is in the languages that its own head names."""
    site, directory, categories = visit.site, visit.site.directory, visit.catalogue.categories.values()
    every, default = directory.locales, (site.default_locale,)
    yield Place(paths.HOME, every)
    if categories:
        yield Place(paths.CATEGORIES, every)
    for category in categories:
        yield Place(paths.category(category["slug"]), every, category["updated_at"])
    for row in listings.addresses(connection, directory, site.now):
        yield Place(paths.listing(row.slug), default, row.updated_at)
    if articles.any_shown(connection, directory, site.now):
        yield Place(paths.BLOG, every)
    for row in articles.addresses(connection, directory, site.now):
        if not orjson.loads(row.seo).get("canonical"):  # else it wants to be found elsewhere
            yield Place(paths.article(row.slug), _locales(every, row.translations), row.updated_at)
    for row in pages.addresses(connection, directory):
        if not orjson.loads(row.data)["is_external"]:
            yield Place(paths.page(row.slug), default, row.updated_at)
    if organizers.any_shown(connection, directory):
        yield Place(site.organizers_path, every)
    for row in organizers.addresses(connection, directory):
        yield Place(site.organizer_path(row.slug), _locales(every, row.translations), row.updated_at)


def _locales(every: tuple[str, ...], translations: str) -> tuple[str, ...]:
    default, *others = every
    known = orjson.loads(translations)
    return (default, *(locale for locale in others if locale in known))
