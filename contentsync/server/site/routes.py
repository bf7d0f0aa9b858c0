"""The routes of a site: each path and its view."""

import re
from collections.abc import Callable
from typing import NamedTuple

from starlette.responses import Response

from ..store import Connection
from . import article_pages, assets, custom_pages, feeds, listing_pages, organizer_pages, page_paths, sitemap
from .html_page import HtmlPage
from .page_request import PageRequest, SiteContext

SLUG = "{slug}"

_SLUG = "([a-z0-9-]{1,255})"

View = Callable[[Connection, PageRequest], HtmlPage | Response]  # raises PageNotFound


class Route(NamedTuple):
    """A path and its view. Logs and metrics contain `path_format` instead of the path."""

    path_format: str
    view: View
    pattern: re.Pattern[str]


def _route(path_format: str, view: View) -> Route:
    pattern = re.escape(path_format).replace(re.escape(SLUG), _SLUG)
    return Route(path_format, view, re.compile(rf"{pattern}\Z", re.ASCII))


ROUTES = (
    _route(page_paths.HOME, listing_pages.home_page),
    _route(page_paths.listing(SLUG), listing_pages.listing_page),
    _route(page_paths.CATEGORIES, listing_pages.categories_page),
    _route(page_paths.category(SLUG), listing_pages.category_page),
    _route(page_paths.BLOG, article_pages.blog_page),
    _route(page_paths.article(SLUG), article_pages.article_page),
    _route(page_paths.page(SLUG), custom_pages.custom_page),
    _route(feeds.RSS, feeds.rss),
    _route(feeds.ATOM, feeds.atom),
    _route(sitemap.SITEMAP, sitemap.sitemap),
    _route("/sitemap-{slug}.xml", sitemap.sitemap_part),
    _route("/robots.txt", sitemap.robots),
    _route(assets.STYLESHEET_PATH, assets.site_stylesheet),
    _route(assets.ENTRY_STYLESHEET_PATH, assets.entry_stylesheet),
    _route(page_paths.COLOURS, assets.tag_stylesheet),
)
# Below the prefix that the directory sets. If a path matches both, the routes above take precedence.
ORGANIZERS = _route("/{organizers}/", organizer_pages.organizers_page)
ORGANIZER = _route("/{organizers}/{slug}/", organizer_pages.organizer_page)


def match_route(site: SiteContext, path: str) -> tuple[Route, str] | None:
    """Return the route of a path below the mount and the slug in the path, or None; a path without slug has ""."""
    for route in ROUTES:
        if matched := route.pattern.match(path):
            return route, matched[1] if matched.groups() else ""
    prefix = site.directory.organizers_prefix
    if path == f"{prefix}/":
        return ORGANIZERS, ""
    if path.startswith(f"{prefix}/") and re.fullmatch(f"{_SLUG}/", path[len(prefix) + 1 :], re.ASCII):
        return ORGANIZER, path[len(prefix) + 1 : -1]
    return None


def with_trailing_slash(site: SiteContext, path: str) -> str | None:
    """Return the path with a trailing slash if it has none and a page has that path, else None."""
    return f"{path}/" if not path.endswith("/") and match_route(site, f"{path}/") else None
