"""The blog and its articles."""

from typing import Any

from ...model import Kind
from ..store import Connection, public_records
from . import page_paths
from .displayed_records import LocalizedRecord, fields_of_page, localized_record
from .html_page import Crumb, Head, HtmlPage, alternates, first_safe_url, list_page, with_site_name
from .markup import LinkBase, safe_url
from .markup.body_text import article_html
from .page_request import PageNotFound, PageRequest
from .site_paging import PER_PAGE, require_page

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
        path,
        paging,
        [Crumb(request.words("blog"), path)],
        {
            "category": category,
            "categories": public_records.list_article_categories(connection, site.directory, site.now, MAX_CATEGORIES),
            "posts": [localized_record(Kind.ARTICLE, request, row) for row in rows],
        },
        query={"category": category},
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
        _head(request, article, path),
        [Crumb(request.words("blog"), page_paths.BLOG), Crumb(title, path)],
        {
            "article": article,
            "title": title,
            "content": article_html(article.values, site.link_base),
            "fields": fields_of_page(request.catalogue.fields[Kind.ARTICLE], article.values, site.link_base),
        },
    )


def _head(request: PageRequest, article: LocalizedRecord, path: str) -> Head:
    """Return the head from the article's `seo`; its other fields replace missing values (docs/contract.md 2.2)."""
    site, values, seo = request.site, article.values, article.seo
    name = seo["title"] or values["title"]
    description = article.summary or None
    image = first_safe_url(seo["og_image"], LinkBase(site.address).image(values["thumbnail_url"] or ""))
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
