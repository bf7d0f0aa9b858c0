"""An organizer's profile."""

from typing import Any

import orjson
from starlette.responses import Response

from ....model import Kind
from ...store import Connection, public_listings, public_organizers
from ...store.public_listings import ListingFilter
from ..cards import listing_cards
from ..fields import fields_of_page
from ..head import Crumb, Head, alternates, image_url, neighbours, titled
from ..language import language
from ..markup import safe_url
from ..paging import Paging, in_address, window
from ..text import content_html
from ..translated import Translated, localised_organizer, with_images
from ..visit import NotFound, Visit


def show(connection: Connection, visit: Visit) -> Response:
    """An organizer in the reader's language, else in the default one, with its listings."""
    site, words = visit.site, language(visit.site.locale)
    row = public_organizers.one(connection, site.directory, visit.slug)
    if row is None:
        raise NotFound
    organizer = localised_organizer(visit, row)
    values, path = organizer.values, site.organizer_path(row.slug)
    found = public_listings.find(
        connection, site.directory, site.now, ListingFilter(organizer=row.id), **window(visit.query)
    )
    paging = Paging.of(visit.query, found.total)
    url = site.url(path, locale=organizer.locale, page=paging.parameter)
    organization = _organization(visit, organizer, orjson.loads(row.data), path)
    head = Head(
        title=titled(site, values["name"]),
        name=values["name"],
        url=url,
        canonical=url,
        description=organizer.summary or None,
        kind="profile",
        image=organization.get("image") or organization.get("logo"),
        updated_at=row.updated_at,
        alternates=alternates(site, path, organizer.locales, page=paging.parameter),
        json_ld=[organization],
        neighbours=neighbours(site, path, paging),
    )
    return visit.rendering.page(
        connection,
        visit,
        "organizer.html",
        head,
        [
            Crumb(words.several(site.directory.organizers_label), site.organizers_path),
            Crumb(values["name"], path),
        ],
        title=values["name"],
        organizer=organizer,
        content=content_html(values["content"], site.root),
        fields=fields_of_page(visit.catalogue.fields[Kind.ORGANIZER], values, site.root),
        cards=listing_cards(visit, found.rows),
        paging=paging,
        page_link=lambda number: site.link(path, page=in_address(number)),
    )


def _organization(visit: Visit, organizer: Translated, stored: dict[str, Any], path: str) -> dict[str, Any]:
    """The organizer as schema.org has it."""
    site, values = visit.site, organizer.values
    images = with_images(stored, site.address)  # what machines keep is absolute
    elsewhere = [values["website_url"], *(values["social_links"] or {}).values()]
    known = {
        "url": site.url(path, locale=organizer.locale),
        "description": values["description"],
        "logo": image_url(images["logo_url"]),
        "image": image_url(images["cover_image_url"]),
        "email": values["email"],
        "telephone": values["phone"],
        "address": values["address"],
        "sameAs": [url for url in map(safe_url, elsewhere) if url],
    }
    organization = {"@context": "https://schema.org", "@type": "Organization", "name": values["name"]}
    return organization | {name: value for name, value in known.items() if value}
