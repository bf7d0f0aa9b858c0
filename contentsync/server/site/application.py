"""The sites of all directories, as what the application has where its API has nothing."""

from collections.abc import Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from ..edge.client_address import client_key
from ..edge.middleware import DIRECTORY
from ..edge.quota import SlidingWindow
from ..errors import TooMany
from ..store import Connection, Database
from ..store.clock import now
from ..store.public.catalogue import Catalogues
from .conditional import conditional
from .hosts import Place, place_of
from .markup.root import LOCALE
from .rendering import Rendering
from .routes import match, slashed
from .site import Site
from .views import not_found
from .visit import NotFound, Visit

READING = ("GET", "HEAD")


class Sites:
    """Answers what is below the address of a site, and raises HTTPException, 404 or 405, for all else.

    `clock` returns the moment that decides what is shown, in wire form. It is called for each request, so a listing
    starts and ends on time (docs/faults.md TM-08). `live` is as in Rendering. `limit` counts requests by address before
    anything is looked up for them.
    """

    def __init__(
        self,
        database: Database,
        public_url: str,
        *,
        clock: Callable[[], str] = now,
        live: Callable[[], str] | None = None,
        limit: SlidingWindow | None = None,
    ) -> None:
        self._limit = limit
        self._database = database
        self._public_url = public_url
        self._clock = clock
        self._catalogues = Catalogues()
        self._rendering = Rendering(live)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if scope["type"] != "http" or path == "/api" or path.startswith("/api/"):
            raise HTTPException(404)
        self._count(scope)
        request = Request(scope)
        place = await self._database.read(place_of, request, self._public_url)
        if place is None:
            raise HTTPException(404)
        response = await self._database.read_long(place.directory.id, self._answer, request, place)
        await response(scope, receive, send)

    def _count(self, scope: Scope) -> None:
        if self._limit is not None:
            client = scope.get("client")
            quota = self._limit.count(client_key(client[0] if client else ""))
            if not quota.allowed:
                raise TooMany(quota.retry_after)

    def _answer(self, connection: Connection, request: Request, place: Place) -> Response:
        site, locale_is_known = self._site(request, place)
        request.scope[DIRECTORY] = site.directory.id
        route, slug = match(site, place.path) or (None, "")
        if request.method not in READING:
            raise HTTPException(405 if route else 404)
        catalogue = self._catalogues.of(connection, site.directory.id)
        path = place.path if route else ""
        visit = Visit(site, catalogue, self._rendering, path, slug, request.query_params)
        if route is None:
            whole = slashed(site, place.path)
            return not_found.show(connection, visit) if whole is None else _redirect(request, site, whole)
        request.scope["route"] = route
        try:
            if locale_is_known:
                return conditional(request, route.view(connection, visit))
            return not_found.show(connection, visit)
        except NotFound:
            return not_found.show(connection, visit)

    def _site(self, request: Request, place: Place) -> tuple[Site, bool]:
        """The site in the language that is asked for; in the default one where the directory has not this language."""
        directory = place.directory
        default = directory.locales[0]
        asked = request.query_params.get(LOCALE, default)
        known = asked in directory.locales
        address = directory.site(self._public_url)
        return Site(directory, address, place.mount, asked if known else default, self._clock()), known


def _redirect(request: Request, site: Site, path: str) -> Response:
    """To another path of the same site, which is one of its own, so that it never begins with two slashes."""
    query = request.url.query
    return RedirectResponse(f"{site.mount}{path}{f'?{query}' if query else ''}", 301)
