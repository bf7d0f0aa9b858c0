"""What is answered to exceptions."""

from functools import singledispatch

from fastapi import Request, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match, Route

from ..errors import Unavailable, Unconfirmed
from ..model import Invalid
from .api.answers import answer, message
from .errors import ServiceError


@singledispatch
def failure(error: Exception, request: Request) -> Response:
    """The answer to a request inside of which the exception was raised: 500 to what nobody foresaw."""
    response = message("Server Error", 500)
    response.headers["Connection"] = "close"  # the body may not have been read
    return response


@failure.register
def _refused(error: ServiceError, request: Request) -> Response:
    response = message(error.message, error.status)
    response.headers.update(error.headers)
    return response


@failure.register
def _invalid(error: Invalid, request: Request) -> Response:
    return answer({"message": "The given data was invalid.", "errors": error.errors()}, 422)


@failure.register
def _without_route(error: HTTPException, request: Request) -> Response:
    response = message(error.detail, error.status_code)
    if error.status_code == 405:
        response.headers["Allow"] = ", ".join(_methods(request))
    return response


@failure.register
def _gone(error: ClientDisconnect, request: Request) -> Response:
    return message("The body ended early", 400)


@failure.register
def _unavailable(error: Unavailable, request: Request) -> Response:
    response = message(error.message, 503)
    response.headers["Retry-After"] = "1"
    return response


@failure.register
def _unconfirmed(error: Unconfirmed, request: Request) -> Response:
    return message(error.message, 504)


def _methods(request: Request) -> list[str]:
    """The methods that the path knows: Starlette names those of its first route only, and none for a file."""
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    known = [route.methods or () for route in routes if route.matches(request.scope)[0] is not Match.NONE]
    return sorted({method for methods in known for method in methods}) or ["GET", "HEAD"]
