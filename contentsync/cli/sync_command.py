"""`contentsync sync` and `contentsync undo`: plan, ask, apply, report."""

import asyncio
import signal
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import monotonic

import typer

from ..errors import ContentsyncError, LocalFileError, Refused, RemoteError, join_first, pluralize
from ..model import EntryKey
from ..report.formatting import files_summary
from ..report.plan_text import left_as_on_server_text, plan_summary
from ..report.results import end_event, plan_event, result_event, results_text, sync_document
from ..sync.applying.apply import apply
from ..sync.comparing.change import Result, Status
from ..sync.history.reverted_fields import write_synced_commit
from ..sync.planning.confirmed_files import confirm_plan
from ..sync.planning.plan import Plan
from ..sync.state.journal import Journal
from ..sync.state.recovery import save_base_updates
from ..sync.state.run_history import find_incomplete_run_before, next_run_name, prune_journals, start_text
from ..sync.state.state_dir import TargetLock
from ..value_text import printable
from . import EXIT_INTERRUPTED, print_event, print_json
from .apply_progress import ApplyProgress
from .options import SyncFormat
from .plan_command import refusal_error, show_plan
from .plan_options import STATE_BASE, ApplyOptions, OutputOptions
from .session import ConnectedPlan, Session
from .terminal import print_error, require_agreement, stdout

EXIT_PARTIAL = 5  # the exit code if only some changes were made

_is_interruptible: ContextVar[bool] = ContextVar("_is_interruptible", default=False)


@dataclass(frozen=True, slots=True)
class SyncOutcome:
    """The outcome of applying a plan."""

    plan: Plan
    run: str | None = None  # None: there was nothing to do, or the plan was refused
    results: Sequence[Result] = ()
    refusal: Refused | None = None  # why nothing, or nothing more, was written
    stopped: ContentsyncError | None = None  # the error that ended the run early
    interrupted: bool = False  # by the user
    seconds: float = 0.0  # without the wait for the user's consent
    site: str | None = None  # the address of the public site, if the server reports it


def sync(
    session: Session, planning: AbstractAsyncContextManager[ConnectedPlan], options: ApplyOptions, output: OutputOptions
) -> int:
    """Plan, ask, apply, and report the result of each change. Raise IndexDiffers as `apply_plan` does."""
    return asyncio.run(_run(session, planning, options, output))


def undo(session: Session, run: str | None, options: ApplyOptions, output: OutputOptions) -> int:
    """Plan the undo of a run, or of the last one, ask, and apply it."""
    return asyncio.run(_run(session, session.open_undo_plan(run), options, output))


async def _run(
    session: Session, planning: AbstractAsyncContextManager[ConnectedPlan], options: ApplyOptions, output: OutputOptions
) -> int:
    """Apply the plan that `planning` makes, print the outcome, and return the exit code."""
    outcome = await apply_plan(session, planning, options, output)
    if output.format_ is not SyncFormat.TEXT:
        document = sync_document(
            outcome.plan, session.destination, outcome.results, run=outcome.run, refusal=outcome.refusal
        )
        if output.format_ is SyncFormat.JSON:
            print_json(document)
        else:
            print_event(end_event(document))
    elif outcome.run:
        undoes = outcome.plan.undone_run
        command = session.commands("undo", "--run", undoes) if undoes else "the next sync"
        stdout().print(left_as_on_server_text(outcome.plan), end="")
        full = output.full or output.verbose
        next_step = f"{command} continues from here"
        stdout().print(results_text(outcome.results, full=full, next_step=next_step))
        if undoes and (earlier := find_incomplete_run_before(session.state_dir, session.target, undoes)):
            session.console.print(
                f"the run before it, {earlier}, wrote only a part of its plan, and this part stays; to undo it too: "
                f"{session.commands('undo', '--run', earlier)}",
                markup=False,
            )
        if not output.quiet:
            site = f"; the site is {printable(outcome.site)}" if outcome.site and outcome.stopped is None else ""
            session.console.print(f"took {outcome.seconds:,.1f} s{site}", style="dim", markup=False)
    elif output.quiet and not outcome.refusal:  # there was nothing to do
        stdout().print(plan_summary(outcome.plan, session.destination))
    if outcome.refusal:
        refused_code = print_error(outcome.refusal)
        if _count_done(outcome.results) == 0:
            return refused_code
        # A second plan was refused after some changes of the first one: the run is partial.
    return _exit_code(outcome)


async def apply_plan(
    session: Session, planning: AbstractAsyncContextManager[ConnectedPlan], options: ApplyOptions, output: OutputOptions
) -> SyncOutcome:
    """Lock the target, make the plan, show it, ask if necessary, and apply it; the caller reports the outcome.

    Raise IndexDiffers, before anything is shown, if the plan was made from an index that differs from the files.
    """
    start_time = start_text(datetime.now(UTC))
    started = monotonic()
    lock = TargetLock(session.state_dir, start_time, take=options.take_lock, on_wait=session.console.print)
    async with lock, planning as planned:
        plan = planned.plan
        if planned.content:
            confirm_plan(planned.content, plan)
        if options.saved is not None:
            options.saved.check_current(plan, replace(session.plan_context, user=await planned.remote.user_id()))
        asked_at = monotonic()
        refusal = _show_and_confirm(session, plan, options, output)
        started += monotonic() - asked_at
        if refusal is not None:
            return SyncOutcome(plan, refusal=refusal)
        if session.base == STATE_BASE:  # else the base is a commit, and there is no state file to update
            save_base_updates(session.state_dir, session.target, plan)
        run = next_run_name(session.state_dir, start_time)
        if not plan:
            if plan.undone_run:  # record that an interrupted undo is complete now
                Journal(session.state_dir, session.target, run, plan, check_lock=lock.check).close()
            _note_commit(session, plan, ())
            return SyncOutcome(plan)
        options.before_write()
        outcome = await _apply(session, planned, run, lock, options, output)
        _note_commit(session, plan, outcome.results)
        site = None if session.target.is_embedded else planned.remote.site_url  # no process serves an embedded site
        return replace(outcome, seconds=monotonic() - started, site=site)


def _note_commit(session: Session, plan: Plan, results: Sequence[Result]) -> None:
    """Note the commit that is checked out, if a sync of the whole folder has applied all of it."""
    is_whole = session.base == STATE_BASE and not session.selection.patterns and not plan.undone_run
    if is_whole and len(results) == len(plan.changes) == _count_done(results):
        write_synced_commit(session.state_dir, session.content.folder)


@contextmanager
def cancel_on_signal() -> Iterator[None]:
    """Cancel the task on SIGINT, SIGTERM and SIGHUP (docs/faults.md CO-14), unless ignored, as with `nohup`.

    A nested call changes nothing, because the loop has one handler for a signal.
    """
    if _is_interruptible.get():
        yield
        return
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()  # never None in a coroutine
    stop_signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    handled = [number for number in stop_signals if signal.getsignal(number) is not signal.SIG_IGN]
    for number in handled:
        loop.add_signal_handler(number, lambda: task and task.cancel())
    token = _is_interruptible.set(True)
    try:
        yield
    finally:
        _is_interruptible.reset(token)
        for number in handled:
            loop.remove_signal_handler(number)


def _show_and_confirm(
    session: Session, plan: Plan, options: ApplyOptions, output: OutputOptions, outcome: str = "nothing was written"
) -> Refused | None:
    """Show a plan and ask if necessary; return None to apply it, else an error that begins with `outcome`."""
    if output.shows_plan:
        show_plan(stdout(), plan, session.destination, full=output.full, verbose=output.verbose)
    elif output.format_ is SyncFormat.JSONL:
        print_event(plan_event(plan, session.destination))
    if plan.refusals:
        secret = session.destination.secret
        return refusal_error(plan.refusals, outcome, secret=secret, is_shown=output.shows_plan)
    return None if options.yes or not plan else _confirm(plan, session, outcome)


async def _apply(
    session: Session, planned: ConnectedPlan, run: str, lock: TargetLock, options: ApplyOptions, output: OutputOptions
) -> SyncOutcome:
    """Apply a plan that the user has accepted, as the run with the name `run`.

    Return the results so far after an error, a refused second plan or the user's Ctrl-C; the outcome names it.
    """
    plan, stopped, interrupted = planned.plan, None, False
    refusal: Refused | None = None

    async def replan() -> Plan | None:
        """Make the second plan, and ask for it; return None if it may not be applied."""
        nonlocal plan, refusal
        if options.saved is not None:
            return None  # the saved plan does not cover another one
        with progress.pause():
            second = await planned.replan(journal.state.base)
            session.console.print("The server's list was wrong or has changed. This is the new plan:")
            refusal = _show_and_confirm(session, second, options, output, "nothing more was written")
        done_so_far = tuple(result.change for result in progress.results)
        plan = replace(second, stages=(done_so_far, *second.stages))  # the plan of the outcome has all changes
        progress.extend(second)
        return None if refusal else second

    async def publish(plan: Plan) -> Mapping[EntryKey, str]:
        if planned.publisher is None:
            return {}
        if not output.quiet:
            session.console.print(f"publishing {files_summary(plan.uploads)}", style="dim", markup=False)
        return await planned.publisher.publish(plan)

    keeps_state = session.base == STATE_BASE  # from the base of a commit, no complete state file could be written
    journal = Journal(session.state_dir, session.target, run, plan, check_lock=lock.check, keeps_state=keeps_state)

    def on_result(result: Result) -> None:
        progress.add_result(result)
        if output.format_ is SyncFormat.JSONL:
            print_event(result_event(result, session.destination))

    with (
        ApplyProgress(
            plan,
            session.console,
            quiet=output.quiet,
            pacer=session.pacer,
        ) as progress,
        cancel_on_signal(),
    ):
        try:
            stopped = await apply(
                plan,
                planned.remote,
                on_result,
                replan=replan,
                publish=publish if planned.publisher else None,
                journal=journal,
                concurrency=options.concurrency,
                on_error=options.on_error.value,
            )
        except (asyncio.CancelledError, typer.Abort):  # the results so far are still reported
            interrupted = True
    publisher = planned.publisher
    if publisher and publisher.failures and stopped is None:
        stopped = RemoteError(_publish_failure(publisher.failures), publisher.hint or "the next sync publishes them")
    try:
        skipped = sum(result.status is Status.SKIPPED for result in progress.results)
        journal.close(len(plan.changes) - _count_done(progress.results), skipped)
    except (LocalFileError, Refused) as error:  # the next run then reads the journal
        stopped = stopped or error
    else:
        prune_journals(session.state_dir, session.target, datetime.now(UTC))
    return SyncOutcome(plan, run, progress.results, refusal, stopped, interrupted)


def _publish_failure(failures: Mapping[str, str]) -> str:
    reasons = list(dict.fromkeys(failures.values()))
    return f"{pluralize(len(failures), 'file was', 'files were')} not published: {printable(join_first(reasons, 1))}"


def _exit_code(outcome: SyncOutcome) -> int:
    """Print the error that stopped the run, if any, and return the exit code."""
    done_count = _count_done(outcome.results)
    code = print_error(outcome.stopped) if outcome.stopped else 0
    if outcome.interrupted:
        return EXIT_INTERRUPTED
    if code and done_count == 0:
        return code
    return code if done_count == len(outcome.results) else EXIT_PARTIAL


def _count_done(results: Sequence[Result]) -> int:
    return Counter(result.status for result in results)[Status.DONE]


def _confirm(plan: Plan, session: Session, outcome: str) -> Refused | None:
    """Ask whether to apply the plan; return None if the user agrees, else the error."""
    changes = f"Apply {pluralize(len(plan.changes), 'change')} to {session.target.name}?"
    question = changes if plan.changes else f"Publish {files_summary(plan.uploads)}?"
    try:
        require_agreement(question, outcome, "--yes applies the plan without asking")
    except Refused as refusal:
        return refusal
    return None
