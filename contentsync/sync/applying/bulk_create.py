"""TODO."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from ...errors import Rejected, RemoteError, Unclear, Unreachable
from ...model import Entry, Kind
from ...remote import UnknownReference
from ..change import Action, Change, Result, Status
from ..comparing.diff import FieldChange, compare
from ..state.journal import Intent
from .outcome import ADDED_TO, difference, expected, intention, is_stored, line_partly, whole
from .settle import Unsettled, read_back, settled_update
from .writer import Body, Writer, is_refusal, payload, placed

_ITEM = re.compile(r"listings\.(\d{1,3})(?:\.(.+))?\Z")  # how a field of an item is named in a refusal


UNCLEAR = 12  # unclear answers that a batch may get: to find one that fails always among a hundred takes eight


_FEW = 2  # listings that are looked for one by one; for more the whole list is read


class Item(NamedTuple):
    """A listing on its way."""

    change: Change
    body: Body
    intent: Intent

    @property
    def has_name(self) -> bool:
        """Whether the server would know it again if it were sent twice (docs/faults.md SL-11)."""
        return bool(self.body.get("url") or self.body.get("slug"))


Outcomes = list[tuple[Intent, Result]]


Tries = Iterator[int]  # one for each unclear answer that a batch may get yet


class Bulk:
    """Creates listings through a run's writer."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._remote = writer.remote

    async def write(self, changes: Sequence[Change]) -> list[Result]:
        """What became of each. Raises Refused or Unwritable where nothing may be sent any more."""
        results: list[Result] = []
        ready: list[tuple[Change, Body]] = []
        for change in map(self._writer.known, changes):
            try:
                ready.append((change, self._writer.body(change, payload(change))))
            except UnknownReference as error:
                why = placed(change, error.field, error.message)
                results.append(Result(change, Status.FAILED, why, refused=True))
        if ready:
            self._writer.ours()
            writes = [(change, *intention(change, self._writer.custom)) for change, _ in ready]
            intents = await self._writer.journal.intend_all(writes, self._writer.custom)
            items = [Item(*sent, intent) for sent, intent in zip(ready, intents, strict=True)]
            outcomes = await self._send(items, iter(range(UNCLEAR)), first=True)
            await self._writer.note(outcomes)
            results += [result for _, result in outcomes]
        return results

    async def _send(self, items: list[Item], tries: Tries, *, first: bool) -> Outcomes:
        """What became of each; at `first` the server cannot have any of them from this run."""
        if self._writer.stopped is not None:
            if not first:
                return self._lost(items, self._writer.stopped.message)
            why = f"not tried: {self._writer.stopped.message}"
            return [(item.intent, Result(item.change, Status.SKIPPED, why)) for item in items]
        try:
            created = await self._remote.create_listings([item.body for item in items])
        except Rejected as error:
            return await self._refused(items, error, tries, first=first)
        except Unclear as error:
            return await self._again(items, error, tries)
        except Unreachable as error:
            self._writer.stopped = self._writer.stopped or error
            return self._failed(items, error) if first else self._lost(items, error.message)
        except RemoteError as error:
            return self._failed(items, error)
        outcomes: Outcomes = []
        unmatched: list[Item] = []
        for item, one in zip(items, created, strict=True):
            if one.entry is not None and first and one.made is False:
                outcomes.append((item.intent, self._met(item, one.entry)))
            elif one.entry is not None:
                outcomes.append((item.intent, await self._stored(item, one.entry, made=bool(one.made))))
            elif one.error is not None:
                error_at = placed(item.change, one.error.partition(" ")[0], one.error)
                outcomes.append((item.intent, Result(item.change, Status.FAILED, error_at, refused=True)))
            else:
                unmatched.append(item)
        if unmatched:
            silent = Unclear("the server's answer does not say what became of it")
            outcomes += await self._again(unmatched, silent, tries)
        return outcomes

    async def _refused(self, items: list[Item], error: Rejected, tries: Tries, *, first: bool) -> Outcomes:
        """After a refusal of the whole: the same without the items that it names, or in halves if it was too large."""
        if error.status == 413 and len(items) > 1:
            half = len(items) // 2
            parts = [await self._send(part, tries, first=first) for part in (items[:half], items[half:])]
            return [*chain.from_iterable(parts)]
        wrong: dict[int, dict[str, Sequence[str]]] = {}
        for name, texts in error.errors.items():
            found = _ITEM.match(name)
            if found is None or int(found[1]) >= len(items):
                return self._failed(items, error)
            wrong.setdefault(int(found[1]), {})[found[2] or ""] = texts
        if not wrong:
            return self._failed(items, error)
        outcomes: Outcomes = []
        for place, errors in wrong.items():
            outcomes += self._failed([items[place]], Rejected(error.message, status=error.status, errors=errors))
        rest = [item for place, item in enumerate(items) if place not in wrong]
        return outcomes + (await self._send(rest, tries, first=first) if rest else [])

    async def _again(self, items: list[Item], unclear: Unclear, tries: Tries) -> Outcomes:
        """After an answer that leaves items open: in halves, as one of them may be what the server fails at.

        One with a URL is just sent again: the server answers with what it has (docs/contract.md 4.3.2). Others are
        looked for first, and never sent again without a name.
        """
        last = next(tries, None) is None
        doubtful = [item for item in items if last or not item.body.get("url")]
        again = [item for item in items if not last and item.body.get("url")]
        outcomes: Outcomes = []
        try:
            there = await self._found(doubtful, unclear)
        except Unsettled as error:
            outcomes += self._failed(doubtful, error)
        else:
            for item in doubtful:
                found = there.get(item.change.key)
                if found is not None:
                    outcomes.append((item.intent, await self._stored(item, found, made=False)))
                elif last or not item.has_name:
                    outcomes += self._failed([item], unclear)
                else:
                    again.append(item)
        half = (len(again) + 1) // 2
        for part in (again[:half], again[half:]):
            outcomes += await self._send(part, tries, first=False) if part else []
        return outcomes

    async def _found(self, items: Sequence[Item], unclear: Unclear) -> dict[str, Entry]:
        """What the server has of new listings, by key. Raises Unsettled."""
        if not items:
            return {}
        if len(items) <= _FEW:
            asked = [await read_back(self._remote.find(Kind.LISTING, item.change.key), unclear) for item in items]
            there = [entry for entry in asked if entry is not None]
        else:
            there = await read_back(self._remote.fetch_again({Kind.LISTING}), unclear)
        return {entry.key: entry for entry in there}

    def _met(self, item: Item, answer: Entry) -> Result:
        """The result for a listing that somebody else has made since the plan: theirs is not written over."""
        change, there = item.change, whole(item.change, answer)
        if is_stored(change.kind, _certain(item.intent.fields), there):
            return replace(self._writer.done(item.intent, answer), found=True, before=answer.fields)
        return self._not_ours(item, there)

    def _not_ours(self, item: Item, there: Entry) -> Result:
        how = difference(item.change, there)
        why = f"it was made on the server after the plan was made: {how}; run again, and look at the plan"
        return self._writer.contradiction(Result(item.change, Status.FAILED, placed(item.change, "", why)))

    async def _stored(self, item: Item, answer: Entry, *, made: bool) -> Result:
        """The result for a listing that the server has, after it was given what it lacks.

        Where it is not known that this run made it, it is ours only if it has all that was sent. The organizer of the
        token's user is added to every new one (docs/contract.md 4.4.5), and removed where the file says so.
        """
        change = item.change
        answer = whole(change, answer)
        if not made and not is_stored(change.kind, _certain(item.intent.fields), answer):
            return self._not_ours(item, answer)
        wanted, linked = change.entry.fields.get("organizers"), answer.fields.get("organizers")
        added = isinstance(wanted, list) and isinstance(linked, list) and set(linked) > set(wanted)
        if not added:
            return self._writer.done(item.intent, answer)
        differing = compare(change.entry, answer, None).changes
        return await self._completed(item, answer, {"organizers": differing["organizers"]})

    async def _completed(self, item: Item, there: Entry, differing: dict[str, FieldChange]) -> Result:
        change = item.change
        update = Change(Action.UPDATE, change.entry, there, differing)
        marks = expected(update)
        try:
            body: dict[str, Any] = self._writer.body(change, payload(update))
            answer = await settled_update(self._remote, update, body, marks, there)
        except (RemoteError, Unsettled, UnknownReference) as error:
            self._writer.know(change, there)
            names = ", ".join(differing)
            if not isinstance(error, UnknownReference):
                self._writer.failure(update, error)
            return Result(
                change,
                Status.FAILED,
                placed(change, "", f"it was created, but with other {names}: {error.message}"),
                applied=line_partly(change, there, self._writer.custom),
                refused=is_refusal(error),
            )
        return self._writer.done(item.intent, replace(answer, fields={**there.fields, **answer.fields}))

    def _lost(self, items: Sequence[Item], why: str) -> Outcomes:
        """The outcomes of items that were sent before, without an answer, and cannot be sent again."""
        return self._failed(items, Unclear(f"the server may have created it, but did not answer; sent again: {why}"))

    def _failed(self, items: Sequence[Item], error: RemoteError | Unsettled) -> Outcomes:
        return [(item.intent, self._writer.failure(item.change, error)) for item in items]


def _certain(marks: Mapping[str, str]) -> dict[str, str]:
    return {name: mark for name, mark in marks.items() if name not in ADDED_TO}
