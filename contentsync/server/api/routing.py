"""Routes: every path of the service, and a faster way to find and call them."""

import re
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
from .endpoints import ENDPOINTS
from .openapi import OPERATIONS


class _Id(Convertor[int]):
    """Convert an id in a path; a number that is too large for the database becomes 0, which no record has."""

    regex = "0|[1-9][0-9]*"

    def convert(self, value: str) -> int:
        number = int(value) if len(value) <= 10 else 0
        return number if number <= MAX_INTEGER else 0

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("id", _Id())


class ServiceRoute(APIRoute):
    """A route that also answers HEAD if it answers GET; the server omits the body.

    It passes path parameters, the request and dependencies to the endpoint, which is all that our endpoints need.
    FastAPI's own call supports more and takes longer than sending a cached page. The application handles exceptions.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.methods and "GET" in self.methods:
            self.methods.add("HEAD")
        call_endpoint = _caller(self.dependant)

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            response: Response = await call_endpoint(Request(scope, receive, send))
            await response(scope, receive, send)

        self.app = app


class RouteTable:
    """Calls the first route with the request's method and path, and the router if there is none.

    The router would match the path against the routes of every method.
    """

    def __init__(self, router: APIRouter) -> None:
        self._router = router
        self._routes: dict[str, list[ServiceRoute]] = {}
        for route in router.routes:
            if isinstance(route, ServiceRoute):
                for method in route.methods or ():
                    self._routes.setdefault(method, []).append(route)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        for route in self._routes.get(scope["method"], ()):
            match = route.path_regex.match(scope["path"])
            if match:
                scope["route"] = route
                scope["path_params"] = {
                    name: route.param_convertors[name].convert(text) for name, text in match.groupdict().items()
                }
                await route.app(scope, receive, send)
                return
        await self._router(scope, receive, send)


def _caller(dependant: Dependant) -> Callable[[Request], Awaitable[Any]]:
    """Return the endpoint or dependency as a function of only the request."""
    call = dependant.call
    assert call is not None  # noqa: S101  # FastAPI builds a dependant of a function
    parameters = [each.name for each in dependant.path_params]
    request_name = dependant.request_param_name
    dependencies = [(str(each.name), _caller(each)) for each in dependant.dependencies]

    async def called(request: Request) -> Any:
        path_params = request.path_params
        values: dict[str, Any] = {name: path_params[name] for name in parameters}
        if request_name is not None:
            values[request_name] = request
        for name, call_dependency in dependencies:
            values[name] = await call_dependency(request)
        return await call(**values)

    return called


@cache
def service_routes() -> tuple[BaseRoute, ...]:
    """Return a route for each operation, the same ones for every application.

    There are no nested routers, which FastAPI matches twice. Building the routes takes longer than most requests; an
    endpoint finds the state of its application through the request.
    """
    router = APIRouter(route_class=ServiceRoute)
    # `RouteTable` searches in this order, and most requests are for listings.
    for operation in sorted(OPERATIONS, key=lambda each: Kind.LISTING.collection not in each.path):
        if operation.id in ENDPOINTS:
            path = re.sub(r"\{(\w+)\}", _path_parameter, operation.path)
            router.add_api_route(path, ENDPOINTS[operation.id], methods=[operation.method.upper()])
    return tuple(router.routes)


def _path_parameter(match: re.Match[str]) -> str:
    """Return a parameter of an operation's path as a parameter of a route, with its converter."""
    return {"directory_id": "{directory_id:id}", "category": "{category:path}"}.get(match[1], "{record_id:id}")
