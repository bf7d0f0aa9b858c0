"""Answers that a reader has already (RFC 9110, 13.1.2)."""

from hashlib import blake2b

from starlette.requests import Request
from starlette.responses import Response

_OF_THE_BODY = ("content-length", "content-type")


def conditional(request: Request, response: Response) -> Response:
    """The response under the name of its content, or 304 where the request knows that.

    The headers stay, of which those in 304 take the place of the ones that were kept with the body.
    """
    if response.status_code != 200:
        return response
    tag = f'"{blake2b(response.body, digest_size=12).hexdigest()}"'
    response.headers["ETag"] = tag
    if tag not in request.headers.get("if-none-match", ""):
        return response
    kept = {name: value for name, value in response.headers.items() if name not in _OF_THE_BODY}
    return Response(status_code=304, headers=kept)
