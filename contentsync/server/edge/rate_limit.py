"""The API's rate limit, in Redis or in memory (docs/contract.md 12)."""

import asyncio
import hashlib
import logging
import time
from contextlib import suppress

from limits import RateLimitItemPerSecond
from limits.aio.storage import RedisStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from prometheus_client import CollectorRegistry, Gauge
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, AuthorizationError, NoPermissionError, RedisError

from ...errors import UsageError
from ..quota import Quota, SlidingWindow

# Seconds. Two less than a minute, for the network jitter of a client that paces itself by its own clock.
WINDOW = 58
REDIS_TIMEOUT = 0.5  # seconds
REDIS_PAUSE = 1  # seconds between two attempts to return to a Redis that has failed

logger = logging.getLogger("contentsync.rate_limit")


class RateLimit:
    """Counts requests by key, in Redis if several processes share the limit, else in memory.

    While Redis does not answer, also at the start, each process counts its own requests, so the service keeps working
    with a limit. It returns to Redis by itself.
    """

    def __init__(
        self,
        requests: int,
        *,
        redis: str | None = None,
        scope: str = "",
        registry: CollectorRegistry | None = None,
        redis_pause: float = REDIS_PAUSE,
    ) -> None:
        """Limit each key to `requests` in WINDOW seconds, in this process or, with a Redis URL, in all processes.

        `scope` separates services that share a Redis. The `registry` gets a metric of the use of Redis. After an error,
        Redis is tried again every `redis_pause` seconds. Raise UsageError unless `redis` is a Redis URL.
        """
        namespace = f"contentsync:{hashlib.sha256(scope.encode()).hexdigest()[:12]}"
        self._item = RateLimitItemPerSecond(requests, WINDOW, namespace=namespace)
        self._local = SlidingWindow(requests, WINDOW)
        self._redis = None if redis is None else _connect(redis)
        self._shared = None if self._redis is None else _make_shared_limiter(self._redis)
        self._pause = redis_pause
        self._returning: asyncio.Task[None] | None = None  # runs while this process counts by itself
        self._up = _make_gauge(registry) if redis is not None and registry is not None else None

    async def check(self) -> None:
        """Raise UsageError if Redis rejects the user or password; it need not answer.

        Call this before the server starts. The connections are closed afterwards, because the server has another event
        loop.
        """
        try:
            if self._redis is not None:
                await self._redis.ping()
        except (AuthenticationError, AuthorizationError, NoPermissionError) as error:
            raise UsageError("Redis rejects the user or password", "correct CONTENTSYNC_REDIS") from error
        except RedisError:
            pass  # `start` reports it, in each process
        finally:
            await self.close()

    async def start(self) -> None:
        """Find out whether Redis can be used, so that a failure is reported before the first request."""
        if self._shared is not None:
            try:
                await self._try_redis(self._shared)
            except RedisError as error:
                self._count_alone(self._shared, error)

    async def close(self) -> None:
        """Close the connections to Redis."""
        if self._returning is not None:
            self._returning.cancel()
        if self._redis is not None:
            await self._redis.aclose()

    async def count(self, *key: str | int | None) -> Quota:
        """Count a request under the key if the limit allows it, and return the quota.

        A request over the limit is not counted and raises nothing: its quota is not `allowed`.
        """
        if self._shared is not None and self._returning is None:
            try:
                return await self._count_shared(self._shared, [str(part) for part in key])
            except RedisError as error:
                self._count_alone(self._shared, error)
        return self._local.count(key)

    def _count_alone(self, shared: SlidingWindowCounterRateLimiter, error: RedisError) -> None:
        """Count in this process until Redis can be used again; report the error, unless another request has done so."""
        if self._returning is None:
            logger.warning("Redis does not answer, so each process counts its own requests: %s", error)
            self._returning = asyncio.create_task(self._return(shared))
            if self._up is not None:
                self._up.set(0)

    async def _return(self, shared: SlidingWindowCounterRateLimiter) -> None:
        """Try Redis until it can be used, then count in it again."""
        while True:
            await asyncio.sleep(self._pause)
            with suppress(RedisError):
                await self._try_redis(shared)
                break
        logger.info("Redis answers again, so the processes count requests together")
        self._returning = None

    async def _try_redis(self, shared: SlidingWindowCounterRateLimiter) -> None:
        """Count a request of no client; raise RedisError if Redis cannot count it, as a read-only replica."""
        await self._count_shared(shared, ["try"])
        if self._up is not None:
            self._up.set(1)

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


def _make_gauge(registry: CollectorRegistry) -> Gauge:
    return Gauge(
        "contentsync_redis_up",
        "1 if all processes count requests in Redis; 0 if a process counts by itself.",
        registry=registry,
        multiprocess_mode="livemin",
    )
