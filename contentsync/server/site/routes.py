"""The pages of a site by their paths."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from . import assets, feeds, page_paths, robots, sitemap
from .site import Site
from .views import article, blog, categories, category, home, listing, organizer, organizers, page
from .visit import View

SLUG = "{slug}"

_SLUG = "([a-z0-9-]{1,255})"


class Route(NamedTuple):
    """A path and what answers it; the template of the path stands in logs and metrics."""

    path_format: str
    view: View
    pattern: re.Pattern[str]


def _route(path_format: str, view: View) -> Route:
    pattern = re.escape(path_format).replace(re.escape(SLUG), _SLUG)
    return Route(path_format, view, re.compile(rf"{pattern}\Z", re.ASCII))


ROUTES = (
    _route(page_paths.HOME, home.show),
    _route(page_paths.listing(SLUG), listing.show),
    _route(page_paths.CATEGORIES, categories.show),
    _route(page_paths.category(SLUG), category.show),
    _route(page_paths.BLOG, blog.show),
    _route(page_paths.article(SLUG), article.show),
    _route(page_paths.page(SLUG), page.show),
    _route(feeds.RSS, feeds.rss),
    _route(feeds.ATOM, feeds.atom),
    _route(sitemap.SITEMAP, sitemap.sitemap),
    _route("/sitemap-{slug}.xml", sitemap.part),
    _route("/robots.txt", robots.robots),
    _route(assets.STYLESHEET_PATH, assets.stylesheet),
    _route(page_paths.COLOURS, assets.colours),
)
# Below the prefix that the directory chose. Where it chose the path of something else, that is found first.
ORGANIZERS = _route("/{organizers}/", organizers.show)
ORGANIZER = _route("/{organizers}/{slug}/", organizer.show)


def match(site: Site, path: str) -> tuple[Route, str] | None:
    """The route of a path below the mount, with the slug in it or ""."""
    return next(_matches(site, path), None)


def slashed(site: Site, path: str) -> str | None:
    """The path with the slash at its end that it lacks, where it lacks nothing else."""
    return f"{path}/" if not path.endswith("/") and match(site, f"{path}/") else None


def _matches(site: Site, path: str) -> Iterator[tuple[Route, str]]:
    for route in ROUTES:
        found = route.pattern.match(path)
        if found:
            yield route, found[1] if found.groups() else ""
    prefix = site.directory.organizers_prefix
    if path == f"{prefix}/":
        yield ORGANIZERS, ""
    elif path.startswith(f"{prefix}/") and re.fullmatch(f"{_SLUG}/", path[len(prefix) + 1 :], re.ASCII):
        yield ORGANIZER, path[len(prefix) + 1 : -1]
