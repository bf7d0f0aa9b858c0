"""All organizers, under the directory's own name for them."""

from starlette.responses import Response

from ...store import Connection, public_organizers
from ..head import Crumb, Head, alternates, neighbours, titled
from ..language import language
from ..paging import PER_PAGE, Paging, in_address
from ..translated import localised_organizer
from ..visit import NotFound, Visit


def show(connection: Connection, visit: Visit) -> Response:
    """The organizers, where the directory shows any (docs/contract.md 4.4.7)."""
    site, words = visit.site, language(visit.site.locale)
    if not site.directory.organizers_enabled:
        raise NotFound
    path = site.organizers_path
    paging = Paging.of(visit.query, public_organizers.count(connection, site.directory))
    rows = public_organizers.page(connection, site.directory, limit=PER_PAGE, offset=paging.offset)
    title = words.several(site.directory.organizers_label)
    url = site.url(path, locale=site.locale, page=paging.parameter)
    head = Head(
        title=titled(site, paging.numbered(title, words)),
        name=title,
        url=url,
        canonical=url,
        alternates=alternates(site, path, site.directory.locales, page=paging.parameter),
        neighbours=neighbours(site, path, paging),
    )
    return visit.rendering.page(
        connection,
        visit,
        "organizers.html",
        head,
        [Crumb(title, path)],
        title=title,
        organizers=[localised_organizer(visit, row) for row in rows],
        paging=paging,
        page_link=lambda number: site.link(path, page=in_address(number)),
    )
