"""contentsync.remote.record_lines: records as JSON, in a file."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from contentsync.errors import Damaged, Unwritable
from contentsync.remote.record_lines import NO_LINES, RecordLines, record_digest, stored_line

from ..memory import memory_for
from ..sync.full_disk import full_disk

RECORDS: list[dict[str, Any]] = [
    {"id": 1, "title": "Ünïcode\u2028\n"},
    {"title": "the id is last", "id": 4},
    {"id": "12"},
]
LINES = ['{"id":1,"title":"Ünïcode\u2028\\n"}', '{"title":"the id is last","id":4}', '{"id":"12"}']
MANY = [{"id": number, "title": "A" * 1000} for number in range(9000)]  # more than are kept in memory


def test_records_are_read_more_than_once() -> None:
    lines = RecordLines.of(RECORDS)
    assert [line.decode() for line in lines] == [line.decode() for line in lines] == LINES


def test_records_in_a_temporary_file_are_read_in_parts() -> None:
    lines = RecordLines.of(MANY)
    assert len(lines) == 9000
    assert [*map(orjson.loads, lines)] == MANY


def test_small_records_take_little_memory_while_they_are_added() -> None:
    records = [{"id": number} for number in range(1000)]
    assert memory_for(lambda: RecordLines.of(records)) < 1000 * len(records)


def test_records_are_added_while_the_earlier_ones_are_read() -> None:
    lines = RecordLines.of(RECORDS[:2])
    iterator = iter(lines)
    first = next(iterator)
    lines.add(RECORDS[2:])
    assert [line.decode() for line in (first, *iterator, *lines)] == [*LINES[:2], *LINES]


def test_no_records_have_no_lines() -> None:
    assert (len(NO_LINES), [*NO_LINES], [*RecordLines.of(())]) == (0, [], [])


def test_each_record_has_a_digest_by_its_id() -> None:
    digests = RecordLines.of(RECORDS).digests_by_id()
    assert [*digests] == [1, 4, 12]
    assert digests[12] == record_digest(b'{"id":"12"}')


def test_the_digest_of_a_record_depends_on_all_of_it() -> None:
    long = b'{"id":1,"title":"%b"}'
    assert record_digest(long % (b"A" * 999)) != record_digest(long % (b"A" * 998 + b"B"))


@pytest.mark.parametrize("rest", [b"", stored_line(b'{"id":3}')[:-2], stored_line(b'{"id":3}')[:-1]])
def test_a_file_that_was_cut_off_is_an_error_and_not_a_shorter_list(tmp_path: Path, rest: bytes) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"".join(map(stored_line, [b'{"id":1}', b'{"id":2}'])) + rest)
    lines = RecordLines(path.open("rb"), count=3)
    with pytest.raises(Damaged, match="cut off"):
        list(lines)


def test_a_full_disk_is_an_error_of_the_record_that_is_not_written(capfd: pytest.CaptureFixture[str]) -> None:
    size = sum(len(orjson.dumps(record)) + 1 for record in MANY)
    lines = RecordLines.of(MANY[:-10])
    with full_disk(size - 1), pytest.raises(Unwritable, match="temporary files"):
        lines.add(MANY[-10:])  # less than what a file keeps in memory before it writes
    del lines
    assert capfd.readouterr().err == ""
