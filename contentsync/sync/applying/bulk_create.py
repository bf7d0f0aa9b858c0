"""New listings, up to a hundred in a request, each with its own result."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from ...errors import AmbiguousOutcome, Rejected, RemoteError, Unreachable
from ...model import Entry, Kind
from ...remote import UnknownReference
from ..change import Action, Change, Result, Status
from ..comparing.diff import FieldChange, compare
from ..state.journal import Intent
from .outcome import (
    applied_incomplete,
    complete_answer,
    describe_difference,
    expected_fingerprints,
    intended_state,
    is_stored,
    without_added,
)
from .settle import UnknownOutcome, read_back, update_and_verify
from .writer import Body, Writer, is_refusal, locate, payload

_ITEM_FIELD = re.compile(r"listings\.(\d{1,3})(?:\.(.+))?\Z")  # the name of an item's field in a refusal
MAX_AMBIGUOUS = 12  # ambiguous answers per batch: finding one failing listing among a hundred takes eight
_FEW_LISTINGS = 2  # listings that are looked up one by one; for more, the whole list is read


class BulkItem(NamedTuple):
    """A listing of a request."""

    change: Change
    body: Body
    intent: Intent

    @property
    def is_identifiable(self) -> bool:
        """Return whether the server would recognise it if it were sent twice (docs/faults.md SL-11)."""
        return bool(self.body.get("url") or self.body.get("slug"))


Outcomes = list[tuple[Intent, Result]]
Retries = Iterator[int]  # one for each ambiguous answer that the batch may still get


class BulkCreate:
    """Creates listings through a run's writer."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._remote = writer.remote

    async def write(self, changes: Sequence[Change]) -> list[Result]:
        """Create listings and return their results. Raise Refused or Unwritable if nothing may be sent any more."""
        results: list[Result] = []
        ready: list[tuple[Change, Body]] = []
        for change in map(self._writer.resolve, changes):
            try:
                ready.append((change, self._writer.body(change, payload(change))))
            except UnknownReference as error:
                why = locate(change, error.field, error.message)
                results.append(Result(change, Status.FAILED, why, refused=True))
        if ready:
            self._writer.check_lock()
            writes = [(change, *intended_state(change, self._writer.custom)) for change, _ in ready]
            intents = await self._writer.journal.record_intents(writes, self._writer.custom)
            items = [BulkItem(*sent, intent) for sent, intent in zip(ready, intents, strict=True)]
            outcomes = await self._send(items, iter(range(MAX_AMBIGUOUS)), is_first=True)
            await self._writer.record(outcomes)
            results += [result for _, result in outcomes]
        return results

    async def _send(self, items: list[BulkItem], retries: Retries, *, is_first: bool) -> Outcomes:
        """Send a request and return the results; if it `is_first`, the server cannot have any of the items yet."""
        if self._writer.stopped is not None:
            if not is_first:
                return self._unknown(items, self._writer.stopped.message)
            why = f"not tried: {self._writer.stopped.message}"
            return [(item.intent, Result(item.change, Status.SKIPPED, why)) for item in items]
        try:
            created = await self._remote.create_listings([item.body for item in items])
        except Rejected as error:
            return await self._refused(items, error, retries, is_first=is_first)
        except AmbiguousOutcome as error:
            return await self._retry(items, error, retries)
        except Unreachable as error:
            self._writer.stopped = self._writer.stopped or error
            return self._failed(items, error) if is_first else self._unknown(items, error.message)
        except RemoteError as error:
            return self._failed(items, error)
        outcomes: Outcomes = []
        unmatched: list[BulkItem] = []
        for item, one in zip(items, created, strict=True):
            if one.entry is not None and is_first and one.made is False:
                outcomes.append((item.intent, self._found_existing(item, one.entry)))
            elif one.entry is not None:
                outcomes.append((item.intent, await self._stored(item, one.entry, made=bool(one.made))))
            elif one.error is not None:
                error_at = locate(item.change, one.error.partition(" ")[0], one.error)
                outcomes.append((item.intent, Result(item.change, Status.FAILED, error_at, refused=True)))
            else:
                unmatched.append(item)
        if unmatched:
            silent = AmbiguousOutcome("the server's answer does not say what became of it")
            outcomes += await self._retry(unmatched, silent, retries)
        return outcomes

    async def _refused(self, items: list[BulkItem], error: Rejected, retries: Retries, *, is_first: bool) -> Outcomes:
        """Send the request again without the items that the server refused, or in halves if it was too large."""
        if error.status == 413 and len(items) > 1:
            half = len(items) // 2
            parts = [await self._send(part, retries, is_first=is_first) for part in (items[:half], items[half:])]
            return [*chain.from_iterable(parts)]
        rejected: dict[int, dict[str, Sequence[str]]] = {}
        for name, texts in error.errors.items():
            found = _ITEM_FIELD.match(name)
            if found is None or int(found[1]) >= len(items):
                return self._failed(items, error)
            rejected.setdefault(int(found[1]), {})[found[2] or ""] = texts
        if not rejected:
            return self._failed(items, error)
        outcomes: Outcomes = []
        for position, errors in rejected.items():
            outcomes += self._failed([items[position]], Rejected(error.message, status=error.status, errors=errors))
        rest = [item for position, item in enumerate(items) if position not in rejected]
        return outcomes + (await self._send(rest, retries, is_first=is_first) if rest else [])

    async def _retry(self, items: list[BulkItem], unclear: AmbiguousOutcome, retries: Retries) -> Outcomes:
        """Send items with an ambiguous outcome again, in halves, as one of them may make the server fail.

        An item with a URL is sent again at once: the server answers with what it has (docs/contract.md 4.3.2). Others
        are looked up first, and never sent again without a URL or a slug.
        """
        is_last = next(retries, None) is None
        ambiguous = [item for item in items if is_last or not item.body.get("url")]
        again = [item for item in items if not is_last and item.body.get("url")]
        outcomes: Outcomes = []
        try:
            record = await self._look_up(ambiguous, unclear)
        except UnknownOutcome as error:
            outcomes += self._failed(ambiguous, error)
        else:
            for item in ambiguous:
                found = record.get(item.change.key)
                if found is not None:
                    outcomes.append((item.intent, await self._stored(item, found, made=False)))
                elif is_last or not item.is_identifiable:
                    outcomes += self._failed([item], unclear)
                else:
                    again.append(item)
        half = (len(again) + 1) // 2
        for part in (again[:half], again[half:]):
            outcomes += await self._send(part, retries, is_first=False) if part else []
        return outcomes

    async def _look_up(self, items: Sequence[BulkItem], unclear: AmbiguousOutcome) -> dict[str, Entry]:
        """Return what the server has of new listings, by key. Raise UnknownOutcome."""
        if not items:
            return {}
        if len(items) <= _FEW_LISTINGS:
            asked = [await read_back(self._remote.find(Kind.LISTING, item.change.key), unclear) for item in items]
            record = [entry for entry in asked if entry is not None]
        else:
            record = await read_back(self._remote.fetch_again({Kind.LISTING}), unclear)
        return {entry.key: entry for entry in record}

    def _found_existing(self, item: BulkItem, answer: Entry) -> Result:
        """Return the result for a listing that another user created since the plan: it is not overwritten."""
        change, record = item.change, complete_answer(item.change, answer)
        if is_stored(change.kind, without_added(item.intent.fields), record):
            return replace(self._writer.success(item.intent, answer), found=True, before=answer.fields)
        return self._conflicting(item, record)

    def _conflicting(self, item: BulkItem, record: Entry) -> Result:
        how = describe_difference(item.change, record)
        why = f"it was made on the server after the plan was made: {how}; run again, and look at the plan"
        return self._writer.contradiction(Result(item.change, Status.FAILED, locate(item.change, "", why)))

    async def _stored(self, item: BulkItem, answer: Entry, *, made: bool) -> Result:
        """Return the result for a listing that the server has, after it got the values that it lacks.

        If this run may not have created it, it counts only if it has everything that was sent. The server adds the
        organizer of the token's user to every new listing (docs/contract.md 4.4.5); remove it if the file says so.
        """
        change = item.change
        answer = complete_answer(change, answer)
        if not made and not is_stored(change.kind, without_added(item.intent.fields), answer):
            return self._conflicting(item, answer)
        desired, stored = change.entry.fields.get("organizers"), answer.fields.get("organizers")
        added = isinstance(desired, list) and isinstance(stored, list) and set(stored) > set(desired)
        if not added:
            return self._writer.success(item.intent, answer)
        differing = compare(change.entry, answer, None).changes
        return await self._remove_added_organizers(item, answer, {"organizers": differing["organizers"]})

    async def _remove_added_organizers(
        self, item: BulkItem, record: Entry, differing: dict[str, FieldChange]
    ) -> Result:
        change = item.change
        update = Change(Action.UPDATE, change.entry, record, differing)
        fingerprints = expected_fingerprints(update)
        try:
            body: dict[str, Any] = self._writer.body(change, payload(update))
            answer = await update_and_verify(self._remote, update, body, fingerprints, record)
        except (RemoteError, UnknownOutcome, UnknownReference) as error:
            self._writer.register(change, record)
            names = ", ".join(differing)
            if not isinstance(error, UnknownReference):
                self._writer.failure(update, error)
            return Result(
                change,
                Status.FAILED,
                locate(change, "", f"it was created, but with other {names}: {error.message}"),
                applied=applied_incomplete(change, record, self._writer.custom),
                refused=is_refusal(error),
            )
        return self._writer.success(item.intent, replace(answer, fields={**record.fields, **answer.fields}))

    def _unknown(self, items: Sequence[BulkItem], why: str) -> Outcomes:
        """Return the results of items that were sent before, without an answer, and cannot be sent again."""
        return self._failed(
            items, AmbiguousOutcome(f"the server may have created it, but did not answer; sent again: {why}")
        )

    def _failed(self, items: Sequence[BulkItem], error: RemoteError | UnknownOutcome) -> Outcomes:
        return [(item.intent, self._writer.failure(item.change, error)) for item in items]
