"""The routes of a site: each path and its view."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from starlette.responses import Response

from ...model import Kind
from ..store import Connection
from ..store.record_keys import find_moved_slug
from . import article_pages, assets, custom_pages, feeds, listing_pages, organizer_pages, page_paths, sitemap
from .html_page import HtmlPage
from .page_request import PageNotFound, PageRequest, SiteContext

SLUG = "{slug}"

_SLUG = "([a-z0-9-]{1,255})"

View = Callable[[Connection, PageRequest], HtmlPage | Response]  # raises PageNotFound


class SiteRoute(NamedTuple):
    """A path and its view. Logs and metrics contain `path_format` instead of the path.

    `kind` is that of the record whose slug is in the path, if it may have moved.
    """

    path_format: str
    view: View
    pattern: re.Pattern[str]
    kind: Kind | None = None


def _route(path_format: str, view: View, kind: Kind | None = None) -> SiteRoute:
    pattern = re.escape(path_format).replace(re.escape(SLUG), _SLUG)
    return SiteRoute(path_format, view, re.compile(rf"{pattern}\Z", re.ASCII), kind)


ROUTES = (
    _route(page_paths.HOME, listing_pages.home_page),
    _route(page_paths.listing(SLUG), listing_pages.listing_page, Kind.LISTING),
    _route(page_paths.CATEGORIES, listing_pages.categories_page),
    _route(page_paths.category(SLUG), listing_pages.category_page, Kind.CATEGORY),
    _route(page_paths.BLOG, article_pages.blog_page),
    _route(page_paths.article(SLUG), article_pages.article_page, Kind.ARTICLE),
    _route(page_paths.page(SLUG), custom_pages.custom_page, Kind.PAGE),
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
ORGANIZER = _route("/{organizers}/{slug}/", organizer_pages.organizer_page, Kind.ORGANIZER)


def match_route(site: SiteContext, path: str) -> tuple[SiteRoute, str] | None:
    """Return the route of a path below the mount and the slug in the path ("" without one), or None for no route."""
    for route in ROUTES:
        if matched := route.pattern.match(path):
            return route, matched[1] if matched.groups() else ""
    if not path.startswith(site.organizers_path):
        return None
    rest = path.removeprefix(site.organizers_path)  # such as "acme/"
    if not rest:
        return ORGANIZERS, ""
    return (ORGANIZER, rest.removesuffix("/")) if re.fullmatch(f"{_SLUG}/", rest, re.ASCII) else None


def with_trailing_slash(site: SiteContext, path: str) -> str | None:
    """Return the path with a trailing slash if it has none and a page has that path, else None."""
    return f"{path}/" if not path.endswith("/") and match_route(site, f"{path}/") else None


def moved_path(connection: Connection, request: PageRequest, path: str) -> str | None:
    """Return the path to which the page at a path has moved, or None if it has not or readers may not see it."""
    route, slug = match_route(request.site, path) or (None, "")
    if route is None or route.kind is None:
        return None
    moved_to = find_moved_slug(connection, request.site.directory.id, route.kind, slug)
    if moved_to is None:
        return None
    new_path = page_paths.page_path(route.kind, moved_to, request.site.directory.organizers_prefix)
    try:
        route.view(connection, replace(request, path=new_path, slug=moved_to))
    except PageNotFound:
        return None
    return new_path
