"""The answer to `/` on a host that is not the domain of a directory (docs/server.md, The public site)."""

from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ..store import Connection, accounts
from .rendering import page_headers

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>No site here</title>
<h1>There is no site at this address</h1>
<p>A site of this server is at its own domain, or at <code>/sites/</code> and its name.</p>
</html>
"""


def front_page(connection: Connection, request: Request, public_url: str) -> Response:
    """Redirect `/` to the only directory's site; with several directories, return a page that names none, as a 404.

    Raise HTTPException 404 for other paths, and 405 for methods that change something.
    """
    if request.scope["path"] != "/":
        raise HTTPException(404)
    if request.method not in ("GET", "HEAD"):
        raise HTTPException(405)
    headers = {**page_headers(), "Cache-Control": "no-cache"}
    directory = accounts.only_directory(connection)
    if directory is None:
        return Response(_PAGE, 404, headers, media_type="text/html")
    query = f"?{request.url.query}" if request.url.query else ""
    target = f"{urlsplit(public_url).path}/sites/{directory.slug}/{query}"
    return RedirectResponse(target, 302, headers)  # not a 301: another directory may follow
