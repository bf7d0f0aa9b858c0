"""The pages of listings and their categories."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import orjson

from ...model import Kind
from ..store import Connection, public_listings, public_records
from ..store.listing_counts import listing_counts, may_count
from ..store.listing_filter import ListingFilter
from ..store.read_pool import ReadQueue
from ..store.search_documents import link_choice
from ..store.search_text import suggested_text
from . import page_paths
from .body_text import content_excerpt, content_html
from .displayed_records import (
    LocalizedRecord,
    categories_and_tags,
    fact_box_fields,
    fields_of_page,
    is_expired,
    listing_card,
    localized_record,
    long_fields,
    summary_of,
)
from .html_page import NOT_INDEXED, Crumb, Head, HtmlPage, ListPlace, first_safe_url, list_page, with_site_name
from .listing_search import ListingSearch, filter_form
from .page_request import PER_PAGE, PageNotFound, PageRequest, requested_rows, require_page
from .search_results import active_filters, found_elsewhere, highlighted, word_matcher

MAX_TILES = 12  # top categories on the home page
MAX_POSTS = 12  # articles on the home page of a site without listings
MAX_SUGGESTIONS = 12  # top categories beside an empty list
MAX_RELATED = 4  # listings below a listing
MAX_SUBCATEGORIES = 100  # on the page of a category
MAX_SUBCATEGORIES_OF_CARD = 10


def home_page(connection: Connection, request: PageRequest) -> HtmlPage:
    """Show all listings, or the results of a search."""
    search, directory = ListingSearch.from_request(request), request.site.directory
    if not search:  # all listings
        name, description = directory.name, directory.description or None
        website = {"@context": "https://schema.org", "@type": "WebSite", "name": name}
        if description is not None:
            website["description"] = description
        website["url"] = f"{request.site.address}/"
        head: dict[str, Any] = {"whole_title": name, "description": description, "json_ld": [website]}
        return _listing_list(connection, request, "home.html", search, name, crumbs=[], **head)
    title = ", ".join(active.title for active in active_filters(request, search))
    return _listing_list(connection, request, "home.html", search, title, [Crumb(title, search.path)])


def category_page(connection: Connection, request: PageRequest) -> HtmlPage:
    """Show the listings of a category and its subcategories."""
    catalogue = request.catalogue
    category = catalogue.category(request.slug)
    if category is None:
        raise PageNotFound
    return _listing_list(
        connection,
        request,
        "category.html",
        ListingSearch.from_request(request, category),
        category["title"],
        [Crumb(request.words("categories"), page_paths.CATEGORIES), *_category_crumbs(request, category["id"])],
        {
            "category": category,
            "content": content_html(category["content"], request.site.link_base),
            "below": catalogue.children.get(category["id"], ())[:MAX_SUBCATEGORIES],
        },
        whole_title=category["seo_title"],
        description=category["seo_description"]
        or category["description"]
        or content_excerpt(category["content"])
        or None,
        image=first_safe_url(category["custom_icon_url"]),
    )


def _listing_list(
    connection: Connection,
    request: PageRequest,
    template: str,
    search: ListingSearch,
    title: str,
    crumbs: Sequence[Crumb],
    values: dict[str, Any] | None = None,
    **head: Any,
) -> HtmlPage:
    """Return the requested page of a search's results. `values` are more for the template, and `head` for `list_page`.

    A list has one canonical address, whatever address was requested; for a category alone, it is the category's page.
    Lists with a text or with several filters are not for search engines. The home page of a site without listings shows
    its newest articles.
    """
    site, top_categories = request.site, request.catalogue.top_categories
    if search.is_long:
        request.require_admission(ReadQueue.LISTS)
    wanted = search.to_filter(connection, request)
    form = filter_form(connection, request, search, wanted)
    counted = None if form.counts is None else form.counts.others.total
    total, rows = public_listings.find(
        connection, site.directory, site.now, wanted, sort=search.sort, total=counted, **requested_rows(request.query)
    )
    highlight = partial(highlighted, matches=word_matcher(wanted.text)) if search.text else str
    is_first = not search.choice_count and "page" not in request.query
    is_front = not search and "page" not in request.query  # the home page itself
    return list_page(
        request,
        template,
        title,
        ListPlace(search.path, require_page(request, total.number), search.query),
        crumbs,
        {
            "cards": [listing_card(request, row, highlight) for row in rows],
            "form": form,
            "has_more": total.has_more,
            "suggested_text": suggested_text(connection, site.directory, site.now, wanted.text),
            "found_elsewhere": found_elsewhere(connection, request, wanted.text)
            if is_first and wanted.text.words
            else None,
            "active_filters": active_filters(request, search),
            "is_front": is_front,
            "posts": _newest_articles(connection, request) if is_front and total.number == 0 else (),
            "tiles": top_categories[:MAX_TILES] if is_front else (),
            "suggestions": top_categories[:MAX_SUGGESTIONS],
            **(values or {}),
        },
        robots=None if search.is_indexed else NOT_INDEXED,
        **head,
    )


def _newest_articles(connection: Connection, request: PageRequest) -> list[LocalizedRecord]:
    site = request.site
    rows = public_records.list_articles(connection, site.directory, site.now, limit=MAX_POSTS, offset=0)
    return [localized_record(Kind.ARTICLE, request, row) for row in rows]


def categories_page(connection: Connection, request: PageRequest) -> HtmlPage:
    """Show the top categories, each with its first subcategories."""
    children, top_categories = request.catalogue.children, request.catalogue.top_categories
    paging = require_page(request, len(top_categories))
    title, path = request.words("categories"), page_paths.CATEGORIES
    shown = top_categories[paging.offset : paging.offset + PER_PAGE]
    categories = [(category, children.get(category["id"], ())[:MAX_SUBCATEGORIES_OF_CARD]) for category in shown]
    site = request.site
    counts_by_category = None  # in a very large directory
    if may_count(connection, site.directory):
        numbers = listing_counts(connection, site.directory, request.catalogue, site.now, ListingFilter()).numbers
        counts_by_category = {each["id"]: numbers.get(link_choice("categories", each["id"]), 0) for each in shown}
    values = {"categories": categories, "counts": counts_by_category}
    return list_page(request, "categories.html", title, ListPlace(path, paging), [Crumb(title, path)], values)


def listing_page(connection: Connection, request: PageRequest) -> HtmlPage:
    """Show a listing. Its texts and its canonical address are in the default language."""
    site = request.site
    row = public_listings.find_by_slug(connection, site.directory, site.now, request.slug)
    if row is None:
        raise PageNotFound
    values = orjson.loads(row.data)
    categories, tags = categories_and_tags(request, row)
    path = page_paths.listing(row.slug)
    url = site.url(path)
    head = Head(
        title=values["seo_title"] or with_site_name(site, values["name"]),
        name=values["seo_title"] or values["name"],
        url=url,
        canonical=url,
        description=values["seo_description"] or summary_of(values) or None,
        image=first_safe_url(values["image_url"], values["logo_url"]),
        json_ld=[values["schema"]] if values["schema"] else [],
        updated_at=row.updated_at,
    )
    crumbs = _category_crumbs(request, categories[0]["id"]) if categories else []
    organizer_ids = orjson.loads(row.links)["organizers"]
    fields = fields_of_page(Kind.LISTING, request, values)
    similar = public_listings.related(
        connection,
        site.directory,
        site.now,
        row.id,
        [category["id"] for category in categories],
        [tag["id"] for tag in tags],
        limit=MAX_RELATED,
    )
    return HtmlPage(
        "listing.html",
        head,
        [*crumbs, Crumb(values["name"], path)],
        {
            "listing": values,
            "title": values["name"],
            "is_expired": is_expired(request, values),
            "categories": categories,
            "tags": tags,
            "organizers": [
                localized_record(Kind.ORGANIZER, request, organizer)
                for organizer in public_records.organizers_by_ids(connection, site.directory, organizer_ids)
            ],
            "content": content_html(values["content"], site.link_base),
            "fields": fields,
            "fact_box_fields": fact_box_fields(fields),
            "long": long_fields(fields),
            "related": [listing_card(request, other) for other in similar],
        },
    )


def _category_crumbs(request: PageRequest, category_id: int) -> list[Crumb]:
    ancestry = request.catalogue.path_to(category_id)
    return [Crumb(category["title"], page_paths.category(category["slug"])) for category in ancestry]
