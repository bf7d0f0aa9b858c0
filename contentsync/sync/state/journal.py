"""The journal of a run: each write and its result, on disk before and after each request.

```
{"contentsync": "journal", "version": 1, "run", "target", "url", "directory", "digest", "undoes"}
{"intent": 1, "action", "kind", "key", "id", "previous", "before", "fields", "base", "applied", "foreign", "lost",
 "ids"}                                                                                         before the request
{"result": 1, "status", "applied", "error", "found", "before"}                                  after the request
{"skipped": 1}                           the number of changes that were not tried, if there are any
{"end": "done", "open"}                  all of it is in the state file, if the run has one, and no result is unknown
```

`undoes` is the run that an undo undoes, and `open` the number of changes that are not done. Journals of earlier
versions have neither, nor `skipped`.
"""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from ...content.config.config_tables import Target
from ...file_writes import write_file
from ...model import RECORDS, Kind, Reference
from ..comparing.base import AppliedEntry, RemovedReference, StateBuilder
from ..comparing.change import Action, Change, DanglingReference, Result, Status
from ..comparing.entry_fields import is_custom
from ..planning.plan import Plan
from .state_dir import StateDir, unwritable_error
from .state_file import applied_document, encode_line, file_header, write_state

CHECKPOINT = 500  # changes after which the state is written during a run; more if the base has more entries


class Intent(NamedTuple):
    """A write that is about to be sent, as the journal records it."""

    number: int
    change: Change
    custom_ids: Mapping[str, int]  # the ids of custom fields by name
    base: AppliedEntry | None = None  # the applied entry before the write
    dangling: Sequence[DanglingReference] = ()  # the references that a delete removes

    def to_document(self) -> Mapping[str, Any]:
        """Return the journal's document: the data to restore the entry, and to check whether the write was done."""
        change = self.change
        return {
            "intent": self.number,
            "action": change.action,
            "kind": change.kind,
            "key": change.key,
            "id": change.id,
            "previous": change.previous_key,
            "before": None if change.actual is None else change.actual.fields,
            "fields": dict(change.expected.fingerprints),
            "base": None if self.base is None else applied_document(self.base),
            "applied": None if change.expected.applied is None else applied_document(change.expected.applied),
            "foreign": change.is_unmanaged,
            "lost": [
                [reference.entry.kind, reference.entry.id, reference.field, reference.entry.fields[reference.field]]
                for reference in self.dangling
            ],
            "ids": self._ids(),
        }

    def _ids(self) -> Mapping[str, Mapping[str, int]]:
        """Return the ids of the write's custom fields and previous references, by kind and key: keys may change."""
        change = self.change
        ids: dict[str, dict[str, int]] = {}
        fields = change.actual.fields if change.actual else {}
        with_ids = self.custom_ids.keys() | RECORDS[change.kind].references.keys()
        names = with_ids & (fields.keys() | change.expected.fingerprints.keys())
        values = [(change.kind, name, fields.get(name)) for name in names]
        values += [
            (reference.entry.kind, reference.field, reference.entry.fields[reference.field])
            for reference in self.dangling
        ]
        for kind, name, value in values:
            if name in self.custom_ids and is_custom(kind, name):  # not a field of the kind with the same name
                ids.setdefault(Kind.CUSTOM_FIELD.value, {})[name] = self.custom_ids[name]
            referred = RECORDS[kind].references.get(name)
            if referred is None:
                continue
            keys = value if isinstance(value, list) else [value]
            for key in keys:
                if isinstance(key, Reference) and key.id is not None:
                    ids.setdefault(referred.value, {})[str(key)] = key.id
        return ids


class Journal:
    """The journal of a run that is about to apply a plan, and the base as the run changes it.

    The file is created at once. Every method raises Unwritable if a file cannot be written; then no other request may
    be sent. Before each request and each write of the state, `check_lock` raises Refused if another run has the lock.
    Without `keeps_state`, no state is written. If it is not `durable`, a power failure may lose what was recorded.
    """

    def __init__(
        self,
        state_dir: StateDir,
        target: Target,
        run: str,
        plan: Plan,
        *,
        check_lock: Callable[[], None] = lambda: None,
        keeps_state: bool = True,
        durable: bool = True,
    ) -> None:
        self.run = run
        self.state = state_after(plan)
        self._left_out = plan.left_out
        self.file = state_dir.journals / f"{run}.jsonl"
        self._state_file = state_dir.state if keeps_state else None
        self._target = target
        self.check_lock = check_lock
        self._is_durable = durable
        self._sync_lock = asyncio.Lock()
        self._last_number = 0
        self._unknown: set[int] = set()  # the numbers of intents without a known result
        self._since_checkpoint = 0  # results since the state was written last
        undoes = {"undoes": plan.undone_run} if plan.undone_run else {}
        header = encode_line(file_header("journal", target, run=run, digest=plan.digest, **undoes))
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            # Write the file as a whole, so that no stopped run leaves a journal without a header.
            write_file(self.file, header, durable=True)
            self._descriptor = os.open(self.file, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        except OSError as error:
            raise unwritable_error(self.file, error) from error
        self._written_size = self._durable_size = len(header)

    def continue_with(self, plan: Plan) -> None:
        """Replace the state by the base and the base updates of a second plan of the same run."""
        self.state = state_after(plan)
        self._left_out = plan.left_out

    async def record_intent(
        self,
        change: Change,
        custom_ids: Mapping[str, int] = MappingProxyType({}),
        dangling: Sequence[DanglingReference] = (),
    ) -> Intent:
        """Record a write on disk, so that it may be sent; return its intent."""
        [intent] = await self.record_intents([change], custom_ids, dangling)
        return intent

    async def record_intents(
        self,
        changes: Sequence[Change],
        custom_ids: Mapping[str, int] = MappingProxyType({}),
        dangling: Sequence[DanglingReference] = (),
    ) -> list[Intent]:
        """Record the writes of one request on disk, so that it may be sent; return their intents."""
        intents = []
        for number, change in enumerate(changes, self._last_number + 1):
            base = self.state.find(change.kind, change.previous_key or change.key, change.id)
            intents.append(Intent(number, change, custom_ids, base, dangling))
        self._last_number += len(intents)
        self._append([intent.to_document() for intent in intents])
        self._unknown |= {intent.number for intent in intents}
        await self._sync_to_disk()
        return intents

    async def record_results(self, outcomes: Sequence[tuple[Intent, Result]]) -> None:
        """Record the results of writes, and update the state; the next run checks unknown results."""
        for intent, result in outcomes:
            change = intent.change
            if result.status is not Status.UNKNOWN:
                self._unknown.discard(intent.number)
            if result.status is Status.DONE and change.action is Action.DELETE:
                deleted = Reference(change.previous_key or change.key, change.id)
                removed = [
                    RemovedReference(entry.kind, entry.id, name, entry.fields[name])
                    for entry, name, _target in intent.dangling
                ]
                self.state.record_delete(change.kind, deleted, change.entry.fields, removed)
            elif result.status is Status.DONE and change.is_unmanaged:  # as it was before the run that is undone
                self.state.remove(change.kind, change.previous_key or change.key, change.id)
            if result.applied is not None:
                if change.previous_key is not None:
                    self.state.remove(change.kind, change.previous_key, change.id)
                self.state.put(result.applied)
        self._append(
            [
                {
                    "result": intent.number,
                    "status": result.status,
                    "applied": None if result.applied is None else applied_document(result.applied),
                    "error": result.error,
                    "found": result.already_existed,
                    "before": result.before,
                }
                for intent, result in outcomes
            ]
        )
        await self._sync_to_disk()
        self._since_checkpoint += len(outcomes)
        if self._since_checkpoint >= max(CHECKPOINT, len(self.state) + len(self._left_out)):
            self._write_state()

    def close(self, not_done: int = 0, skipped: int = 0) -> None:
        """Write the state, write the end of the journal unless a result is unknown, and close the file.

        `not_done` is the number of changes that failed or were skipped, `skipped` that of the skipped ones. If another
        run has the lock, which now uses this journal, write nothing and raise Refused.
        """
        try:
            self._write_state()
            if skipped:
                self._append([{"skipped": skipped}])
            if not self._unknown:
                self._append([{"end": "done", "open": not_done}])
                os.fsync(self._descriptor)
        except OSError as error:
            raise unwritable_error(self.file, error) from error
        finally:
            os.close(self._descriptor)

    def _write_state(self) -> None:
        self.check_lock()
        if self._state_file is not None:
            write_state(self._state_file, self.state.base.values(), self._target, self._left_out)
        self._since_checkpoint = 0

    def _append(self, documents: Sequence[Mapping[str, Any]]) -> None:
        self._written_size += append_lines(self._descriptor, self.file, documents)

    async def _sync_to_disk(self) -> None:
        """Return when everything written so far is on disk; several requests share one `fsync`."""
        if not self._is_durable:
            return
        written = self._written_size
        async with self._sync_lock:
            if self._durable_size < written:
                reached = self._written_size
                try:
                    await asyncio.to_thread(os.fsync, self._descriptor)
                except OSError as error:
                    raise unwritable_error(self.file, error) from error
                self._durable_size = reached


def append_lines(descriptor: int, file: Path, documents: Sequence[Mapping[str, Any]]) -> int:
    """Append one line for each document, all or none; return the number of bytes. Raise Unwritable."""
    text = b"".join(map(encode_line, documents))
    size = os.fstat(descriptor).st_size
    rest = memoryview(text)
    try:
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    except OSError as error:
        os.ftruncate(descriptor, size)  # half a line would count as damage when others follow it
        raise unwritable_error(file, error) from error
    return len(text)


def state_after(plan: Plan) -> StateBuilder:
    """Return the base of a plan, changed by the plan's base updates and removals."""
    return StateBuilder(plan.base.with_updates(plan.base_updates, plan.base_removals).values())
