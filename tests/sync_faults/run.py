"""One whole run in process, as the command does it, towards whatever server it is given."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from contentsync.cli.target_connection import EMBEDDED_TARGET
from contentsync.content.config.config_tables import Target
from contentsync.content.folder.load import Content, load_content
from contentsync.errors import ContentsyncError
from contentsync.model import RECORDS
from contentsync.remote.http_client import Service
from contentsync.remote.record_reader import KnownLists
from contentsync.remote.remote import Remote
from contentsync.sync.applying.apply import apply
from contentsync.sync.comparing.change import Result
from contentsync.sync.planning.plan import Plan, Policy, Refusal, Selection
from contentsync.sync.planning.prepare import BaseSource, PlanSource, prepare_plan, used_locales
from contentsync.sync.state.journal import Journal
from contentsync.sync.state.recovery import UnfinishedRuns, save_base_updates
from contentsync.sync.state.state_dir import StateDir, TargetLock
from contentsync.sync.state.state_file import read_state

_runs = count(1)

Connected = Callable[[Target, Content], AbstractAsyncContextManager[Remote]]


@dataclass
class Outcome:
    """The result of a run."""

    results: list[Result] = field(default_factory=list)
    plan: Plan | None = None
    refusals: tuple[Refusal, ...] = ()
    error: ContentsyncError | None = None


def over(service: Callable[[], Service]) -> Connected:
    """The way to a target by a client."""

    @asynccontextmanager
    async def connected(target: Target, content: Content) -> AsyncIterator[Remote]:
        assert target.directory is not None
        async with service() as client:
            yield Remote(client, target.directory, KnownLists(StateDir.for_target(content.folder, target.name).cache))

    return connected


def run(folder: Path, connected: Connected, policy: Policy, *, dry: bool = False) -> Outcome:
    """Plans and, unless it is `dry`, applies; an error that a command reports is in the outcome.

    The target is the only one of the folder, or the embedded one.
    """
    outcome = Outcome()

    async def planned_and_applied() -> None:
        content = load_content(folder)
        assert not content.errors, content.errors
        target = next(iter(content.config.targets.values()), EMBEDDED_TARGET)
        state_dir, name = StateDir.for_target(folder, target.name), f"20260101T000000Z-{next(_runs):06d}"
        async with TargetLock(state_dir, name) as lock, connected(target, content) as remote:

            async def planned() -> Plan:
                state, unfinished = read_state(state_dir.state, target), UnfinishedRuns.read(state_dir, target)
                used = used_locales(content.entries, state.values())
                leaving = state.keys() - {(entry.kind, entry.key) for entry in content.entries}
                if policy.prune and any(RECORDS[kind].translated for kind, _ in leaving):
                    used.update(content.config.site.locales)
                return await prepare_plan(
                    PlanSource(
                        content.entries, [locale for locale in content.config.site.locales[1:] if locale in used], {}
                    ),
                    remote,
                    Selection(),
                    lambda kind, number: None,
                    base=BaseSource(lambda actual: unfinished.recover_base(state, actual), unfinished.kinds),
                    policy=policy,
                )

            async def again() -> Plan | None:
                second = await planned()
                outcome.refusals = second.refusals
                return None if second.refusals else second

            plan = outcome.plan = await planned()
            outcome.refusals = plan.refusals
            if plan.refusals or dry:
                return
            save_base_updates(state_dir, target, plan)
            if not plan:
                return
            journal = Journal(state_dir, target, name, plan, check_lock=lock.check)
            try:
                outcome.error = await apply(plan, remote, outcome.results.append, replan=again, journal=journal)
            finally:
                journal.close()

    try:
        asyncio.run(planned_and_applied())
    except ContentsyncError as error:
        outcome.error = error
    return outcome
