"""TODO."""

import asyncio
import os
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from ...content.config import Target
from ...content.files.writing import put
from ...model import RECORDS, Kind, Reference
from ..change import Action, Change, Loss, Result, Status
from ..comparing.base import Applied, Ledger
from ..comparing.entry_fields import is_custom
from ..plan import Plan
from .state_dir import Place, heading_of, line_of, unwritable
from .state_file import document_from, write_state

CHECKPOINT = 500  # changes after which the state is written in between; more of them where there are more lines


@dataclass(frozen=True, slots=True)
class Intent:
    """A write that is about to be sent."""

    number: int
    change: Change
    applied: Applied | None  # what is to be remembered of the entry; None of a delete
    fields: Mapping[str, str]  # what the write is to change: dotted names, and the fingerprints of the new values
    custom: Mapping[str, int]  # the ids of custom fields by name
    base: Applied | None = None  # what is remembered of the entry until then
    lost: Sequence[Loss] = ()  # what other entries lose by a delete

    def document(self) -> Mapping[str, Any]:
        """Its line: with all that is needed to make the entry what it was, and to tell whether the write was done."""
        change = self.change
        return {
            "intent": self.number,
            "action": change.action,
            "kind": change.kind,
            "key": change.key,
            "id": change.id,
            "previous": change.previous_key,
            "before": None if change.actual is None else change.actual.fields,
            "fields": dict(self.fields),
            "base": None if self.base is None else document_from(self.base),
            "applied": None if self.applied is None else document_from(self.applied),
            "foreign": change.is_foreign,
            "lost": [[loss.entry.kind, loss.entry.id, loss.field, loss.entry.fields[loss.field]] for loss in self.lost],
            "ids": self._ids(),
        }

    def _ids(self) -> Mapping[str, Mapping[str, int]]:
        """Return the ids of what the values before refer to, and of custom fields: their names may change."""
        change = self.change
        ids: dict[str, dict[str, int]] = {}
        values = [(change.kind, name, value) for name, value in change.actual.fields.items()] if change.actual else []
        values += [(change.kind, name, None) for name in self.fields]
        values += [(loss.entry.kind, loss.field, loss.entry.fields[loss.field]) for loss in self.lost]
        for kind, name, value in values:
            if name in self.custom and is_custom(kind, name):
                ids.setdefault(Kind.CUSTOM_FIELD.value, {})[name] = self.custom[name]
            referred = RECORDS[kind].references.get(name)
            for key in value if isinstance(value, list) else [value]:
                if referred is not None and isinstance(key, Reference) and key.id is not None:
                    ids.setdefault(referred.value, {})[str(key)] = key.id
        return ids


class Journal:
    """The journal of one run, and the base as the run changes it.

    Every method raises Unwritable when the disk does not take it; then nothing more may be sent. The state is written
    only while `ours`, which raises Refused where the lock is another run's, lets it; without `keeps_state` never.
    """

    def __init__(
        self, place: Place, target: Target, run: str, ledger: Ledger, ours: Callable[[], None], *, keeps_state: bool
    ) -> None:
        self.run = run
        self.ledger = ledger
        self.file = journal_file(place, run)
        self._state = place.state if keeps_state else None
        self._target = target
        self._ours = ours
        self._descriptor = -1
        self._written = self._durable = 0  # bytes
        self._syncing = asyncio.Lock()
        self._numbers = 0
        self._open: set[int] = set()
        self._gone: dict[Kind, set[int | None]] = defaultdict(set)  # the ids of what this run has deleted
        self._since_checkpoint = 0

    @classmethod
    def open(
        cls,
        place: Place,
        target: Target,
        run: str,
        plan: Plan,
        *,
        ours: Callable[[], None] = lambda: None,
        keeps_state: bool = True,
    ) -> Self:
        """The journal of a run that is about to apply a plan; its state begins with what the plan has learned."""
        journal = cls(place, target, run, ledger_after(plan), ours, keeps_state=keeps_state)
        undoes = {"undoes": plan.undoes} if plan.undoes else {}
        heading = line_of(heading_of("journal", target, run=run, digest=plan.digest, **undoes))
        try:
            journal.file.parent.mkdir(parents=True, exist_ok=True)
            # As a whole, so that a journal without a heading is never one of a run that was cut off.
            put(journal.file, heading, durable=True)
            journal._descriptor = os.open(journal.file, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        except OSError as error:
            raise unwritable(journal.file, error) from error
        journal._written = journal._durable = len(heading)
        return journal

    def go_on(self, plan: Plan) -> None:
        """Take over what a second plan of the same run has learned."""
        self.ledger = ledger_after(plan)

    async def intend(
        self,
        change: Change,
        applied: Applied | None,
        fields: Mapping[str, str],
        custom: Mapping[str, int] = MappingProxyType({}),
        lost: Sequence[Loss] = (),
    ) -> Intent:
        """Notes a write, which may be sent when this returns."""
        intent = Intent(self._numbers + 1, change, applied, fields, custom, self._base_of(change), lost)
        return (await self._noted([intent]))[0]

    async def intend_all(
        self,
        writes: Sequence[tuple[Change, Applied | None, Mapping[str, str]]],
        custom: Mapping[str, int] = MappingProxyType({}),
    ) -> list[Intent]:
        """Notes the writes of one request."""
        numbered = enumerate(writes, self._numbers + 1)
        return await self._noted(
            [Intent(number, *write, custom, self._base_of(write[0])) for number, write in numbered]
        )

    def _base_of(self, change: Change) -> Applied | None:
        return self.ledger.of(change.kind, change.previous_key or change.key, change.id)

    async def _noted(self, intents: list[Intent]) -> list[Intent]:
        self._numbers += len(intents)
        self._append([intent.document() for intent in intents])
        self._open |= {intent.number for intent in intents}
        await self._synced()
        return intents

    async def record(self, outcomes: Sequence[tuple[Intent, Result]]) -> None:
        """Notes what came of writes; what is unknown stays open, for the next run to find out."""
        for intent, result in outcomes:
            change = intent.change
            if result.status is not Status.UNKNOWN:
                self._open.discard(intent.number)
            if result.status is Status.DONE and (change.action is Action.DELETE or change.is_foreign):
                self.ledger.forget(change.kind, change.previous_key or change.key, change.id)
            if result.status is Status.DONE and change.action is Action.DELETE:
                gone = self._gone[change.kind]
                for entry, name, _ in intent.lost:
                    if isinstance(entry.fields[name], list) and name in RECORDS[entry.kind].references:
                        self.ledger.note_loss(entry.kind, entry.id, name, entry.fields[name], change.id, gone)
                key = change.previous_key or change.key
                self.ledger.note_lift(change.kind, Reference(key, change.id), change.entry.fields)
                gone.add(change.id)
            if result.applied is not None:
                if change.previous_key is not None:
                    self.ledger.forget(change.kind, change.previous_key, change.id)
                self.ledger.put(result.applied)
        self._append(
            [
                {
                    "result": intent.number,
                    "status": result.status,
                    "applied": None if result.applied is None else document_from(result.applied),
                    "error": result.error,
                    "found": result.found,
                    "before": result.before,
                }
                for intent, result in outcomes
            ]
        )
        await self._synced()
        self._since_checkpoint += len(outcomes)
        if self._since_checkpoint >= max(CHECKPOINT, len(self.ledger)):
            self._write_state()

    def close(self, not_done: int = 0) -> None:
        """Writes the state, and the end of the journal unless an outcome is unknown.

        `not_done` counts the changes of the plan that failed or were skipped.

        Raises Refused, and does neither, where another run has the lock: that one goes by this journal.
        """
        try:
            self._write_state()
            if not self._open:
                self._append([{"end": "done", "open": not_done}])
                os.fsync(self._descriptor)
        except OSError as error:
            raise unwritable(self.file, error) from error
        finally:
            os.close(self._descriptor)

    def _write_state(self) -> None:
        self._ours()
        if self._state is not None:
            write_state(self._state, self.ledger.base.values(), self._target)
        self._since_checkpoint = 0

    def _append(self, documents: Sequence[Mapping[str, Any]]) -> None:
        self._written += append(self._descriptor, self.file, documents)

    async def _synced(self) -> None:
        """Returns when all that is written now is on disk: several requests share one turn of it."""
        written = self._written
        async with self._syncing:
            if self._durable < written:
                reached = self._written
                try:
                    await asyncio.to_thread(os.fsync, self._descriptor)
                except OSError as error:
                    raise unwritable(self.file, error) from error
                self._durable = reached


def append(descriptor: int, file: Path, documents: Sequence[Mapping[str, Any]]) -> int:
    """Appends lines, all of them or none; how many bytes they are. Raises Unwritable."""
    text = b"".join(map(line_of, documents))
    before = os.fstat(descriptor).st_size
    left = memoryview(text)
    try:
        while left:
            left = left[os.write(descriptor, left) :]
    except OSError as error:
        os.ftruncate(descriptor, before)  # half a line would be taken for damage when others follow it
        raise unwritable(file, error) from error
    return len(text)


def journal_file(place: Place, run: str) -> Path:
    """Where the journal of a run is."""
    return place.journals / f"{run}.jsonl"


def ledger_after(plan: Plan) -> Ledger:
    """The base of a plan with what making the plan has taught."""
    return Ledger(plan.base.changed(plan.learned, plan.gone).values())
