"""A page of a list of listings, with what narrows it down."""

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.responses import Response

from ...store import Connection
from ...store.public import listings
from .. import paths
from ..cards import listing_cards
from ..head import NOT_INDEXED, Crumb, Head, alternates, neighbours, titled
from ..language import language
from ..paging import PER_PAGE, Paging
from ..selection import Selection
from ..visit import Visit


def show_listings(
    connection: Connection,
    visit: Visit,
    template: str,
    selection: Selection,
    *,
    title: str,
    whole_title: str | None = None,
    description: str | None = None,
    image: str | None = None,
    crumbs: Sequence[Crumb] = (),
    json_ld: Sequence[Mapping[str, Any]] = (),
    **context: Any,
) -> Response:
    """The listings of the selection.

    The same list has one canonical address, whichever way the reader took: that of the category's page for a category
    alone; each page of a list has its own. Lists of a text or of several filters are not for search engines.
    """
    site, wanted = visit.site, selection.filter(visit)
    words = language(site.locale)
    found = listings.find(connection, site.directory, site.now, wanted)
    paging = Paging.of(visit.query, found.total)
    path, query = selection.path, {**selection.query, "page": paging.parameter}
    canonical = site.url(path, locale=site.locale, **query)
    numbered = f"{title}, {words('page', number=paging.number)}" if paging.parameter else title
    head = Head(
        title=(whole_title or titled(site, numbered)) if not paging.parameter else titled(site, numbered),
        name=title,
        url=canonical,
        canonical=canonical,
        description=description,
        image=image,
        robots=None if selection.is_for_search_engines else NOT_INDEXED,
        alternates=alternates(site, path, site.directory.locales, **query),
        json_ld=json_ld,
        neighbours=neighbours(site, path, paging, **selection.query),
    )
    return visit.rendering.page(
        connection,
        visit,
        template,
        head,
        crumbs,
        title=title,
        cards=listing_cards(visit, found.rows(PER_PAGE, paging.offset)),
        selection=selection,
        paging=paging,
        page_link=lambda number: site.link(path, **selection.query, page=number if number > 1 else None),
        filter_link=lambda **query: site.link(paths.HOME, **query),
        **context,
    )
