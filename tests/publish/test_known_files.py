"""The cache of what is in the asset store."""

from pathlib import Path

from contentsync.publish.known_files import FOLDER, KnownFiles

NAME = f"a-{'0' * 31}1.png"
OTHER = f"b-{'0' * 31}2.png"


def file_of(folder: Path) -> Path:
    [file] = (folder / FOLDER).glob("*.txt")
    return file


def test_a_later_run_knows_what_an_earlier_one_added(tmp_path: Path) -> None:
    KnownFiles(tmp_path, "s3://pictures").add({NAME: 7})
    KnownFiles(tmp_path, "s3://pictures").add({OTHER: 8})
    assert KnownFiles(tmp_path, "s3://pictures").sizes == {NAME: 7, OTHER: 8}


def test_each_store_has_a_cache_of_its_own(tmp_path: Path) -> None:
    KnownFiles(tmp_path, "s3://pictures").add({NAME: 7})
    assert KnownFiles(tmp_path, "s3://others").sizes == {}


def test_a_removed_file_is_forgotten(tmp_path: Path) -> None:
    KnownFiles(tmp_path, "s").add({NAME: 7, OTHER: 8})
    KnownFiles(tmp_path, "s").remove([NAME, "unknown"])
    assert KnownFiles(tmp_path, "s").sizes == {OTHER: 8}


def test_a_cut_or_foreign_line_is_not_believed(tmp_path: Path) -> None:
    KnownFiles(tmp_path, "s").add({NAME: 7})
    with file_of(tmp_path).open("a") as lines:
        lines.write(f"{OTHER} 8 9\n../../etc 5\n{OTHER[:-4]} 3\n{OTHER}")
    known = KnownFiles(tmp_path, "s")
    assert known.sizes == {NAME: 7}
    known.add({OTHER: 8})
    assert KnownFiles(tmp_path, "s").sizes == {NAME: 7, OTHER: 8}


def test_a_link_in_its_place_is_neither_read_nor_followed(tmp_path: Path) -> None:
    KnownFiles(tmp_path, "s").add({NAME: 7})
    file, elsewhere = file_of(tmp_path), tmp_path / "elsewhere"
    elsewhere.write_text(f"{OTHER} 8\n")
    file.unlink()
    file.symlink_to(elsewhere)
    known = KnownFiles(tmp_path, "s")
    assert known.sizes == {}
    known.add({NAME: 7})
    assert elsewhere.read_text() == f"{OTHER} 8\n"


def test_the_digest_changes_with_what_is_known(tmp_path: Path) -> None:
    known = KnownFiles(tmp_path, "s")
    before = known.digest
    known.add({NAME: 7})
    assert known.digest != before
    assert KnownFiles(tmp_path, "s").digest == known.digest
