"""contentsync.remote.fetched_list: a list without the records that are left out, and with later writes."""

from collections.abc import Mapping
from typing import Any

import pytest

from contentsync.model import Entry, Kind
from contentsync.remote.fetched_list import FetchedList
from contentsync.remote.list_cache import ListDelta, LoggedWrite
from contentsync.remote.synced_records import NotSynced


def listing(id_: int) -> Entry:
    return Entry(Kind.LISTING, f"{id_}.example", {}, id=id_)


def make_entry(record: Mapping[str, Any]) -> Entry:
    return listing(record["id"])


LIST = FetchedList('"e"', [listing(1), listing(2)], left_out=frozenset({3, 4}))


def ids_of(fetched: FetchedList) -> tuple[list[int | None], set[int]]:
    """Return the ids of the records with an entry, and of those without one."""
    return [entry.id for entry in fetched.entries], {*fetched.left_out}


def test_a_list_counts_the_records_that_it_leaves_out() -> None:
    assert (LIST.record_list.total, LIST.ids) == (4, {1, 2, 3, 4})


def test_a_record_that_is_left_out_has_no_entry() -> None:
    assert ids_of(LIST.without({2, 9})) == ([1], {2, 3, 4})


def test_a_requested_record_has_an_entry_again() -> None:
    assert ids_of(LIST.including([listing(3)])) == ([1, 2, 3], {4})


def test_a_requested_record_that_the_service_lacks_is_refused() -> None:
    with pytest.raises(NotSynced):
        LIST.including([listing(3), None])


def test_a_written_record_has_an_entry_unless_it_is_left_out() -> None:
    written = LoggedWrite.of(Kind.LISTING, [{"id": id_} for id_ in (2, 3, 5, 6)])
    later = LIST.with_writes(ListDelta('"f"', (written, LoggedWrite((1,)), LoggedWrite((4,)))), {3, 6}, make_entry)
    assert (later.etag, ids_of(later)) == ('"f"', ([2, 5], {3, 6}))


def test_a_list_without_writes_only_has_a_new_version() -> None:
    assert ids_of(LIST.with_writes(ListDelta('"f"'), {3}, make_entry)) == ids_of(LIST)
    assert LIST.with_writes(ListDelta('"f"'), {3}, make_entry).etag == '"f"'
