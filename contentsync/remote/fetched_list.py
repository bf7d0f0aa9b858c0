"""The entries of a list as they were fetched last, without the listings that a caller leaves out (decision 18)."""

from collections.abc import Callable, Collection, Mapping, Set
from dataclasses import dataclass, replace
from typing import Any

import orjson

from ..model import Entry
from .list_cache import ListDelta
from .list_reader import RecordList
from .record_lines import id_of_json
from .synced_records import NotSynced


@dataclass(frozen=True, slots=True)
class FetchedList:
    """The entries of a kind as fetched last, with later writes applied, and the ETag of their list."""

    etag: str | None
    entries: list[Entry]
    translated: bool = False  # whether the service returned them with their translations
    left_out: Set[int] = frozenset()  # the ids of the records without an entry

    @property
    def record_list(self) -> RecordList:
        """The list without its records, for a conditional request."""
        count = len(self.entries) + len(self.left_out)
        return RecordList(self.etag, translated=self.translated, count=count)

    @property
    def ids(self) -> set[int]:
        """The ids of all records."""
        return {*self.left_out, *(entry.id for entry in self.entries if entry.id is not None)}

    def without(self, ids: Set[int]) -> "FetchedList":
        """Return the list without the entries with these ids."""
        entries = [entry for entry in self.entries if entry.id not in ids]
        if len(entries) == len(self.entries):
            return self
        dropped = {entry.id for entry in self.entries if entry.id is not None and entry.id in ids}
        return replace(self, entries=entries, left_out=self.left_out | dropped)

    def including(self, entries: Collection[Entry | None]) -> "FetchedList":
        """Return the list with entries that it has left out. Raise NotSynced if the service lacks one: it is None."""
        added = [entry for entry in entries if entry]
        if len(added) < len(entries):
            raise NotSynced
        left_out = self.left_out - {entry.id for entry in added if entry.id is not None}
        return replace(self, entries=self.entries + added, left_out=left_out)

    def with_writes(
        self, delta: ListDelta, left_out: Set[int], make_entry: Callable[[Mapping[str, Any]], Entry]
    ) -> "FetchedList":
        """Return the list after the writes; a record whose id is in `left_out` gets no entry."""
        changed = delta.ids
        if not changed:
            return replace(self, etag=delta.etag)
        lines = {id_: line for line in delta.lines() if (id_ := id_of_json(line)) is not None}
        new = [make_entry(orjson.loads(line)) for id_, line in lines.items() if id_ not in left_out]
        entries = [entry for entry in self.entries if entry.id not in changed]
        ids = (self.left_out - changed) | (lines.keys() & left_out)
        return replace(self, etag=delta.etag, entries=entries + new, left_out=ids)


NOTHING = FetchedList(etag=None, entries=[])
