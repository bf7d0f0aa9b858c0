"""The blog: articles, the newest first."""

from typing import Any

from starlette.responses import Response

from ...store import Connection, public_articles
from .. import paths
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
    total = public_articles.count(connection, site.directory, site.now, category)
    if category is not None and not total:
        raise NotFound
    paging = Paging.of(visit.query, total)
    rows = public_articles.page(connection, site.directory, site.now, category, limit=PER_PAGE, offset=paging.offset)
    title = category or words("blog")
    crumbs = [Crumb(words("blog"), paths.BLOG)]
    query: dict[str, Any] = {"category": category, "page": paging.parameter}
    url = site.url(paths.BLOG, locale=site.locale, **query)
    head = Head(
        title=titled(site, paging.numbered(title, words)),
        name=title,
        url=url,
        canonical=url,
        alternates=alternates(site, paths.BLOG, site.directory.locales, **query),
        neighbours=neighbours(site, paths.BLOG, paging, category=category),
    )
    return visit.rendering.page(
        connection,
        visit,
        "blog.html",
        head,
        crumbs,
        title=title,
        category=category,
        categories=public_articles.categories(connection, site.directory, site.now, MOST_CATEGORIES),
        posts=[localised_article(visit, row) for row in rows],
        paging=paging,
        page_link=lambda number: site.link(paths.BLOG, category=category, page=in_address(number)),
    )
