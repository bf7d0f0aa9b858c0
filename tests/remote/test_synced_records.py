"""contentsync.remote.synced_records: the records that a plan leaves out, and what prevents it."""

from typing import Any

import orjson
import pytest

from contentsync.model import Entry, Kind
from contentsync.remote.record_lines import RecordLines, record_digest
from contentsync.remote.synced_records import NotSynced, SyncedRecords

FIRST, SECOND = {"id": 1}, {"id": 2}
SYNCED = SyncedRecords({record_digest(orjson.dumps(FIRST))}, {"a.example"}, {"a"}, {1})


def listing(key: str, **fields: Any) -> Entry:
    return Entry(Kind.LISTING, key, fields)


def test_the_other_records_of_a_list_are_kept() -> None:
    assert SYNCED.others(RecordLines.of([FIRST, SECOND])) == [orjson.dumps(SECOND)]


@pytest.mark.parametrize("lines", [[SECOND], [FIRST, FIRST]], ids=["gone", "twice"])
def test_a_list_without_exactly_the_skipped_records_is_refused(lines: list[dict[str, int]]) -> None:
    with pytest.raises(NotSynced):
        SYNCED.others(RecordLines.of(lines))


def test_records_with_other_keys_and_slugs_are_accepted() -> None:
    SYNCED.check([listing("b.example", slug="b"), listing("c.example")])


@pytest.mark.parametrize("other", [listing("a.example"), listing("b.example", slug="a")], ids=["key", "slug"])
def test_a_record_with_the_key_or_slug_of_a_skipped_one_is_refused(other: Entry) -> None:
    with pytest.raises(NotSynced):
        SYNCED.check([other])
