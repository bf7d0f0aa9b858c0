"""What a request found of its rate limit, and whom it is counted for when it brings no token."""

import ipaddress
import math
from dataclasses import dataclass

QUOTA = "contentsync.quota"  # where the request's scope holds it, once it was counted


@dataclass(frozen=True, slots=True)
class Quota:
    """What a request found: whether it may go on, and how many more may follow now."""

    limit: int
    allowed: bool
    remaining: int
    wait: float  # seconds until one more is free, where none is

    @property
    def retry_after(self) -> int:
        """Whole seconds after which a request will be let in."""
        return max(1, math.floor(self.wait) + 1)

    def headers(self) -> list[tuple[bytes, bytes]]:
        """As they stand in an answer."""
        return [
            (b"x-ratelimit-limit", b"%d" % self.limit),
            (b"x-ratelimit-remaining", b"%d" % self.remaining),
        ]


class Unlimited:
    """Stands for the quota where there is no limit, so that clients need not pace themselves by the usual one."""

    @staticmethod
    def headers() -> list[tuple[bytes, bytes]]:
        """Return the headers of an answer."""
        return [(b"x-rate-limit", b"none")]


def peer_key(address: str) -> str:
    """What stands for a client without a token: its address, or for IPv6 the network that one customer gets."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    return str(parsed.ipv4_mapped or ipaddress.ip_network((parsed, 64), strict=False))
