"""Every path of the service."""

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.convertors import Convertor, register_url_convertor
from starlette.routing import BaseRoute
from starlette.types import Receive, Scope, Send

from ...model import Kind
from ...model.field_types import MAX_INTEGER
from ..store.categories import CATEGORIES
from ..store.custom_fields import CUSTOM_FIELDS
from ..store.organizers import ORGANIZERS
from ..store.pages import PAGES
from ..store.tags import TAGS
from .account import add_account_routes
from .articles import add_article_routes
from .documents import bare, categories, organizers, pages
from .listings import add_listing_routes
from .openapi import show_document
from .resource import Resource, add_routes, add_toggle
from .view import TRANSLATIONS


class _Id(Convertor[int]):
    """An id in a path; one that no database holds becomes 0, which is nobody's."""

    regex = "0|[1-9][0-9]*"

    def convert(self, value: str) -> int:
        number = int(value) if len(value) <= 10 else 0
        return number if number <= MAX_INTEGER else 0

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("id", _Id())


class Route(APIRoute):
    """A route that answers HEAD where it answers GET; the server leaves the body out.

    It calls the endpoint with ids, request and what it depends on: all that ours ask for. FastAPI's own way, which
    knows more, takes longer than to answer a page from memory. Exceptions go on to the application.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.methods and "GET" in self.methods:
            self.methods.add("HEAD")
        answer = _resolved(self.dependant)

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            response: Response = await answer(Request(scope, receive, send))
            await response(scope, receive, send)

        self.app = app


class Dispatch:
    """Calls the first route that has the method and the path, and the router for whatever else is asked for.

    The router would ask every route for the path, whatever its method, and FastAPI's look into each for another one.
    """

    def __init__(self, router: APIRouter) -> None:
        self._router = router
        self._routes: dict[str, list[Route]] = {}
        for route in router.routes:
            if isinstance(route, Route):
                for method in route.methods or ():
                    self._routes.setdefault(method, []).append(route)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        for route in self._routes.get(scope["method"], ()):
            found = route.path_regex.match(scope["path"])
            if found:
                scope["route"] = route
                scope["path_params"] = {
                    name: route.param_convertors[name].convert(text) for name, text in found.groupdict().items()
                }
                await route.app(scope, receive, send)
                return
        await self._router(scope, receive, send)


def _resolved(dependant: Dependant) -> Callable[[Request], Awaitable[Any]]:
    """The endpoint or dependency as a function of the request alone."""
    call = dependant.call
    assert call is not None  # noqa: S101  # FastAPI builds it of one
    ids = [each.name for each in dependant.path_params]
    request_name = dependant.request_param_name
    inner = [(str(each.name), _resolved(each)) for each in dependant.dependencies]

    async def called(request: Request) -> Any:
        found = request.path_params
        values: dict[str, Any] = {name: found[name] for name in ids}
        if request_name is not None:
            values[request_name] = request
        for name, resolve in inner:
            values[name] = await resolve(request)
        return await call(**values)

    return called


@cache
def service_routes() -> tuple[BaseRoute, ...]:
    """Return the routes of `/api` and of its description, the same ones for every application.

    They are flat, as FastAPI matches each router inside another twice. Building them takes longer than most requests,
    and they find what belongs to an application through the request.
    """
    router = APIRouter(route_class=Route)
    directory = "/api/directories/{directory_id:id}"

    def base(kind: Kind) -> str:
        return f"{directory}/{kind.collection}"

    pages_ = Resource(PAGES, pages, paginated=True)
    add_listing_routes(router, base(Kind.LISTING))
    add_article_routes(router, base(Kind.ARTICLE))
    add_routes(router, base(Kind.PAGE), pages_)
    add_toggle(router, base(Kind.PAGE), pages_, "is_published")
    add_routes(router, base(Kind.ORGANIZER), Resource(ORGANIZERS, organizers, include=TRANSLATIONS, long=True))
    add_routes(router, base(Kind.CATEGORY), Resource(CATEGORIES, categories))
    add_routes(router, base(Kind.TAG), Resource(TAGS, bare))
    add_routes(router, base(Kind.CUSTOM_FIELD), Resource(CUSTOM_FIELDS, bare))
    add_account_routes(router, directory)
    router.get("/openapi.json")(show_document)
    return tuple(router.routes)
