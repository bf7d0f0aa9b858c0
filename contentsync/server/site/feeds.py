"""The blog as RSS 2.0 and Atom (RFC 4287), in the reader's language."""

from collections.abc import Iterator
from datetime import datetime
from email.utils import format_datetime
from typing import NamedTuple
from xml.etree.ElementTree import Element

from starlette.responses import Response

from ..store import Connection
from ..store.public import articles
from . import page_paths
from .language import language
from .text import article_html, article_length
from .translated import localised_article
from .visit import Visit
from .xml import add, xml_answer

RSS = "/feed.xml"
ATOM = "/atom.xml"
MOST_ENTRIES = 20
MOST_CHARACTERS = 250_000  # of whole articles; those beyond have only their summary

_ATOM = "http://www.w3.org/2005/Atom"
_CONTENT = "http://purl.org/rss/1.0/modules/content/"


class _Entry(NamedTuple):
    title: str
    url: str
    locale: str
    summary: str
    html: str | None  # None: only the summary
    categories: list[str]
    published_at: str  # in wire form, as is the next
    updated_at: str


def rss(connection: Connection, visit: Visit) -> Response:
    """The newest articles, whole as far as they are not too much (docs/faults.md XS-16)."""
    entries = list(_entries(connection, visit))
    root = Element("rss", {"version": "2.0", "xmlns:atom": _ATOM, "xmlns:content": _CONTENT})
    channel = add(root, "channel")
    add(channel, "title", _title(visit))
    add(channel, "link", visit.site.url(page_paths.BLOG, locale=visit.site.locale))
    add(channel, "description", _title(visit))
    add(channel, "language", visit.site.locale)
    add(channel, "lastBuildDate", _rfc_822(_updated_at(visit, entries)))
    add(channel, "atom:link", rel="self", type="application/rss+xml", href=_own_url(visit, RSS))
    for entry in entries:
        item = add(channel, "item")
        add(item, "title", entry.title)
        add(item, "link", entry.url)
        add(item, "guid", entry.url, isPermaLink="true")
        add(item, "pubDate", _rfc_822(entry.published_at))
        for category in entry.categories:
            add(item, "category", category)
        add(item, "description", entry.summary)
        if entry.html is not None:
            add(item, "content:encoded", entry.html)
    return xml_answer(root, "application/rss+xml")


def atom(connection: Connection, visit: Visit) -> Response:
    """The same as `rss`."""
    entries = list(_entries(connection, visit))
    root = Element("feed", {"xmlns": _ATOM, "xml:lang": visit.site.locale})
    add(root, "id", _own_url(visit, ATOM))
    add(root, "title", _title(visit))
    add(root, "updated", _updated_at(visit, entries))
    add(add(root, "author"), "name", visit.site.directory.name)
    add(root, "link", rel="self", type="application/atom+xml", href=_own_url(visit, ATOM))
    add(root, "link", rel="alternate", type="text/html", href=visit.site.url(page_paths.BLOG, locale=visit.site.locale))
    for entry in entries:
        item = add(root, "entry")
        add(item, "id", entry.url)
        add(item, "title", entry.title)
        add(item, "published", entry.published_at)
        add(item, "updated", entry.updated_at)
        add(item, "link", rel="alternate", type="text/html", hreflang=entry.locale, href=entry.url)
        for category in entry.categories:
            add(item, "category", term=category)
        add(item, "summary", entry.summary)
        if entry.html is not None:
            add(item, "content", entry.html, type="html")
    return xml_answer(root, "application/atom+xml")


def _entries(connection: Connection, visit: Visit) -> Iterator[_Entry]:
    site, left = visit.site, MOST_CHARACTERS
    for row in articles.newest(connection, site.directory, site.now, MOST_ENTRIES):
        article = localised_article(visit, row)
        left -= article_length(article.values)
        yield _Entry(
            title=article.values["title"],
            url=site.url(page_paths.article(article.slug), locale=article.locale),
            locale=article.locale,
            summary=article.summary,
            # Readers show it elsewhere, so its links are absolute.
            html=article_html(article.values, site.root._replace(mount=site.address)) if left >= 0 else None,
            categories=article.values["categories"] or [],
            published_at=article.values["published_at"] or article.created_at,
            updated_at=article.updated_at,
        )


def _title(visit: Visit) -> str:
    return language(visit.site.locale)("blog_of", name=visit.site.directory.name)


def _own_url(visit: Visit, path: str) -> str:
    return visit.site.url(path, locale=visit.site.locale)


def _updated_at(visit: Visit, entries: list[_Entry]) -> str:
    return max((entry.updated_at for entry in entries), default=visit.site.directory.updated_at)


def _rfc_822(instant: str) -> str:
    return format_datetime(datetime.fromisoformat(instant), usegmt=True)
