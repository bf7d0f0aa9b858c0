"""Faults of requests, as scripts for `Site`."""

from collections.abc import Callable
from typing import Any

import httpx

from ..remote.script import json_response
from .site import Script, Sent, is_write

Match = Callable[[httpx.Request], bool]


def lost(match: Match = is_write, *, times: int = 1, stored: bool) -> Script:
    """Lose the answer of the first `times` matching requests; with `stored`, the server has carried them out."""
    left = [times]

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if not match(request) or not left[0]:
            return await send(request)
        left[0] -= 1
        if stored:
            await send(request)
        raise httpx.ReadTimeout("slow", request=request)

    return script


def answered(status: int, document: Any, match: Match = is_write, *, times: int = 1) -> Script:
    """Return the server answers this and does nothing. The first `times` that match."""
    left = [times]

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if not match(request) or not left[0]:
            return await send(request)
        left[0] -= 1
        return json_response(status, document)

    return script


def before(act: Callable[[], None], match: Match) -> Script:
    """Something happens just before the first request that matches arrives."""
    done = [False]

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if match(request) and not done[0]:
            done[0] = True
            act()
        return await send(request)

    return script


class Killed(BaseException):
    """The process is no more."""


def killed(place: int, *, stored: bool) -> Script:
    """Kill the process at a write, counted from 0: before it is sent, or after it was `stored`."""
    writes = [0]

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if not is_write(request):
            return await send(request)
        writes[0] += 1
        if writes[0] <= place:
            return await send(request)
        if writes[0] == place + 1 and stored:
            await send(request)
        raise Killed

    return script


def of(method: str, path: str = "") -> Match:
    """Match requests of a method whose path contains a text."""
    return lambda request: request.method == method and path in request.url.path
