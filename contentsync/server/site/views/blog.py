"""The blog: articles, the newest first."""

from typing import Any

from starlette.responses import Response

from ...store import Connection
from ...store.public import articles
from .. import page_paths
from ..head import Crumb, Head, alternates, neighbours, titled
from ..language import language
from ..paging import PER_PAGE, Paging, in_address
from ..translated import localised_article
from ..visit import NotFound, Visit

MOST_CATEGORIES = 100  # that are offered


def show(connection: Connection, visit: Visit) -> Response:
    """The articles, or those of a category, which is any text that one of them has."""
    site, words = visit.site, language(visit.site.locale)
    category = visit.query.get("category") or None
    if category is not None and "\0" in category:  # PostgreSQL takes none
        raise NotFound
    total = articles.count(connection, site.directory, site.now, category)
    if category is not None and not total:
        raise NotFound
    paging = Paging.of(visit.query, total)
    rows = articles.page(connection, site.directory, site.now, category, limit=PER_PAGE, offset=paging.offset)
    title = category or words("blog")
    crumbs = [Crumb(words("blog"), page_paths.BLOG)]
    query: dict[str, Any] = {"category": category, "page": paging.parameter}
    url = site.url(page_paths.BLOG, locale=site.locale, **query)
    head = Head(
        title=titled(site, paging.numbered(title, words)),
        name=title,
        url=url,
        canonical=url,
        alternates=alternates(site, page_paths.BLOG, site.directory.locales, **query),
        neighbours=neighbours(site, page_paths.BLOG, paging, category=category),
    )
    return visit.rendering.page(
        connection,
        visit,
        "blog.html",
        head,
        crumbs,
        title=title,
        category=category,
        categories=articles.categories(connection, site.directory, site.now, MOST_CATEGORIES),
        posts=[localised_article(visit, row) for row in rows],
        paging=paging,
        page_link=lambda number: site.link(page_paths.BLOG, category=category, page=in_address(number)),
    )
