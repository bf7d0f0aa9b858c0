"""Which directory a request is for: by the name of the host, or by a path on a host that is no directory's."""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request

from ...model.urls import ascii_host
from ..access import Directory
from ..store import Connection
from ..store.public import directories

_HOST = re.compile(r"([^:/?#@\[\]\s]+|\[[0-9a-fA-F:.]+\])(?::[0-9]*)?\Z")
_MOUNT = re.compile(r"/sites/([a-z0-9-]+)(/.*)?\Z", re.DOTALL | re.ASCII)


class Place(NamedTuple):
    """Where in which site a request leads."""

    directory: Directory
    mount: str  # before the path of every page, as the reader sees it
    path: str  # below the mount; empty where even the slash after it is missing


def place_of(connection: Connection, request: Request, public_url: str) -> Place | None:
    """Return the site that a request names, or None. Raise HTTPException 400 if the Host header is missing or repeated.

    A host that is a directory's domain shows this directory and no other, under any path, so pages of two directories
    never share an origin that belongs to one of them (docs/faults.md AU-18). The exception is a domain that the
    operator also made the public URL's host. On every other host the path says which directory is meant, whatever name
    a proxy uses. A proxy removes the path of the public URL from requests, so links contain it.
    """
    public, host = urlsplit(public_url), _host(request)
    path = request.scope["path"]
    own = directories.by_domain(connection, host) if host else None
    if own is None or host == ascii_host(public.hostname or ""):
        match = _MOUNT.match(path)
        found = directories.by_slug(connection, match[1]) if match else None
        if match is not None and found is not None and (own is None or found.domain is None):
            return Place(found, f"{public.path}/sites/{found.slug}", match[2] or "")
    return None if own is None else Place(own, "", path)


def _host(request: Request) -> str:
    """The host's name in the form of a directory's domain; "" where HTTP/1.0 names none."""
    hosts = request.headers.getlist("host")
    match = _HOST.match(hosts[0]) if len(hosts) == 1 else None
    if match is None and hosts:
        raise HTTPException(400, "A request has one Host header, which names a host")
    return ascii_host(match[1]) if match else ""
