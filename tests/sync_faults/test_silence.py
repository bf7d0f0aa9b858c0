"""A server that stops answering in the middle of a run."""

import asyncio

import httpx
import pytest

from contentsync.errors import Unreachable
from contentsync.remote.http_client import Service
from contentsync.remote.retry import TimeLimits
from contentsync.sync.comparing.change import Status

from ..sampling import sampled
from . import corruption, wire
from .proxy import Exchange, Fault
from .run import over, run
from .stage import Stage
from .workspace import Workspace

DEADLINE, LONG = 0.5, 0.8  # seconds of the client, and of the service
SILENCE = 1.5  # seconds; a machine that stood still for so long would begin a write when the run has already ended


async def silent(exchange: Exchange) -> None:
    """Pass the request on, and lose the answer."""
    await exchange.answer()
    await asyncio.sleep(LONG)


async def unheard(exchange: Exchange) -> None:
    """Lose the request too."""
    await asyncio.sleep(LONG)


@pytest.mark.parametrize(
    ("fault", "path"),
    sampled([(silent, ""), (unheard, ""), (corruption.drip, ""), (silent, "/bulk"), (unheard, "/bulk")], every=2),
)
def test_a_run_without_answers_ends_and_reports_requests_in_flight_as_unknown(
    workspace: Workspace, stage: Stage, fault: Fault, path: str
) -> None:
    """HT-03, HT-08: nothing is called failed that may have been done, and the rest is not tried."""
    requests = wire.clean(workspace, stage)
    writes = (number for number, (method, to) in enumerate(requests, 1) if method != "GET" and to.endswith(path))
    first_write = next(writes)

    def service() -> Service:
        transport = httpx.AsyncHTTPTransport(verify=False)
        limits = TimeLimits(one_try=DEADLINE, silence=SILENCE)
        return Service(stage.proxy.url, workspace.token, transport=transport, time_limits=limits)

    workspace.reset()
    stage.run(stage.proxy.arm(fault, first_write, forever=True))
    outcome = run(workspace.folder, over(service), wire.POLICY)
    sent = len(stage.proxy.requests)
    stage.run(stage.proxy.disarm())
    assert isinstance(outcome.error, Unreachable)
    assert "has not answered for" in outcome.error.message
    statuses = {result.status for result in outcome.results}
    assert {Status.UNKNOWN, Status.SKIPPED} <= statuses <= {Status.UNKNOWN, Status.SKIPPED, Status.DONE}
    assert sent < first_write + 8
    assert list(workspace.judge.disturbed(workspace.records(), outcome.results)) == []
    wire.synced(workspace, stage)
    assert list(workspace.judge.converged(workspace.records())) == []
