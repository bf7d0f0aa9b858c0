"""The blog as RSS 2.0 and Atom (RFC 4287), in the reader's language."""

from collections.abc import Iterator
from datetime import datetime
from email.utils import format_datetime
from typing import NamedTuple
from xml.etree.ElementTree import Element

from starlette.responses import Response

from ...model import Kind
from ..store import Connection, public_articles
from . import page_paths
from .cards import LocalizedRecord, localized_record
from .markup.body_text import article_html, article_length
from .page_request import PageRequest
from .xml_documents import add, xml_response

RSS = "/feed.xml"
ATOM = "/atom.xml"
MAX_ENTRIES = 20
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
    channel = add(root, "channel")
    add(channel, "title", _title(request))
    add(channel, "link", _url(request, page_paths.BLOG))
    add(channel, "description", _title(request))
    add(channel, "language", request.site.locale)
    add(channel, "lastBuildDate", _rfc_822(_last_updated_at(request, entries)))
    add(channel, "atom:link", rel="self", type="application/rss+xml", href=_url(request, RSS))
    for article, url, published_at, html in entries:
        item = add(channel, "item")
        add(item, "title", article.values["title"])
        add(item, "link", url)
        add(item, "guid", url, isPermaLink="true")
        add(item, "pubDate", _rfc_822(published_at))
        for category in article.values["categories"] or ():
            add(item, "category", category)
        add(item, "description", article.summary)
        if html is not None:
            add(item, "content:encoded", html)
    return xml_response(root, "application/rss+xml")


def atom(connection: Connection, request: PageRequest) -> Response:
    """Return the newest articles as Atom, with the same entries as `rss`."""
    entries = list(_entries(connection, request))
    root = Element("feed", {"xmlns": _ATOM, "xml:lang": request.site.locale})
    add(root, "id", _url(request, ATOM))
    add(root, "title", _title(request))
    add(root, "updated", _last_updated_at(request, entries))
    add(add(root, "author"), "name", request.site.directory.name)
    add(root, "link", rel="self", type="application/atom+xml", href=_url(request, ATOM))
    add(root, "link", rel="alternate", type="text/html", href=_url(request, page_paths.BLOG))
    for article, url, published_at, html in entries:
        item = add(root, "entry")
        add(item, "id", url)
        add(item, "title", article.values["title"])
        add(item, "published", published_at)
        add(item, "updated", article.updated_at)
        add(item, "link", rel="alternate", type="text/html", hreflang=article.locale, href=url)
        for category in article.values["categories"] or ():
            add(item, "category", term=category)
        add(item, "summary", article.summary)
        if html is not None:
            add(item, "content", html, type="html")
    return xml_response(root, "application/atom+xml")


def _entries(connection: Connection, request: PageRequest) -> Iterator[_FeedEntry]:
    site, remaining = request.site, MAX_CHARACTERS
    for row in public_articles.page(connection, site.directory, site.now, limit=MAX_ENTRIES, offset=0):
        article = localized_record(Kind.ARTICLE, request, row)
        remaining -= article_length(article.values)
        yield _FeedEntry(
            article,
            site.url(page_paths.article(article.slug), locale=article.locale),
            article.values["published_at"] or article.created_at,
            # Feed readers show the HTML on other hosts, so its links are absolute.
            article_html(article.values, site.link_base._replace(mount=site.address)) if remaining >= 0 else None,
        )


def _title(request: PageRequest) -> str:
    return request.words("blog_of", name=request.site.directory.name)


def _url(request: PageRequest, path: str) -> str:
    return request.site.url(path, locale=request.site.locale)


def _last_updated_at(request: PageRequest, entries: list[_FeedEntry]) -> str:
    return max((entry.article.updated_at for entry in entries), default=request.site.directory.updated_at)


def _rfc_822(instant: str) -> str:
    return format_datetime(datetime.fromisoformat(instant), usegmt=True)
