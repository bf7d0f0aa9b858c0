"""The limit that several processes share, in a real Redis."""

import asyncio
import logging
import re
import socket
import time
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from prometheus_client import CollectorRegistry

from contentsync.errors import UsageError
from contentsync.server.edge.rate_limit import RateLimit

from ...redis_server import MISSING, SERVER, redis_running
from ...serving import make_tenant, serving

pytestmark = pytest.mark.skipif(SERVER is None, reason=MISSING)


async def allowed(limit: RateLimit, *key: str | int, times: int = 1) -> int:
    """Return the number of requests that the limit accepts, of this number sent."""
    return sum([(await limit.count(*key)).allowed for _ in range(times)])


def test_processes_of_one_server_share_a_limit_and_other_servers_do_not() -> None:
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


def test_fifty_concurrent_requests_are_counted_exactly() -> None:
    async def crowd(url: str) -> tuple[int, int]:
        limits = [RateLimit(20, redis=url) for _ in range(2)]
        quotas = await asyncio.gather(*(limit.count("token", 1) for limit in limits for _ in range(25)))
        for limit in limits:
            await limit.close()
        return sum(quota.allowed for quota in quotas), min(quota.remaining for quota in quotas)

    with redis_running() as url:
        assert asyncio.run(crowd(url)) == (20, 0)


def test_each_process_counts_alone_while_redis_is_down(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """AU-13: the limit still applies."""

    registry = CollectorRegistry()

    async def outage() -> list[int]:
        with redis_running() as url:
            limit = RateLimit(10, redis=url, redis_pause=0.2, registry=registry)
            counted = [await allowed(limit, "token", 1, times=8)]
        counted.append(await allowed(limit, "token", 1, times=20))
        with redis_running(int(url.rpartition(":")[2].partition("/")[0])):
            deadline = time.monotonic() + 20
            while not registry.get_sample_value("contentsync_redis_up"):
                assert time.monotonic() < deadline
                await asyncio.sleep(0.01)
            counted.append(await allowed(limit, "token", 1, times=8))
            await limit.close()
        return counted

    with caplog.at_level(logging.WARNING, "contentsync"):
        assert asyncio.run(outage()) == [8, 10, 8]
    assert [record.message.partition(":")[0] for record in caplog.records] == [
        "Redis does not answer, so each process counts its own requests"
    ]


def test_a_wrong_redis_password_is_a_usage_error() -> None:
    with redis_running() as url:
        asyncio.run(RateLimit(10, redis=url).check())
        with pytest.raises(UsageError, match="Redis rejects the user or password") as error:
            asyncio.run(RateLimit(10, redis=url.replace("redis://", "redis://ada:geheim@")).check())
    assert "geheim" not in error.value.message + error.value.hint


def test_a_server_without_redis_starts_and_uses_it_later(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'site.db'}"
    _, token = make_tenant(url)
    with redis_running() as redis:
        pass
    with socket.create_server(("127.0.0.1", 0)) as free:
        metrics_port = free.getsockname()[1]
    options = ("--rate-limit", "10", "--metrics-port", str(metrics_port))

    def is_up() -> bool:
        with urlopen(f"http://127.0.0.1:{metrics_port}/metrics", timeout=10) as shown:
            [value] = re.findall(r"^contentsync_redis_up (.*)$", shown.read().decode(), re.MULTILINE)
        return float(value) == 1

    with serving(url, *options, redis=redis) as server:

        def remaining(path: str = "/api/user") -> int:
            with urlopen(Request(f"{server.address}{path}", headers={"Authorization": f"Bearer {token}"})) as answer:
                return int(answer.headers["X-RateLimit-Remaining"])

        assert [line for line in server.said if "WARNING" in line and "Redis does not answer" in line]
        assert not is_up()
        assert [remaining() for _ in range(3)] == [9, 8, 7]
        with redis_running(int(redis.rpartition(":")[2].partition("/")[0])):
            deadline = time.monotonic() + 20
            while not is_up():
                assert time.monotonic() < deadline
                time.sleep(0.05)
            assert remaining() == 9  # by Redis, which is empty
        assert 6 <= remaining() < 9  # by the server itself again, where time has given some requests back
        assert not is_up()
