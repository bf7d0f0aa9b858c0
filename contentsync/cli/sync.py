"""`contentsync sync`."""

import asyncio
import signal
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import monotonic

import typer

from ..errors import ContentsyncError, Refused, Unwritable
from ..report.plan import plan_summary, theirs_text
from ..report.results import results_text, sync_document
from ..report.words import printable
from ..sync import Plan, Result, Status
from ..sync.applying.apply import apply_and_replan
from ..sync.saved_plan import SavedPlan
from ..sync.state.journal import Journal
from ..sync.state.lock import TargetLock
from ..sync.state.recovery import save_base_updates
from ..sync.state.run_history import next_run_name, prune_journals
from . import INTERRUPTED
from .choices import STATE, OnError
from .interruption import interruptible
from .output import print_json
from .plan import show_plan
from .progress import Applying
from .session import Planned, Session
from .terminal import data, tell

PARTLY = 5


@dataclass(frozen=True, slots=True)
class Manner:
    """How a plan is carried out."""

    yes: bool = False
    saved: SavedPlan | None = None  # the plan that it has to be
    on_error: OnError = OnError.CONTINUE
    concurrency: int = 4
    take_lock: bool = False
    begin: Callable[[], None] = lambda: None  # called before the first write; where it raises, nothing is written


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


@dataclass(frozen=True, slots=True, repr=False)
class Outcome:
    """What came of a plan."""

    plan: Plan
    run: str | None = None  # None: there was nothing to do, or it was refused
    results: Sequence[Result] = ()
    refusal: Refused | None = None  # why nothing was done, or nothing more
    stopped: ContentsyncError | None = None  # what ended the run early
    interrupted: bool = False  # somebody did
    seconds: float = 0.0  # that it took, without the time in which a user was asked
    site: str | None = None  # the address of the public site, where the server says it


def sync(session: Session, manner: Manner, telling: Telling) -> int:
    """Plans, asks, applies, and tells what became of each change."""
    return asyncio.run(carry_out(session, session.planned(must_match=manner.saved is None), manner, telling))


async def carry_out(
    session: Session, planning: AbstractAsyncContextManager[Planned], manner: Manner, telling: Telling
) -> int:
    """The same for a plan that is made as soon as the target is locked."""
    outcome = await carried_out(session, planning, manner, telling)
    if telling.as_json:
        print_json(
            sync_document(outcome.plan, session.destination, outcome.results, run=outcome.run, refusal=outcome.refusal)
        )
    elif outcome.run:
        undoes = outcome.plan.undoes
        then = f"undo --run {undoes} goes on from here" if undoes else "the next sync goes on from here"
        data().print(theirs_text(outcome.plan), end="")
        data().print(results_text(outcome.results, full=telling.full, then=then))
        if not telling.quiet:
            site = f"; the site is {printable(outcome.site)}" if outcome.site and outcome.stopped is None else ""
            session.console.print(f"took {outcome.seconds:,.1f} s{site}", style="dim", markup=False)
    elif telling.quiet and not outcome.refusal:
        data().print(plan_summary(outcome.plan, session.destination))
    code = tell(outcome.refusal) if outcome.refusal else 0
    done = any(result.status is Status.DONE for result in outcome.results)
    return code if code and not done else _exit_code(outcome)


async def carried_out(
    session: Session, planning: AbstractAsyncContextManager[Planned], manner: Manner, telling: Telling
) -> Outcome:
    """Makes a plan, shows it, asks if need be, and applies it; what came of it is for the caller to tell."""
    started, began = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ-%f}", monotonic()
    lock = TargetLock(session.place, started, take=manner.take_lock, waiting=session.console.print)
    async with lock, planning as planned:
        plan = planned.plan
        if manner.saved is not None:
            manner.saved.check_current(plan, replace(session.terms, user=await planned.remote.user()))
        asked = monotonic()
        refusal = _shown(session, plan, manner, telling)
        began += monotonic() - asked
        if refusal is not None:
            return Outcome(plan, refusal=refusal)
        if session.base == STATE:
            save_base_updates(session.place, session.target, plan)
        run = next_run_name(session.place, started)
        if not plan:
            if plan.undoes:  # it may complete an undo that was cut off, and the next undo must know that
                Journal.open(session.place, session.target, run, plan, check_lock=lock.check).close()
            return Outcome(plan)
        manner.begin()
        outcome = await _applied(session, planned, run, lock, manner, telling)
        site = None if session.target.embedded else planned.remote.site  # which is served by no one
        return replace(outcome, seconds=monotonic() - began, site=site)


def _shown(
    session: Session, plan: Plan, manner: Manner, telling: Telling, outcome: str = "nothing was written"
) -> Refused | None:
    """Show a plan, and ask if need be; return why it may not be applied, as an error that begins with the outcome."""
    if telling.told:
        show_plan(data(), plan, session.destination, full=telling.full, verbose=telling.verbose)
    refusal = _refusal(plan, outcome, told=telling.told)
    return refusal or (None if manner.yes or not plan else _unconfirmed(plan, session, outcome))


async def _applied(
    session: Session, planned: Planned, run: str, lock: TargetLock, manner: Manner, telling: Telling
) -> Outcome:
    plan, stopped, interrupted = planned.plan, None, False
    refusal: Refused | None = None

    async def again() -> Plan | None:
        nonlocal plan, refusal
        if manner.saved is not None:
            return None  # what was looked at holds no more
        with applying.paused():
            second = await planned.again(journal.state.base)
            session.console.print("The server's list was wrong or has changed. This is the new plan:")
            refusal = _shown(session, second, manner, telling, "nothing more was written")
        plan = replace(second, stages=(tuple(result.change for result in applying.results), *second.stages))
        applying.go_on(second)
        return None if refusal else second

    keeps_state = session.base == STATE  # a commit says nothing of what was left out of it, or of ids
    journal = Journal.open(session.place, session.target, run, plan, check_lock=lock.check, keeps_state=keeps_state)
    with Applying(plan, session.console, quiet=telling.quiet) as applying, interruptible():
        try:
            stopped = await apply_and_replan(
                plan,
                planned.remote,
                applying.told,
                replan=again,
                journal=journal,
                check_lock=lock.check,
                concurrency=manner.concurrency,
                on_error=manner.on_error.value,
            )
        except (asyncio.CancelledError, typer.Abort):  # what is known is still reported
            interrupted = True
    try:
        journal.close(len(plan.changes) - _done(applying.results))
    except (Unwritable, Refused) as error:  # the next run then goes by the journal
        stopped = stopped or error
    else:
        prune_journals(session.place, session.target, datetime.now(UTC))
    return Outcome(plan, run, applying.results, refusal, stopped, interrupted)


def _exit_code(outcome: Outcome) -> int:
    done = _done(outcome.results)
    code = tell(outcome.stopped) if outcome.stopped else 0
    if outcome.interrupted:
        return INTERRUPTED
    if code and done in (0, len(outcome.results)):
        return code
    return 0 if done == len(outcome.results) else PARTLY


def _done(results: Sequence[Result]) -> int:
    return Counter(result.status for result in results)[Status.DONE]


def _refusal(plan: Plan, outcome: str, *, told: bool) -> Refused | None:
    """What is said of a plan that may not be applied: why, unless the plan was `told` and so has said it."""
    if not plan.refusals:
        return None
    if told:
        return Refused(outcome)
    flags = [refusal.flag for refusal in plan.refusals if refusal.flag]
    hint = f"if that is right: {', '.join(dict.fromkeys(flags))}" if flags else ""
    return Refused(f"{outcome}: {'; '.join(refusal.message for refusal in plan.refusals)}", hint)


def _unconfirmed(plan: Plan, session: Session, outcome: str) -> Refused | None:
    """Why the plan is not to be applied; None if somebody says yes."""
    if not sys.stdin.isatty():
        return Refused(f"{outcome}: there is no terminal to ask on", "--yes applies the plan without asking")
    noun = "change" if len(plan.changes) == 1 else "changes"
    # asyncio's own handler would only mark the task, and the prompt would go on.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        agreed = typer.confirm(f"Apply {len(plan.changes)} {noun} to {session.target.name}?", err=True)
    finally:
        signal.signal(signal.SIGINT, before)
    return None if agreed else Refused(outcome)
