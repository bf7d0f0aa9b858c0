"""`contentsync sync`."""

import asyncio
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

import typer

from ..errors import ContentsyncError, Refused, Unwritable
from ..remote import Remote
from ..report.plan import plan_summary
from ..report.results import results_text, sync_document
from ..sync import Plan, Result, Status, apply
from ..sync.memory.journal import Journal
from ..sync.memory.lock import TargetLock
from ..sync.memory.recovery import remember
from ..sync.memory.saved import Saved
from .choices import STATE, OnError
from .output import print_json
from .plan import show_plan
from .progress import Applying
from .session import Session
from .terminal import data, tell

PARTLY = 5
INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Manner:
    """How a plan is carried out."""

    yes: bool = False
    saved: Saved | None = None  # the plan that it has to be
    on_error: OnError = OnError.CONTINUE
    concurrency: int = 4
    take_lock: bool = False


@dataclass(frozen=True, slots=True)
class Telling:
    """How much is told, and in what form."""

    as_json: bool = False
    full: bool = False
    verbose: bool = False
    quiet: bool = False

    @property
    def told(self) -> bool:
        """Whether the plan is shown."""
        return not self.as_json and not self.quiet


Planned = AbstractAsyncContextManager[tuple[Plan, Remote]]


def sync(session: Session, manner: Manner, telling: Telling) -> int:
    """Plans, asks, applies, and tells what became of each change."""
    return asyncio.run(carry_out(session, session.planned(), manner, telling))


async def carry_out(session: Session, planned: Planned, manner: Manner, telling: Telling) -> int:
    """The same for a plan that is made as soon as the target is locked."""
    run = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ-%f}"  # by which the journals stand in the order of the runs
    lock = TargetLock(session.place, run, take=manner.take_lock, waiting=session.console.print)
    async with lock, planned as (plan, remote):
        if manner.saved is not None:
            manner.saved.require(plan, session.terms)
        if telling.told:
            show_plan(data(), plan, session.destination, full=telling.full, verbose=telling.verbose)
        refusal = _refusal(plan, told=telling.told) or (None if manner.yes or not plan else _unconfirmed(plan, session))
        if refusal is not None:
            if telling.as_json:
                print_json(sync_document(plan, session.destination, [], run=None, refusal=refusal))
            return tell(refusal)
        if session.base == STATE:
            remember(session.place, session.target, plan)
        if not plan:
            if telling.as_json:
                print_json(sync_document(plan, session.destination, [], run=None))
            elif telling.quiet:
                data().print(plan_summary(plan, session.destination))
            return 0
        results, stopped, interrupted = await _applied(session, plan, remote, run, lock, manner, telling)
    if telling.as_json:
        print_json(sync_document(plan, session.destination, results, run=run))
    else:
        data().print(results_text(results, full=telling.full))
    return _exit_code(results, stopped, interrupted)


async def _applied(
    session: Session, plan: Plan, remote: Remote, run: str, lock: TargetLock, manner: Manner, telling: Telling
) -> tuple[Sequence[Result], ContentsyncError | None, bool]:
    """What became of each change, what stopped the run, and whether somebody interrupted it."""
    stopped, interrupted = None, False
    keeps_state = session.base == STATE  # a commit says nothing of what was left out of it, or of ids
    journal = Journal.open(session.place, session.target, run, plan, ours=lock.check, keeps_state=keeps_state)
    with Applying(plan, session.console, quiet=telling.quiet) as applying, _interruptible():
        try:
            stopped = await apply(
                plan,
                remote,
                applying.told,
                journal=journal,
                ours=lock.check,
                concurrency=manner.concurrency,
                on_error=manner.on_error.value,
            )
        except asyncio.CancelledError:  # what is known is still told
            interrupted = True
    try:
        journal.close()
    except (Unwritable, Refused) as error:  # the next run then goes by the journal
        stopped = stopped or error
    return applying.results, stopped, interrupted


def _exit_code(results: Sequence[Result], stopped: ContentsyncError | None, interrupted: bool) -> int:
    done = Counter(result.status for result in results)[Status.DONE]
    code = tell(stopped) if stopped else 0
    if interrupted:
        return INTERRUPTED
    if code and done in (0, len(results)):
        return code
    return 0 if done == len(results) else PARTLY


@contextmanager
def _interruptible() -> Iterator[None]:
    """Cancels the task for each signal that asks to stop (faults.md CO-14), unless it is ignored, as under `nohup`."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    wanted = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    signals = [number for number in wanted if signal.getsignal(number) is not signal.SIG_IGN]
    for number in signals:
        loop.add_signal_handler(number, lambda: task and task.cancel())
    try:
        yield
    finally:
        for number in signals:
            loop.remove_signal_handler(number)


def _refusal(plan: Plan, *, told: bool) -> Refused | None:
    """What is said of a plan that may not be applied: why, unless the plan was `told` and so has said it."""
    if not plan.refusals:
        return None
    if told:
        return Refused("nothing was written")
    flags = [refusal.flag for refusal in plan.refusals if refusal.flag]
    hint = f"if that is right: {', '.join(dict.fromkeys(flags))}" if flags else ""
    return Refused(f"nothing was written: {'; '.join(refusal.message for refusal in plan.refusals)}", hint)


def _unconfirmed(plan: Plan, session: Session) -> Refused | None:
    """Why the plan is not to be applied; None if somebody says yes."""
    if not sys.stdin.isatty():
        return Refused("nothing was written: there is no terminal to ask on", "--yes applies the plan without asking")
    noun = "change" if len(plan.changes) == 1 else "changes"
    # asyncio's own handler would only mark the task, and the prompt would go on.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        agreed = typer.confirm(f"Apply {len(plan.changes)} {noun} to {session.target.name}?", err=True)
    finally:
        signal.signal(signal.SIGINT, before)
    return None if agreed else Refused("nothing was written")
