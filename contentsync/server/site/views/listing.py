"""A listing's own page."""

import orjson
from starlette.responses import Response

from ....model import Kind
from ...store import Connection
from ...store.public import listings, organizers
from .. import page_paths
from ..cards import is_expired, linked
from ..fields import fields_of_page
from ..head import Crumb, Head, image_url, titled
from ..text import content_excerpt, content_html, shortened
from ..translated import localised_organizer
from ..visit import NotFound, Visit


def show(connection: Connection, visit: Visit) -> Response:
    """Everything about a listing. Its texts are in the default language, so that this one is the page's address."""
    site, catalogue = visit.site, visit.catalogue
    row = listings.one(connection, site.directory, site.now, visit.slug)
    if row is None:
        raise NotFound
    values = orjson.loads(row.data)
    categories, tags = linked(visit, row)
    path = page_paths.listing(row.slug)
    url = site.url(path)
    head = Head(
        title=values["seo_title"] or titled(site, values["name"]),
        name=values["seo_title"] or values["name"],
        url=url,
        canonical=url,
        description=values["seo_description"]
        or shortened(values["description"] or "")
        or content_excerpt(values["content"])
        or None,
        image=image_url(values["image_url"], values["logo_url"]),
        json_ld=[values["schema"]] if values["schema"] else [],
        updated_at=row.updated_at,
    )
    way = catalogue.way_to(categories[0]["id"]) if categories else []
    ids = orjson.loads(row.links)["organizers"]
    return visit.rendering.page(
        connection,
        visit,
        "listing.html",
        head,
        [*(Crumb(each["title"], page_paths.category(each["slug"])) for each in way), Crumb(values["name"], path)],
        listing=values,
        title=values["name"],
        is_expired=is_expired(visit, values),
        categories=categories,
        tags=tags,
        organizers=[localised_organizer(visit, row) for row in organizers.some(connection, site.directory, ids)],
        content=content_html(values["content"], site.root),
        fields=fields_of_page(catalogue.fields[Kind.LISTING], values, site.root),
    )
