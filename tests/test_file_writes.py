"""Several files at once: all of them, or none."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from contentsync.errors import Unwritable
from contentsync.file_writes import move_files, swap_files, write_file

from .sync.full_disk import full_disk


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two files, of which one may not be read by all."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "a.md").write_bytes(b"A")
    (folder / "b.md").write_bytes(b"B")
    (folder / "b.md").chmod(0o600)
    return folder


def texts(folder: Path) -> dict[str, bytes]:
    """Return the content of each file, by path."""
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_files_are_changed_created_and_deleted_together(folder: Path) -> None:
    swap_files(folder, {"a.md": (b"A", None), "b.md": (b"B", b"BB"), "new/c.md": (None, b"C")})
    assert texts(folder) == {"b.md": b"BB", "new/c.md": b"C"}
    assert (folder / "b.md").stat().st_mode & 0o777 == 0o600
    umask = os.umask(0)
    os.umask(umask)
    assert (folder / "new/c.md").stat().st_mode & 0o777 == 0o666 & ~umask


def test_a_full_disk_changes_no_file(folder: Path) -> None:
    """FI-24: the limit on the size of files has the effect of a full disk."""
    with full_disk(100), pytest.raises(Unwritable, match=r"c\.md"):
        swap_files(folder, {"a.md": (b"A", b"AA"), "new/c.md": (None, b"C" * 1000)})
    assert texts(folder) == {"a.md": b"A", "b.md": b"B"}
    assert not (folder / "new").exists()


@pytest.mark.parametrize(("path", "before"), [("a.md", b"other"), ("a.md", None), ("gone.md", b"G")])
def test_a_file_with_other_content_than_expected_stops_all_writes(
    folder: Path, path: str, before: bytes | None
) -> None:
    with pytest.raises(Unwritable, match="meanwhile"):
        swap_files(folder, {"b.md": (b"B", b"BB"), path: (before, b"X")})
    assert texts(folder) == {"a.md": b"A", "b.md": b"B"}


def test_written_files_are_restored_if_a_later_one_cannot_be_written(folder: Path) -> None:
    class ReplacedWhenCompared(bytes):
        """The content before of a.md. Comparing it puts a folder in place of the file, as an author could just then."""

        def __eq__(self, other: object) -> bool:
            (folder / "a.md").unlink()
            (folder / "a.md").mkdir()
            return True

        def __ne__(self, other: object) -> bool:
            return not self == other

        __hash__ = bytes.__hash__

    before_and_after = {"b.md": (b"B", b"BB"), "a.md": (ReplacedWhenCompared(b"A"), b"AA")}
    with pytest.raises(Unwritable):
        swap_files(folder, before_and_after)
    (folder / "a.md").rmdir()
    assert texts(folder) == {"b.md": b"B"}


def test_nothing_is_written_through_a_link_out_of_the_folder(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (folder / "link").symlink_to(tmp_path / "out")
    (folder / "file.md").symlink_to(tmp_path / "out/file.md")
    for path in ("link/c.md", "file.md", "../c.md"):
        with pytest.raises(Unwritable, match="link"):
            swap_files(folder, {"b.md": (b"B", b"BB"), path: (None, b"C")})
    assert (folder / "b.md").read_bytes() == b"B"
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize("durable", [True, False])
def test_a_durable_write_syncs_the_file_and_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, durable: bool
) -> None:
    synced: list[int] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        synced.append(os.fstat(descriptor).st_ino)
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    file = tmp_path / "journal"
    write_file(file, b"A", b"B", durable=durable)
    assert file.read_bytes() == b"AB"
    assert synced == ([file.stat().st_ino, tmp_path.stat().st_ino] if durable else [])


def test_files_move_into_new_folders_and_empty_folders_are_deleted(folder: Path) -> None:
    swap_files(folder, {"old/c.md": (None, b"C"), "old/in/d.md": (None, b"D")})
    move_files(folder, {"old/c.md": "new/c.md", "old/in/d.md": "new/in/d.md", "b.md": "new/b.md"})
    assert texts(folder) == {"a.md": b"A", "new/b.md": b"B", "new/c.md": b"C", "new/in/d.md": b"D"}
    assert not (folder / "old").exists()
    assert (folder / "new/b.md").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("new", ["a.md", "a.md/b.md", "link/c.md"])
def test_no_file_moves_if_one_of_them_cannot_move(folder: Path, new: str) -> None:
    (folder / "link").symlink_to(folder.parent)
    with pytest.raises(Unwritable):
        move_files(folder, {"b.md": "new/b.md", "a.md": new})
    assert texts(folder) == {"a.md": b"A", "b.md": b"B"}
    assert not (folder / "new").exists()


class InterruptedMoves(dict[str, str]):
    """Moves of files that all succeed; the user interrupts the program when the old folders are deleted."""

    def __iter__(self) -> Iterator[str]:
        raise KeyboardInterrupt


def test_an_interrupt_after_the_last_move_reverts_all_moves(folder: Path) -> None:
    swap_files(folder, {"old/c.md": (None, b"C")})
    before = texts(folder)
    with pytest.raises(KeyboardInterrupt):
        move_files(folder, InterruptedMoves({"old/c.md": "new/c.md", "b.md": "new/b.md"}))
    assert texts(folder) == before
    assert not (folder / "new").exists()
