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

from ...errors import AmbiguousOutcome, Conflicting, Rejected, RemoteError, join_first
from ...model import RECORDS, Entry, EntryKey, Kind
from ...remote.remote import Remote
from ..comparing.change import Action, Change
from ..comparing.outcome import describe_difference, is_stored, is_unchanged

MAX_TRIES = 3  # of a write that was not done
Answer = TypeVar("Answer")


class UnknownOutcome(Exception):
    """The outcome of a write is unknown; `cause` is the error of reading the record back."""

    def __init__(self, message: str, cause: RemoteError) -> None:
        super().__init__(message)
        self.message = message
        self.cause = cause


class ConcurrentModification(RemoteError):
    """Another user has written the entry since it was read; this run changed nothing."""


class ListMismatch(RemoteError):
    """The server has an entry that its list lacked, or lacks one that its list had; this run changed nothing."""


async def create_and_verify(remote: Remote, change: Change, body: Mapping[str, Any]) -> tuple[Entry, bool]:
    """Create the record of a change; return it, and whether another user had created it before.

    After a lost answer, the latter is always False: a second create may find the record of the first. Raise
    ListMismatch if the server already had the key. Raise AmbiguousOutcome, another RemoteError or UnknownOutcome if the
    create failed or cannot be confirmed.
    """
    for tries in range(MAX_TRIES):
        is_retry = tries > 0
        try:
            entry, is_new = await remote.create(change.kind, body)  # not new: the service found a record with the key
        except Conflicting as error:
            found = await read_back(remote.find(change.kind, change.key), error) if is_retry else None
            if found is not None and is_stored(change.kind, change.expected.fingerprints, found):
                return found, False  # the first request was late
            raise ListMismatch("it is on the server already, and was not when the plan was made") from error
        except AmbiguousOutcome as error:
            ambiguous = error
            found = await read_back(remote.find(change.kind, change.key), error)
            if found is not None and is_stored(change.kind, change.expected.fingerprints, found):
                return found, False
        else:
            created_by_other_user = not is_new and not is_retry
            return entry, created_by_other_user
    raise ambiguous


async def update_and_verify(remote: Remote, change: Change, body: Mapping[str, Any], before: Entry) -> Entry:
    """Update a record, which must still be as `before`, and return it.

    Raise ConcurrentModification if the record is neither as before nor as sent, and ListMismatch if it was deleted.
    Raise RemoteError or UnknownOutcome if the update failed or cannot be confirmed.
    """
    for tries in range(MAX_TRIES):
        try:
            return await _update_once(remote, change, body, before, is_retry=tries > 0)
        except (AmbiguousOutcome, Conflicting) as error:
            last = error
            found = await _read_now(remote, before, error)
            if found is None:
                raise _deleted_error(change) from error
            if is_stored(change.kind, change.expected.fingerprints, found):
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
    before: Entry,
    *,
    is_retry: bool,
) -> Entry:
    """Send an update once. Raise AmbiguousOutcome if the answer shows the record as before, without the changes.

    Accept the answer to a retry if the service has no ETags: it may ignore fields, so the record may stay as before.
    """
    fingerprints = change.expected.fingerprints
    etag = before.etag if remote.conditional else None
    answer = await remote.update(change.kind, _id_of(before), body, etag=etag)
    shown = answer.fields.keys() & {name.partition(".")[0] for name in fingerprints}
    # Without ETags, compare the values.
    is_as_before = answer.etag == etag if etag is not None else not is_retry and is_unchanged(shown, before, answer)
    if is_as_before and shown and not is_stored(change.kind, fingerprints, answer):
        raise AmbiguousOutcome("the server answered the update as done, and has not changed the entry")
    return answer


async def delete_and_verify(remote: Remote, change: Change, before: Entry) -> None:
    """Delete a record, which must still be as `before` or be deleted already.

    Raise ConcurrentModification if another user changed it. Raise RemoteError or UnknownOutcome if the delete failed or
    cannot be confirmed.
    """
    id_ = _id_of(before)
    for _ in range(MAX_TRIES):
        try:
            return await remote.delete(change.kind, id_, etag=before.etag if remote.conditional else None)
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
    """Return whether a record still has its key and values; ignore its references and translations."""
    names = before.fields.keys() - RECORDS[before.kind].references.keys() - {"translations"}
    return before.key == found.key and is_unchanged(names, before, found)


async def read_back(reading: Awaitable[Answer], error: RemoteError) -> Answer:
    """Return the result of a reading after an ambiguous write. Raise UnknownOutcome if the reading fails."""
    try:
        return await reading
    except RemoteError as cause:
        raise UnknownOutcome(f"{error.message}; and it cannot be read back: {cause.message}", cause) from error


async def _read_now(remote: Remote, before: Entry, error: RemoteError) -> Entry | None:
    """Return the present record after a write raised the error; None if the record was deleted.

    If the reading fails, raise RemoteError after a refused write (Conflicting), and UnknownOutcome after any other.
    """
    reading = remote.get(before.kind, _id_of(before))
    if isinstance(error, Conflicting):
        return await reading
    return await read_back(reading, error)


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
    """Compares the server's records `now` with those of the plan (`planned`) and of the run's own writes.

    `written` maps the kind and id of each record that the run has written to its key. `uncertain` are the keys that the
    server may or may not have.
    """

    def __init__(
        self,
        planned: Iterable[Entry],
        written: Mapping[tuple[Kind, int | None], str],
        uncertain: set[EntryKey],
        now: Sequence[Entry],
    ) -> None:
        self._keys = {(entry.kind, entry.id): entry.key for entry in planned}
        self._keys |= written
        self._uncertain = uncertain
        self._records = {(entry.kind, entry.id): entry for entry in now}

    def find_current(self, change: Change) -> Entry | None:
        """Return the present record of an entry to delete; None if it was deleted already."""
        return self._records.get((change.kind, change.id))

    def entry_objection(self, change: Change, before: Entry) -> str:
        """Return why an entry must not be deleted; empty if it may be. `before` is its last known record."""
        current = self.find_current(change)
        is_changed = current is not None and not is_same_record(before, current)
        return "it was changed on the server after the plan was made" if is_changed else ""

    def kind_objection(self, kind: Kind, deletes: Iterable[Change]) -> str:
        """Return why no entry of a kind may be deleted; empty if the list of the plan and the present one agree."""
        deleted = {change.id for change in deletes if change.action is Action.DELETE}
        before = {id_: key for (each, id_), key in self._keys.items() if each is kind and id_ not in deleted}
        now = {id_: entry.key for (each, id_), entry in self._records.items() if each is kind and id_ not in deleted}
        differing = {id_ for id_ in before.keys() | now.keys() if before.get(id_) != now.get(id_)}
        keys = {before[id_] for id_ in differing if id_ in before} | {now[id_] for id_ in differing if id_ in now}
        certain_keys = {key for key in keys if (kind, key) not in self._uncertain}
        if not certain_keys:
            return ""
        names = join_first(sorted(certain_keys), 3)
        return f"the server's {kind.plural} have changed since the plan was made ({names})"
