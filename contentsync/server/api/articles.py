"""Articles (docs/contract.md 4.2)."""

from fastapi import APIRouter, Response

from ...model import Invalid, Violation
from ...model.slug import is_slug
from ..auth import Reading
from ..store.articles import ARTICLES, in_category
from .answers import message
from .bodies import body_of, only
from .documents import articles
from .resource import Resource, add_routes, add_toggle, page
from .view import TRANSLATIONS

_RESOURCE = Resource(ARTICLES, articles, paginated=True, include=TRANSLATIONS)


def add_article_routes(router: APIRouter, base: str) -> None:
    """All operations on articles."""
    add_routes(router, base, _RESOURCE)
    add_toggle(router, base, _RESOURCE, "active")
    router.post(base + "/exists")(exists)
    router.get(base + "/category/{category:path}")(by_category)


async def exists(call: Reading) -> Response:
    """Whether an article has the slug; 400 says that one does (docs/contract.md 14). Any text may be asked for."""
    slug = only(await body_of(call), "slug")
    if not isinstance(slug, str):
        raise Invalid([Violation("not-text", ("slug",), "slug must be text")])
    if is_slug(slug) and await call.read(ARTICLES.by_key, call.access.directory.id, slug) is not None:
        return message("Article already exists in this directory", 400)
    return message("Article does not exist in this directory")


async def by_category(call: Reading, category: str) -> Response:
    """The articles of a category, by its exact name."""
    return await page(_RESOURCE, call, in_category(category))
