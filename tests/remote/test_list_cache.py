from pathlib import Path
from typing import Any

import pytest

from contentsync.model import Kind
from contentsync.remote.list_cache import apply_deltas, read_cached_list, write_cached_list
from contentsync.remote.list_reader import RecordList
from contentsync.remote.write_log import ListDelta, LoggedWrite

SOURCE = "https://directory.example.com 42"
RECORDS: list[dict[str, Any]] = [{"id": 1, "title": "Ünïcode\u2028\n"}, {"id": 2, "records": 7}, {"records": 1}]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A snapshot, in a folder that was made for it."""
    path = tmp_path / "cache" / "tag.jsonl"
    write_cached_list(path, SOURCE, Kind.TAG, RecordList('"e"', RECORDS, translated=True))
    return path


@pytest.mark.parametrize("records", [RECORDS, []])
def test_what_was_seen_is_read_again(tmp_path: Path, records: list[dict[str, Any]]) -> None:
    listed = RecordList('W/"e"', records, translated=True)
    write_cached_list(tmp_path / "tag.jsonl", SOURCE, Kind.TAG, listed)
    assert read_cached_list(tmp_path / "tag.jsonl", SOURCE, Kind.TAG) == listed


def test_records_can_be_left_out_by_their_ids(tmp_path: Path) -> None:
    records = [*RECORDS, {"title": "the id is not first", "id": 4}, {"id": "12"}, {"id": 123}]
    write_cached_list(tmp_path / "tag.jsonl", SOURCE, Kind.TAG, RecordList('"e"', records))
    listed = read_cached_list(tmp_path / "tag.jsonl", SOURCE, Kind.TAG, {1, 4, 12})
    assert listed is not None
    assert listed.records == [*RECORDS[1:], {"id": 123}]


def test_records_that_are_left_out_are_cached(path: Path, tmp_path: Path) -> None:
    listed = read_cached_list(path, SOURCE, Kind.TAG, is_left_out=lambda record: record.get("id") == 2)
    assert listed is not None
    assert (listed.records, listed.left_out.ids, listed.total) == ([RECORDS[0], RECORDS[2]], [2], 3)
    write_cached_list(tmp_path / "tag.jsonl", SOURCE, Kind.TAG, listed)
    cached = read_cached_list(tmp_path / "tag.jsonl", SOURCE, Kind.TAG)
    assert cached is not None
    assert cached.records == [RECORDS[1], RECORDS[0], RECORDS[2]]


def test_what_was_seen_elsewhere_is_not_what_is_here(path: Path) -> None:
    """CO-17"""
    assert read_cached_list(path, SOURCE, Kind.TAG) is not None
    assert read_cached_list(path, "https://directory.example.com 43", Kind.TAG) is None
    assert read_cached_list(path, "https://other.example.com 42", Kind.TAG) is None
    assert read_cached_list(path, SOURCE, Kind.PAGE) is None


def test_a_snapshot_that_was_cut_anywhere_is_none(path: Path) -> None:
    """FI-32"""
    content = path.read_bytes()
    for length in range(len(content)):
        path.write_bytes(content[:length])
        assert read_cached_list(path, SOURCE, Kind.TAG) is None


def test_a_snapshot_with_one_other_byte_is_none(path: Path) -> None:
    """FI-32"""
    content = path.read_bytes()
    for place in range(len(content)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert read_cached_list(path, SOURCE, Kind.TAG) is None


@pytest.mark.parametrize("more", [b"x", b'{"id": 3}\n', b"\0" * 100])
def test_a_snapshot_with_something_behind_it_is_none(path: Path, more: bytes) -> None:
    """FI-32"""
    path.write_bytes(path.read_bytes() + more)
    assert read_cached_list(path, SOURCE, Kind.TAG) is None


@pytest.mark.parametrize("content", [b"", b"[]\n", b"null\n", b'"x"\n{"records":0}', b"{}\n{}", b"\xff\xfe\n"])
def test_what_is_no_snapshot_is_none(path: Path, content: bytes) -> None:
    """FI-32"""
    path.write_bytes(content)
    assert read_cached_list(path, SOURCE, Kind.TAG) is None


def test_a_folder_is_no_snapshot(path: Path) -> None:
    path.unlink()
    path.mkdir()
    assert read_cached_list(path, SOURCE, Kind.TAG) is None


def test_where_nothing_can_be_written_nothing_is_remembered(tmp_path: Path) -> None:
    (tmp_path / "cache").touch()
    write_cached_list(tmp_path / "cache" / "tag.jsonl", SOURCE, Kind.TAG, RecordList('"e"', RECORDS))
    assert (tmp_path / "cache").read_bytes() == b""


def test_no_other_file_stays_beside_it(path: Path) -> None:
    write_cached_list(path, SOURCE, Kind.TAG, RecordList('"f"', []))
    assert list(path.parent.iterdir()) == [path]


def test_a_written_record_replaces_the_one_that_is_cached_also_if_its_id_is_a_text(tmp_path: Path) -> None:
    path = tmp_path / "tag.jsonl"
    cached: list[dict[str, Any]] = [{"title": "Old", "id": 4}, {"id": "12"}, {"id": 5}]
    write_cached_list(path, SOURCE, Kind.TAG, RecordList('"e"', cached))
    delta = ListDelta('"f"', (LoggedWrite.of(Kind.TAG, [{"id": 4}]), LoggedWrite((12,))))
    apply_deltas(path, SOURCE, Kind.TAG, lambda etag, translated: delta)
    assert read_cached_list(path, SOURCE, Kind.TAG) == RecordList('"f"', [{"id": 5}, {"id": 4}])
