"""TODO."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Literal, TypeVar

from ...errors import ContentsyncError, Refused, RemoteError, Unwritable
from ...model import Entry, Kind
from ...remote import BULK_SIZE, Remote
from ..change import Action, Change, Result, Status, referred_by
from ..comparing.entry_fields import Identity
from ..order import follows, stages
from ..plan import Plan
from ..state.journal import Journal
from .bulk_create import Bulk
from .settle import Agreement
from .writer import STOPS, Writer

Told = Callable[[Result], None]


OnError = Literal["continue", "stop"]


Batch = Sequence[Change]  # what one request writes, or one after the other those of one change


Chain = Sequence[Batch]  # of which each is written after the one before


Found = TypeVar("Found")


async def apply(
    plan: Plan,
    remote: Remote,
    told: Told,
    *,
    journal: Journal,
    ours: Callable[[], None],
    concurrency: int = 4,
    on_error: OnError = "continue",
) -> ContentsyncError | None:
    """Writes the changes stage by stage, up to `concurrency` at once, and tells the outcome of each.

    One failing entry does not stop the others (unless `on_error` says so), but these errors do, and are returned:
    a server that cannot be reached or refuses the credentials, a journal that cannot be written, and Refused, which
    `ours` raises when the run has lost its lock. What was not tried is told as skipped. The first cancellation of
    the task lets what is in flight end, a second one does not, which is then told as unknown; both raise
    CancelledError, after everything is told. Closing the journal is the caller's.
    """
    run = _Run(plan, Writer(plan, remote, journal, ours), told, concurrency, on_error)
    try:
        await run.everything()
    finally:
        remote.carry()
    return run.stopped


class _Run:
    def __init__(self, plan: Plan, writer: Writer, told: Told, concurrency: int, on_error: OnError) -> None:
        self._plan = plan
        self._writer = writer
        self._bulk = Bulk(writer)
        self._told = told
        self._concurrency = concurrency
        self._on_error = on_error
        self._left = {_identity(change): change for change in plan.changes}
        self._interrupted = self._halted = False
        self._needed: dict[Identity, Entry] = {}  # what entries refer to whose updates were not done
        self._checked: set[Kind] = set()  # of which the keys of new entries were looked up
        self._ending = asyncio.Event()  # set once nothing more is begun

    @property
    def stopped(self) -> ContentsyncError | None:
        return self._writer.stopped

    async def everything(self) -> None:
        """All stages, as far as they are reached."""
        await self._together([[[change]] for change in self._plan.changes if change.detour], self._detour)
        writes = [change for change in self._plan.changes if change.action is not Action.DELETE]
        for stage in stages(writes, self._plan.actual):
            await self._check_keys(stage[0].kind)
            for chains in _batches([change for change in stage if _identity(change) in self._left]):
                await self._together(chains, self._write)
        await self._deletes()
        for change in [*self._left.values()]:
            self._tell(Result(change, Status.SKIPPED, f"not tried: {self._why_not()}"))
        if self._interrupted:
            raise asyncio.CancelledError

    async def _deletes(self) -> None:
        """Deletes, children first, what a second look finds as the plan has it (docs/evidence.md 1)."""
        doomed = [change for change in self._left.values() if change.action is Action.DELETE]
        if not doomed or self._why_not():
            return
        reading = self._writer.remote.fetch_again({change.kind for change in doomed})
        now = await self._second_look(doomed, "deleted", reading)
        if now is None:
            return
        agreement = Agreement(self._plan.actual, self._writer.keys, self._writer.unsure, now)
        for kind in {change.kind for change in doomed}:
            why = agreement.disagreement(kind, doomed)
            for change in doomed:
                if change.kind is kind and why:
                    known = self._writer.known(change)
                    is_edited = bool(agreement.objection(known, self._writer.before(known)))
                    text = f"not deleted: {why}; run again"
                    self._tell(Result(change, Status.SKIPPED, text, contradicts=not is_edited))

        async def delete(batch: Batch) -> list[Result]:
            change = self._writer.known(batch[0])
            needed_by = self._needed.get((change.kind, change.entry.key))
            why = agreement.objection(change, self._writer.before(change)) or (
                f"{needed_by} still refers to it, as its own change was not done" if needed_by else ""
            )
            if why:
                return [Result(change, Status.SKIPPED, f"not deleted: {why}; run again")]
            return [await self._writer.delete(change, agreement.fresh(change))]

        for stage in stages(doomed, self._plan.actual):
            await self._together([[[change]] for change in stage if _identity(change) in self._left], delete)

    async def _check_keys(self, kind: Kind) -> None:
        """Fail the creates of a kind whose key the server has by now, where it would overwrite what has the key.

        A service with conditions refuses those itself; a listing is never overwritten by a create.
        """
        creates = [change for change in self._left.values() if change.kind is kind and change.action is Action.CREATE]
        if not creates or kind in self._checked or kind is Kind.LISTING or self._writer.remote.conditional:
            return
        self._checked.add(kind)
        if self._why_not():
            return
        reading = self._writer.remote.taken(kind, {change.key for change in creates})
        taken = await self._second_look(creates, "created", reading)
        for change in creates:
            if taken and change.key in taken:
                why = "it is on the server already, and was not when the plan was made"
                self._tell(self._writer.contradiction(Result(change, Status.FAILED, why)))

    async def _second_look(self, changes: Batch, done: str, reading: Awaitable[Found]) -> Found | None:
        """What a second reading before some changes finds; None where it fails, and then they are not tried."""
        try:
            return await reading
        except STOPS as error:
            self._writer.stopped = error
        except RemoteError as error:
            for change in changes:
                self._tell(Result(change, Status.SKIPPED, f"not {done}: {error.message}"))
        except asyncio.CancelledError:
            self._interrupted = True
        return None

    async def _detour(self, batch: Batch) -> list[Result]:
        result = await self._writer.detour(batch[0])
        return [] if result is None else [result]

    async def _write(self, batch: Batch) -> list[Result]:
        if _is_new_listing(batch[0]):
            return await self._bulk.write(batch)
        return [await self._writer.write(batch[0])]

    async def _together(self, chains: Iterable[Chain], write: Callable[[Batch], Awaitable[list[Result]]]) -> None:
        """Write chains that need nothing of each other, the batches of each one after the other."""
        waiting = deque(chains)

        async def work() -> None:
            while waiting and not self._why_not():
                for batch in waiting.popleft():
                    await one(batch)

        async def one(batch: Batch) -> None:
            if not self._why_not():
                await self._writer.remote.turn(self._ending)
                if not self._why_not():
                    for result in await self._results(batch, write):
                        self._tell(result)
                if self._why_not():
                    self._ending.set()

        await self._finished([asyncio.create_task(work()) for _ in range(min(self._concurrency, len(waiting)))])

    async def _results(self, batch: Batch, write: Callable[[Batch], Awaitable[list[Result]]]) -> list[Result]:
        try:
            return await write(batch)
        except (Refused, Unwritable) as error:  # before anything of the batch was sent
            self._writer.stopped = self._writer.stopped or error
            return []
        except asyncio.CancelledError:
            for change in batch:
                self._tell(Result(change, Status.UNKNOWN, "interrupted before the server answered"))
            raise

    async def _finished(self, tasks: list["asyncio.Task[None]"]) -> None:
        """Waits for tasks, through one cancellation; a second one reaches them, or a first one of a silent server."""
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

    def _tell(self, result: Result) -> None:
        self._left.pop(_identity(result.change), None)
        change = result.change
        if result.status is not Status.DONE and change.action is Action.UPDATE and change.actual is not None:
            self._needed |= dict.fromkeys(referred_by(change.actual), change.entry)
        if result.status in (Status.FAILED, Status.UNKNOWN) and self._on_error == "stop":
            self._halted = True
        self._told(result)

    def _why_not(self) -> str:
        """Why nothing more is begun; empty as long as it is."""
        if self._writer.stopped is not None:
            return self._writer.stopped.message
        if self._interrupted:
            return "interrupted"
        return "another change failed, and --on-error is stop" if self._halted else ""


def _batches(group: Batch) -> Iterator[list[Chain]]:
    """What goes in one request, in the order in which the batches may be sent: the lists one after the other.

    New listings go a hundred at a time; those that name their slug first, as the service numbers the slugs that it
    makes around those. New rows of one table are in one chain, so that the server makes them in the order of the file.
    """
    yield _chains([[change] for change in group if not _is_new_listing(change)])
    new = sorted(filter(_is_new_listing, group), key=_names_no_slug)
    batches = [new[start : start + BULK_SIZE] for start in range(0, len(new), BULK_SIZE)]
    for _, alike in groupby(batches, lambda batch: (_names_no_slug(batch[0]), _names_no_slug(batch[-1]))):
        yield _chains(alike)


def _chains(batches: Iterable[Batch]) -> list[Chain]:
    """Return the batches, which are in the order of their files, with those of one table together."""
    chains: list[list[Batch]] = []
    for batch in batches:
        if chains and follows(batch[0], chains[-1][-1][-1]):
            chains[-1].append(batch)
        else:
            chains.append([batch])
    return [*chains]


def _identity(change: Change) -> tuple[object, ...]:
    return change.action, change.kind, change.key, change.id


def _names_no_slug(change: Change) -> bool:
    return not change.entry.fields.get("slug")


def _is_new_listing(change: Change) -> bool:
    return change.kind is Kind.LISTING and change.action is Action.CREATE


PlanAgain = Callable[[], Awaitable[Plan | None]]  # None: the second plan may not be applied


async def apply_and_replan(
    plan: Plan,
    remote: Remote,
    told: Told,
    *,
    again: PlanAgain,
    journal: Journal,
    ours: Callable[[], None],
    concurrency: int = 4,
    on_error: OnError = "continue",
) -> ContentsyncError | None:
    """Apply a plan as `apply` does; ask `again` at most once for the plan to go on with.

    The second plan does not have what the first one refused or failed for another reason than the wrong list: an entry
    that was edited during the run is neither deleted nor written over. With `on_error` "stop" there is none.
    """
    held_back: list[Result] = []

    def hold_back(result: Result) -> None:
        if result.status is Status.DONE:
            told(result)
        else:
            held_back.append(result)

    second, stopped = None, None
    try:
        stopped = await apply(
            plan, remote, hold_back, journal=journal, ours=ours, concurrency=concurrency, on_error=on_error
        )
        failed = any(result.contradicts and result.status is Status.FAILED for result in held_back)
        if stopped is None and on_error == "continue" and failed:
            second = await again()
    except ContentsyncError as error:
        stopped = error
    finally:
        for result in held_back:
            if second is None or not _may_be_planned_again(result):
                told(result)
    if second is None:
        return stopped
    settled = {
        (result.change.kind, result.change.entry.key) for result in held_back if not _may_be_planned_again(result)
    }
    left = tuple(change for change in second.changes if (change.kind, change.entry.key) not in settled)
    second = replace(second, changes=left)
    journal.go_on(second)
    return await apply(second, remote, told, journal=journal, ours=ours, concurrency=concurrency, on_error=on_error)


def _may_be_planned_again(result: Result) -> bool:
    """Return whether a change was not done because of a wrong list, or of another change that was not done."""
    return result.contradicts or result.refused
