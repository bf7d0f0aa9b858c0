"""All categories of listings."""

from starlette.responses import Response

from ...store import Connection
from .. import page_paths
from ..head import Crumb, Head, alternates, neighbours, titled
from ..language import language
from ..paging import PER_PAGE, Paging, in_address
from ..visit import Visit

MOST_BELOW = 10


def show(connection: Connection, visit: Visit) -> Response:
    """The categories, each with the first of those right below it."""
    site, words, children = visit.site, language(visit.site.locale), visit.catalogue.children
    top = children.get(None, ())
    paging = Paging.of(visit.query, len(top))
    title = words("categories")
    url = site.url(page_paths.CATEGORIES, locale=site.locale, page=paging.parameter)
    head = Head(
        title=titled(site, paging.numbered(title, words)),
        name=title,
        url=url,
        canonical=url,
        alternates=alternates(site, page_paths.CATEGORIES, site.directory.locales, page=paging.parameter),
        neighbours=neighbours(site, page_paths.CATEGORIES, paging),
    )
    return visit.rendering.page(
        connection,
        visit,
        "categories.html",
        head,
        [Crumb(title, page_paths.CATEGORIES)],
        title=title,
        categories=[
            (each, children.get(each["id"], ())[:MOST_BELOW]) for each in top[paging.offset : paging.offset + PER_PAGE]
        ],
        paging=paging,
        page_link=lambda number: site.link(page_paths.CATEGORIES, page=in_address(number)),
    )
