"""The addresses of clients: behind trusted proxies, as keys for limits, and the number of their connections."""

import ipaddress
from collections import Counter
from collections.abc import Iterable

from starlette.types import ASGIApp, Receive, Scope, Send

from ..api.http import header_values
from ..quota import client_key

CONNECTION_LIMITER = "contentsync.connections"  # the limiter's key in the state of the lifespan

_HEADER = b"x-forwarded-for"

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class TrustedProxies:
    """The addresses and networks of proxies whose `X-Forwarded-For` is trusted."""

    def __init__(self, proxies: Iterable[str]) -> None:
        self._networks = [ipaddress.ip_network(proxy) for proxy in proxies]

    def __contains__(self, address: Address | None) -> bool:
        return address is not None and any(address in network for network in self._networks)


class ForwardedFor:
    """Sets the client of a request from `X-Forwarded-For`, if a trusted proxy sent the request.

    Each proxy appends the address of its own client, so the client is the last address that is not a trusted proxy's.
    A value that is not an address ends the search, because all values before it may be forged.
    """

    def __init__(self, app: ASGIApp, trusted: TrustedProxies) -> None:
        self._app = app
        self._trusted = trusted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Set the scope's client to the last address of `X-Forwarded-For` that no trusted proxy has.

        Only a request of a trusted proxy may name its client.
        """
        client = scope.get("client")
        if scope["type"] == "http" and client and parse_address(client[0]) in self._trusted:
            hops = [hop for value in header_values(scope, _HEADER) for hop in value.split(",")]
            for hop in reversed(hops):
                address = parse_address(hop.strip())
                if address is None:
                    break
                client = (str(address), 0)  # the port is unknown
                if address not in self._trusted:
                    break
            scope["client"] = client
        await self._app(scope, receive, send)


class ConnectionLimiter:
    """Limits the open connections of each address (IPv6: of each /64 network). Trusted proxies have no limit."""

    def __init__(self, limit: int, trusted: TrustedProxies) -> None:
        self._limit = limit
        self._trusted = trusted
        self._open: Counter[str] = Counter()

    def acquire(self, address: str) -> bool:
        """Count a connection of the address until `release`. Over the limit, do not count it and return False."""
        key = client_key(address)
        if self._open[key] >= self._limit and parse_address(address) not in self._trusted:
            return False
        self._open[key] += 1
        return True

    def release(self, address: str) -> None:
        """Stop counting a connection that `acquire` counted for the address."""
        key = client_key(address)
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]


def parse_address(text: str) -> Address | None:
    """Parse an address with or without a port (`192.0.2.1:5000`, `[2001:db8::1]:5000`); return None for other texts.

    An IPv4 address in the form of IPv6 (`::ffff:192.0.2.1`) is returned as IPv4.
    """
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
    if address.scope_id is not None:  # such as fe80::1%eth0
        return None
    return address.ipv4_mapped or address
