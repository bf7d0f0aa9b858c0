"""A page of a list of listings, with what narrows it down."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from starlette.responses import Response

from ...store import Connection, public_listings
from ..cards import listing_cards
from ..head import NOT_INDEXED, Crumb, Head, alternates, neighbours, titled
from ..language import language
from ..paging import Paging, in_address, window
from ..selection import Selection
from ..visit import Visit

MOST_OPTIONS = 100  # of a filter; where there are more, it has only the one that was chosen, by a link say

T = TypeVar("T")


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
    site, catalogue, wanted = visit.site, visit.catalogue, selection.filter(visit)
    found = public_listings.find(connection, site.directory, site.now, wanted, **window(visit.query))
    paging = Paging.of(visit.query, found.total)
    path, query = selection.path, {**selection.query, "page": paging.parameter}
    canonical = site.url(path, locale=site.locale, **query)
    numbered = titled(site, paging.numbered(title, language(site.locale)))
    head = Head(
        title=numbered if paging.parameter else whole_title or numbered,
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
        cards=listing_cards(visit, found.rows),
        selection=selection,
        paging=paging,
        page_link=lambda number: site.link(path, **selection.query, page=in_address(number)),
        categories=_offered(catalogue.tree, (selection.category, 0) if selection.category else None),
        tags=_offered([*catalogue.tags.values()], selection.tag),
        **context,
    )


def _offered(options: Sequence[T], chosen: T | None) -> Sequence[T]:
    if len(options) <= MOST_OPTIONS:
        return options
    return () if chosen is None else (chosen,)
