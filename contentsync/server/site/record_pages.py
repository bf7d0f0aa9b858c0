"""The pages of articles, organizers and custom pages: the lists of the first two, and one page for each record."""

from functools import partial
from typing import Any
from urllib.parse import urlsplit

import orjson
from starlette.responses import RedirectResponse, Response

from ...model import Kind
from ...model.markup import LinkBase, safe_url
from ...model.urls import ascii_host
from ..store import Connection, public_listings, public_records
from ..store.listing_filter import ListingFilter
from . import page_paths
from .body_text import article_html, content_excerpt, content_html, markdown_html
from .displayed_records import (
    LocalizedRecord,
    fact_box_fields,
    fields_of_page,
    listing_card,
    localized_record,
    long_fields,
    with_image_addresses,
)
from .html_page import (
    NOT_INDEXED,
    Crumb,
    Head,
    HtmlPage,
    ListPlace,
    alternates,
    first_safe_url,
    list_page,
    with_site_name,
)
from .page_request import PER_PAGE, PageNotFound, PageRequest, requested_rows, require_page

MAX_CATEGORIES = 100  # in the blog's menu


def blog_page(connection: Connection, request: PageRequest) -> HtmlPage:
    """Show the articles, newest first, or those of the query's category; raise PageNotFound if it has no articles."""
    site, path = request.site, page_paths.BLOG
    category = request.query.get("category") or None
    if category is not None and "\0" in category:  # PostgreSQL rejects it
        raise PageNotFound
    total = public_records.count_articles(connection, site.directory, site.now, category)
    if category is not None and not total:
        raise PageNotFound
    paging = require_page(request, total)
    rows = public_records.list_articles(
        connection, site.directory, site.now, category, limit=PER_PAGE, offset=paging.offset
    )
    return list_page(
        request,
        "blog.html",
        category or request.words("blog"),
        ListPlace(path, paging, {"category": category}),
        [Crumb(request.words("blog"), path)],
        {
            "category": category,
            "categories": public_records.list_article_categories(connection, site.directory, site.now, MAX_CATEGORIES),
            "posts": [localized_record(Kind.ARTICLE, request, row) for row in rows],
        },
    )


def article_page(connection: Connection, request: PageRequest) -> HtmlPage:
    """Show an article in the reader's language; in the default language if it has no translation."""
    site = request.site
    row = public_records.find_article(connection, site.directory, site.now, request.slug)
    if row is None:
        raise PageNotFound
    article = localized_record(Kind.ARTICLE, request, row)
    title, path = article.values["title"], page_paths.article(row.slug)
    return HtmlPage(
        "article.html",
        _article_head(request, article, path),
        [Crumb(request.words("blog"), page_paths.BLOG), Crumb(title, path)],
        {
            "article": article,
            "title": title,
            "content": article_html(article.values, site.link_base),
            "fields": fields_of_page(Kind.ARTICLE, request, article.values),
        },
    )


def _article_head(request: PageRequest, article: LocalizedRecord, path: str) -> Head:
    """Return the head from the article's `seo`; its other fields replace missing values (docs/contract.md 2.2)."""
    site, values, seo = request.site, article.values, article.seo
    name = seo["title"] or values["title"]
    description = article.summary or None
    image = first_safe_url(seo["og_image"], LinkBase(site.address).with_mount(values["thumbnail_url"] or ""))
    url = site.url(path, locale=article.locale)
    external_canonical = safe_url(seo["canonical"])
    return Head(
        title=seo["title"] or with_site_name(site, name),
        name=name,
        url=url,
        canonical=external_canonical or url,
        description=description,
        keywords=seo["keywords"],
        kind="article",
        image=image,
        og_title=seo["og_title"],
        og_description=seo["og_description"],
        card_title=seo["card_title"],
        card_description=seo["card_description"],
        card_image=first_safe_url(seo["card_image"]),
        published_at=values["published_at"],
        updated_at=article.updated_at,
        alternates=() if external_canonical else alternates(site, path, article.locales),
        json_ld=[_blog_posting(request, article, url, description, image)],
    )


def _blog_posting(
    request: PageRequest, article: LocalizedRecord, url: str, description: str | None, image: str | None
) -> dict[str, Any]:
    """Return the article as a schema.org BlogPosting."""
    publisher = {"@type": "Organization", "name": request.site.directory.name, "url": f"{request.site.address}/"}
    properties = {
        "headline": article.values["title"],
        "description": description,
        "image": image,
        "datePublished": article.values["published_at"],
        "dateModified": article.updated_at,
        "inLanguage": article.locale,
        "articleSection": article.values["categories"],
        "url": url,
        "mainEntityOfPage": url,
    }
    return {
        "@context": "https://schema.org",
        "@type": "BlogPosting",
        **{name: value for name, value in properties.items() if value},
        "author": publisher,
        "publisher": publisher,
    }


def organizers_page(connection: Connection, request: PageRequest) -> HtmlPage:
    """Show all organizers; raise PageNotFound if the directory has disabled organizers (docs/contract.md 4.4.7)."""
    site, path = request.site, request.site.organizers_path
    if not site.directory.organizers_enabled:
        raise PageNotFound
    paging = require_page(request, public_records.count_organizers(connection, site.directory))
    rows = public_records.list_organizers(connection, site.directory, limit=PER_PAGE, offset=paging.offset)
    title = request.words.label(site.directory.organizers_label, plural=True)
    values = {"organizers": [localized_record(Kind.ORGANIZER, request, row) for row in rows]}
    return list_page(request, "organizers.html", title, ListPlace(path, paging), [Crumb(title, path)], values)


def organizer_page(connection: Connection, request: PageRequest) -> HtmlPage:
    """Show an organizer with its listings, in the reader's language or, without a translation, in the default one."""
    site = request.site
    row = public_records.find_organizer(connection, site.directory, request.slug)
    if row is None:
        raise PageNotFound
    organizer = localized_record(Kind.ORGANIZER, request, row)
    values, path = organizer.values, site.organizer_path(row.slug)
    wanted = ListingFilter(organizer=row.id)
    total, rows = public_listings.find(connection, site.directory, site.now, wanted, **requested_rows(request.query))
    place = ListPlace(path, require_page(request, total.number))
    parameters = place.parameters(place.paging.number)
    url = site.url(path, locale=organizer.locale, **parameters)
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
        alternates=alternates(site, path, organizer.locales, **parameters),
        json_ld=[organization],
        neighbours=place.neighbours(site),
    )
    fields = fields_of_page(Kind.ORGANIZER, request, values)
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
            "paging": place.paging,
            "page_link": partial(place.link, site),
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


def custom_page(connection: Connection, request: PageRequest) -> HtmlPage | Response:
    """Show a page in the default language, or redirect if the page is a link to another site.

    An unlisted page is for readers who know its address, so search engines are asked not to index it.
    """
    site = request.site
    row = public_records.find_page(connection, site.directory, request.slug)
    if row is None:
        raise PageNotFound
    values, seo = orjson.loads(row.data), orjson.loads(row.seo)
    external_url = safe_url(values["external_url"]) if values["is_external"] else None
    if external_url is not None:
        return RedirectResponse(_with_ascii_host(external_url), 302, {"Cache-Control": "no-cache"})
    path = page_paths.page(row.slug)
    url = site.url(path)
    head = Head(
        title=seo["title"] or with_site_name(site, values["title"]),
        name=seo["title"] or values["title"],
        url=url,
        canonical=url,
        description=seo["description"] or content_excerpt(values["markdown"]) or None,
        robots=NOT_INDEXED if values["placement"] == public_records.UNLISTED else None,
        updated_at=row.updated_at,
    )
    content = markdown_html(values["markdown"] or "", base=site.link_base)
    return HtmlPage("page.html", head, [Crumb(values["title"], path)], {"title": values["title"], "content": content})


def _with_ascii_host(url: str) -> str:
    """Return the URL with an ASCII host name: a redirect would percent-encode another one."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return parts._replace(netloc=f"{ascii_host(parts.hostname or '')}{port}").geturl()
