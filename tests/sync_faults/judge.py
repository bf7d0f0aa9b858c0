"""Check the service's own records after a fault (docs/evidence.md, What must hold after every fault)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from contentsync.model.slug import make_slug
from contentsync.sync.comparing.change import Action, Change, Result, Status

from .records import Key, Records


@dataclass(frozen=True)
class Judge:
    """The records before a sync, and the records after an undisturbed one."""

    before: Records
    wanted: Records

    def disturbed(self, after: Records, results: Sequence[Result]) -> Iterator[str]:
        """Yield the faults after a sync that may have ended anywhere: I1, I2, I4."""
        for key in self.before.keys() | self.wanted.keys() | after.keys():
            states = _state(self.before, key), _state(self.wanted, key)
            if _state(after, key) not in states:
                yield f"{_named(key)} is neither as it was nor as it should be: {_state(after, key)}"
            if states[0] == states[1] and key in after and after[key] != self.before[key]:
                yield f"{_named(key)} was written, although no user had asked for it"
        for result in results:
            key = key_of_change(result.change)
            there = _state(after, key)
            if result.status is Status.DONE and there != _state(self.wanted, key):
                yield f"{result.change} is reported as done, but {_named(key)} is {there}"
            if result.status in (Status.FAILED, Status.SKIPPED) and there != _state(self.before, key):
                yield f"{result.change} is reported as {result.status} ({result.error}), but {_named(key)} is {there}"

    def converged(self, after: Records) -> Iterator[str]:
        """Yield the faults after one more, undisturbed sync: I1 to I3."""
        for key in self.wanted.keys() | after.keys():
            if _state(after, key) != _state(self.wanted, key):
                yield f"{_named(key)} is {_state(after, key)}, not {_state(self.wanted, key)}"
        for key in self.before.keys() & after.keys():
            if after[key].id != self.before[key].id:
                yield f"{_named(key)} has been deleted and made again"


def _state(records: Records, key: Key) -> object:
    return records[key].content if key in records else None


def _named(key: Key) -> str:
    return f"{key[0]} {key[1]}"


def key_of_change(change: Change) -> Key:
    """Return the key by which the service knows the entry of a change."""
    entry = change.entry
    fields = entry.fields if change.action is not Action.DELETE or change.actual is None else change.actual.fields
    return entry.kind, str(
        fields.get("slug")
        or fields.get("name" if entry.kind == "custom_field" else "slug")
        or make_slug(str(fields.get("name") or fields.get("title")))
    )
