"""contentsync.content.files.folder_signatures: equal only if nothing changed."""

import errno
import os
import resource
from pathlib import Path

import pytest

from contentsync.content.files.folder_signatures import MIN_FILES_TO_FORK, SignatureJob, compute_signatures

from ..conftest import write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "site", {"pages/a.md": "A", "pages/in/b.md": "B", "tags.yaml": "- title: A\n"})


PATHS = ["pages", "pages/in", "tags.yaml", "categories.yaml"]


def test_several_processes_give_what_one_gives(folder: Path) -> None:
    assert compute_signatures(folder, PATHS, MIN_FILES_TO_FORK) == compute_signatures(folder, PATHS, 4)


def test_signatures_may_be_asked_for_later_and_twice(folder: Path) -> None:
    signing = SignatureJob(folder, PATHS, MIN_FILES_TO_FORK)
    assert signing.result() == compute_signatures(folder, PATHS, 4)
    assert signing.result() == compute_signatures(folder, PATHS, 4)


def test_a_folder_is_for_its_files_and_not_for_the_folders_in_it(folder: Path) -> None:
    before = compute_signatures(folder, PATHS, 4)
    (folder / "pages/in/b.md").write_text("C")
    after = compute_signatures(folder, PATHS, 4)
    assert {path for path in PATHS if before[path] != after[path]} == {"pages/in"}


def test_a_file_that_appears_changes_its_place(folder: Path) -> None:
    before = compute_signatures(folder, PATHS, 4)
    (folder / "categories.yaml").write_text("- title: A\n")
    assert compute_signatures(folder, PATHS, 4)["categories.yaml"] != before["categories.yaml"]


def test_what_is_written_into_hidden_files_changes_nothing(folder: Path) -> None:
    (folder / "pages/.a.md.swp").write_text("x")
    before = compute_signatures(folder, PATHS, 4)
    (folder / "pages/.a.md.swp").write_text("y")
    assert compute_signatures(folder, PATHS, 4) == before


def test_a_folder_is_as_new_as_what_was_last_put_into_it(folder: Path) -> None:
    old = folder / "pages/in"
    newest = compute_signatures(folder, ["pages"], 1)["pages"].newest
    old.rename(folder / "pages/late")  # which leaves the files in it as old as they were
    assert compute_signatures(folder, ["pages"], 1)["pages"].newest > newest


def test_paths_that_no_process_answers_for_are_looked_at_here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise BlockingIOError(errno.EAGAIN, "no more processes")

    expected = compute_signatures(folder, PATHS, 4)
    monkeypatch.setattr(os, "fork", refused)
    assert compute_signatures(folder, PATHS, MIN_FILES_TO_FORK) == expected


def test_nothing_is_settled_that_could_not_be_looked_at(folder: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    held = os.open(folder, os.O_RDONLY)
    resource.setrlimit(resource.RLIMIT_NOFILE, (held + 1, before[1]))  # no more file
    try:
        assert not compute_signatures(folder, ["pages"], MIN_FILES_TO_FORK)["pages"].is_settled(2**63)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
        os.close(held)


@pytest.mark.parametrize("seconds", [-1, 2**33 - 2])
def test_odd_times_are_distinguished(folder: Path, seconds: int) -> None:
    os.utime(folder / "pages/a.md", (seconds, seconds))
    before = compute_signatures(folder, ["pages"], 1)
    os.utime(folder / "pages/a.md", (seconds + 1, seconds + 1))
    assert compute_signatures(folder, ["pages"], 1) != before


@pytest.mark.parametrize("target", ["a.md", "nowhere"])
def test_nothing_is_settled_where_there_are_links(folder: Path, target: str) -> None:
    assert compute_signatures(folder, ["pages"], 1)["pages"].is_settled(2**63)
    (folder / "pages/link.md").symlink_to(target)
    assert not compute_signatures(folder, ["pages"], 1)["pages"].is_settled(2**63)


def test_nothing_is_settled_that_is_newer(folder: Path) -> None:
    signature = compute_signatures(folder, ["pages"], 1)["pages"]
    assert signature.is_settled(signature.newest + 1)
    assert not signature.is_settled(signature.newest)
