"""The blog as RSS 2.0 and Atom (RFC 4287), in the reader's language."""

from collections.abc import Iterator
from datetime import datetime
from email.utils import format_datetime
from typing import NamedTuple
from xml.etree.ElementTree import Element

from starlette.responses import Response

from ...model import Kind
from ..store import Connection, public_records
from . import page_paths
from .body_text import article_html, article_length
from .displayed_records import LocalizedRecord, localized_record
from .page_request import PageRequest
from .rendering import add_element, xml_response

RSS = "/feed.xml"
ATOM = "/atom.xml"
MAX_ENTRIES = 20  # articles in a feed
MAX_CHARACTERS = 250_000  # of the bodies in a feed; older articles have only a summary

_ATOM = "http://www.w3.org/2005/Atom"
_CONTENT = "http://purl.org/rss/1.0/modules/content/"


class _FeedEntry(NamedTuple):
    article: LocalizedRecord
    url: str
    published_at: str  # in wire form
    html: str | None  # None: the entry has only the summary


def rss(connection: Connection, request: PageRequest) -> Response:
    """Return the newest articles as RSS, with bodies up to a total of MAX_CHARACTERS (docs/faults.md XS-16)."""
    entries = list(_entries(connection, request))
    root = Element("rss", {"version": "2.0", "xmlns:atom": _ATOM, "xmlns:content": _CONTENT})
    channel = add_element(root, "channel")
    add_element(channel, "title", _title(request))
    add_element(channel, "link", _url(request, page_paths.BLOG))
    add_element(channel, "description", _title(request))
    add_element(channel, "language", request.site.locale)
    add_element(channel, "lastBuildDate", _rfc_822(_last_updated_at(request, entries)))
    add_element(channel, "atom:link", rel="self", type="application/rss+xml", href=_url(request, RSS))
    for article, url, published_at, html in entries:
        item = add_element(channel, "item")
        add_element(item, "title", article.values["title"])
        add_element(item, "link", url)
        add_element(item, "guid", url, isPermaLink="true")
        add_element(item, "pubDate", _rfc_822(published_at))
        for category in article.values["categories"] or ():
            add_element(item, "category", category)
        add_element(item, "description", article.summary)
        if html is not None:
            add_element(item, "content:encoded", html)
    return xml_response(root, "application/rss+xml")


def atom(connection: Connection, request: PageRequest) -> Response:
    """Return the newest articles as Atom, with the same entries as `rss`."""
    entries = list(_entries(connection, request))
    root = Element("feed", {"xmlns": _ATOM, "xml:lang": request.site.locale})
    add_element(root, "id", _url(request, ATOM))
    add_element(root, "title", _title(request))
    add_element(root, "updated", _last_updated_at(request, entries))
    add_element(add_element(root, "author"), "name", request.site.directory.name)
    add_element(root, "link", rel="self", type="application/atom+xml", href=_url(request, ATOM))
    add_element(root, "link", rel="alternate", type="text/html", href=_url(request, page_paths.BLOG))
    for article, url, published_at, html in entries:
        item = add_element(root, "entry")
        add_element(item, "id", url)
        add_element(item, "title", article.values["title"])
        add_element(item, "published", published_at)
        add_element(item, "updated", article.updated_at)
        add_element(item, "link", rel="alternate", type="text/html", hreflang=article.locale, href=url)
        for category in article.values["categories"] or ():
            add_element(item, "category", term=category)
        add_element(item, "summary", article.summary)
        if html is not None:
            add_element(item, "content", html, type="html")
    return xml_response(root, "application/atom+xml")


def _entries(connection: Connection, request: PageRequest) -> Iterator[_FeedEntry]:
    """Yield the newest articles; the HTML is None as soon as the bodies have more than MAX_CHARACTERS in total."""
    site, remaining = request.site, MAX_CHARACTERS
    base = site.link_base._replace(mount=site.address)  # feed readers show the HTML on other hosts
    for row in public_records.list_articles(connection, site.directory, site.now, limit=MAX_ENTRIES, offset=0):
        article = localized_record(Kind.ARTICLE, request, row)
        remaining -= article_length(article.values)
        yield _FeedEntry(
            article,
            url=site.url(page_paths.article(article.slug), locale=article.locale),
            published_at=article.values["published_at"] or article.created_at,
            html=article_html(article.values, base) if remaining >= 0 else None,
        )


def _title(request: PageRequest) -> str:
    return request.words("blog_of", name=request.site.directory.name)


def _url(request: PageRequest, path: str) -> str:
    return request.site.url(path, locale=request.site.locale)


def _last_updated_at(request: PageRequest, entries: list[_FeedEntry]) -> str:
    return max((entry.article.updated_at for entry in entries), default=request.site.directory.updated_at)


def _rfc_822(instant: str) -> str:
    return format_datetime(datetime.fromisoformat(instant), usegmt=True)
