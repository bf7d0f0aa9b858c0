"""The public sites of all directories, as an ASGI application for paths that the API does not have, and its routes."""

import re
from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from ...lazy_pattern import lazy_pattern
from ...model import Kind
from ...model.markup.safe_urls import LOCALE
from ...model.urls import ascii_host
from ..access import DIRECTORY_ID, Directory
from ..client_disconnect import client_left
from ..quota import SlidingWindow, client_key
from ..service_errors import Overloaded, RateLimited
from ..store import Connection, Database, accounts
from ..store.catalogue import CatalogueCache
from ..store.read_pool import QueuedRead, ReadQueue
from ..store.record_keys import find_moved_slug
from ..store.versions import now
from . import assets, feeds, listing_pages, page_paths, record_pages, sitemap
from .front_page import front_page
from .html_page import NOT_INDEXED, Head, HtmlPage, with_site_name
from .media import with_folder_file_urls
from .page_request import PageNotFound, PageRequest, QueueNeeded, SiteContext
from .rendering import render, send_compressed, with_etag

READ_METHODS = ("GET", "HEAD")
SLUG = "{slug}"
MAX_SUGGESTIONS = 12  # top categories on the page for unknown addresses

_HOST = lazy_pattern(r"([^:/?#@\[\]\s]+|\[[0-9a-fA-F:.]+\])(?::[0-9]*)?\Z")
_MOUNT = lazy_pattern(r"/sites/([a-z0-9-]+)(/.*)?\Z", re.DOTALL | re.ASCII)
_SLUG = "([a-z0-9-]{1,255})"


class HostMatch(NamedTuple):
    """The directory of a request, and the path below its site."""

    directory: Directory
    mount: str  # the start of every page's path in the reader's address
    path: str  # below the mount; empty if the path ends with the mount, without a slash


class Admission(Enum):
    """What a request may read."""

    SHORT = "short"  # all but long reads; a view that needs one raises QueueNeeded
    LONG = "long"
    REFUSED = "refused"  # the page that says so, instead of the requested one


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
    _route(page_paths.BLOG, record_pages.blog_page),
    _route(page_paths.article(SLUG), record_pages.article_page, Kind.ARTICLE),
    _route(page_paths.page(SLUG), record_pages.custom_page, Kind.PAGE),
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
ORGANIZERS = _route("/{organizers}/", record_pages.organizers_page)
ORGANIZER = _route("/{organizers}/{slug}/", record_pages.organizer_page, Kind.ORGANIZER)


class SiteApp:
    """Answers requests for sites; raises HTTPException 404 or 405 for all others.

    `clock` returns the time that decides what is visible, in wire form. It is called for each request, so that listings
    start and end on time (docs/faults.md TM-08). `live_script` returns the URL of a script that the development server
    adds to pages. `limit` limits the requests of each client address before they reach the database.
    """

    def __init__(
        self,
        database: Database,
        public_url: str,
        *,
        clock: Callable[[], str] = now,
        live_script: Callable[[], str] | None = None,
        limit: SlidingWindow | None = None,
    ) -> None:
        self._limit = limit
        self._database = database
        self._public_url = public_url
        self._clock = clock
        self._catalogues = CatalogueCache()
        self._live_script = live_script

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request for a page. Raise HTTPException for the API's paths and for hosts without a directory.

        Raise RateLimited if the client has sent too many requests.
        """
        if scope["type"] != "http" or f"{scope['path']}/".startswith("/api/"):  # also /api itself
            raise HTTPException(404)
        request = Request(scope)
        if self._limit is not None:
            quota = self._limit.count(client_key(request.client.host if request.client else ""))
            if not quota.allowed:
                raise RateLimited(quota.retry_after)
        host = await self._database.read(match_host, request, self._public_url)
        if host is None:
            front = await self._database.read(front_page, request, self._public_url)
            await front(scope, receive, send)
            return
        page_read = QueuedRead(ReadQueue.PAGES, host.directory.id)
        respond = partial(self._respond, http_request=request, host=host)
        try:
            response = await self._database.read_queued(page_read, respond, admission=Admission.SHORT)
        except QueueNeeded as needed:
            long_read = QueuedRead(needed.queue, host.directory.id, partial(client_left, receive))
            try:
                response = await self._database.read_queued(long_read, respond, admission=Admission.LONG)
            except Overloaded as overloaded:
                response = await self._database.read_queued(page_read, respond, admission=Admission.REFUSED)
                response.headers.update(overloaded.headers)
        await send_compressed(response, scope, receive, send)

    def _respond(
        self, connection: Connection, http_request: Request, host: HostMatch, admission: Admission
    ) -> Response:
        """Return the response for a directory's path: a page, a redirect to its present path, or a 404 page.

        Raise QueueNeeded if the page is a long read, and `admission` is SHORT.
        """
        directory = host.directory
        http_request.scope[DIRECTORY_ID] = directory.id
        locale = http_request.query_params.get(LOCALE, directory.locales[0])
        has_locale = locale in directory.locales
        site = SiteContext(
            directory=directory,
            address=directory.site_url(self._public_url),
            mount=host.mount,
            locale=locale if has_locale else directory.locales[0],
            now=self._clock(),
        )
        route, slug = _match_route(site, host.path) or (None, "")
        if http_request.method not in READ_METHODS:
            raise HTTPException(405 if route else 404)
        catalogue = self._catalogues.get(connection, directory.id)
        page_path = host.path if route else ""  # no link of a 404 page repeats an unknown path
        is_admitted = admission is Admission.LONG
        request = PageRequest(site, catalogue, page_path, slug, http_request.query_params, is_admitted)
        if admission is Admission.REFUSED:
            page: HtmlPage | Response = _busy_page(request)
        else:
            page = _page(connection, http_request, request, route, host.path, has_locale=has_locale)
        if isinstance(page, HtmlPage):
            live_script = self._live_script() if self._live_script else None
            page = render(connection, request, page, live_script)
        return with_etag(http_request, with_folder_file_urls(page, site.address))


def match_host(connection: Connection, request: Request, public_url: str) -> HostMatch | None:
    """Return the directory that a request names, or None. Raise HTTPException 400 for several or invalid Host headers.

    A directory's domain shows only this directory, under all paths: pages of another directory must not have the origin
    of this one (docs/faults.md AU-18). The exception is a domain that is also the host of the public URL. On all other
    hosts, the path names the directory, whatever host name a proxy uses. The mount begins with the path of the public
    URL, which a proxy removes from requests.
    """
    public, host = urlsplit(public_url), _host_name(request)
    path = request.scope["path"]
    domain_directory = accounts.directory_by(connection, "domain", host) if host else None
    if domain_directory is None or host == ascii_host(public.hostname or ""):
        mount = _MOUNT.match(path)  # the slug of a directory, and the path below its site
        if mount is not None:
            directory = accounts.directory_by(connection, "slug", mount[1])
            # A directory that has a domain is not shown on the domain of another one.
            if directory is not None and (domain_directory is None or directory.domain is None):
                return HostMatch(directory, f"{public.path}/sites/{directory.slug}", mount[2] or "")
    return None if domain_directory is None else HostMatch(domain_directory, mount="", path=path)


def _host_name(request: Request) -> str:
    """Return the host name in the form of a directory's domain; "" without a Host header, as in HTTP/1.0."""
    hosts = request.headers.getlist("host")
    host = _HOST.match(hosts[0]) if len(hosts) == 1 else None
    if host is None and hosts:
        raise HTTPException(400, "A request must have exactly one Host header, which names a host")
    return ascii_host(host[1]) if host else ""


def _page(
    connection: Connection,
    http_request: Request,
    request: PageRequest,
    route: SiteRoute | None,
    path: str,
    *,
    has_locale: bool,
) -> HtmlPage | Response:
    """Return the page at a path, a redirect to its present path, or the 404 page.

    `has_locale` says whether the directory has the requested language; it has no pages in others.
    """
    if route is None:
        path_with_slash = _page_path_with_slash(request.site, path)
        if path_with_slash is None:
            return _not_found_page(request)
        # In an unknown language nothing can have moved; the path with a slash then answers 404.
        moved_to = _moved_path(connection, request, path_with_slash) if has_locale else None
        return _redirect(http_request, request.site, moved_to or path_with_slash, may_return=moved_to is not None)
    http_request.scope["route"] = route  # for logs and metrics
    if not has_locale:
        return _not_found_page(request)
    try:
        return route.view(connection, request)
    except PageNotFound:
        moved_to = _moved_path(connection, request, path)
        if moved_to is None:
            return _not_found_page(request)
        return _redirect(http_request, request.site, moved_to, may_return=True)


def _redirect(http_request: Request, site: SiteContext, path: str, *, may_return: bool) -> Response:
    """Redirect to a path of the site with the same query.

    `may_return` says that the page may get its old path back. A browser must not cache such a redirect: after the
    return, it would redirect in a loop.
    """
    target = f"{site.mount}{path}"  # never begins with two slashes, so the host stays the same
    if http_request.url.query:
        target += f"?{http_request.url.query}"
    headers = {"Cache-Control": "no-cache"} if may_return else None
    return RedirectResponse(target, 301, headers)


def _not_found_page(request: PageRequest) -> HtmlPage:
    """Return the page for addresses without a page, with status 404."""
    title = request.words("not_found")
    url = request.site.url("/")
    head = Head(title=with_site_name(request.site, title), name=title, url=url, robots=NOT_INDEXED)
    values = {"title": title, "suggestions": request.catalogue.top_categories[:MAX_SUGGESTIONS]}
    return HtmlPage("not_found.html", head, crumbs=[], values=values, status=404)


def _busy_page(request: PageRequest) -> HtmlPage:
    """Return the page for a long read that was refused, with status 503."""
    title = request.words("busy")
    head = Head(title=with_site_name(request.site, title), name=title, url=request.site.url("/"), robots=NOT_INDEXED)
    query = {name: value for name, value in request.query.items() if name != LOCALE}
    values = {"title": title, "retry_link": request.site.link(request.path, **query)}
    return HtmlPage("busy.html", head, crumbs=[], values=values, status=503)


def _match_route(site: SiteContext, path: str) -> tuple[SiteRoute, str] | None:
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


def _page_path_with_slash(site: SiteContext, path: str) -> str | None:
    """Return the path with a trailing slash if it has none and a page has that path, else None."""
    return f"{path}/" if not path.endswith("/") and _match_route(site, f"{path}/") else None


def _moved_path(connection: Connection, request: PageRequest, path: str) -> str | None:
    """Return the path to which the page at a path has moved, or None if it has not or readers may not see it."""
    route, slug = _match_route(request.site, path) or (None, "")
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
    except QueueNeeded:  # the page is there; the request for its new path waits
        pass
    return new_path
