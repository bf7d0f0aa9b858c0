"""The home page: the directory's listings."""

from starlette.responses import Response

from ...store import Connection
from ..head import Crumb
from ..language import language
from ..selection import Selection
from ..visit import Visit
from .listing_list import show_listings


def show(connection: Connection, visit: Visit) -> Response:
    """The listings, or those that the reader chose."""
    selection, name = Selection.of(visit), visit.site.directory.name
    if not selection:
        website = {"@context": "https://schema.org", "@type": "WebSite", "name": name, "url": f"{visit.site.address}/"}
        return show_listings(connection, visit, "home.html", selection, title=name, whole_title=name, json_ld=[website])
    parts = [each["title"] for each in (selection.category, selection.tag) if each]
    if selection.text:
        parts.append(language(visit.site.locale)("found_for", text=selection.text))
    title = ", ".join(parts)
    return show_listings(connection, visit, "home.html", selection, title=title, crumbs=[Crumb(title, selection.path)])
