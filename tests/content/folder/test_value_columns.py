"""contentsync.content.folder.value_columns: stored values equal those of the files, or they are not used."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from contentsync.content.files.index_file import COLUMNS_FILE
from contentsync.content.folder.index_use import WHOLE_INDEX
from contentsync.content.folder.load import load_content, make_report
from contentsync.content.folder.value_columns import MIN_ENTRIES, read_columns, store_columns
from contentsync.model import Entry, Kind

LONG_AGO = -(10**12)  # nanoseconds: all files count as old
CONFIG = '[site]\nname = "Kept"\nlocales = ["en", "fr"]\n'
TABLE = (
    "name,url,price,tags,description\nSaw,https://saw.example.org,3,sharp|old,\nBook,https://book.example.org,,,Ünï\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with entries of four kinds, whose values are stored."""
    write(tmp_path, "contentsync.toml", CONFIG)
    write(tmp_path, "tags.yaml", "- {title: Sharp}\n- {title: Old}\n")
    write(tmp_path, "custom_fields.yaml", "- {label: Price, type: number}\n")
    write(tmp_path, "listings/all.csv", TABLE)
    write(tmp_path, "articles/about.md", "---\ntitle: About\nseo: {title: Us}\n---\nText\n")
    write(tmp_path, "articles/about.fr.md", "---\ntitle: Nous\n---\nTexte\n")
    store(tmp_path)
    return tmp_path


def write(folder: Path, path: str, text: str) -> None:
    (folder / path).parent.mkdir(exist_ok=True)
    (folder / path).write_text(text, encoding="utf-8")


def store(folder: Path) -> None:
    store_columns(load_content(folder), min_entries=1, margin=LONG_AGO)


def shown(entries: Sequence[Entry]) -> list[Any]:
    """Return what a list shows of entries: an empty value is as none."""
    return [
        (each.kind, each.key, filled(each.fields), each.source and (each.source.path, each.source.line))
        for each in entries
    ]


def filled(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def test_stored_entries_equal_those_of_the_files(folder: Path) -> None:
    columns, content = read_columns(folder), load_content(folder)
    assert columns and not content.problems
    kept = [entry for kind in Kind for entry in columns.entries(kind)]
    assert shown(kept) == shown(content.entries)
    assert len(kept) == 6


def test_only_the_wanted_fields_are_read(folder: Path) -> None:
    columns = read_columns(folder)
    assert columns
    assert [entry.fields for entry in columns.entries(Kind.LISTING, {"price"})] == [{}, {"price": 3}]
    assert [entry.key for entry in columns.entries(Kind.LISTING, set())] == [
        "https://book.example.org",
        "https://saw.example.org",
    ]


def test_the_entries_that_another_version_of_the_program_stored_are_not_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_columns(folder) is not None
    monkeypatch.setattr("contentsync.content.files.cache_file.program_digest", lambda: "another version")
    assert read_columns(folder) is None


def test_a_kind_without_entries_has_none(folder: Path) -> None:
    columns = read_columns(folder)
    assert columns and columns.entries(Kind.ORGANIZER) == []


CHANGES: dict[str, Callable[[Path], object]] = {
    "a row is edited": lambda folder: write(folder, "listings/all.csv", TABLE.replace("Saw", "Jig")),
    "a file is added": lambda folder: write(folder, "articles/new.md", "---\ntitle: New\n---\nText\n"),
    "a file is deleted": lambda folder: (folder / "articles/about.fr.md").unlink(),
    "a collection is added": lambda folder: write(folder, "categories.yaml", "- {title: All}\n"),
    "the config is edited": lambda folder: write(folder, "contentsync.toml", CONFIG + 'timezone = "Asia/Tokyo"\n'),
    "the stored values are edited": lambda folder: rewrite(folder / COLUMNS_FILE, b"Saw", b"Hex"),
    "the stored values come with a checkout": lambda folder: rewrite(folder / COLUMNS_FILE, b"", b""),
}


def rewrite(file: Path, old: bytes, new: bytes) -> None:
    """Replace a file by another one with the same name and time."""
    status, data = file.stat(), file.read_bytes()
    file.unlink()
    file.write_bytes(data.replace(old, new) if old else data)
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


@pytest.mark.parametrize("change", CHANGES)
def test_stored_values_are_not_used_once_the_folder_has_changed(folder: Path, change: str) -> None:
    assert read_columns(folder)
    CHANGES[change](folder)
    assert read_columns(folder) is None


def test_values_of_a_new_file_are_not_stored(folder: Path) -> None:
    (folder / COLUMNS_FILE).unlink()
    store_columns(load_content(folder), min_entries=1)  # the files of a test are new
    assert not (folder / COLUMNS_FILE).exists()


def test_values_of_a_small_folder_are_not_stored(folder: Path) -> None:
    (folder / COLUMNS_FILE).unlink()
    store_columns(load_content(folder), margin=LONG_AGO)
    assert len(load_content(folder).entries) < MIN_ENTRIES
    assert not (folder / COLUMNS_FILE).exists()


def test_deleted_values_leave_the_disk_with_the_next_run_that_sees_the_change(folder: Path) -> None:
    (folder / "listings/all.csv").unlink()
    make_report(folder, index=WHOLE_INDEX)
    assert not (folder / COLUMNS_FILE).exists()


def test_a_file_that_cannot_be_written_is_no_error(folder: Path) -> None:
    (folder / COLUMNS_FILE).unlink()
    (folder / COLUMNS_FILE).mkdir()
    store(folder)
    assert read_columns(folder) is None
