"""Creating listings: up to a hundred in a request, each with its own result.

The next hundred is prepared while the server answers, and sent in its turn. Preparing, and reading an answer, hold up
all other tasks. So both wait until a request is sent for which the server is idle.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from types import TracebackType
from typing import NamedTuple

from ...errors import AmbiguousOutcome, Rejected, RemoteError, Unreachable
from ...lazy_pattern import lazy_pattern
from ...model import Entry, Kind
from ...remote.wire import UnknownReference
from ..comparing.change import Action, Change, Result, Status
from ..comparing.diff import FieldChange
from ..comparing.outcome import (
    applied_incomplete,
    complete_answer,
    describe_difference,
    is_stored,
    with_expectation,
    without_added_by_service,
)
from ..state.journal import Intent
from .settle import UnknownOutcome, read_back, update_and_verify
from .writer import Body, Writer, is_refusal, with_location

SEND_SECONDS = 0.1  # in which a prepared request is usually sent
# The name of an item's field in a refusal, such as `listings.3.url`, or of the item itself (`listings.3`).
_ITEM_FIELD = lazy_pattern(r"listings\.(?P<position>\d{1,3})(?:\.(?P<field>.+))?\Z")
MAX_AMBIGUOUS = 12  # ambiguous answers per batch: finding one failing listing among a hundred takes eight
_TOO_LARGE = 413  # the status of the response to a request that is too large
_FEW_LISTINGS = 2  # up to this number, listings are looked up one by one; for more, read the whole list


class Turn:
    """The turn of one batch to be sent, for `async with`: it begins when the turn of the previous batch has ended."""

    def __init__(self, previous: "Turn | None" = None) -> None:
        """Create the turn after `previous`, the turn of the batch that is sent before; None for the first batch."""
        self._previous = previous
        self._next: Turn | None = None
        if previous is not None:
            previous._next = self
        self._is_sent = asyncio.Event()
        self._has_ended = asyncio.Event()

    async def __aenter__(self) -> None:
        if self._previous is not None:
            await self._previous._has_ended.wait()
            self._previous = None

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.end()

    def note_sent(self) -> None:
        """Note that the server has the whole request, so it is busy."""
        self._is_sent.set()

    async def wait_until_sent(self) -> None:
        """Return when the batch is sent, or is not sent at all."""
        await self._is_sent.wait()

    async def pass_on(self) -> None:
        """End the turn when the answer has arrived and is not yet read; return when the server has the next batch."""
        self.end()
        if self._next is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(SEND_SECONDS):
                    await self._next.wait_until_sent()

    def end(self) -> None:
        """End the turn, also of a batch that is not sent because the run stops."""
        self._is_sent.set()
        self._has_ended.set()


class BulkItem(NamedTuple):
    """One listing of a request."""

    intent: Intent  # the change as the journal has it
    planned: Change  # in a result it takes less memory than the intent's change, whose references have their ids
    body: Body

    @property
    def change(self) -> Change:
        return self.intent.change

    @property
    def is_identifiable(self) -> bool:
        """Return whether the server would recognise the listing if it were sent twice (docs/faults.md SL-11)."""
        return bool(self.body.get("url") or self.body.get("slug"))


Outcomes = list[tuple[Intent, Result]]
Retries = Iterator[int]  # one item for each further ambiguous answer that the batch may get


class BulkCreate:
    """Creates listings through a run's writer; `stop_reason` returns why no other request may be sent, or ""."""

    def __init__(self, writer: Writer, stop_reason: Callable[[], str]) -> None:
        self._writer = writer
        self._remote = writer.remote
        self._stop_reason = stop_reason

    async def write(self, changes: Sequence[Change], turn: Turn) -> list[Result]:
        """Create listings and return their results. Raise Refused or LocalFileError if no request may be sent.

        Record the intents without waiting for the turn, and send the request in the turn.
        """
        items, refused = await self._prepare(changes)
        retries = iter(range(MAX_AMBIGUOUS))  # each ambiguous answer takes one of them
        async with turn:  # also without items: the next batch must not overtake the one before this
            if not items:
                return refused
            self._writer.journal.check_lock()  # again: the batch may have waited for its turn
            outcomes = await self._send(items, retries, is_first=True, turn=turn)
        await self._writer.record_outcomes(outcomes)
        planned = {item.intent.number: item.planned for item in items}
        return refused + [result._replace(change=planned[intent.number]) for intent, result in outcomes]

    async def _prepare(self, changes: Sequence[Change]) -> tuple[list[BulkItem], list[Result]]:
        """Record the intents of changes, and return their items, and the results of those that cannot be sent."""
        refused: list[Result] = []
        ready: list[tuple[Change, Change, Body]] = []  # each change as planned, and as it is recorded
        for planned in changes:
            change = self._writer.resolve(planned)
            try:
                body = self._writer.make_body(change)
            except UnknownReference as error:
                reason = with_location(change, error.field, error.message)
                refused.append(Result(change, Status.FAILED, reason, is_refused=True))
            else:
                ready.append((planned, with_expectation(change, self._writer.custom_ids), body))
        if not ready:
            return [], refused
        self._writer.journal.check_lock()
        recorded = [change for _planned, change, _body in ready]
        intents = await self._writer.journal.record_intents(recorded, self._writer.custom_ids)
        pairs = zip(intents, ready, strict=True)
        return [BulkItem(intent, planned, body) for intent, (planned, _change, body) in pairs], refused

    async def _send(
        self, items: list[BulkItem], retries: Retries, *, is_first: bool, turn: Turn | None = None
    ) -> Outcomes:
        """Send items in one request and return the results; `is_first` means that none of them was sent before.

        Without `turn`, it is a retry.
        """
        if is_first and (reason := self._stop_reason()):
            return [(item.intent, Result(item.change, Status.SKIPPED, f"not tried: {reason}")) for item in items]
        if self._writer.stopped is not None:
            return self._unknown_results(items, self._writer.stopped.message)
        try:
            created = await self._remote.create_listings([item.body for item in items], turn)
        except Rejected as error:
            return await self._retry_without_refused(items, error, retries, is_first=is_first)
        except AmbiguousOutcome as error:
            return await self._retry(items, error, retries)
        except Unreachable as error:
            self._writer.stopped = self._writer.stopped or error
            return self._failed_results(items, error) if is_first else self._unknown_results(items, error.message)
        except RemoteError as error:
            return self._failed_results(items, error)
        outcomes: Outcomes = []
        unanswered: list[BulkItem] = []
        for item, answer in zip(items, created, strict=True):
            if answer.entry is not None and is_first and answer.is_created is False:
                outcomes.append((item.intent, self._existing_result(item, answer.entry)))
            elif answer.entry is not None:
                surely_created = bool(answer.is_created)  # None: the answer does not say it
                result = await self._stored_result(item, answer.entry, surely_created=surely_created)
                outcomes.append((item.intent, result))
            elif answer.error is not None:
                field = answer.error.partition(" ")[0]  # as in `url must be an address`
                message = with_location(item.change, field, answer.error)
                outcomes.append((item.intent, Result(item.change, Status.FAILED, message, is_refused=True)))
            else:
                unanswered.append(item)
        if unanswered:
            ambiguous = AmbiguousOutcome("the server's answer does not say what became of it")
            outcomes += await self._retry(unanswered, ambiguous, retries)
        return outcomes

    async def _retry_without_refused(
        self, items: list[BulkItem], error: Rejected, retries: Retries, *, is_first: bool
    ) -> Outcomes:
        """Send the items again without those that the server refused, or in halves if the request was too large."""
        if error.status == _TOO_LARGE and len(items) > 1:
            half = len(items) // 2
            parts = [await self._send(part, retries, is_first=is_first) for part in (items[:half], items[half:])]
            return [*chain.from_iterable(parts)]
        rejected: dict[int, dict[str, Sequence[str]]] = {}
        for name, texts in error.errors.items():
            match = _ITEM_FIELD.match(name)
            if match is None or int(match["position"]) >= len(items):  # the error is not about one of the items
                return self._failed_results(items, error)
            rejected.setdefault(int(match["position"]), {})[match["field"] or ""] = texts
        if not rejected:
            return self._failed_results(items, error)
        outcomes: Outcomes = []
        for position, errors in rejected.items():
            outcomes += self._failed_results(
                [items[position]], Rejected(error.message, status=error.status, errors=errors)
            )
        rest = [item for position, item in enumerate(items) if position not in rejected]
        if rest:
            outcomes += await self._send(rest, retries, is_first=is_first)
        return outcomes

    async def _retry(self, items: list[BulkItem], error: AmbiguousOutcome, retries: Retries) -> Outcomes:
        """Send items with an ambiguous outcome again, in halves, as one of them may make the server fail.

        Send an item with a URL without looking it up: if it was created, the server answers with its record
        (docs/contract.md 4.3.2). Look up the others first, and send those that the server lacks. Never send one without
        a URL or a slug. If no retries remain, only look items up.
        """
        may_send = next(retries, None) is not None  # this takes one of the retries
        again = [item for item in items if may_send and item.body.get("url")]
        looked_up = [item for item in items if not may_send or not item.body.get("url")]
        outcomes: Outcomes = []
        try:
            records = await self._look_up(looked_up, error)
        except UnknownOutcome as unknown:
            outcomes += self._failed_results(looked_up, unknown)
        else:
            for item in looked_up:
                record = records.get(item.change.key)
                if record is not None:  # of this run, or of another user
                    outcomes.append((item.intent, await self._stored_result(item, record, surely_created=False)))
                elif may_send and item.is_identifiable:
                    again.append(item)
                else:
                    outcomes += self._failed_results([item], error)
        half = (len(again) + 1) // 2
        for part in (again[:half], again[half:]):
            if part:
                outcomes += await self._send(part, retries, is_first=False)
        return outcomes

    async def _look_up(self, items: Sequence[BulkItem], error: AmbiguousOutcome) -> dict[str, Entry]:
        """Return the server's listings by key, at least those of `items`. Raise UnknownOutcome if reading fails."""
        if not items:
            return {}
        if len(items) <= _FEW_LISTINGS:
            found = [await read_back(self._remote.find(Kind.LISTING, item.change.key), error) for item in items]
            records = [record for record in found if record is not None]
        else:
            records = await read_back(self._remote.fetch_again({Kind.LISTING}), error)
        return {record.key: record for record in records}

    def _existing_result(self, item: BulkItem, answer: Entry) -> Result:
        """Return the result for a listing that another user created since the plan: done if equal, else failed.

        Equal means that it has all sent values, except of fields to which the service may add values.
        """
        record = complete_answer(item.change, answer)
        sent = without_added_by_service(item.change.expected.fingerprints)
        if is_stored(item.change.kind, sent, record):
            return self._writer.finish_success(item.intent, answer)._replace(already_existed=True, before=answer.fields)
        return self._conflict_result(item, record)

    def _conflict_result(self, item: BulkItem, record: Entry) -> Result:
        """Return a failed result for a listing that the server has with other values, contrary to its own list."""
        difference = describe_difference(item.change, record)
        reason = f"it was made on the server after the plan was made: {difference}; run again, and look at the plan"
        return self._writer.discard_wrong_list(
            Result(item.change, Status.FAILED, with_location(item.change, "", reason))
        )

    async def _stored_result(self, item: BulkItem, answer: Entry, *, surely_created: bool) -> Result:
        """Return the result for a listing that the server has; `surely_created` says that this run has created it.

        If it may be another user's instead, fail unless it has all values that were sent. The server adds the organizer
        of the token's user to each new listing (docs/contract.md 4.4.5): remove it if the file has other organizers.
        """
        change = item.change
        answer = complete_answer(change, answer)
        sent = without_added_by_service(item.change.expected.fingerprints)
        if not surely_created and not is_stored(change.kind, sent, answer):
            return self._conflict_result(item, answer)
        desired, stored = change.entry.fields.get("organizers"), answer.fields.get("organizers")
        has_added = isinstance(desired, list) and isinstance(stored, list) and set(stored) > set(desired)
        if not has_added:
            return self._writer.finish_success(item.intent, answer)
        return await self._remove_added_organizers(item, answer, {"organizers": FieldChange(stored, desired)})

    async def _remove_added_organizers(
        self, item: BulkItem, record: Entry, differing: dict[str, FieldChange]
    ) -> Result:
        """Update a created listing whose field `organizers` differs, and return the result of the create."""
        change = item.change
        update = with_expectation(Change(Action.UPDATE, change.entry, record, differing), self._writer.custom_ids)
        try:
            body = self._writer.make_body(update)
            answer = await update_and_verify(self._remote, update, body, record)
        except (RemoteError, UnknownOutcome, UnknownReference) as error:
            self._writer.register(change, record)
            names = ", ".join(differing)
            if not isinstance(error, UnknownReference):
                self._writer.finish_failure(update, error)  # without using its result: only to stop the run if needed
            return Result(
                change,
                Status.FAILED,
                with_location(change, "", f"it was created, but with other {names}: {error.message}"),
                applied=applied_incomplete(change, record, self._writer.custom_ids),
                is_refused=is_refusal(error),
            )
        return self._writer.finish_success(item.intent, replace(answer, fields={**record.fields, **answer.fields}))

    def _unknown_results(self, items: Sequence[BulkItem], reason: str) -> Outcomes:
        """Return unknown results for items whose first request had no answer, and that cannot be sent again."""
        return self._failed_results(
            items, AmbiguousOutcome(f"the server may have created it, but did not answer; sent again: {reason}")
        )

    def _failed_results(self, items: Sequence[BulkItem], error: RemoteError | UnknownOutcome) -> Outcomes:
        return [(item.intent, self._writer.finish_failure(item.change, error)) for item in items]
