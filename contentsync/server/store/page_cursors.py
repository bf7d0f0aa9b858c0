"""Cursors into long lists of listings, so that a page deep in a list costs no more than the first."""

from bisect import bisect_right
from math import inf
from threading import Lock

from .caching import DirectoryCache
from .sql import Connection
from .versions import CollectionState

MAX_DIRECTORIES = 256
MAX_CURSORS = 20_000  # per directory
MAX_SKIPPED = 200  # the most rows to skip before another cursor is added

Cursors = list[tuple[int, int]]  # offsets with ids, sorted


class PageCursors:
    """The ids of listings at some offsets of each directory's list, which is sorted by id.

    New listings are added at the end and changes move no listing, so a cursor is valid until a listing is deleted. For
    an offset without a cursor, the database skips rows: from the cursor before the offset, or from the list's end.
    """

    def __init__(self) -> None:
        self._directories = DirectoryCache[Cursors](MAX_DIRECTORIES)
        self._lock = Lock()  # PostgreSQL is read by several threads

    def nearest(
        self, connection: Connection, directory_id: int, state: CollectionState, offset: int
    ) -> tuple[int, int]:
        """Return `start` and `skipped`, with which a query finds the listing at the offset.

        It comes after the first `skipped` listings whose ids are at least `start`. The offset must be below the total.
        """
        with self._lock:
            cursors = self._cursors(directory_id, state)
            index = bisect_right(cursors, (offset, inf)) - 1  # of the last cursor that is not after the offset
            cursor_offset, start = cursors[index] if index >= 0 else (0, 0)
        from_cursor = offset - cursor_offset
        from_end = state.total - 1 - offset
        if from_cursor <= MAX_SKIPPED:
            return start, from_cursor
        query, skipped = (_ID_FROM_START, from_cursor) if from_cursor <= from_end else (_ID_FROM_END, from_end)
        parameters = {"directory": directory_id, "start": start, "skipped": skipped}
        listing_id: int = connection.scalar(query, parameters)
        self.add(directory_id, state, offset, listing_id)
        return listing_id, 0

    def add(self, directory_id: int, state: CollectionState, offset: int, start: int) -> None:
        """Add a cursor, unless the cache is full.

        `start` must be greater than all ids before the offset, and not greater than the id at the offset.
        """
        with self._lock:
            cursors = self._cursors(directory_id, state)
            index = bisect_right(cursors, (offset, inf))
            has_cursor = index > 0 and cursors[index - 1][0] == offset
            if not has_cursor and len(cursors) < MAX_CURSORS:
                cursors.insert(index, (offset, start))

    def _cursors(self, directory_id: int, state: CollectionState) -> Cursors:
        return self._directories.get(directory_id, state.deleted_at_version, list)


_IDS = "SELECT id FROM listings WHERE directory_id = :directory AND id >= :start ORDER BY id"
_ID_FROM_START = f"{_IDS} LIMIT 1 OFFSET :skipped"
_ID_FROM_END = f"{_IDS} DESC LIMIT 1 OFFSET :skipped"
