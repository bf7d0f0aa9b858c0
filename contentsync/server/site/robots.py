"""What crawlers are told."""

from starlette.responses import Response

from ..store import Connection
from .sitemap import SITEMAP
from .visit import Visit


def robots(connection: Connection, visit: Visit) -> Response:
    """Where the pages are, and that the API has none. Pages that nobody is to find are not named."""
    lines = ("User-agent: *", "Disallow: /api/", "", f"Sitemap: {visit.site.url(SITEMAP)}", "")
    return Response("\n".join(lines), media_type="text/plain", headers={"Cache-Control": "no-cache"})
