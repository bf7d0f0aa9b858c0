"""Deep pages of listings."""

import random
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from contentsync.model import Kind
from contentsync.server.store import Connection, versions
from contentsync.server.store.listing_store import LISTINGS
from contentsync.server.store.page_cursors import MAX_DIRECTORIES, PageCursors
from contentsync.server.store.versions import CollectionState

from .conftest import Owned

PAGE = 10


@pytest.fixture
def filled(owned: Owned) -> Owned:
    """Return Ada's directory with 1,000 listings."""
    names = [{"name": f"Tool {number}"} for number in range(1000)]
    for start in range(0, len(names), 100):
        owned.database.run_write(LISTINGS.create_many, owned.access, names[start : start + 100])
    return owned


def state(connection: Connection, owned: Owned) -> CollectionState:
    return versions.collection_states(connection, owned.access.directory.id)[Kind.LISTING]


def page(connection: Connection, owned: Owned, cursors: PageCursors, offset: int) -> list[int]:
    """Return the ids on the page at an offset."""
    now = state(connection, owned)
    rows = LISTINGS.page(connection, owned.access.directory.id, cursors, now, limit=PAGE, offset=offset)
    return [record_id for record_id, *_ in rows]


def expected(connection: Connection, owned: Owned, offset: int) -> list[int]:
    """Return the same, counted off."""
    rows = LISTINGS.rows(connection, owned.access.directory.id, limit=PAGE, offset=offset)
    return [row.id for row in rows]


@pytest.mark.parametrize("seed", range(3))
def test_pages_in_any_order_equal_those_found_by_counting(filled: Owned, seed: int) -> None:
    offsets = list(range(0, 1000, PAGE))
    random.Random(seed).shuffle(offsets)
    cursors = PageCursors()

    def check(connection: Connection) -> None:
        for offset in offsets:
            assert page(connection, filled, cursors, offset) == expected(connection, filled, offset)

    filled.database.run_read(check)


def test_cursors_are_dropped_after_a_delete(filled: Owned) -> None:
    cursors = PageCursors()

    def read(connection: Connection) -> list[list[int]]:
        return [page(connection, filled, cursors, offset) for offset in range(0, 900, PAGE)]

    before = filled.database.run_read(read)
    filled.database.run_write(LISTINGS.delete, filled.access, before[3][0])
    after = filled.database.run_read(read)
    assert after == filled.database.run_read(lambda c: [expected(c, filled, offset) for offset in range(0, 900, PAGE)])
    assert after[:3] == before[:3]
    assert after[3:] != before[3:]


def test_new_listings_do_not_move_the_cursors(filled: Owned) -> None:
    cursors = PageCursors()
    last = filled.database.run_read(page, filled, cursors, 990)
    made, _ = filled.database.run_write(LISTINGS.create, filled.access, {"name": "One more"})
    assert filled.database.run_read(page, filled, cursors, 990) == last
    assert filled.database.run_read(page, filled, cursors, 1000) == [made.id]


def test_the_next_page_skips_no_rows(filled: Owned) -> None:
    cursors, skipped = PageCursors(), []

    def walk(connection: Connection) -> None:
        for offset in range(0, 1000, PAGE):
            page(connection, filled, cursors, offset)
            if offset + PAGE < 1000:
                now = state(connection, filled)
                skipped.append(cursors.nearest(connection, filled.access.directory.id, now, offset + PAGE)[1])

    filled.database.run_read(walk)
    assert skipped == [0] * 99


def test_the_number_of_cached_directories_is_limited(owned: Owned) -> None:
    cursors = PageCursors()
    for directory in range(3 * MAX_DIRECTORIES):
        cursors.add(directory, CollectionState(1000, 1, 1), 500, 1)
    assert len(cursors._directories) == MAX_DIRECTORIES


def test_threads_do_not_mix_up_the_order() -> None:
    """On PostgreSQL requests run in threads: a cursor of another thread would show a wrong page."""
    cursors, state = PageCursors(), CollectionState(total=20_000, version=1, deleted_at_version=0)
    offsets = list(range(0, 20_000, 10))

    def note(seed: int) -> None:
        for offset in random.Random(seed).sample(offsets, len(offsets)):
            cursors.add(1, state, offset, offset + 1)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor() as pool:
            list(pool.map(note, range(8)))
    finally:
        sys.setswitchinterval(before)
    assert cursors._cursors(1, state) == [(offset, offset + 1) for offset in offsets]
