"""A sync whose requests meet a fault, and the one more that nothing disturbs."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx

from contentsync.remote.http_client import Service
from contentsync.remote.retry import TimeLimits
from contentsync.sync.comparing.change import Status
from contentsync.sync.planning.plan import Limits, Policy

from .faults import FaultKind
from .proxy import Exchange, passed_on, refused
from .run import Outcome, over, run
from .stage import Stage
from .workspace import Checkout, Workspace

POLICY = Policy(prune=True, limits=Limits(100, 1_000))
HASTY = 0.3  # seconds for an answer, where a fault is one of time
SECONDS = 30  # that a run may take, whatever it meets
WAITED = 1_000  # seconds that it may wait, if someone had really waited
REQUESTS = 400  # of a run that takes 30 when nothing happens


def synced(workspace: Checkout, stage: Stage) -> None:
    """One whole run through the proxy, which must succeed."""
    outcome = _sync(workspace, stage)
    assert all_done(outcome), outcome


def clean(workspace: Workspace, stage: Stage) -> list[tuple[str, str]]:
    """The requests of a run that meets nothing."""
    workspace.reset()
    stage.run(stage.proxy.arm(passed_on, 0, forever=False))
    synced(workspace, stage)
    return stage.proxy.requests


def meet(
    workspace: Workspace,
    stage: Stage,
    kind: FaultKind,
    number: int,
    *,
    forever: bool,
    counted: Callable[[int], None] = lambda requests: None,
) -> Iterator[str]:
    """Yield the faults of a run in which a request fails, and of one more.

    `counted` gets the number of requests of the first run.
    """
    waits: list[float] = []

    async def wait(seconds: float) -> None:
        waits.append(seconds)
        if not forever:  # a port that was closed once is open the next time
            stage.run(stage.proxy.start())

    async def fault(exchange: Exchange) -> None:
        await (kind.fault if kind.meets(exchange.method, exchange.path) else passed_on)(exchange)

    def service() -> Service:
        deadline = HASTY if kind.slow else SECONDS
        return client(workspace, stage, sleep=wait, time_limits=TimeLimits(one_try=deadline))

    workspace.reset()
    stage.run(stage.proxy.arm(refused if kind.fault is refused else fault, number, forever=forever))
    began = time.monotonic()
    outcome = run(workspace.folder, over(service), POLICY)
    taken, requests = time.monotonic() - began, len(stage.proxy.requests)
    counted(requests)
    stage.run(stage.proxy.disarm())

    after = workspace.records()
    yield from workspace.judge.disturbed(after, outcome.results)
    if not outcome.results and after != workspace.judge.before:
        yield "nothing is reported, and something was written"
    if kind.passes and not forever and not all_done(outcome):
        yield f"it did not survive: {described(outcome)}"
    if taken > SECONDS or sum(waits) > WAITED or requests > REQUESTS:
        yield f"it took {taken:.0f} s, {sum(waits):.0f} s of waiting, and {requests} requests"
    yield from _recovers(workspace, stage)


def _recovers(workspace: Workspace, stage: Stage) -> Iterator[str]:
    again = _sync(workspace, stage)
    if not all_done(again):
        yield f"one more run: {described(again)}"
    yield from workspace.judge.converged(workspace.records())
    last = _sync(workspace, stage, dry=True) if again.plan else again
    if last.plan is None or last.plan:
        yield f"the next plan is not empty: {last.plan and last.plan.changes}"


def _sync(workspace: Checkout, stage: Stage, *, dry: bool = False) -> Outcome:
    return run(workspace.folder, over(lambda: client(workspace, stage)), POLICY, dry=dry)


def client(workspace: Checkout, stage: Stage, **settings: Any) -> Service:
    # httpx's own transport; it would read all certificates of the machine for each client.
    return Service(stage.proxy.url, workspace.token, transport=httpx.AsyncHTTPTransport(verify=False), **settings)


def all_done(outcome: Outcome) -> bool:
    ended = outcome.error is None and not outcome.refusals
    return ended and all(result.status is Status.DONE for result in outcome.results)


def described(outcome: Outcome) -> str:
    failures = [f"{result.change}: {result.status} {result.error}" for result in outcome.results if result.error]
    return f"{outcome.error!r} {outcome.refusals} {failures}"
