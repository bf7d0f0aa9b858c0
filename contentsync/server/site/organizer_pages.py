"""The organizers and their profiles."""

from typing import Any

import orjson

from ...model import Kind
from ..store import Connection, public_listings, public_records
from ..store.listing_filter import ListingFilter
from ..store.public_listings import Sort
from .displayed_records import (
    LocalizedRecord,
    fact_box_fields,
    fields_of_page,
    listing_card,
    localized_record,
    long_fields,
    with_image_addresses,
)
from .html_page import Crumb, Head, HtmlPage, alternates, first_safe_url, list_page, neighbours, with_site_name
from .markup import safe_url
from .markup.body_text import content_html
from .page_request import PageNotFound, PageRequest
from .site_paging import PER_PAGE, page_parameter, requested_rows, require_page


def organizers_page(connection: Connection, request: PageRequest) -> HtmlPage:
    """Show all organizers; raise PageNotFound if the directory has disabled organizers (docs/contract.md 4.4.7)."""
    site, path = request.site, request.site.organizers_path
    if not site.directory.organizers_enabled:
        raise PageNotFound
    paging = require_page(request, public_records.count_organizers(connection, site.directory))
    rows = public_records.list_organizers(connection, site.directory, limit=PER_PAGE, offset=paging.offset)
    title = request.words.label(site.directory.organizers_label, plural=True)
    values = {"organizers": [localized_record(Kind.ORGANIZER, request, row) for row in rows]}
    return list_page(request, "organizers.html", title, path, paging, [Crumb(title, path)], values)


def organizer_page(connection: Connection, request: PageRequest) -> HtmlPage:
    """Show an organizer with its listings, in the reader's language or, without a translation, in the default one."""
    site = request.site
    row = public_records.find_organizer(connection, site.directory, request.slug)
    if row is None:
        raise PageNotFound
    organizer = localized_record(Kind.ORGANIZER, request, row)
    values, path = organizer.values, site.organizer_path(row.slug)
    total, rows = public_listings.find(
        connection,
        site.directory,
        site.now,
        ListingFilter(organizer=row.id),
        Sort.FEATURED,
        **requested_rows(request.query),
    )
    paging = require_page(request, total)
    page = page_parameter(paging.number)
    url = site.url(path, locale=organizer.locale, page=page)
    organization = _organization(request, organizer, orjson.loads(row.data), path)
    head = Head(
        title=with_site_name(site, values["name"]),
        name=values["name"],
        url=url,
        canonical=url,
        description=organizer.summary or None,
        kind="profile",
        image=organization.get("image") or organization.get("logo"),
        updated_at=row.updated_at,
        alternates=alternates(site, path, organizer.locales, page=page),
        json_ld=[organization],
        neighbours=neighbours(site, path, paging),
    )
    fields = fields_of_page(request.catalogue.fields[Kind.ORGANIZER], values, site.link_base)
    label = request.words.label(site.directory.organizers_label, plural=True)
    return HtmlPage(
        "organizer.html",
        head,
        [Crumb(label, site.organizers_path), Crumb(values["name"], path)],
        {
            "title": values["name"],
            "organizer": organizer,
            "content": content_html(values["content"], site.link_base),
            "fields": fields,
            "fact_box_fields": fact_box_fields(fields),
            "long": long_fields(fields),
            "cards": [listing_card(request, listing) for listing in rows],
            "paging": paging,
            "page_link": lambda number: site.link(path, page=page_parameter(number)),
        },
    )


def _organization(
    request: PageRequest, organizer: LocalizedRecord, stored: dict[str, Any], path: str
) -> dict[str, Any]:
    """Return the organizer as a schema.org Organization; `stored` are its untranslated fields."""
    site, values = request.site, organizer.values
    images = with_image_addresses(stored, site.address)  # absolute, for machines
    profiles = [values["website_url"], *(values["social_links"] or {}).values()]
    properties = {
        "url": site.url(path, locale=organizer.locale),
        "description": values["description"],
        "logo": first_safe_url(images["logo_url"]),
        "image": first_safe_url(images["cover_image_url"]),
        "email": values["email"],
        "telephone": values["phone"],
        "address": values["address"],
        "sameAs": [url for url in map(safe_url, profiles) if url],
    }
    organization = {"@context": "https://schema.org", "@type": "Organization", "name": values["name"]}
    return organization | {name: value for name, value in properties.items() if value}
