"""All categories of listings."""

from starlette.responses import Response

from ...store import Connection
from .. import paths
from ..head import Crumb, Head, alternates, titled
from ..language import language
from ..visit import Visit


def show(connection: Connection, visit: Visit) -> Response:
    """The categories, each with those right below it."""
    site = visit.site
    title = language(site.locale)("categories")
    url = site.url(paths.CATEGORIES, locale=site.locale)
    head = Head(
        title=titled(site, title),
        name=title,
        url=url,
        canonical=url,
        alternates=alternates(site, paths.CATEGORIES, site.directory.locales),
    )
    return visit.rendering.page(
        connection,
        visit,
        "categories.html",
        head,
        [Crumb(title, paths.CATEGORIES)],
        title=title,
        children=visit.catalogue.children,
    )
