"""The server's entries, and which of them a line of the base is about."""

from collections.abc import Iterable

from ...model import RECORDS, Entry
from .base import Applied, Identity
from .fingerprint import fingerprint
from .given import BODIES, value_at


class Records:
    """What the server has of the kinds that were read."""

    def __init__(self, actual: Iterable[Entry]) -> None:
        self._by_key: dict[Identity, Entry] = {}
        self._by_id: dict[tuple[str, int | None], Entry] = {}
        for entry in actual:
            self._by_key[entry.kind, entry.key] = entry
            self._by_id[entry.kind, entry.id] = entry

    def under(self, identity: Identity) -> Entry | None:
        """The entry of a key, whoever made it."""
        return self._by_key.get(identity)

    def of(self, applied: Applied) -> Entry | None:
        """The entry that a line is about, under whatever key; one that somebody made anew is not.

        Where the service does not tell when it was made, one of another key is known by its title or its body.
        """
        record = self._by_id.get((applied.kind, applied.id))
        if record is None or applied.id is None or _is_made_when(record, applied) is not None:
            return self.surely_of(applied)
        return record if record.key == applied.key or _is_still(record, applied) else None

    def surely_of(self, applied: Applied) -> Entry | None:
        """The entry that a line is about beyond doubt, so that it may be deleted.

        By its id and when it was made, as ids begin again where a database does; by id and key where that is not
        known; by its key alone where the base is a commit.
        """
        if applied.id is None:
            return self._by_key.get(applied.identity)
        record = self._by_id.get((applied.kind, applied.id))
        if record is None:
            return None
        is_ours = _is_made_when(record, applied)
        return record if is_ours or (is_ours is None and record.key == applied.key) else None


def _is_made_when(record: Entry, applied: Applied) -> bool | None:
    """Whether a record was made when the one of a line was; None where one of the two does not tell."""
    if applied.created is None or record.created is None:
        return None
    return applied.created == record.created


def _is_still(record: Entry, line: Applied) -> bool:
    """Whether a record has the title, or the body, that was applied; what is empty or a default tells nothing."""
    return any(
        (kept := line.kept(name)) is not None
        and bool(value := value_at(record.fields, name))
        and fingerprint(record.kind, name, value) == kept.there
        for name in (RECORDS[line.kind].title_field, *BODIES)
    )
