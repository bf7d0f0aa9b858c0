"""The limit that several processes share, in a real Redis."""

import asyncio
import logging

import pytest

from contentsync.errors import Unavailable
from contentsync.server.edge.rate_limit import RateLimit

from ...redis_server import MISSING, SERVER, redis_running

pytestmark = pytest.mark.skipif(SERVER is None, reason=MISSING)


async def allowed(limit: RateLimit, *key: str | int, times: int = 1) -> int:
    """How many of so many requests are let through."""
    return sum([(await limit.count(*key)).allowed for _ in range(times)])


def test_processes_share_one_limit_and_servers_do_not() -> None:
    """AU-14"""

    async def share(url: str) -> list[int]:
        one, two = (RateLimit(10, redis=url, scope="postgresql://a/x") for _ in range(2))
        other = RateLimit(10, redis=url, scope="postgresql://b/x")
        counted = [await allowed(limit, "token", 1, times=8) for limit in (one, two, other)]
        counted.append(await allowed(one, "token", 2, times=8))
        for limit in (one, two, other):
            await limit.close()
        return counted

    with redis_running() as url:
        assert asyncio.run(share(url)) == [8, 2, 8, 8]


def test_fifty_requests_at_once_are_counted_one_by_one() -> None:
    async def crowd(url: str) -> tuple[int, int]:
        limits = [RateLimit(20, redis=url) for _ in range(2)]
        quotas = await asyncio.gather(*(limit.count("token", 1) for limit in limits for _ in range(25)))
        for limit in limits:
            await limit.close()
        return sum(quota.allowed for quota in quotas), min(quota.remaining for quota in quotas)

    with redis_running() as url:
        assert asyncio.run(crowd(url)) == (20, 0)


def test_without_redis_each_process_counts_alone_and_logs_it_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """AU-13: the limit still holds."""

    async def outage() -> list[int]:
        with redis_running() as url:
            limit = RateLimit(10, redis=url, redis_pause=0.2)
            counted = [await allowed(limit, "token", 1, times=8)]
        counted.append(await allowed(limit, "token", 1, times=20))
        with redis_running(int(url.rpartition(":")[2].partition("/")[0])):
            await asyncio.sleep(0.3)
            counted.append(await allowed(limit, "token", 1, times=8))
            await limit.close()
        return counted

    with caplog.at_level(logging.WARNING, "contentsync"):
        assert asyncio.run(outage()) == [8, 10, 8]
    assert [record.message.partition(":")[0] for record in caplog.records] == [
        "Redis does not answer, so each process counts its own requests"
    ]


def test_a_server_does_not_start_without_its_redis() -> None:
    with redis_running() as url:
        asyncio.run(RateLimit(10, redis=url).check())
    with pytest.raises(Unavailable, match="Redis does not answer"):
        asyncio.run(RateLimit(10, redis=url).check())
