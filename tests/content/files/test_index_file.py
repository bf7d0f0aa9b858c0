"""contentsync.content.files.index_file: an index is used only as this program wrote it on this machine."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from contentsync.content.files.content_folder import CACHE_FOLDER
from contentsync.content.files.index_file import INDEX_FILE, delete_index, open_index, replacing_index

INDEX_SEAL = f"{CACHE_FOLDER}/index.seal"
SECRET = "The secret text. "


def insert(index: sqlite3.Connection, number: int, text: str) -> None:
    index.execute("INSERT INTO unit_values VALUES (?, ?, 0)", (number, text.encode()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder whose index has the values of two units."""
    with replacing_index(tmp_path, None) as index:
        insert(index, 1, SECRET * 3_000)
        insert(index, 2, "Another text.")
    return tmp_path


def numbers(folder: Path) -> list[int] | None:
    """Return the numbers of the units with values; None without an index."""
    index = open_index(folder)
    if index is None:
        return None
    with closing(index):
        return [number for (number,) in index.execute("SELECT id FROM unit_values ORDER BY id")]


def test_a_new_index_has_the_rows_of_the_old_one(folder: Path) -> None:
    with replacing_index(folder, open_index(folder)) as index:
        insert(index, 3, "A third text.")
    assert numbers(folder) == [1, 2, 3]
    assert sorted(file.name for file in (folder / CACHE_FOLDER).iterdir()) == [".gitignore", "index.db", "index.seal"]


def test_an_index_stays_if_its_successor_fails(folder: Path) -> None:
    with pytest.raises(sqlite3.Error), replacing_index(folder, None) as index:
        insert(index, 3, "A third text.")
        insert(index, 3, "The same number.")
    assert numbers(folder) == [1, 2]
    assert sorted(file.name for file in (folder / CACHE_FOLDER).iterdir()) == [".gitignore", "index.db", "index.seal"]


def test_an_index_has_no_bytes_of_a_deleted_text(folder: Path) -> None:
    assert SECRET.encode() in (folder / INDEX_FILE).read_bytes()
    with replacing_index(folder, open_index(folder)) as index:
        index.execute("DELETE FROM unit_values WHERE id = 1")
    assert numbers(folder) == [2]
    assert SECRET.strip().encode() not in (folder / INDEX_FILE).read_bytes()


def test_an_unfinished_index_of_a_killed_run_is_deleted(folder: Path) -> None:
    shutil.copy(folder / INDEX_FILE, folder / CACHE_FOLDER / ".index.db.k1ll3d")
    with replacing_index(folder, open_index(folder)) as index:
        insert(index, 3, "A third text.")
    assert sorted(file.name for file in (folder / CACHE_FOLDER).iterdir()) == [".gitignore", "index.db", "index.seal"]


def test_an_unfinished_index_that_another_run_deletes_replaces_nothing(folder: Path) -> None:
    with pytest.raises(FileNotFoundError), replacing_index(folder, open_index(folder)) as first:
        insert(first, 3, "A third text.")
        with replacing_index(folder, open_index(folder)) as second:
            insert(second, 4, "A fourth text.")
    assert numbers(folder) == [1, 2, 4]


def test_only_the_user_can_read_an_index(folder: Path) -> None:
    assert (folder / INDEX_FILE).stat().st_mode & 0o077 == 0


def forge(folder: Path) -> None:
    """Change a row in place."""
    with closing(sqlite3.connect(folder / INDEX_FILE)) as index, index:
        index.execute("UPDATE unit_values SET data = 'forged'")


def copy(folder: Path) -> None:
    """Replace both files by copies, as a checkout does."""
    for name in (INDEX_FILE, INDEX_SEAL):
        data = (folder / name).read_bytes()
        (folder / name).unlink()
        (folder / name).write_bytes(data)


def link(folder: Path) -> None:
    """Replace the index by a link to it."""
    (folder / INDEX_FILE).rename(folder / "elsewhere.db")
    (folder / INDEX_FILE).symlink_to(folder / "elsewhere.db")


def link_folder(folder: Path) -> None:
    """Replace the cache's folder by a link to it."""
    (folder / CACHE_FOLDER).rename(folder / "elsewhere")
    (folder / CACHE_FOLDER).symlink_to(folder / "elsewhere")


def upgrade(folder: Path) -> None:
    """Write the seal as another version of the program would."""
    stamp, _, _program = (folder / INDEX_SEAL).read_bytes().rpartition(b" ")
    (folder / INDEX_SEAL).write_bytes(stamp + b" another")


def unseal(folder: Path) -> None:
    """Delete the seal, as if the last run had been killed before it was written."""
    (folder / INDEX_SEAL).unlink()


def wait(folder: Path) -> None:
    """Put a pipe in the place of the index."""
    (folder / INDEX_FILE).unlink()
    os.mkfifo(folder / INDEX_FILE)


@pytest.mark.parametrize("change", [forge, copy, link, link_folder, upgrade, unseal, wait, delete_index])
def test_an_index_that_this_program_did_not_write_is_not_used(folder: Path, change: Callable[[Path], None]) -> None:
    change(folder)
    assert numbers(folder) is None


def test_an_index_is_not_written_through_a_link(folder: Path) -> None:
    link(folder)
    before = (folder / "elsewhere.db").read_bytes()
    with replacing_index(folder, None) as index:
        insert(index, 3, "A third text.")
    assert numbers(folder) == [3]
    assert (folder / "elsewhere.db").read_bytes() == before


def test_an_index_is_not_written_into_a_linked_folder(folder: Path) -> None:
    link_folder(folder)
    before = (folder / "elsewhere/index.db").read_bytes()
    with pytest.raises(OSError, match="Not a directory"), replacing_index(folder, None):
        pass
    assert (folder / "elsewhere/index.db").read_bytes() == before


def test_a_journal_beside_the_index_is_ignored(folder: Path) -> None:
    """SQLite would copy the pages of a journal, which a checkout may contain, into the index."""
    before = (folder / INDEX_FILE).read_bytes()
    other = folder / "other.db"
    other.write_bytes(before)
    with closing(sqlite3.connect(other, isolation_level=None)) as index:
        index.execute("PRAGMA cache_size=1")  # so that the change and its journal are written before the end
        index.execute("BEGIN")
        index.execute("UPDATE unit_values SET data = zeroblob(100000)")
        index.execute("UPDATE unit_values SET data = zeroblob(200000)")
        journal = (folder / "other.db-journal").read_bytes()
        index.execute("ROLLBACK")
    assert SECRET.encode() in journal
    (folder / f"{INDEX_FILE}-journal").write_bytes(journal)
    assert numbers(folder) == [1, 2]
    assert (folder / INDEX_FILE).read_bytes() == before
    assert (folder / f"{INDEX_FILE}-journal").read_bytes() == journal
