"""The second look at the server before anything is deleted."""

from collections.abc import Iterable, Mapping, Sequence

from ...model import Entry, Kind
from ..change import Action, Change
from .settle import is_same_record


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
