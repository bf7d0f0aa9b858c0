"""How many connections one address may have at a time."""

from collections import Counter

from .forwarded import TrustedProxies, parse_address
from .quota import peer_key

CONNECTIONS = "contentsync.connections"  # where connections find the count, in the state of the lifespan


class AddressConnections:
    """Counts the open connections of each address (IPv6: of each network); trusted proxies have no bound."""

    def __init__(self, most: int, trusted: TrustedProxies) -> None:
        self._most = most
        self._trusted = trusted
        self._open: Counter[str] = Counter()

    def open(self, address: str) -> bool:
        """Count one more, which must be closed; False where it is one too many, and not counted."""
        key = peer_key(address)
        if self._open[key] >= self._most and parse_address(address) not in self._trusted:
            return False
        self._open[key] += 1
        return True

    def close(self, address: str) -> None:
        """Count one less."""
        key = peer_key(address)
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]
