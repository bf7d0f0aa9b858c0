"""The loop of `contentsync watch`: read, plan and apply every change, and report each sync."""

import asyncio
import gc
from collections.abc import AsyncIterator, Sequence, Set
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from time import monotonic

from ..content.config.config_tables import Target
from ..content.folder.load import Content, load_content
from ..content.folder.unit_cache import InMemoryCache
from ..content.formats.table_rows import SyncedRows
from ..errors import ContentError, ContentsyncError, Damaged, Denied, LocalFileError, Refused, UsageError, join_first
from ..remote.synced_records import NotSynced
from ..report.plan_document import adopted_title, kept_notes, retained_note
from ..report.problem_documents import failure_document
from ..report.results import results_text, sync_document, sync_line
from ..sync.comparing.base import Base
from ..sync.comparing.change import Action, Result, Status
from ..sync.planning.delayed_deletes import DelayedDeletes
from ..sync.planning.plan import Drift, Plan
from ..sync.state.folder_reading import Reading
from ..sync.state.saved_plan import PlanContext
from ..value_text import printable
from ..watch import FolderChange, FolderChanges
from . import EXIT_INTERRUPTED, print_event
from .find_plan import PlanFinder
from .plan_options import ApplyOptions, OutputOptions, PlanOptions
from .session import ConnectedPlan, Session
from .sync_command import SyncOutcome, apply_plan, cancel_on_signal
from .terminal import log, print_problems, stderr, stdout, with_time

_FIRST_RETRY, _MAX_RETRY_DELAY = 1.0, 60.0  # seconds
_OPEN_RETRY_DELAY = 3600.0  # seconds: a try that reaches the server leaves a journal
_EVENT_DELAY = 0.01  # seconds until the system has reported the writes that happened while the folder was read
_CHANGED = "the server's list was wrong, and the folder is changing"
_WITHOUT_CONFIRMATION = ApplyOptions(yes=True)
_QUIET = OutputOptions(quiet=True)


class WatchLog:
    """Reports syncs and failures.

    As text, failures that are the same after a retry are reported only once. With `as_json`, each sync and each
    reported failure is a JSON document on one line.
    """

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._warnings: Set[tuple[str, str, str]] = frozenset()  # code, path and message
        self._destination = ""
        self._last_error: type[ContentsyncError] | None = None  # the error that is being retried
        self._last_retained_note = ""
        self._last_kept: Sequence[Drift] = ()  # the edits on the server that the last sync kept
        self._last_failures: list[tuple[str, Status, str]] = []  # key, status and error of each failed change

    def log_start(self, session: Session) -> None:
        """Report the target before the first sync, and again if it has changed."""
        target = session.destination
        destination = f"{target.name} ({target.address})"
        if destination != self._destination:
            log(f"watching {session.content.folder} for {destination}; Ctrl-C ends it")
            self._destination = destination
            self._last_error = None

    def log_pause(self, error: ContentsyncError) -> None:
        """Report an error that only an edit of the folder can fix."""
        self._log_error(error, ": nothing is sent until that is fixed")

    def log_warnings(self, content: Content) -> None:
        """Report the new warnings of content without errors; a warning is not new if only its line has moved."""
        warnings = {(problem.code, problem.where.path, problem.message): problem for problem in content.problems}
        new = [problem for key, problem in warnings.items() if key not in self._warnings]
        if new and not self._as_json:
            print_problems(new, content.folder)
        self._warnings = warnings.keys()

    def log_failure(self, error: ContentsyncError) -> None:
        """Report an error after which the sync is retried, once for each type, as the message may differ each time."""
        if type(error) is not self._last_error:
            self._last_error = type(error)
            # The hint of a lock names an option that does not help here.
            self._log_error(error, ": retrying until it works", hint=type(error) is not Refused)

    def log_end(self, error: ContentsyncError) -> None:
        """Print the document of the error that ends the command; `run` reports it on stderr."""
        if self._as_json:
            print_event(failure_document(error))
            error.is_printed_as_json = True

    def log_sync(self, session: Session, outcome: SyncOutcome, seconds: float) -> None:
        """Report the outcome of a sync. As text, skip it if only the same changes as in the last sync failed again."""
        if self._as_json:
            document = sync_document(
                outcome.plan, session.destination, outcome.results, run=outcome.run, refusal=outcome.refusal
            )
            print_event({"at": datetime.now().astimezone().isoformat(timespec="milliseconds"), **document})
            return
        if outcome.refusal:
            self._log_error(outcome.refusal)
            return
        failures = [result for result in outcome.results if not _went_as_planned(result)]
        facts = [(result.change.key, result.status, result.error) for result in failures]
        only_failures = len(failures) == len(outcome.results)
        is_repeated = only_failures and bool(facts) and facts == self._last_failures
        if not is_repeated:
            if failures:
                next_step = "" if outcome.stopped or outcome.interrupted else "the rest is retried"
                stderr().print(results_text(failures, full=False, next_step=next_step, hint=""))
            stdout().print(with_time(sync_line(outcome.results).append(f"  {seconds:.2f} s", "dim")))
        self._last_failures = facts
        self._last_error = None
        if records := outcome.plan.adopted_unchanged:
            log(f"{adopted_title(outcome.plan)}: {printable(join_first([str(record) for record in records]))}")
        note = retained_note(outcome.plan)
        if note and note != self._last_retained_note:
            log(note)
        self._last_retained_note = note
        if outcome.plan.drift != self._last_kept:
            for line in kept_notes(outcome.plan, session.destination.command):
                log(line)
        self._last_kept = outcome.plan.drift

    def _log_error(self, error: ContentsyncError, next_step: str = "", *, hint: bool = True) -> None:
        """Report an error, also as a JSON line if asked for; `next_step` ends the message, `hint` shows the hint."""
        if self._as_json:
            print_event(failure_document(error))
        elif isinstance(error, ContentError):
            print_problems(error.problems, error.folder)
        log(f"{error.message}{next_step}", "bold red")
        if error.hint and hint:
            log(f"  {error.hint}")


class Watcher:
    """Syncs a folder to its target on every change; `cache` is the cache of its content."""

    def __init__(
        self,
        folder: Path,
        options: PlanOptions,
        log: WatchLog,
        cache: InMemoryCache,
        deletes: DelayedDeletes,
        applying: ApplyOptions = _WITHOUT_CONFIRMATION,
    ) -> None:
        self._folder = folder
        self._options = options
        self._log = log
        self._cache = cache
        self._deletes = deletes
        self._applying = applying
        self._first: tuple[PlanFinder, Reading] | None = None  # what was read before there were threads
        self._has_started = False
        self._synced_context: PlanContext | None = None  # no sync is needed while the context is this one
        self._retry_delay: float | None = None  # None if the last try did not fail
        self._last_good_target: Target | None = None  # of the last sync that worked
        self._next_change: asyncio.Task[FolderChange] | None = None

    def read_first(self) -> None:
        """Read the folder for the first sync. Other processes help, so call it before there are threads."""
        self._first = self._read(single_process=False)

    async def run(self, changes: FolderChanges) -> int:
        """Sync on each change until the user stops the command; return the exit code.

        Raise Denied or UsageError if the server refuses the token or the options. Before the first sync, also raise
        UsageError, Refused or LocalFileError if there is no usable target; later, only report such an error.
        """
        try:
            with cancel_on_signal():
                async with changes:
                    while True:
                        change = await self._wait_for_change(changes)
                        may_delete = self._deletes.begin_reading()
                        try:
                            await self._read_and_sync(changes, change, whole=may_delete)
                        except NotSynced:
                            await self._read_and_sync(changes, change, whole=True)
                        gc.collect()  # a sync leaves cycles with all rows; the next one would need memory of its own
        except asyncio.CancelledError:
            return EXIT_INTERRUPTED

    async def _read_and_sync(self, changes: FolderChanges, change: FolderChange, *, whole: bool) -> None:
        """Read what has changed, or the `whole` folder, and sync it. Raise NotSynced if the whole folder is needed."""
        finder, reading = await asyncio.to_thread(self._take_reading, whole=whole)
        await asyncio.sleep(_EVENT_DELAY)  # without it, `is_writing` would miss the latest writes
        # A file may have been read half-written: wait for its next change, but only if this one is settled: an
        # unsettled change was reported because the longest wait was over.
        if changes.is_writing and change.is_settled:
            return
        session = self._open_session(finder, reading, change)
        if session is None:
            return
        plan_context = session.plan_context
        if plan_context != self._synced_context:
            await self._sync(session, self._open_plan(finder, session, reading), plan_context)

    def _take_reading(self, *, whole: bool) -> tuple[PlanFinder, Reading]:
        """Return the first reading while the folder is still as it was then, else read it."""
        first, self._first = self._first, None
        return first if first and first[1].is_current else self._read(whole=whole)

    def _read(self, *, single_process: bool = True, whole: bool = False) -> tuple[PlanFinder, Reading]:
        def load(folder: Path, rows: SyncedRows | None) -> Content:
            content = load_content(folder, self._cache, single_process=single_process, synced=rows)
            # With no files, no process helps to compare the stamps: then there are threads.
            return replace(content, dependencies=content.dependencies and content.dependencies._replace(files=0))

        finder = PlanFinder.open(self._folder, self._options, stderr(), load=load)
        return finder, finder.read(whole=whole)

    async def _wait_for_change(self, changes: FolderChanges) -> FolderChange:
        """Return the next change, or an empty one when it is time to retry or a delete is due."""
        while True:
            self._next_change = self._next_change or asyncio.ensure_future(anext(changes))
            delays = [delay for delay in (self._retry_delay, self._deletes.seconds_left) if delay is not None]
            await asyncio.wait([self._next_change], timeout=min(delays, default=None))
            if self._next_change.done():
                change = self._next_change.result()
                self._next_change = None
                return change
            if changes.folder_exists:  # else wait on: there is nothing to sync
                return FolderChange()

    def _open_session(self, finder: PlanFinder, reading: Reading, change: FolderChange) -> Session | None:
        """Return the session for what was read; None while the content or the config has errors."""
        content = reading.content
        if content.errors:
            # An error in a file that is being saved may be gone with the next change.
            if change.is_settled or any(error.where.path not in change.paths for error in content.errors):
                self._log.log_pause(ContentError(content.problems, self._folder))
            self._wait_for_edit(plan_context=None)
            return None
        self._log.log_warnings(content)
        try:
            session = finder.open_session(reading)
        except (UsageError, Refused) as error:  # the config does not name the target
            if not self._has_started:
                raise
            self._log.log_pause(error)
            self._wait_for_edit(plan_context=None)
            return None
        except LocalFileError as error:
            if not self._has_started:
                raise
            self._log.log_failure(error)
            self._retry_later()
            return None
        self._has_started = True
        self._log.log_start(session)
        return session

    async def _sync(
        self, session: Session, planning: AbstractAsyncContextManager[ConnectedPlan], plan_context: PlanContext
    ) -> None:
        """Sync once, report the outcome, and decide when to sync again. Raise an error that ends the command."""
        started = monotonic()
        try:
            outcome = await apply_plan(session, planning, self._applying, _QUIET)
        except ContentsyncError as error:
            return self._handle_failure(session, error, plan_context)
        self._deletes.note_applied(outcome.results)
        deletes_wait = self._deletes.seconds_left is not None
        if outcome.results or not deletes_wait:
            self._log.log_sync(session, outcome, monotonic() - started)
        if outcome.interrupted:
            raise asyncio.CancelledError
        if outcome.stopped:
            return self._handle_failure(session, outcome.stopped, plan_context)
        self._last_good_target = session.target
        if any(result.is_open for result in outcome.results):  # not done, but the next sync may do it
            return self._retry_later(_OPEN_RETRY_DELAY)
        return self._wait_for_edit(None if deletes_wait else plan_context)

    @asynccontextmanager
    async def _open_plan(self, finder: PlanFinder, session: Session, reading: Reading) -> AsyncIterator[ConnectedPlan]:
        """Yield the plan of what was read, without the deletes that wait."""
        entries = session.content.entries  # that the last plan was made from

        def read_all() -> Session:
            nonlocal entries
            again, whole = self._read(whole=True)
            if whole.content.errors:
                raise Refused(_CHANGED)
            entries = whole.content.entries
            return again.open_session(whole)

        async with finder.compare(session, reading, read_all) as planned:

            async def replan(applied: Base) -> Plan:
                return self._deletes.select(await planned.replan(applied), entries, session.policy)

            plan = self._deletes.select(planned.plan, entries, session.policy)
            if reading.synced and plan.count(Action.DELETE):  # a listing that was left out by mistake looks deleted
                raise NotSynced
            yield planned._replace(plan=plan, replan=replan)

    def _handle_failure(self, session: Session, error: ContentsyncError, plan_context: PlanContext) -> None:
        """Retry later, or wait for an edit that may fix the error; raise an error that ends the command."""
        target_was_edited = self._last_good_target is not None and self._last_good_target != session.target
        # An error of a target that was edited after a good sync does not end the command: the next edit may fix it.
        is_of_edit = target_was_edited and isinstance(error, Denied | UsageError | Damaged)
        if is_of_edit or isinstance(error, ContentError):
            self._log.log_pause(error)
            self._wait_for_edit(plan_context)
        elif isinstance(error, Denied | UsageError):
            raise error
        else:
            self._log.log_failure(error)
            self._retry_later()

    def _wait_for_edit(self, plan_context: PlanContext | None) -> None:
        """Sync again only after a change; not if the plan context is then this one. None: sync after any change."""
        self._synced_context = plan_context
        self._retry_delay = None

    def _retry_later(self, max_delay: float = _MAX_RETRY_DELAY) -> None:
        """Sync again after a change, or after twice the last delay."""
        delay = 2 * self._retry_delay if self._retry_delay else _FIRST_RETRY
        self._synced_context = None
        self._retry_delay = min(delay, max_delay)


def _went_as_planned(result: Result) -> bool:
    return result.status is Status.DONE and not result.altered_fields and not result.already_existed
