"""The options of `serve`, in a form that can be sent to workers."""

import ipaddress
from dataclasses import dataclass
from pathlib import Path

from prometheus_client import CollectorRegistry

from ...errors import UsageError
from ...lazy_pattern import lazy_pattern
from ..quota import MAX_BODY, SlidingWindow
from .logs import LogFormat, LogLevel
from .rate_limit import WINDOW, RateLimit

RATE_LIMIT = 120  # requests a minute (docs/contract.md 12)
PAGE_RATE_LIMIT = 3_000  # requests a minute: more than an office behind one address sends
ADDRESS_CONNECTIONS = 200  # a quarter of a process's connections

_ORIGIN = lazy_pattern(r"https?://([a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?\Z")


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The server's settings. Raises UsageError for a wrong media folder, origin or proxy."""

    database: str
    public_url: str
    media: Path | None = None
    content_folder: Path | None = None  # whose pictures are served
    rate_limit: int = RATE_LIMIT  # a minute, for each token and directory; 0 for no limit
    page_rate_limit: int = PAGE_RATE_LIMIT  # a minute, for each address; 0 for no limit
    address_connections: int = ADDRESS_CONNECTIONS  # at a time, of each address
    redis: str | None = None
    max_body: int = MAX_BODY  # bytes
    cors_origins: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()  # addresses or networks whose X-Forwarded-For is trusted
    log_format: LogFormat = "text"
    log_level: LogLevel = "info"

    def __post_init__(self) -> None:
        """Raise UsageError for a folder that does not exist, and for a wrong origin or proxy."""
        if self.media is not None and not self.media.is_dir():
            raise UsageError(f"there is no folder {self.media}", "name an existing folder with --media")
        for origin in self.cors_origins:
            if not _ORIGIN.match(origin):
                raise UsageError(f"'{origin}' is not an origin", "write it as https://app.example.com, without a path")
        for proxy in self.trusted_proxies:
            try:
                ipaddress.ip_network(proxy)
            except ValueError as error:
                raise UsageError(
                    f"'{proxy}' is not an address or network", "write --trusted-proxy as 10.0.0.1 or 10.0.0.0/8"
                ) from error

    def make_page_limit(self) -> SlidingWindow | None:
        """Return the rate limit of the sites' pages, or None for no limit. Each process counts its own requests."""
        return SlidingWindow(self.page_rate_limit, WINDOW) if self.page_rate_limit else None

    def make_rate_limit(self, registry: CollectorRegistry | None = None) -> RateLimit | None:
        """Return the API's rate limit, or None for no limit; raise UsageError unless `redis` is a Redis URL."""
        if not self.rate_limit:
            return None
        return RateLimit(self.rate_limit, redis=self.redis, scope=self.database, registry=registry)

    def require_workers(self, workers: int) -> None:
        """Raise UsageError if several workers cannot share the database or the rate limit (docs/server.md)."""
        if workers > 1 and not self.database.startswith("postgresql"):
            raise UsageError("several workers need PostgreSQL", "remove --workers, or use --db postgresql://...")
        if workers > 1 and self.rate_limit and self.redis is None:
            raise UsageError(
                "a rate limit over several workers needs Redis",
                "set CONTENTSYNC_REDIS to redis://host:6379/0, or use --rate-limit 0",
            )
