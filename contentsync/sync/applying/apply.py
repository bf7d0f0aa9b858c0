"""Applying a plan, and a second one if the server contradicts the lists that the first was made from.

A create whose key turns out to exist, or an update of a record that turns out to be deleted, changes nothing: the list
was wrong, or has changed since. It is read again without conditions, and the rest is planned under the same policy.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal, TypeVar

from ...errors import ContentsyncError, LocalFileError, Refused, RemoteError
from ...model import BULK_SIZE, Entry, EntryKey, Kind
from ...remote.remote import Remote
from ..comparing.change import Action, Change, Result, Status, references_of
from ..planning.order import has_no_slug, is_later_row
from ..planning.plan import Plan
from ..state.journal import Journal
from .bulk_create import BulkCreate, Turn
from .settle import DeleteCheck
from .writer import STOPPING_ERRORS, Writer

ResultCallback = Callable[[Result], None]
Replan = Callable[[], Awaitable[Plan | None]]  # None if the second plan may not be applied
# Publishes the files of a plan; returns why entries cannot be written whose files could not be published.
Publish = Callable[[Plan], Awaitable[Mapping[EntryKey, str]]]
OnError = Literal["continue", "stop"]
ChangeBatch = Sequence[Change]  # the changes of one request, or of several requests for one change
BatchChain = Sequence[ChangeBatch]  # batches to write one after the other
WriteBatch = Callable[[ChangeBatch, Turn], Awaitable[list[Result]]]
Answer = TypeVar("Answer")


async def apply(
    plan: Plan,
    remote: Remote,
    on_result: ResultCallback,
    *,
    journal: Journal,
    replan: Replan | None = None,
    publish: Publish | None = None,
    concurrency: int = 4,
    on_error: OnError = "continue",
) -> ContentsyncError | None:
    """Write the changes stage by stage, up to `concurrency` at once, and report the result of each.

    A failed change does not stop the others unless `on_error` is "stop". These errors do, and are returned: the server
    cannot be reached or refuses the credentials, the journal cannot be written, and Refused, which the `check_lock` of
    the journal raises if the run has lost its lock. Without such an error, return None. Changes that were not tried are
    reported as skipped. The first cancellation waits for requests in flight; a second one cancels them and reports them
    as unknown. Both raise CancelledError after all reports. The caller closes the journal.

    Before the first change, call `publish` if the plan has uploads; without it, such a plan must not be applied.

    If a list was wrong, and the run was not stopped, call `replan` once and apply the second plan. It leaves out the
    entries whose change was not done for any reason but a wrong list or a refused request: an entry that was edited
    during the run is neither deleted nor overwritten.
    """

    async def run(plan: Plan, on_result: ResultCallback) -> ContentsyncError | None:
        """Apply the first plan or the one of `replan`; return the error after which no request may be sent, if any."""
        writer = Writer(plan, remote, journal)
        try:
            await _PlanRun(plan, writer, on_result, concurrency, on_error, publish).run_stages()
        finally:
            remote.save_lists()
        return writer.stopped

    if replan is None:
        return await run(plan, on_result)
    deferred: list[Result] = []

    def defer(result: Result) -> None:
        if result.status is Status.DONE:
            on_result(result)
        else:
            deferred.append(result)

    stopped = None
    second_plan = None
    try:
        stopped = await run(plan, defer)
        failed = any(result.contradicts_list and result.status is Status.FAILED for result in deferred)
        if stopped is None and on_error == "continue" and failed:
            second_plan = await replan()
    except ContentsyncError as error:
        stopped = error
    finally:
        for result in deferred:
            if second_plan is None or not _is_retryable(result):
                on_result(result)
    if second_plan is None:
        return stopped
    excluded = {(result.change.kind, result.change.entry.key) for result in deferred if not _is_retryable(result)}
    second_plan = second_plan.select(lambda change: (change.kind, change.entry.key) not in excluded)
    journal.continue_with(second_plan)
    return await run(second_plan, on_result)


def _is_retryable(result: Result) -> bool:
    """Return whether a second plan may contain the change again: its list was wrong, or the request was refused."""
    return result.contradicts_list or result.is_refused


class _PlanRun:
    """The state of a run while it applies a plan."""

    def __init__(
        self,
        plan: Plan,
        writer: Writer,
        on_result: ResultCallback,
        concurrency: int,
        on_error: OnError,
        publish: Publish | None,
    ) -> None:
        self._plan = plan
        self._publish = publish
        self._writer = writer
        self._bulk_create = BulkCreate(writer, self._stop_reason)
        self._on_result = on_result
        self._concurrency = concurrency
        self._on_error = on_error
        self._pending = {_identity(change): change for change in plan.changes}
        self._interrupted = self._stopped_by_failure = False
        # The key of an entry that must not be deleted -> an entry that still refers to it, as its update was not done.
        self._blocked_deletes: dict[EntryKey, Entry] = {}
        self._checked_kinds: set[Kind] = set()  # whose new keys were looked up on the server
        self._ending = asyncio.Event()  # set once no other request may begin

    async def run_stages(self) -> None:
        """Write all changes, and report as skipped those not tried. Raise CancelledError if interrupted."""
        await self._publish_files()
        temporary = [change for change in self._pending.values() if change.temporary_values]
        await self._run_concurrently(_one_by_one(temporary), self._write_temporary_values)
        for stage in self._plan.stages:
            if stage[0].action is Action.DELETE:
                continue
            await self._check_keys(stage[0].kind)
            for chains in _batch_chains([change for change in stage if _identity(change) in self._pending]):
                await self._run_concurrently(chains, self._write)
        await self._run_deletes()
        for change in [*self._pending.values()]:
            self._report(Result(change, Status.SKIPPED, f"not tried: {self._stop_reason()}"))
        if self._interrupted:
            raise asyncio.CancelledError

    async def _publish_files(self) -> None:
        """Publish the files that the changes need; report as failed those whose files could not be published."""
        if not self._plan.uploads:
            return
        if self._publish is None:
            raise AssertionError("a plan with uploads needs a function that publishes them")
        try:
            failures = await self._publish(self._plan)
        except asyncio.CancelledError:
            self._interrupted = True  # `run_stages` raises the error, after it has reported each change as not tried
            return
        if not failures:
            return
        for change in [*self._pending.values()]:  # a copy: `_report` removes the change
            reason = failures.get((change.kind, change.key))
            if reason and change.action is not Action.DELETE:
                self._report(Result(change, Status.FAILED, reason))

    async def _run_deletes(self) -> None:
        """Read the server again; delete the entries that are still as planned, children first (docs/evidence.md 1)."""
        pending = [change for change in self._pending.values() if change.action is Action.DELETE]
        if not pending or self._stop_reason():
            return
        reading = self._writer.remote.fetch_again({change.kind for change in pending})
        present = await self._read_again(pending, "deleted", reading)
        if present is None:
            return
        check = DeleteCheck(self._plan.actual, self._writer.keys, self._writer.uncertain, present)
        for kind in {change.kind for change in pending}:
            reason = check.kind_objection(kind, pending)
            for change in pending:
                if change.kind is kind and reason:
                    resolved = self._writer.resolve(change)
                    is_edited = bool(check.entry_objection(resolved, self._writer.state_before(resolved)))
                    text = f"not deleted: {reason}; run again"
                    # A second plan of this run may delete the entry, unless another user has edited it.
                    self._report(Result(change, Status.SKIPPED, text, contradicts_list=not is_edited))

        async def delete(batch: ChangeBatch, turn: Turn) -> list[Result]:
            """Delete the record of a batch of one change, unless the second reading or an undone change objects."""
            change = self._writer.resolve(batch[0])
            referring = self._blocked_deletes.get((change.kind, change.entry.key))
            reason = check.entry_objection(change, self._writer.state_before(change))
            if not reason and referring:
                reason = f"{referring} still refers to it, as its own change was not done"
            if reason:
                return [Result(change, Status.SKIPPED, f"not deleted: {reason}; run again")]
            return [await self._writer.delete(change, check.find_current(change))]

        for stage in self._plan.stages:
            deletes = [change for change in stage if change.action is Action.DELETE]
            await self._run_concurrently(
                _one_by_one(change for change in deletes if _identity(change) in self._pending), delete
            )

    async def _check_keys(self, kind: Kind) -> None:
        """Look up on the server the keys of a kind's creates; report the create of each key that exists as failed.

        Such a create would overwrite a record that was created since the plan was made. Two cases need no check: a
        service with conditional requests refuses such creates itself, and a create never overwrites a listing. One
        check covers the creates of all stages. If its reading fails, all of them are reported as skipped or the run
        stops, so none is written without a check.
        """
        creates = [
            change for change in self._pending.values() if change.kind is kind and change.action is Action.CREATE
        ]
        if not creates or kind in self._checked_kinds or kind is Kind.LISTING or self._writer.remote.conditional:
            return
        self._checked_kinds.add(kind)
        if self._stop_reason():
            return
        reading = self._writer.remote.existing_keys(kind, {change.key for change in creates})
        existing = await self._read_again(creates, "created", reading)
        for change in creates:
            if existing and change.key in existing:
                reason = "it is on the server already, and was not when the plan was made"
                # The list that the plan was made from did not have the key, so it was wrong or is out of date.
                self._report(self._writer.discard_wrong_list(Result(change, Status.FAILED, reason)))

    async def _read_again(self, changes: ChangeBatch, done: str, reading: Awaitable[Answer]) -> Answer | None:
        """Return the result of a second reading; None if it fails, and then the changes must not be tried."""
        try:
            return await reading
        except STOPPING_ERRORS as error:
            self._writer.stopped = error
        except RemoteError as error:
            for change in changes:
                self._report(Result(change, Status.SKIPPED, f"not {done}: {error.message}"))
        except asyncio.CancelledError:
            self._interrupted = True
        return None

    async def _write_temporary_values(self, batch: ChangeBatch, turn: Turn) -> list[Result]:
        """Write the temporary values of the only change; it has a result now only if that fails."""
        result = await self._writer.write_temporary_values(batch[0])
        return [] if result is None else [result]

    async def _write(self, batch: ChangeBatch, turn: Turn) -> list[Result]:
        """Create the listings of a batch in one request, or write its only change."""
        if batch[0].is_new_listing:
            return await self._bulk_create.write(batch, turn)
        return [await self._writer.write(batch[0])]

    async def _run_concurrently(self, chains: Iterable[BatchChain], write: WriteBatch) -> None:
        """Write several chains at a time, and the batches of each chain one after the other."""
        queue = deque(chains)

        async def work() -> None:
            """Write one chain of batches after the other until the queue is empty or the run must stop."""
            while queue and not self._stop_reason():
                chain = queue.popleft()
                if len(chain) == 1:
                    await self._write_when_allowed(chain[0], write, Turn())
                else:
                    await self._write_chain(chain, write)

        await self._wait_for([asyncio.create_task(work()) for _ in range(min(self._concurrency, len(queue)))])

    async def _write_chain(self, chain: BatchChain, write: WriteBatch) -> None:
        """Send batches one after the other; prepare each one while the server answers the one before it.

        `write` sends its batch in its turn, which begins when the turn of the batch before it has ended.
        """
        turn = None
        try:
            async with asyncio.TaskGroup() as group:
                for batch in chain:
                    turn = Turn(previous=turn)
                    task = group.create_task(self._write_when_allowed(batch, write, turn))
                    if self._on_error == "stop":  # a failure must be known before the next batch is sent
                        await task
                    else:  # prepare no further batch before this one is sent
                        await turn.wait_until_sent()
        except BaseExceptionGroup as errors:  # the callers expect a single error
            raise errors.exceptions[0] from None

    async def _write_when_allowed(self, batch: ChangeBatch, write: WriteBatch, turn: Turn) -> None:
        """Write a batch when the rate limit allows it, unless the run stops before; report the results."""
        try:
            if self._stop_reason():
                return
            await self._writer.remote.acquire_slot(self._ending)
            if not self._stop_reason():  # the run may have been stopped during the wait
                for result in await self._write_batch(batch, write, turn):
                    self._report(result)
            if self._stop_reason():
                self._ending.set()
        finally:
            turn.end()

    async def _write_batch(self, batch: ChangeBatch, write: WriteBatch, turn: Turn) -> list[Result]:
        """Return the results of a batch; set the error that stops the run, and report a cancelled batch as unknown."""
        try:
            return await write(batch, turn)
        except (Refused, LocalFileError) as error:  # before the batch was sent
            self._writer.stopped = self._writer.stopped or error
            return []
        except asyncio.CancelledError:
            for change in batch:
                self._report(Result(change, Status.UNKNOWN, "interrupted before the server answered"))
            raise

    async def _wait_for(self, tasks: list["asyncio.Task[None]"]) -> None:
        """Wait for tasks; cancel them at the second interrupt, or at the first if an answer is long overdue."""
        while not all(task.done() for task in tasks):
            try:
                await asyncio.wait(tasks)
            except asyncio.CancelledError:
                if self._interrupted or self._writer.remote.is_overdue:
                    for task in tasks:
                        task.cancel()
                self._interrupted = True
                self._ending.set()
        errors = [task.exception() for task in tasks if not task.cancelled()]
        for error in filter(None, errors):
            raise error

    def _report(self, result: Result) -> None:
        """Report the only result of a change, which is then no longer pending."""
        self._pending.pop(_identity(result.change), None)
        change = result.change
        if result.status is not Status.DONE and change.action is Action.UPDATE and change.actual is not None:
            self._blocked_deletes |= dict.fromkeys(references_of(change.actual), change.entry)
        if result.status in (Status.FAILED, Status.UNKNOWN) and self._on_error == "stop":
            self._stopped_by_failure = True
        self._on_result(result)

    def _stop_reason(self) -> str:
        """Return why no other request may be sent; empty if one may."""
        if self._writer.stopped is not None:
            return self._writer.stopped.message
        if self._interrupted:
            return "interrupted"
        return "another change failed, and --on-error is stop" if self._stopped_by_failure else ""


def _one_by_one(changes: Iterable[Change]) -> list[BatchChain]:
    """Return a chain for each change, so that each is written on its own and in no order."""
    return [[[change]] for change in changes]


def _batch_chains(changes: ChangeBatch) -> Iterator[list[BatchChain]]:
    """Yield lists of chains, in the order in which they are sent. A chain is a sequence of batches of changes.

    New listings are sent a hundred at a time: first those with a slug, so that no slug that the service generates takes
    theirs. A batch of both kinds is sent in between.
    """

    def lack_slugs(batch: ChangeBatch) -> tuple[bool, bool]:
        return has_no_slug(batch[0]), has_no_slug(batch[-1])

    yield _chain_rows_of_tables([[change] for change in changes if not change.is_new_listing])
    new = sorted((change for change in changes if change.is_new_listing), key=has_no_slug)
    batches = [new[start : start + BULK_SIZE] for start in range(0, len(new), BULK_SIZE)]
    for _, group in groupby(batches, lack_slugs):
        yield _chain_rows_of_tables(group)


def _chain_rows_of_tables(batches: Iterable[ChangeBatch]) -> list[BatchChain]:
    """Return one chain for the new rows of each table, which are created in its order, and one for each other batch."""
    chains: list[list[ChangeBatch]] = []
    for batch in batches:
        previous_change = chains[-1][-1][-1] if chains else None  # the last one of the last batch
        if previous_change and is_later_row(batch[0], previous_change):
            chains[-1].append(batch)
        else:
            chains.append([batch])
    return [*chains]


def _identity(change: Change) -> tuple[object, ...]:
    return change.action, change.kind, change.key, change.id
