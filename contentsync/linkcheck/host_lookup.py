"""Look up the names of hosts: those that do not exist, and those with private addresses, which are not requested.

lychee knows neither. It excludes private addresses that are written as numbers, but not names that lead to them; and
it reports a name that does not exist like any other failed connection.
"""

import socket
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from enum import Enum, auto
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

from ..model.urls import ascii_host

Lookup = Callable[[str], Collection[str]]  # the IP addresses of a host; raises socket.gaierror

_THREADS = 16
_NO_SUCH_NAME = {code for name in ("EAI_NONAME", "EAI_NODATA") if (code := getattr(socket, name, None)) is not None}


class HostState(Enum):
    """What the lookup of a host says."""

    PUBLIC = auto()
    PRIVATE = auto()  # at least one of its addresses is
    MISSING = auto()  # the name does not exist
    UNKNOWN = auto()  # the lookup failed, perhaps only now


def system_lookup(host: str) -> Collection[str]:
    """Return the IP addresses of a host, as this machine resolves its name. Raise socket.gaierror."""
    return {str(address[0]) for *_, address in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)}


def number_lookup(host: str) -> Collection[str]:
    """Return the IP address that a host is, without asking for a name: nothing for a name."""
    try:
        return [str(ip_address(host))]
    except ValueError:
        return []


def host_of(address: str) -> str:
    """Return the host of a URL in ASCII."""
    host = urlsplit(address).hostname or ""
    return host if ":" in host else ascii_host(host)


def look_up(hosts: Iterable[str], lookup: Lookup) -> Mapping[str, HostState]:
    """Return the state of each host."""
    names = sorted({*hosts})
    with ThreadPoolExecutor(_THREADS) as threads:
        return dict(zip(names, threads.map(lambda host: _state(host, lookup), names), strict=True))


def _state(host: str, lookup: Lookup) -> HostState:
    try:
        addresses = lookup(host)
    except socket.gaierror as error:
        return HostState.MISSING if error.errno in _NO_SUCH_NAME else HostState.UNKNOWN
    except (OSError, UnicodeError):
        return HostState.UNKNOWN
    return HostState.PRIVATE if any(map(_is_private, addresses)) else HostState.PUBLIC


def _is_private(text: str) -> bool:
    """Return whether an IP address is not one of the public internet, but private, of this machine, or reserved."""
    address = ip_address(text.partition("%")[0])  # without the zone of a link-local address
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    return not address.is_global
