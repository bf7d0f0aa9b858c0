"""Writes with an ambiguous outcome: read the record, and write again if that is safe. And the check before deletes.

| the record  | create                        | update                 | delete                 |
|-------------|-------------------------------|------------------------|------------------------|
| as sent     | done                          | done                   | done: deleted          |
| as before   | again                         | again                  | again                  |
| different   | again: it is an upsert        | ConcurrentModification | ConcurrentModification |
| unreadable  | unknown                       | unknown                | unknown                |
"""

from collections.abc import Awaitable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ...errors import AmbiguousOutcome, Conflicting, Rejected, RemoteError
from ...model import RECORDS, Entry, Kind
from ...remote import Remote
from ..change import Action, Change
from .outcome import describe_difference, is_stored, is_unchanged

TRIES = 3  # of a write that was not done
Found = TypeVar("Found")


class UnknownOutcome(Exception):
    """The outcome of a write cannot be found out; `cause` is why the record could not be read."""

    def __init__(self, message: str, cause: RemoteError) -> None:
        super().__init__(message)
        self.message = message
        self.cause = cause


class ConcurrentModification(RemoteError):
    """Another user has written the entry since it was read; this run changed nothing."""


class ListMismatch(RemoteError):
    """The server has an entry that its list lacked, or lacks one that its list had; this run changed nothing."""


async def create_and_verify(
    remote: Remote, change: Change, body: Mapping[str, Any], fingerprints: Mapping[str, str]
) -> tuple[Entry, bool]:
    """Return the new entry, of a kind that is created by its key, and whether another user created it before.

    A second create finds the record of the first, so that is not known after a lost answer. `fingerprints` are those of
    the sent values. Raise ListMismatch if the server has the key, RemoteError and UnknownOutcome.
    """
    for attempt in range(TRIES):
        try:
            entry, created = await remote.create(change.kind, body)
        except Conflicting as error:
            found = await read_back(remote.find(change.kind, change.key), error) if attempt else None
            if found is not None and is_stored(change.kind, fingerprints, found):
                return found, False  # the first request was late
            raise ListMismatch("it is on the server already, and was not when the plan was made") from error
        except AmbiguousOutcome as error:
            ambiguous = error
            found = await read_back(remote.find(change.kind, change.key), error)
            if found is not None and is_stored(change.kind, fingerprints, found):
                return found, False
        else:
            return entry, not created and not attempt
    raise ambiguous


async def update_and_verify(
    remote: Remote, change: Change, body: Mapping[str, Any], fingerprints: Mapping[str, str], before: Entry
) -> Entry:
    """Return the entry after an update; `before` is the state that it must still have.

    Raise ConcurrentModification if it has neither state, ListMismatch if it was deleted, RemoteError and
    UnknownOutcome.
    """
    for tries in range(TRIES):
        try:
            return await _update_once(remote, change, body, fingerprints, before, is_retry=tries > 0)
        except (AmbiguousOutcome, Conflicting) as error:
            last = error
            found = await _read_now(remote, before, error)
            if found is None:
                raise _deleted_error(change) from error
            if is_stored(change.kind, fingerprints, found):
                return found
            if not is_unchanged(body, before, found):
                raise _changed_error(describe_difference(change, found)) from error
            before = found
        except Rejected as error:
            if error.status == 404:
                raise _deleted_error(change) from error
            raise
    raise last


async def _update_once(
    remote: Remote,
    change: Change,
    body: Mapping[str, Any],
    fingerprints: Mapping[str, str],
    before: Entry,
    *,
    is_retry: bool,
) -> Entry:
    """Update an entry. Raise AmbiguousOutcome if the answer shows the entry as before, without the changes.

    A service without ETags may ignore a field: its answer counts if it is the same for a retry.
    """
    etag = before.etag if remote.conditional else None
    answer = await remote.update(change.kind, _id_of(before), body, etag=etag)
    shown = answer.fields.keys() & {name.partition(".")[0] for name in fingerprints}
    is_old = answer.etag == etag if etag is not None else not is_retry and is_unchanged(shown, before, answer)
    if is_old and shown and not is_stored(change.kind, fingerprints, answer):
        raise AmbiguousOutcome("the server answered the update as done, and has not changed the entry")
    return answer


async def delete_and_verify(remote: Remote, change: Change, before: Entry) -> None:
    """Delete an entry, which must still be as `before`.

    Raise ConcurrentModification, RemoteError and UnknownOutcome.
    """
    identity = _id_of(before)
    for _ in range(TRIES):
        try:
            return await remote.delete(change.kind, identity, etag=before.etag if remote.conditional else None)
        except (AmbiguousOutcome, Conflicting) as error:
            last = error
            found = await _read_now(remote, before, error)
            if found is None:
                return None
            if not is_same_record(before, found):
                raise _changed_error("it was changed after the plan was made") from error
            before = found
    raise last


def is_same_record(before: Entry, found: Entry) -> bool:
    """Return whether an entry still has its values; the keys of its references may have changed."""
    names = before.fields.keys() - RECORDS[before.kind].references.keys() - {"translations"}
    return before.key == found.key and is_unchanged(names, before, found)


async def read_back(reading: Awaitable[Found], error: RemoteError) -> Found:
    """Return the result of a reading after an ambiguous write. Raise UnknownOutcome."""
    try:
        return await reading
    except RemoteError as why:
        raise UnknownOutcome(f"{error.message}; and it cannot be read back: {why.message}", why) from error


async def _read_now(remote: Remote, before: Entry, error: RemoteError) -> Entry | None:
    reading = remote.get(before.kind, _id_of(before))
    return await reading if isinstance(error, Conflicting) else await read_back(reading, error)


def _id_of(entry: Entry) -> int:
    if entry.id is None:
        raise AssertionError("the server's entries have an id")
    return entry.id


def _deleted_error(change: Change) -> ListMismatch:
    return ListMismatch(f"{change.kind} {change.key} is no longer on the server", "run again, and look at the plan")


def _changed_error(how: str) -> ConcurrentModification:
    return ConcurrentModification(
        f"it was changed on the server after the plan was made: {how}", "run again, and look at the plan"
    )


class DeleteCheck:
    """Whether the server still has what the plan was made from, with what the run has written since.

    `written` are the keys of what the run has written, `uncertain` those that the server may or may not have.
    """

    def __init__(
        self,
        planned: Iterable[Entry],
        written: Mapping[tuple[Kind, int | None], str],
        uncertain: set[tuple[Kind, str]],
        now: Sequence[Entry],
    ) -> None:
        self._keys = {(entry.kind, entry.id): entry.key for entry in planned}
        self._keys |= written
        self._uncertain = uncertain
        self._records = {(entry.kind, entry.id): entry for entry in now}

    def current(self, change: Change) -> Entry | None:
        """Return the present state of the entry to delete; None if it was deleted."""
        return self._records.get((change.kind, change.id))

    def entry_objection(self, change: Change, before: Entry) -> str:
        """Return why an entry must not be deleted; `before` is its last known state. Empty if nothing is against it."""
        current = self.current(change)
        is_other = current is not None and not is_same_record(before, current)
        return "it was changed on the server after the plan was made" if is_other else ""

    def kind_objection(self, kind: Kind, deletes: Iterable[Change]) -> str:
        """Return why no entry of a kind may be deleted; empty if the two lists agree."""
        deleted_ids = {change.id for change in deletes if change.action is Action.DELETE}
        before = {id_: key for (of, id_), key in self._keys.items() if of is kind and id_ not in deleted_ids}
        now = {id_: entry.key for (of, id_), entry in self._records.items() if of is kind and id_ not in deleted_ids}
        differing = {
            key
            for id_ in before.keys() | now.keys()
            if before.get(id_) != now.get(id_)
            for key in (before.get(id_), now.get(id_))
            if key is not None and (kind, key) not in self._uncertain
        }
        if not differing:
            return ""
        names = ", ".join(sorted(differing)[:3])
        return f"the server's {kind.plural} have changed since the plan was made ({names})"
