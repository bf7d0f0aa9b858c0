"""contentsync.content.files.folder_signatures: equal only if nothing changed."""

import errno
import os
import resource
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from contentsync.content.files.file_names import visible_names
from contentsync.content.files.folder_signatures import (
    MIN_FILES_TO_FORK,
    STAMP_MARGIN,
    FolderDependencies,
    SignatureJob,
    compute_signatures,
    names_digest,
    settled_time,
    with_parents,
)

from ..conftest import write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "site", {"pages/a.md": "A", "pages/in/b.md": "B", "tags.yaml": "- title: A\n"})


PATHS = ["pages", "pages/in", "tags.yaml", "categories.yaml"]


def test_several_processes_compute_the_same_signatures_as_one(folder: Path) -> None:
    assert compute_signatures(folder, PATHS, MIN_FILES_TO_FORK) == compute_signatures(folder, PATHS, 4)


def test_a_signature_job_can_be_asked_twice(folder: Path) -> None:
    signing = SignatureJob(folder, PATHS, MIN_FILES_TO_FORK)
    assert signing.result() == compute_signatures(folder, PATHS, 4)
    assert signing.result() == compute_signatures(folder, PATHS, 4)


def test_a_changed_file_changes_only_the_signature_of_its_folder(folder: Path) -> None:
    before = compute_signatures(folder, PATHS, 4)
    (folder / "pages/in/b.md").write_text("C")
    after = compute_signatures(folder, PATHS, 4)
    assert {path for path in PATHS if before[path] != after[path]} == {"pages/in"}


def test_a_new_file_changes_the_signature_of_its_path(folder: Path) -> None:
    before = compute_signatures(folder, PATHS, 4)
    (folder / "categories.yaml").write_text("- title: A\n")
    assert compute_signatures(folder, PATHS, 4)["categories.yaml"] != before["categories.yaml"]


def test_changes_to_hidden_files_do_not_change_the_signature(folder: Path) -> None:
    (folder / "pages/.a.md.swp").write_text("x")
    before = compute_signatures(folder, PATHS, 4)
    (folder / "pages/.a.md.swp").write_text("y")
    assert compute_signatures(folder, PATHS, 4) == before


def test_moving_an_old_file_into_a_folder_makes_the_folder_newer(folder: Path) -> None:
    old = folder / "pages/in"
    newest = compute_signatures(folder, ["pages"], 1)["pages"].newest
    old.rename(folder / "pages/late")  # which leaves the files in it as old as they were
    assert compute_signatures(folder, ["pages"], 1)["pages"].newest > newest


def test_paths_are_signed_in_this_process_if_no_process_can_start(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused() -> int:
        raise BlockingIOError(errno.EAGAIN, "no more processes")

    expected = compute_signatures(folder, PATHS, 4)
    monkeypatch.setattr(os, "fork", refused)
    assert compute_signatures(folder, PATHS, MIN_FILES_TO_FORK) == expected


def test_a_folder_that_cannot_be_opened_is_not_settled(folder: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    descriptor = os.open(folder, os.O_RDONLY)
    resource.setrlimit(resource.RLIMIT_NOFILE, (descriptor + 1, before[1]))  # no more file
    try:
        assert not compute_signatures(folder, ["pages"], MIN_FILES_TO_FORK)["pages"].is_settled(2**63)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
        os.close(descriptor)


@pytest.mark.parametrize("seconds", [-1, 2**33 - 2])
def test_unusual_file_times_are_distinguished(folder: Path, seconds: int) -> None:
    os.utime(folder / "pages/a.md", (seconds, seconds))
    before = compute_signatures(folder, ["pages"], 1)
    os.utime(folder / "pages/a.md", (seconds + 1, seconds + 1))
    assert compute_signatures(folder, ["pages"], 1) != before


@pytest.mark.parametrize("target", ["a.md", "nowhere"])
def test_a_folder_with_symbolic_links_is_not_settled(folder: Path, target: str) -> None:
    assert compute_signatures(folder, ["pages"], 1)["pages"].is_settled(2**63)
    (folder / "pages/link.md").symlink_to(target)
    assert not compute_signatures(folder, ["pages"], 1)["pages"].is_settled(2**63)


def test_a_folder_is_not_settled_before_its_newest_change(folder: Path) -> None:
    signature = compute_signatures(folder, ["pages"], 1)["pages"]
    assert signature.is_settled(signature.newest + 1)
    assert not signature.is_settled(signature.newest)


@pytest.mark.parametrize("path", ["tags.yaml", "pages/in"])
def test_a_path_with_an_old_modification_time_is_as_new_as_its_last_change(folder: Path, path: str) -> None:
    """`touch -r` sets the time of modification, but not that of the change."""
    time.sleep(0.02)  # the files are older
    os.utime(folder / path, (0, 0))
    status = (folder / path).stat()
    assert compute_signatures(folder, [path], 1)[path].newest >= status.st_ctime_ns > status.st_mtime_ns


def test_names_without_a_separator_have_another_digest() -> None:
    assert names_digest(["ab", "c"]) != names_digest(["a", "bc"])


def test_a_file_with_its_old_size_and_time_has_another_signature(folder: Path) -> None:
    file = folder / "pages/a.md"
    status, before = file.stat(), compute_signatures(folder, ["pages"], 1)["pages"]
    time.sleep(0.02)  # a tick of the file system's clock
    file.write_text("B")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    after = compute_signatures(folder, ["pages"], 1)["pages"]
    assert after.digest != before.digest
    assert after.newest == file.stat().st_ctime_ns > before.newest


@pytest.mark.parametrize("path", ["pages/a.md", "tags.yaml", "pages"])
def test_a_path_is_as_new_as_the_later_of_its_two_times(folder: Path, path: str) -> None:
    later = time.time_ns() + 10**12
    os.utime(folder / path, ns=(later, later))
    signed = path.removesuffix("/a.md")
    assert compute_signatures(folder, [signed], 1)[signed].newest == later


def test_a_time_that_was_set_makes_a_folder_newer_than_its_last_change(folder: Path) -> None:
    """A file system without a time of change has only this one."""
    later = time.time_ns() + 10**12
    os.utime(folder / "pages/a.md", ns=(later, later))
    time.sleep(0.02)
    os.utime(folder / "pages", ns=(0, 0))  # changed after the file
    assert compute_signatures(folder, ["pages"], 1)["pages"].newest == later


def test_a_changed_file_of_its_own_has_another_signature(folder: Path) -> None:
    before = compute_signatures(folder, ["tags.yaml"], 1)
    (folder / "tags.yaml").write_text("- title: Other\n")
    after = compute_signatures(folder, ["tags.yaml"], 1)
    assert after["tags.yaml"].digest != before["tags.yaml"].digest


def test_the_margin_is_longer_than_a_tick_of_the_coarsest_file_system(folder: Path) -> None:
    assert STAMP_MARGIN > 2 * 10**9
    assert settled_time(folder, 0, margin=0) - settled_time(folder, 0, margin=10**12) > 10**11


def test_a_path_depends_on_all_folders_above_it() -> None:
    assert with_parents(["pages/in/deep", "tags.yaml"]) == ["pages", "pages/in", "pages/in/deep", "tags.yaml"]


def test_a_version_is_known_only_of_files_that_are_older_than_the_margin(folder: Path) -> None:
    dependencies = FolderDependencies("names", PATHS, 4, time.monotonic_ns())
    assert dependencies.version(folder, margin=-(10**12))
    assert dependencies.version(folder) is None
    later = FolderDependencies("names", PATHS, 4, time.monotonic_ns() - 10**10)
    assert later.version(folder, margin=0) is None  # they are newer than the run


@pytest.mark.parametrize(
    "change", [lambda path: (path / "pages/in/b.md").write_text("Changed"), lambda path: (path / "new").mkdir()]
)
def test_a_version_is_current_until_a_path_changes_or_a_name_is_new(
    folder: Path, change: Callable[[Path], object]
) -> None:
    names = names_digest(visible_names(folder))
    version = FolderDependencies(names, PATHS, 4, time.monotonic_ns()).version(folder, margin=-(10**12))
    assert version
    assert version.is_current(folder)
    change(folder)
    assert not version.is_current(folder)
