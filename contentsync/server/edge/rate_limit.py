"""How many requests a minute (docs/contract.md 12)."""

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
from .quota import Quota
from .sliding_window import SlidingWindow

# Two seconds less than a minute, for the jitter on the way of a client that paces itself by its own clock.
WINDOW = 58
REDIS_TIMEOUT = 0.5  # seconds that an answer may wait for Redis
REDIS_PAUSE = 5  # seconds for which Redis is left alone after it failed

logger = logging.getLogger("contentsync.rate_limit")


class RateLimit:
    """Counts requests by key, in Redis where several processes share it, else in memory.

    While Redis does not answer, each process counts for itself: the service goes on, and a limit still holds.
    `scope` keeps the keys of several servers in one Redis apart. Raises UsageError for a URL that is not Redis's.
    """

    def __init__(
        self,
        requests: int,
        *,
        redis: str | None = None,
        scope: str = "",
        redis_pause: float = REDIS_PAUSE,
    ) -> None:
        namespace = f"contentsync:{hashlib.sha256(scope.encode()).hexdigest()[:12]}"
        self._item = RateLimitItemPerSecond(requests, WINDOW, namespace=namespace)
        self._own = SlidingWindow(requests, WINDOW)
        self._redis = None if redis is None else _client(redis)
        self._shared = None if self._redis is None else _shared(self._redis)
        self._pause = redis_pause
        self._shared_again = 0.0  # monotonic time from which Redis is asked

    async def check(self) -> None:
        """Raise Unavailable unless Redis answers, where there is one; it is asked on a connection of its own."""
        try:
            if self._redis is not None:
                await self._redis.ping()
        except RedisError as error:
            raise Unavailable("Redis does not answer", "start it, or correct CONTENTSYNC_REDIS") from error
        finally:
            await self.close()

    async def close(self) -> None:
        """Give the connections back."""
        if self._redis is not None:
            await self._redis.aclose()

    async def count(self, *key: str | int | None) -> Quota:
        """Count a request of the key; one that is refused uses nothing up."""
        if self._shared is not None and time.monotonic() >= self._shared_again:
            try:
                return await self._count_together(self._shared, [str(part) for part in key])
            except RedisError as error:
                if time.monotonic() >= self._shared_again:  # else another request has told it
                    logger.warning("Redis does not answer, so each process counts for itself: %s", error)
                self._shared_again = time.monotonic() + self._pause
        return self._own.count(key)

    async def _count_together(self, shared: SlidingWindowCounterRateLimiter, names: list[str]) -> Quota:
        allowed = await shared.hit(self._item, *names)
        stats = await shared.get_window_stats(self._item, *names)
        return Quota(self._item.amount, allowed, stats.remaining, stats.reset_time - time.time())


def _client(url: str) -> Redis:
    try:
        client = Redis.from_url(
            url, socket_timeout=REDIS_TIMEOUT, socket_connect_timeout=REDIS_TIMEOUT, retry=Retry(NoBackoff(), 1)
        )
        # Of an option that there is not, only a connection tells.
        client.connection_pool.make_connection()  # type: ignore[no-untyped-call]  # it has no types
    except (ValueError, TypeError) as error:  # not repeated: the URL may hold a password
        raise UsageError("CONTENTSYNC_REDIS is no URL of a Redis", "write it as redis://host:6379/0") from error
    return client


def _shared(client: Redis) -> SlidingWindowCounterRateLimiter:
    return SlidingWindowCounterRateLimiter(
        # limits takes a pool here, and has only forgotten to say so.
        RedisStorage("async+redis://", implementation="redispy", connection_pool=client.connection_pool)  # type: ignore[arg-type]
    )
