"""The form of cache files: the packed value is read, or nothing."""

from pathlib import Path

import pytest

from contentsync.content.files.cache_file import pack, read_with_stamp, unpack

PACKED = b"".join(pack([b"one\n", b"two\n"]))


def test_a_packed_document_is_read_back() -> None:
    assert unpack(PACKED) == b"one\ntwo\n"


@pytest.mark.parametrize("data", [PACKED[:-1], PACKED.replace(b"two", b"owt"), PACKED.replace(b"cache", b"Cache"), b""])
def test_a_changed_cache_file_is_read_as_empty(data: bytes) -> None:
    assert unpack(data) == b""


def test_a_cache_file_behind_a_link_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/file").write_bytes(PACKED)
    (tmp_path / "linked").symlink_to("real")
    assert read_with_stamp(tmp_path, "real/file")[0] == PACKED
    assert read_with_stamp(tmp_path, "linked/file") == (b"", b"")
