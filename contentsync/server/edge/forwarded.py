"""Whose request it is, where a proxy that is trusted passes it on."""

import ipaddress
from collections.abc import Iterable

from starlette.types import ASGIApp, Receive, Scope, Send

from ..api.http import header_values

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

HEADER = b"x-forwarded-for"


class TrustedProxies:
    """The proxies that are believed, as addresses and networks; contains the addresses of them."""

    def __init__(self, proxies: Iterable[str]) -> None:
        self._networks = [ipaddress.ip_network(proxy) for proxy in proxies]

    def __contains__(self, address: Address | None) -> bool:
        return address is not None and any(address in network for network in self._networks)


class Forwarded:
    """Names the client of `X-Forwarded-For` as the request's, where a trusted proxy says so.

    Each proxy adds the address that it was asked from, so the last one that is not a trusted proxy's is the client's.
    What is not an address ends the search: everything before it may be made up.
    """

    def __init__(self, app: ASGIApp, trusted: TrustedProxies) -> None:
        self._app = app
        self._trusted = trusted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        if scope["type"] == "http" and client and parse_address(client[0]) in self._trusted:
            names = [name for value in header_values(scope, HEADER) for name in value.split(",")]
            for name in reversed(names):
                address = parse_address(name.strip())
                if address is None:
                    break
                client = (str(address), 0)
                if address not in self._trusted:
                    break
            scope["client"] = client
        await self._app(scope, receive, send)


def parse_address(text: str) -> Address | None:
    """The address that the text is, with or without a port (`192.0.2.1:5000`, `[2001:db8::1]:5000`), else None."""
    host = text
    if text.startswith("["):
        host = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        host = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv4Address):
        return address
    return None if address.scope_id else address.ipv4_mapped or address
