"""Carrying out a plan: every write's outcome is known, or called unknown."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Any

from ..errors import Denied, Rejected, RemoteError, Unclear, Unreachable
from ..model import Kind
from ..remote import BULK_SIZE, Created, Remote, UnknownReference, body_of, index
from .diff import payload
from .plan import Action, Change, Plan


class Status(StrEnum):
    """What is known of a change afterwards."""

    DONE = "done"  # the server confirmed it
    FAILED = "failed"  # it did not happen
    UNKNOWN = "unknown"  # it may have happened: the next plan will show
    SKIPPED = "skipped"  # it was not tried


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one change."""

    change: Change
    status: Status
    error: str = ""  # one line, with the file's line where the server named a field


# Nothing that follows can succeed either.
_STOPS = (Denied, Unreachable)

Sent = tuple[Change, dict[str, Any]]  # a change and the body that writes it
Told = Callable[[Result], None]


async def apply(plan: Plan, remote: Remote, told: Told) -> RemoteError | None:
    """Writes the changes in the plan's order and tells each outcome once, as soon as it is known.

    One failing entry does not stop the others, but a server that cannot be reached or refuses the
    credentials does: that error is returned, and the rest is told as skipped. When the task is cancelled,
    what was in flight is told as unknown before CancelledError goes on.
    """
    run = _Run(remote, {kind: dict(keys) for kind, keys in index(plan.actual).items()})
    pending = deque(_batches(plan.changes))
    stopped: RemoteError | asyncio.CancelledError | None = None
    while pending:
        batch = pending.popleft()
        if stopped:
            why = stopped.message if isinstance(stopped, RemoteError) else "interrupted"
            results = [Result(change, Status.SKIPPED, f"not tried: {why}") for change in batch]
        else:
            try:
                results = await run.write(batch)
            except _STOPS as error:
                stopped = error
                results = [Result(change, Status.FAILED, error.message) for change in batch]
            except _TooLarge:
                half = len(batch) // 2
                pending.extendleft([batch[half:], batch[:half]])
                continue
            except asyncio.CancelledError as error:
                stopped = error
                results = [Result(change, Status.UNKNOWN, "interrupted before the server answered") for change in batch]
        for result in results:
            told(result)
    if isinstance(stopped, asyncio.CancelledError):
        raise stopped
    return stopped


class _TooLarge(Exception):
    """Several new listings are more than the server takes in one request."""


def _batches(changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Single changes, and runs of new listings of at most BULK_SIZE."""
    for bulk, run in groupby(changes, lambda change: change.kind is Kind.LISTING and change.action is Action.CREATE):
        members = list(run)
        step = BULK_SIZE if bulk else 1
        for start in range(0, len(members), step):
            yield members[start : start + step]


class _Run:
    """What a run knows so far: the ids of everything that the server has by now."""

    def __init__(self, remote: Remote, ids: dict[Kind, dict[str, int]]) -> None:
        self._remote = remote
        self._ids = ids

    async def write(self, batch: list[Change]) -> list[Result]:
        """The outcomes of a batch, once written. Raises the errors that stop a run, and _TooLarge."""
        results: list[Result] = []
        bodies: list[Sent] = []
        for change in batch:
            try:
                bodies.append((change, self._body(change)))
            except UnknownReference as error:
                results.append(Result(change, Status.FAILED, _placed(change, error.field, error.message)))
        if bodies:
            try:
                results += await self._send(bodies)
            except _STOPS:
                raise
            except RemoteError as error:
                if isinstance(error, Rejected) and error.status == 413 and len(batch) > 1:
                    raise _TooLarge from error
                results += [_failure(change, error) for change, _ in bodies]
        return results

    def _body(self, change: Change) -> dict[str, Any]:
        fields = change.entry.fields if change.id is None else payload(change.entry, change.fields)
        return body_of(change.kind, fields, self._ids, self._remote.social_names)

    async def _send(self, bodies: list[Sent]) -> list[Result]:
        change, body = bodies[0]
        if change.id is not None:
            await self._remote.update(change.kind, change.id, body)
        elif change.kind is Kind.LISTING:
            outcomes = await self._remote.create_listings([body for _, body in bodies])
            return [await self._created(*sent, outcome) for sent, outcome in zip(bodies, outcomes, strict=True)]
        else:
            self._ids[change.kind][change.key] = await self._remote.create(change.kind, body)
        return [Result(change, Status.DONE)]

    async def _created(self, change: Change, body: dict[str, Any], outcome: Created) -> Result:
        if outcome.error is not None:
            return Result(change, Status.FAILED, _placed(change, "", outcome.error))
        if outcome.id is None:
            return Result(change, Status.UNKNOWN, "the server's answer does not say what became of it")
        wanted = body.get("organizers")
        if wanted is not None and outcome.organizers is not None and set(wanted) != set(outcome.organizers):
            # The service adds the organizer that the token's user manages (service-api.md 4.4.5).
            try:
                await self._remote.update(Kind.LISTING, outcome.id, {"organizers": wanted})
            except RemoteError as error:
                return Result(change, Status.FAILED, f"created, but with other organizers: {error.message}")
        return Result(change, Status.DONE)


def _failure(change: Change, error: RemoteError) -> Result:
    status = Status.UNKNOWN if isinstance(error, Unclear) else Status.FAILED
    if isinstance(error, Rejected) and error.errors:
        return Result(
            change, status, "; ".join(_placed(change, field, " ".join(texts)) for field, texts in error.errors.items())
        )
    return Result(change, status, error.message)


def _placed(change: Change, field: str, text: str) -> str:
    if change.entry.source is None:
        return text
    where = change.entry.source.where(field)
    return f"{where.path}:{where.line}:{where.column}: {text}"
