"""The API's rate limit, in Redis or in memory (docs/contract.md 12)."""

import hashlib
import logging
import time

from limits import RateLimitItemPerSecond
from limits.aio.storage import RedisStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from ...errors import Unavailable, UsageError
from ..quota import Quota, SlidingWindow

# Seconds. Two less than a minute, for the network jitter of a client that paces itself by its own clock.
WINDOW = 58
REDIS_TIMEOUT = 0.5  # seconds
REDIS_PAUSE = 5  # seconds before a retry after a failure of Redis

logger = logging.getLogger("contentsync.rate_limit")


class RateLimit:
    """Counts requests by key, in Redis if several processes share the limit, else in memory.

    While Redis does not answer, each process counts its own requests, so the service keeps working with a limit.
    """

    def __init__(
        self,
        requests: int,
        *,
        redis: str | None = None,
        scope: str = "",
        redis_pause: float = REDIS_PAUSE,
    ) -> None:
        """Limit each key to `requests` in WINDOW seconds, in this process or, with a Redis URL, in all processes.

        `scope` separates services that share a Redis. After an error, no request uses Redis for `redis_pause` seconds.
        Raise UsageError unless `redis` is a Redis URL; Redis need not answer yet.
        """
        namespace = f"contentsync:{hashlib.sha256(scope.encode()).hexdigest()[:12]}"
        self._item = RateLimitItemPerSecond(requests, WINDOW, namespace=namespace)
        self._local = SlidingWindow(requests, WINDOW)
        self._redis = None if redis is None else _connect(redis)
        self._shared = None if self._redis is None else _make_shared_limiter(self._redis)
        self._pause = redis_pause
        self._next_redis_try = 0.0  # monotonic time

    async def check(self) -> None:
        """Raise Unavailable if Redis is used and does not answer. Call this before the server starts.

        The connections are closed afterwards, because the server has another event loop.
        """
        try:
            if self._redis is not None:
                await self._redis.ping()
        except RedisError as error:
            raise Unavailable("Redis does not answer", "start it, or correct CONTENTSYNC_REDIS") from error
        finally:
            await self.close()

    async def close(self) -> None:
        """Close the connections to Redis."""
        if self._redis is not None:
            await self._redis.aclose()

    async def count(self, *key: str | int | None) -> Quota:
        """Count a request under the key if the limit allows it, and return the quota.

        A request over the limit is not counted and raises nothing: its quota is not `allowed`.
        """
        if self._shared is not None and time.monotonic() >= self._next_redis_try:
            try:
                return await self._count_shared(self._shared, [str(part) for part in key])
            except RedisError as error:
                if time.monotonic() >= self._next_redis_try:  # else another request has logged it
                    logger.warning("Redis does not answer, so each process counts its own requests: %s", error)
                self._next_redis_try = time.monotonic() + self._pause
        return self._local.count(key)

    async def _count_shared(self, shared: SlidingWindowCounterRateLimiter, key: list[str]) -> Quota:
        """Count a request in Redis, and return the quota; raise RedisError if Redis fails or does not answer."""
        allowed = await shared.hit(self._item, *key)
        stats = await shared.get_window_stats(self._item, *key)
        return Quota(self._item.amount, allowed, stats.remaining, stats.reset_time - time.time())


def _connect(url: str) -> Redis:
    """Return a client of a Redis; it connects later. Raise UsageError for a URL that is not one."""
    try:
        client = Redis.from_url(
            url, socket_timeout=REDIS_TIMEOUT, socket_connect_timeout=REDIS_TIMEOUT, retry=Retry(NoBackoff(), 1)
        )
        # An unknown option in the URL is reported only when a connection is made.
        client.connection_pool.make_connection()  # type: ignore[no-untyped-call]  # it has no types
    except (ValueError, TypeError) as error:  # without the URL, which may contain a password
        raise UsageError("CONTENTSYNC_REDIS is not a Redis URL", "write it as redis://host:6379/0") from error
    return client


def _make_shared_limiter(client: Redis) -> SlidingWindowCounterRateLimiter:
    """Return a limiter that counts in Redis, for all processes."""
    return SlidingWindowCounterRateLimiter(
        # limits accepts a pool here but does not declare it.
        RedisStorage("async+redis://", implementation="redispy", connection_pool=client.connection_pool)  # type: ignore[arg-type]
    )
