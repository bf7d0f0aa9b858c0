"""Where the pages of a long list begin, so that one deep in it costs no more than the first."""

from bisect import bisect_right
from collections import OrderedDict
from math import inf
from threading import Lock

from sqlalchemy import Connection, bindparam, select

from .schema import listings
from .versions import Collection

MOST_DIRECTORIES = 256
MOST_ANCHORS = 20_000  # of a directory
NEAR = 200  # listings that are skipped sooner than a new anchor is looked up

Known = list[tuple[int, int]]  # offsets with ids, in order


class Anchors:
    """The ids of listings at some offsets of their lists, which stand in the order of ids.

    New listings come at the end and changed ones stay where they are, so an anchor holds until a listing is deleted.
    They are kept in memory, for all threads of a server process: an offset without an anchor is counted off in the
    index, from the anchor before it or from the end of the list.
    """

    def __init__(self) -> None:
        self._directories: OrderedDict[int, tuple[int, Known]] = OrderedDict()  # each with what `shifted` was
        self._lock = Lock()

    def nearest(self, connection: Connection, directory_id: int, state: Collection, offset: int) -> tuple[int, int]:
        """An id, and how many listings are to be skipped from it on to come to the offset, which is below the total."""
        with self._lock:
            known = self._of(directory_id, state)
            at = bisect_right(known, (offset, inf)) - 1
            before, start = known[at] if at >= 0 else (0, 0)
        ahead, behind = offset - before, state.total - 1 - offset
        if ahead <= NEAR:
            return start, ahead
        query, skipped = (_FORWARDS, ahead) if ahead <= behind else (_BACKWARDS, behind)
        parameters = {"directory": directory_id, "start": start, "skipped": skipped}
        found: int = connection.execute(query, parameters).scalar_one()
        self.note(directory_id, state, offset, found)
        return found, 0

    def note(self, directory_id: int, state: Collection, offset: int, start: int) -> None:
        """Remember that the list goes on at the offset with the first id from `start` on."""
        with self._lock:
            known = self._of(directory_id, state)
            at = bisect_right(known, (offset, inf))
            if len(known) < MOST_ANCHORS and not (at and known[at - 1][0] == offset):
                known.insert(at, (offset, start))

    def _of(self, directory_id: int, state: Collection) -> Known:
        shifted, known = self._directories.pop(directory_id, (state.shifted, []))
        if shifted != state.shifted:
            known = []
        self._directories[directory_id] = state.shifted, known
        if len(self._directories) > MOST_DIRECTORIES:
            self._directories.popitem(last=False)
        return known


_IDS = (
    select(listings.c.id)
    .where(listings.c.directory_id == bindparam("directory"), listings.c.id >= bindparam("start"))
    .limit(1)
    .offset(bindparam("skipped"))
)
_FORWARDS = _IDS.order_by(listings.c.id)
_BACKWARDS = _IDS.order_by(listings.c.id.desc())
