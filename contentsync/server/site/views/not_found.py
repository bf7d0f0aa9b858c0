"""What a site says where it has no page."""

from starlette.responses import Response

from ...store import Connection
from ..head import NOT_INDEXED, Head, titled
from ..language import language
from ..visit import Visit


def show(connection: Connection, visit: Visit) -> Response:
    """That there is nothing to see, whatever there may be: 404."""
    title = language(visit.site.locale)("not_found")
    head = Head(title=titled(visit.site, title), name=title, url=visit.site.url("/"), robots=NOT_INDEXED)
    return visit.rendering.page(connection, visit, "not_found.html", head, status=404, title=title)
