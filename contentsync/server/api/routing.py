"""The routes of the API, and a table that finds a route faster than Starlette's router."""

import re
from collections.abc import Awaitable, Callable
from functools import cache

from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from ...model import Kind
from ...model.field_types import MAX_INTEGER
from .auth import authorise_request
from .endpoints import ENDPOINTS
from .openapi import OPERATIONS
from .openapi.operations import DIRECTORY_PATH
from .resources import Endpoint

RequestEndpoint = Callable[[Request], Awaitable[Response]]


class _Id(Convertor[int]):
    """Converts an id in a path; a number that is too large for the database becomes 0, which is no record's id."""

    regex = "0|[1-9][0-9]*"

    def convert(self, value: str) -> int:
        number = int(value) if len(value) <= 10 else 0
        return number if number <= MAX_INTEGER else 0

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("id", _Id())


class ServiceRoute(Route):
    """A route for one method, without Starlette's exception handling: the application handles exceptions."""

    def __init__(self, path: str, method: str, endpoint: RequestEndpoint) -> None:
        """Make a route that calls `endpoint` with the request and sends the response."""
        super().__init__(path, endpoint, methods=[method])

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            response = await endpoint(Request(scope, receive, send))
            await response(scope, receive, send)

        self.app = app


class RouteTable:
    """Calls the first route that matches the request's method and path, or the router if no route matches.

    The router is slower, because it matches the path against the routes of all methods.
    """

    def __init__(self, router: Router) -> None:
        """Index the router's routes by method."""
        self._router = router
        self._routes: dict[str, list[ServiceRoute]] = {}
        for route in router.routes:
            if isinstance(route, ServiceRoute):
                for method in route.methods or ():
                    self._routes.setdefault(method, []).append(route)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a request to the first route of the table for its method and path; other requests go to the router."""
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


@cache
def service_routes() -> tuple[ServiceRoute, ...]:
    """Return a route for each operation that has an endpoint; all applications share these routes.

    An endpoint gets the state of its application from the request.
    """
    routes = []
    # `RouteTable` searches in this order, and most requests are for listings.
    for operation in sorted(OPERATIONS, key=lambda operation: Kind.LISTING.collection not in operation.path):
        if operation.id in ENDPOINTS:
            endpoint = ENDPOINTS[operation.id]
            if operation.path.startswith(DIRECTORY_PATH) and operation.scope is not None:
                endpoint = _in_directory(endpoint, operation.scope)
            path = re.sub(r"\{(\w+)\}", _path_parameter, operation.path)
            routes.append(ServiceRoute(path, operation.method.upper(), endpoint))
    return tuple(routes)


def _in_directory(endpoint: Endpoint, scope: str) -> RequestEndpoint:
    """Return an endpoint that authorises the request in its directory, then calls `endpoint` with the ApiCall."""

    async def authorised(request: Request) -> Response:
        """Check the token and the limit, then call the endpoint with the ids in the path."""
        path_parameters = dict(request.path_params)
        call = await authorise_request(request, path_parameters.pop("directory_id"), scope)
        return await endpoint(call, **path_parameters)

    return authorised


def _path_parameter(match: re.Match[str]) -> str:
    """Return the route's form of a path parameter, with its converter: `{page_id}` becomes `{record_id:id}`."""
    return {"directory_id": "{directory_id:id}", "category": "{category:path}"}.get(match[1], "{record_id:id}")
