"""The sitemap (sitemaps.org, protocol 0.9) and robots.txt.

A large sitemap has several parts, each with pages of one kind, so that a part reads only its own rows from the
database.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

import orjson
from starlette.responses import Response

from ..paging import parse_page_number
from ..store import Connection, public_listings, public_records
from ..store.read_pool import ReadQueue
from . import page_paths
from .html_page import alternates
from .page_request import PageNotFound, PageRequest
from .rendering import add_element, xml_response

SITEMAP = "/sitemap.xml"
# Links to other languages in one file. The protocol allows 50,000 URLs in 50 MB, but other requests wait while a file
# is created.
MAX_ALTERNATES = 2_000

_XMLNS = "http://www.sitemaps.org/schemas/sitemap/0.9"
_XHTML = "http://www.w3.org/1999/xhtml"


class SitemapPage(NamedTuple):
    """A page, and the languages in which it has its own address."""

    path: str
    locales: tuple[str, ...]
    updated_at: str | None = None


SitemapUrl = tuple[SitemapPage, str]  # a page in one of its languages


class SitemapSection(NamedTuple):
    """The pages of one kind."""

    rows: int
    urls_per_row: int  # at most
    urls: Callable[[int, int], Iterable[SitemapUrl]]  # takes limit and offset of the rows


SitemapPart = tuple[SitemapSection, int, int]  # limit and offset of rows of a section


def sitemap(connection: Connection, request: PageRequest) -> Response:
    """Return the URLs of all pages, or an index of the parts if there are too many for one file."""
    request.require_admission(ReadQueue.EXPORTS)
    sections, max_urls = _sections(connection, request), _max_urls(request)
    if _needs_parts(sections, max_urls):
        return xml_response(_index(request, len(_parts(sections, max_urls))))
    urls = (url for section in sections for url in section.urls(max_urls, 0))  # all rows: there are at most `max_urls`
    return xml_response(_url_set(request, urls))


def sitemap_part(connection: Connection, request: PageRequest) -> Response:
    """Return the URLs of the part whose number, from 1, is in the path; raise PageNotFound if there is no such part."""
    request.require_admission(ReadQueue.EXPORTS)
    sections, max_urls = _sections(connection, request), _max_urls(request)
    parts = _parts(sections, max_urls) if _needs_parts(sections, max_urls) else []
    number = parse_page_number(request.slug)
    if not 1 <= number <= len(parts):
        raise PageNotFound
    section, limit, offset = parts[number - 1]
    return xml_response(_url_set(request, section.urls(limit, offset)))


def robots(connection: Connection, request: PageRequest) -> Response:
    """Return robots.txt, which names the sitemap and excludes the API. It does not mention hidden pages."""
    lines = ("User-agent: *", "Disallow: /api/", "", f"Sitemap: {request.site.url(SITEMAP)}", "")
    return Response("\n".join(lines), media_type="text/plain", headers={"Cache-Control": "no-cache"})


def _max_urls(request: PageRequest) -> int:
    """Return the highest number of URLs in one file."""
    return max(1, MAX_ALTERNATES // len(request.site.directory.locales))


def _needs_parts(sections: Sequence[SitemapSection], max_urls: int) -> bool:
    return sum(section.rows * section.urls_per_row for section in sections) > max_urls


def _parts(sections: Sequence[SitemapSection], max_urls: int) -> list[SitemapPart]:
    """Return the parts of the sitemap: rows of one section each, with at most `max_urls` URLs."""
    parts: list[SitemapPart] = []
    for section in sections:
        limit = max(1, max_urls // section.urls_per_row)
        parts += [(section, limit, offset) for offset in range(0, section.rows, limit)]
    return parts


def _sections(connection: Connection, request: PageRequest) -> list[SitemapSection]:
    """Return the sections with all pages that are visible now and may be indexed, at least the home page."""
    site, directory = request.site, request.site.directory
    locale_count = len(directory.locales)
    listing_count = public_listings.count(connection, directory, site.now)
    article_count = public_records.count_articles(connection, directory, site.now)
    organizer_count = public_records.count_organizers(connection, directory)
    fixed_pages = _fixed_pages(connection, request, has_articles=article_count > 0, has_organizers=organizer_count > 0)
    fixed_urls = list(_urls(fixed_pages))

    def section(rows: int, urls_per_row: int, read: _ReadPages) -> SitemapSection:
        return SitemapSection(rows, urls_per_row, lambda limit, offset: _urls(read(connection, request, limit, offset)))

    return [
        SitemapSection(len(fixed_urls), urls_per_row=1, urls=lambda limit, offset: fixed_urls[offset : offset + limit]),
        section(listing_count, 1, _listings),  # they are shown in the default language only
        section(article_count, locale_count, _articles),
        section(organizer_count, locale_count, _organizers),
    ]


_ReadPages = Callable[[Connection, PageRequest, int, int], Iterable[SitemapPage]]


def _fixed_pages(
    connection: Connection, request: PageRequest, *, has_articles: bool, has_organizers: bool
) -> Iterator[SitemapPage]:
    """Yield the home page, lists, categories and custom pages. All of them are cached or few."""
    site, directory, categories = request.site, request.site.directory, request.catalogue.categories.values()
    locales = directory.locales
    only_default = (site.default_locale,)  # custom pages have no translations
    yield SitemapPage(page_paths.HOME, locales)
    if categories:
        yield SitemapPage(page_paths.CATEGORIES, locales)
    for category in categories:
        yield SitemapPage(page_paths.category(category["slug"]), locales, category["updated_at"])
    if has_articles:
        yield SitemapPage(page_paths.BLOG, locales)
    for row in public_records.pages_in_menus(connection, directory.id):
        if not orjson.loads(row.data)["is_external"]:
            yield SitemapPage(page_paths.page(row.slug), only_default, row.updated_at)
    if has_organizers:
        yield SitemapPage(site.organizers_path, locales)


def _listings(connection: Connection, request: PageRequest, limit: int, offset: int) -> Iterator[SitemapPage]:
    """Yield the visible listings in these rows."""
    site, default = request.site, (request.site.default_locale,)
    for row in public_listings.addresses(connection, site.directory, site.now, limit=limit, offset=offset):
        yield SitemapPage(page_paths.listing(row.slug), default, row.updated_at)


def _articles(connection: Connection, request: PageRequest, limit: int, offset: int) -> Iterator[SitemapPage]:
    """Yield the visible articles in these rows, without those that name another canonical address."""
    site, locales = request.site, request.site.directory.locales
    for row in public_records.article_addresses(connection, site.directory, site.now, limit=limit, offset=offset):
        if not orjson.loads(row.seo).get("canonical"):  # else search engines should index that address
            yield SitemapPage(page_paths.article(row.slug), _page_locales(locales, row.translations), row.updated_at)


def _organizers(connection: Connection, request: PageRequest, limit: int, offset: int) -> Iterator[SitemapPage]:
    """Yield the organizers in these rows."""
    site, locales = request.site, request.site.directory.locales
    for row in public_records.organizer_addresses(connection, site.directory, limit=limit, offset=offset):
        yield SitemapPage(site.organizer_path(row.slug), _page_locales(locales, row.translations), row.updated_at)


def _urls(pages: Iterable[SitemapPage]) -> Iterator[SitemapUrl]:
    """Yield one URL for each language of each page."""
    return ((page, locale) for page in pages for locale in page.locales)


def _page_locales(locales: tuple[str, ...], translations: str) -> tuple[str, ...]:
    """Return the default language, and those into which the record is translated; `translations` is JSON."""
    default, *others = locales
    translated = orjson.loads(translations)
    return (default, *(locale for locale in others if locale in translated))


def _index(request: PageRequest, parts: int) -> Element:
    """Return the XML that lists the parts of the sitemap."""
    root = Element("sitemapindex", xmlns=_XMLNS)
    for number in range(1, parts + 1):
        add_element(add_element(root, "sitemap"), "loc", request.site.url(f"/sitemap-{number}.xml"))
    return root


def _url_set(request: PageRequest, urls: Iterable[SitemapUrl]) -> Element:
    """Return the XML of a part, in which each URL lists its page in the other languages."""
    root = Element("urlset", {"xmlns": _XMLNS, "xmlns:xhtml": _XHTML})
    for page, locale in urls:
        url = add_element(root, "url")
        add_element(url, "loc", request.site.url(page.path, locale=locale))
        if page.updated_at:
            add_element(url, "lastmod", page.updated_at)
        for other in alternates(request.site, page.path, page.locales):
            add_element(url, "xhtml:link", rel="alternate", hreflang=other.hreflang, href=other.url)
    return root
