"""Custom pages, and the page for unknown addresses."""

from urllib.parse import urlsplit

import orjson
from starlette.responses import RedirectResponse, Response

from ...model.urls import ascii_host
from ..store import Connection, public_records
from . import page_paths
from .html_page import NOT_INDEXED, Crumb, Head, HtmlPage, with_site_name
from .markup import markdown_html, safe_url
from .markup.body_text import content_excerpt
from .page_request import PageNotFound, PageRequest

MAX_SUGGESTIONS = 12  # top categories on the page for unknown addresses


def custom_page(connection: Connection, request: PageRequest) -> HtmlPage | Response:
    """Show a page in the default language, or redirect if the page is a link to another site.

    An unlisted page is for readers who know its address, so search engines are asked not to index it.
    """
    site = request.site
    row = public_records.find_page(connection, site.directory, request.slug)
    if row is None:
        raise PageNotFound
    values, seo = orjson.loads(row.data), orjson.loads(row.seo)
    external_url = safe_url(values["external_url"]) if values["is_external"] else None
    if external_url is not None:
        return RedirectResponse(_with_ascii_host(external_url), 302, {"Cache-Control": "no-cache"})
    path = page_paths.page(row.slug)
    url = site.url(path)
    head = Head(
        title=seo["title"] or with_site_name(site, values["title"]),
        name=seo["title"] or values["title"],
        url=url,
        canonical=url,
        description=seo["description"] or content_excerpt(values["markdown"]) or None,
        robots=NOT_INDEXED if values["placement"] == public_records.UNLISTED else None,
        updated_at=row.updated_at,
    )
    content = markdown_html(values["markdown"] or "", base=site.link_base)
    return HtmlPage("page.html", head, [Crumb(values["title"], path)], {"title": values["title"], "content": content})


def _with_ascii_host(url: str) -> str:
    """Return the URL with an ASCII host name: a redirect would percent-encode another one."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return parts._replace(netloc=f"{ascii_host(parts.hostname or '')}{port}").geturl()


def not_found_page(request: PageRequest) -> HtmlPage:
    """Return the page for addresses without a page, with status 404."""
    title = request.words("not_found")
    url = request.site.url("/")
    head = Head(title=with_site_name(request.site, title), name=title, url=url, robots=NOT_INDEXED)
    values = {"title": title, "suggestions": request.catalogue.top_categories[:MAX_SUGGESTIONS]}
    return HtmlPage("not_found.html", head, crumbs=[], values=values, status=404)
