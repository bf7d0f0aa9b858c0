"""A custom page."""

from urllib.parse import urlsplit

import orjson
from starlette.responses import RedirectResponse, Response

from ....model.urls import ascii_host
from ...store import Connection
from ...store.public import pages
from .. import paths
from ..head import NOT_INDEXED, Crumb, Head, titled
from ..markup import markdown_html, safe_url
from ..text import content_excerpt
from ..visit import NotFound, Visit


def show(connection: Connection, visit: Visit) -> Response:
    """A page, in the default language; one that is a link leads on to where it points.

    An unlisted page is for those who were given its address: search engines are asked not to index it.
    """
    site = visit.site
    row = pages.one(connection, site.directory, visit.slug)
    if row is None:
        raise NotFound
    values, seo = orjson.loads(row.data), orjson.loads(row.seo)
    elsewhere = safe_url(values["external_url"]) if values["is_external"] else None
    if elsewhere is not None:
        return RedirectResponse(_with_ascii_host(elsewhere), 302, {"Cache-Control": "no-cache"})
    path = paths.page(row.slug)
    url = site.url(path)
    head = Head(
        title=seo["title"] or titled(site, values["title"]),
        name=seo["title"] or values["title"],
        url=url,
        canonical=url,
        description=seo["description"] or content_excerpt(values["markdown"]) or None,
        robots=NOT_INDEXED if values["placement"] == pages.UNLISTED else None,
        updated_at=row.updated_at,
    )
    return visit.rendering.page(
        connection,
        visit,
        "page.html",
        head,
        [Crumb(values["title"], path)],
        title=values["title"],
        content=markdown_html(values["markdown"] or "", root=site.root),
    )


def _with_ascii_host(url: str) -> str:
    """The URL as a header takes it: in a host's name nothing may be percent-encoded."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return parts._replace(netloc=f"{ascii_host(parts.hostname or '')}{port}").geturl()
