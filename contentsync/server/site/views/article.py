"""An article of the blog."""

from typing import Any

from starlette.responses import Response

from ....model import Kind
from ...store import Connection
from ...store.public import articles
from .. import page_paths
from ..fields import fields_of_page
from ..head import Crumb, Head, alternates, image_url, titled
from ..language import language
from ..markup import safe_url
from ..text import article_html
from ..translated import Translated, localised_article
from ..visit import NotFound, Visit


def show(connection: Connection, visit: Visit) -> Response:
    """An article in the reader's language, else in the default one."""
    site = visit.site
    row = articles.one(connection, site.directory, site.now, visit.slug)
    if row is None:
        raise NotFound
    article = localised_article(visit, row)
    title, path = article.values["title"], page_paths.article(row.slug)
    return visit.rendering.page(
        connection,
        visit,
        "article.html",
        _head(visit, article, path),
        [Crumb(language(site.locale)("blog"), page_paths.BLOG), Crumb(title, path)],
        article=article,
        title=title,
        content=article_html(article.values, site.root),
        fields=fields_of_page(visit.catalogue.fields[Kind.ARTICLE], article.values, site.root),
    )


def _head(visit: Visit, article: Translated, path: str) -> Head:
    """The article's `seo`, and where it says nothing, the article itself (docs/contract.md 2.2)."""
    site, values, seo = visit.site, article.values, article.seo
    name = seo["title"] or values["title"]
    description = article.summary or None
    image = image_url(seo["og_image"], values["thumbnail_url"])
    url = site.url(path, locale=article.locale)
    elsewhere = safe_url(seo["canonical"])
    return Head(
        title=seo["title"] or titled(site, name),
        name=name,
        url=url,
        canonical=elsewhere or url,
        description=description,
        keywords=seo["keywords"],
        kind="article",
        image=image,
        og_title=seo["og_title"],
        og_description=seo["og_description"],
        card_title=seo["card_title"],
        card_description=seo["card_description"],
        card_image=image_url(seo["card_image"]),
        published_at=values["published_at"],
        updated_at=article.updated_at,
        alternates=() if elsewhere else alternates(site, path, article.locales),
        json_ld=[_posting(visit, article, url, description, image)],
    )


def _posting(visit: Visit, article: Translated, url: str, description: str | None, image: str | None) -> dict[str, Any]:
    publisher = {"@type": "Organization", "name": visit.site.directory.name, "url": f"{visit.site.address}/"}
    known = {
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
    posting = {name: value for name, value in known.items() if value}
    return {
        "@context": "https://schema.org",
        "@type": "BlogPosting",
        **posting,
        "author": publisher,
        "publisher": publisher,
    }
