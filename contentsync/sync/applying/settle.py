"""TODO."""

from collections.abc import Awaitable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ...errors import Conflicting, Rejected, RemoteError, Unclear
from ...model import RECORDS, Entry, Kind
from ...remote import Remote
from ..change import Action, Change
from .outcome import difference, is_as_before, is_stored

TRIES = 3  # of a write that is found not to have happened


Found = TypeVar("Found")


class Unsettled(Exception):
    """Nobody can say what became of a write; `cause` is why it could not be read back."""

    def __init__(self, message: str, cause: RemoteError) -> None:
        super().__init__(message)
        self.message = message
        self.cause = cause


class Overtaken(RemoteError):
    """Somebody else has written the entry since it was read; nothing of theirs was changed."""


class Contradicted(RemoteError):
    """The server has an entry that its list lacked, or lacks one that its list had; nothing was changed."""


async def settled_create(
    remote: Remote, change: Change, body: Mapping[str, Any], marks: Mapping[str, str]
) -> tuple[Entry, bool]:
    """The new entry, of a kind that is created by its key, and whether it was somebody else's before.

    A second create finds the first one's, so that cannot be told any more once an answer was lost. `marks` are the
    fingerprints of what is sent. Raises Contradicted where the server has the key, RemoteError and Unsettled.
    """
    for again in range(TRIES):
        try:
            entry, made = await remote.create(change.kind, body)
        except Conflicting as error:
            found = await read_back(remote.find(change.kind, change.key), error) if again else None
            if found is not None and is_stored(change.kind, marks, found):
                return found, False  # the first request arrived after it was given up
            raise Contradicted("it is on the server already, and was not when the plan was made") from error
        except Unclear as error:
            unclear = error
            found = await read_back(remote.find(change.kind, change.key), error)
            if found is not None and is_stored(change.kind, marks, found):
                return found, False
        else:
            return entry, not made and not again
    raise unclear


async def settled_update(
    remote: Remote, change: Change, body: Mapping[str, Any], marks: Mapping[str, str], before: Entry
) -> Entry:
    """The entry as it is after an update; `before` is the state that it must still be in.

    Raises Overtaken if it is in neither, Contradicted if it is gone, RemoteError and Unsettled.
    """
    for tries in range(TRIES):
        try:
            return await _updated(remote, change, body, marks, before, again=tries > 0)
        except (Unclear, Conflicting) as error:
            last = error
            found = await _now(remote, before, error)
            if found is None:
                raise _gone(change) from error
            if is_stored(change.kind, marks, found):
                return found
            if not is_as_before(body, before, found):
                raise _overtaken(difference(change, found)) from error
            before = found
        except Rejected as error:
            if error.status == 404:
                raise _gone(change) from error
            raise
    raise last


async def _updated(
    remote: Remote, change: Change, body: Mapping[str, Any], marks: Mapping[str, str], before: Entry, *, again: bool
) -> Entry:
    """Update an entry. Raise Unclear where the answer shows it without the changes, and as it was before.

    A service without ETags may be one that ignores a field: its answer is believed when it comes `again`.
    """
    etag = before.etag if remote.conditional else None
    answer = await remote.update(change.kind, _id(before), body, etag=etag)
    shown = answer.fields.keys() & {name.partition(".")[0] for name in marks}
    is_old = answer.etag == etag if etag is not None else not again and is_as_before(shown, before, answer)
    if is_old and shown and not is_stored(change.kind, marks, answer):
        raise Unclear("the server answered the update as done, and has not changed the entry")
    return answer


async def settled_delete(remote: Remote, change: Change, before: Entry) -> None:
    """Deletes an entry, which must still be as `before`. Raises Overtaken, RemoteError and Unsettled."""
    identity = _id(before)
    for _ in range(TRIES):
        try:
            return await remote.delete(change.kind, identity, etag=before.etag if remote.conditional else None)
        except (Unclear, Conflicting) as error:
            last = error
            found = await _now(remote, before, error)
            if found is None:
                return None
            if not is_same_record(before, found):
                raise _overtaken("it was changed after the plan was made") from error
            before = found
    raise last


def is_same_record(before: Entry, found: Entry) -> bool:
    """Whether an entry has the values that it had; what it refers to may be called otherwise by now."""
    names = before.fields.keys() - RECORDS[before.kind].references.keys() - {"translations"}
    return before.key == found.key and is_as_before(names, before, found)


async def read_back(reading: Awaitable[Found], error: RemoteError) -> Found:
    """What a reading after an unclear write finds. Raises Unsettled."""
    try:
        return await reading
    except RemoteError as why:
        raise Unsettled(f"{error.message}; and it cannot be read back: {why.message}", why) from error


async def _now(remote: Remote, before: Entry, error: RemoteError) -> Entry | None:
    reading = remote.get(before.kind, _id(before))
    return await reading if isinstance(error, Conflicting) else await read_back(reading, error)


def _id(entry: Entry) -> int:
    if entry.id is None:
        raise AssertionError("the server's entries have an id")
    return entry.id


def _gone(change: Change) -> Contradicted:
    return Contradicted(f"{change.kind} {change.key} is no longer on the server", "run again, and look at the plan")


def _overtaken(how: str) -> Overtaken:
    return Overtaken(f"it was changed on the server after the plan was made: {how}", "run again, and look at the plan")


class Agreement:
    """Whether what the server has now is what the plan was made from, and what the run has made of it since.

    `written` are the keys of what the run has written, `unsure` those that the server may have or not.
    """

    def __init__(
        self,
        planned: Iterable[Entry],
        written: Mapping[tuple[Kind, int | None], str],
        unsure: set[tuple[Kind, str]],
        now: Sequence[Entry],
    ) -> None:
        self._keys = {(entry.kind, entry.id): entry.key for entry in planned}
        self._keys |= written
        self._unsure = unsure
        self._now = {(entry.kind, entry.id): entry for entry in now}

    def fresh(self, change: Change) -> Entry | None:
        """The entry to delete, as it is now; None if it has gone."""
        return self._now.get((change.kind, change.id))

    def objection(self, change: Change, before: Entry) -> str:
        """Why an entry must not be deleted that was `before` as it was read or written last; empty if nothing
        speaks against it."""
        fresh = self.fresh(change)
        is_other = fresh is not None and not is_same_record(before, fresh)
        return "it was changed on the server after the plan was made" if is_other else ""

    def disagreement(self, kind: Kind, deletes: Iterable[Change]) -> str:
        """Why nothing of a kind may be deleted; empty if the two lists agree."""
        doomed = {change.id for change in deletes if change.action is Action.DELETE}
        before = {id_: key for (of, id_), key in self._keys.items() if of is kind and id_ not in doomed}
        now = {id_: entry.key for (of, id_), entry in self._now.items() if of is kind and id_ not in doomed}
        differing = {
            key
            for id_ in before.keys() | now.keys()
            if before.get(id_) != now.get(id_)
            for key in (before.get(id_), now.get(id_))
            if key is not None and (kind, key) not in self._unsure
        }
        if not differing:
            return ""
        names = ", ".join(sorted(differing)[:3])
        return f"the server's {kind.plural} have changed since the plan was made ({names})"
