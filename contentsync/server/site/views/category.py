"""A category of listings."""

from starlette.responses import Response

from ...store import Connection
from .. import page_paths
from ..head import Crumb, image_url
from ..language import language
from ..selection import Selection
from ..text import content_excerpt, content_html
from ..visit import NotFound, Visit
from .listing_list import show_listings

MOST_BELOW = 100


def show(connection: Connection, visit: Visit) -> Response:
    """The listings of the category and of those below it."""
    catalogue = visit.catalogue
    category = catalogue.category(visit.slug)
    if category is None:
        raise NotFound
    way = [Crumb(each["title"], page_paths.category(each["slug"])) for each in catalogue.way_to(category["id"])]
    return show_listings(
        connection,
        visit,
        "category.html",
        Selection.of(visit, category),
        title=category["title"],
        whole_title=category["seo_title"],
        description=category["seo_description"]
        or category["description"]
        or content_excerpt(category["content"])
        or None,
        image=image_url(category["custom_icon_url"]),
        crumbs=[Crumb(language(visit.site.locale)("categories"), page_paths.CATEGORIES), *way],
        category=category,
        content=content_html(category["content"], visit.site.root),
        below=catalogue.children.get(category["id"], ())[:MOST_BELOW],
    )
