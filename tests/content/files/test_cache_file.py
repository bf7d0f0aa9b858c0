"""The form of cache files: the packed value is read, or nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from contentsync.content.files.cache_file import (
    is_sealed,
    pack,
    program_digest,
    read_sealed,
    read_with_stamp,
    unpack,
    write_seal,
    write_sealed,
)

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


def test_a_sealed_file_is_read_only_as_this_machine_wrote_it(tmp_path: Path) -> None:
    write_sealed(tmp_path, "plan.json", [b"{", b"}"])
    assert read_sealed(tmp_path, "plan.json") == b"{}"
    file, seal = tmp_path / "plan.json", tmp_path / "plan.seal"
    copied = file.read_bytes()
    file.unlink()
    file.write_bytes(copied)  # as a checkout does
    assert read_sealed(tmp_path, "plan.json") == b""
    seal.unlink()
    assert read_sealed(tmp_path, "plan.json") == b""


def test_a_file_of_another_program_is_not_read_with_a_seal_of_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may replace the file just before this program seals it."""
    with monkeypatch.context() as patch:
        patch.setattr("contentsync.content.files.cache_file.program_digest", lambda: "another version")
        write_sealed(tmp_path, "plan.json", [b"{}"])
    write_seal(tmp_path, "plan.json")
    assert is_sealed(tmp_path, "plan.json")
    assert read_sealed(tmp_path, "plan.json") == b""


def test_a_file_that_another_program_sealed_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_sealed(tmp_path, "plan.json", [b"{}"])
    monkeypatch.setattr("contentsync.content.files.cache_file.program_digest", lambda: "another version")
    assert read_sealed(tmp_path, "plan.json") == b""
    assert not is_sealed(tmp_path, "plan.json")


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The only file of the program."""
    (tmp_path / "package").mkdir()
    module = tmp_path / "package/module.py"
    module.write_text("old")
    monkeypatch.setattr("contentsync.content.files.cache_file._PACKAGE", module.parent)
    program_digest.cache_clear()
    yield module
    program_digest.cache_clear()


def test_a_file_of_a_program_that_was_replaced_is_not_read(tmp_path: Path, module: Path) -> None:
    """As after an upgrade while `dev` runs, which reads when it starts, and writes when it ends."""
    assert read_sealed(tmp_path, "plan.json") == b""
    module.write_text("another version")
    write_sealed(tmp_path, "plan.json", [b"{}"])
    program_digest.cache_clear()  # the new version starts
    assert read_sealed(tmp_path, "plan.json") == b""


def test_a_damaged_sealed_file_is_not_read(tmp_path: Path) -> None:
    write_sealed(tmp_path, "plan.json", [b"{}"])
    for name in ("plan.json", "plan.seal"):
        whole = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(whole[:-1])
        assert read_sealed(tmp_path, "plan.json") == b""
        (tmp_path / name).write_bytes(whole)
