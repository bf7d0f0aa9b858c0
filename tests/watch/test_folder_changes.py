"""A watched folder and the saves of editors; and the time at which a burst of events is over."""

import asyncio
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from contentsync.watch import FolderChanges
from contentsync.watch.file_events import FileEvent
from contentsync.watch.folder_changes import Debouncer, FolderChange

from ..hooks.repositories import Tree
from .conftest import QUIET, SOON, all_of, is_quiet, soon, watching


def only(*paths: str) -> FolderChange:
    """Return the change of exactly these files."""
    return FolderChange(frozenset(paths))


def saved_in_place(page: Path) -> None:
    page.write_text("New\n", encoding="utf-8")


def saved_as_most_editors_do(page: Path) -> None:
    beside = page.with_name(f".{page.name}.tmp")
    beside.write_text("New\n", encoding="utf-8")
    beside.rename(page)


def saved_as_vim_does(page: Path) -> None:
    (page.parent / "4913").touch()
    (page.parent / "4913").unlink()
    backup = page.with_name(f"{page.name}~")
    page.rename(backup)
    page.write_text("New\n", encoding="utf-8")
    backup.unlink()


def saved_as_emacs_does(page: Path) -> None:
    lock = page.with_name(f".#{page.name}")
    lock.symlink_to("ada@host.1234")
    page.rename(page.with_name(f"{page.name}~"))
    page.write_text("New\n", encoding="utf-8")
    lock.unlink()


@pytest.mark.parametrize("save", [saved_in_place, saved_as_most_editors_do, saved_as_vim_does, saved_as_emacs_does])
def test_a_save_by_any_editor_is_one_change_of_one_file(folder: Path, save: Callable[[Path], None]) -> None:
    """CO-13"""

    async def story(changes: FolderChanges) -> None:
        save(folder / "pages/about.md")
        assert await soon(changes) == only("pages/about.md")
        assert await is_quiet(changes)

    watching(folder, story)


def test_a_commit_at_the_top_of_a_repository_changes_nothing(tmp_path: Path) -> None:
    """As for pages with `path = "."`: git writes into its own folder, and contentsync into `.contentsync`."""
    tree = Tree.new(tmp_path / "site")
    tree.write("contentsync.toml", '[content.pages]\npath = "."\ninclude = ["*.md"]\n')
    tree.write("about.md", "About\n")
    (tree.path / ".contentsync").mkdir()

    async def story(changes: FolderChanges) -> None:
        (tree.path / "about.md").write_text("New\n", encoding="utf-8")
        assert await soon(changes) == only("about.md")
        tree.git("add", "--all")
        tree.git("commit", "--quiet", "--message=x")
        (tree.path / ".contentsync/site.db").touch()
        assert await is_quiet(changes)
        (tree.path / "contentsync.toml").write_text("", encoding="utf-8")
        assert await soon(changes) == only("contentsync.toml")

    watching(tree.path, story)


def test_two_saves_with_the_same_time_and_size_are_both_reported(folder: Path) -> None:
    """CO-13, TM-10"""
    page = folder / "pages/about.md"

    async def story(changes: FolderChanges) -> None:
        for text in ("One\n", "Two\n"):  # of one size and one time
            page.write_text(text, encoding="utf-8")
            os.utime(page, ns=(10**18, 10**18))
            assert await soon(changes) == only("pages/about.md")
            assert page.read_text(encoding="utf-8") == text

    watching(folder, story)


def test_a_file_that_is_open_for_writing_is_reported_when_it_is_closed(folder: Path) -> None:
    """CO-13"""

    async def story(changes: FolderChanges) -> None:
        with (folder / "pages/half.md").open("w", encoding="utf-8") as file:
            file.write("---\ntit")
            file.flush()
            assert await is_quiet(changes)
            file.write("le: Whole\n---\n")
        assert await soon(changes) == only("pages/half.md")

    watching(folder, story)


def test_writes_without_a_pause_are_reported_as_unsettled(folder: Path) -> None:
    """CO-13"""

    async def story(changes: FolderChanges) -> None:
        async def write() -> None:
            while True:
                (folder / "pages/log.md").write_text("More\n", encoding="utf-8")
                await asyncio.sleep(QUIET / 3)

        writer = asyncio.create_task(write())
        async with asyncio.timeout(SOON):
            while (change := await anext(changes)).is_settled:  # where the machine has made a pause
                pass
        assert change == FolderChange(frozenset({"pages/log.md"}), is_settled=False)
        writer.cancel()

    watching(folder, story, longest=5 * QUIET)


def test_events_during_a_slow_caller_are_in_the_next_change(folder: Path) -> None:
    async def story(changes: FolderChanges) -> None:
        (folder / "pages/one.md").touch()
        await asyncio.sleep(2 * QUIET)
        (folder / "pages/two.md").touch()
        time.sleep(2 * QUIET)  # as one who reads the folder does  # noqa: ASYNC251
        assert await soon(changes) == only("pages/one.md", "pages/two.md")

    watching(folder, story)


def test_ten_thousand_events_are_all_in_the_changes(folder: Path) -> None:
    """CO-13"""
    pages = {f"pages/{number}.md" for number in range(3_400)}  # each is created, written and closed

    async def story(changes: FolderChanges) -> None:
        for page in pages:
            (folder / page).write_text("New\n", encoding="utf-8")
        await all_of(changes, *pages)

    watching(folder, story)


def test_a_read_access_is_not_a_change(folder: Path) -> None:
    """CO-13"""

    async def story(changes: FolderChanges) -> None:
        assert (folder / "pages/about.md").read_bytes() == b"About\n"
        assert [path.name for path in (folder / "pages").iterdir()] == ["about.md"]
        assert await is_quiet(changes)

    watching(folder, story)


def test_ignored_files_cause_no_change(folder: Path) -> None:
    """CO-13, FI-28"""

    async def story(changes: FolderChanges) -> None:
        for name in (".contentsync/state/x", ".git/index", "node_modules/a/b", "pages/.a.swp", "a.md~"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text("One\n", encoding="utf-8")
            (folder / name).write_text("Two\n", encoding="utf-8")
        assert await is_quiet(changes)

    watching(folder, story)


def test_new_folders_and_moved_folders_are_watched(folder: Path) -> None:
    async def story(changes: FolderChanges) -> None:
        (folder / "pages/deep/er").mkdir(parents=True)
        (folder / "pages/deep/er/one.md").touch()
        await all_of(changes, "pages/deep/er/one.md")
        (folder / "pages/deep").rename(folder / "pages/moved")
        await all_of(changes, "pages/deep/er/one.md", "pages/moved/er/one.md")
        (folder / "pages/moved/er/one.md").write_text("New\n", encoding="utf-8")
        await all_of(changes, "pages/moved/er/one.md")
        (folder / "pages/moved/er/one.md").unlink()
        await all_of(changes, "pages/moved/er/one.md")

    watching(folder, story)


def test_paths_are_in_unicode_form_nfc(folder: Path) -> None:
    async def story(changes: FolderChanges) -> None:
        (folder / "pages/cafe\N{COMBINING ACUTE ACCENT}.md").touch()
        assert await soon(changes) == only("pages/caf\N{LATIN SMALL LETTER E WITH ACUTE}.md")

    watching(folder, story)


def test_a_change_of_a_file_behind_a_link_is_reported(folder: Path) -> None:
    """CO-13"""
    (folder / "pages/link.md").symlink_to("about.md")

    async def story(changes: FolderChanges) -> None:
        (folder / "pages/link.md").write_text("Through the link\n", encoding="utf-8")
        assert await soon(changes) == only("pages/about.md")
        (folder / "pages/link.md").unlink()
        (folder / "pages/link.md").symlink_to("../contentsync.toml")
        assert await soon(changes) == only("pages/link.md")

    watching(folder, story)


def test_a_watched_link_to_a_folder_follows_its_new_target(folder: Path) -> None:
    """CO-13"""
    current, second = folder.parent / "current", folder.parent / "second"
    (second / "pages").mkdir(parents=True)
    current.symlink_to(folder)

    async def story(changes: FolderChanges) -> None:
        (folder / "pages/about.md").write_text("New\n", encoding="utf-8")
        assert await soon(changes) == only("pages/about.md")
        current.unlink()
        current.symlink_to(second)
        assert await soon(changes) == FolderChange(everything=True)
        (second / "pages/about.md").write_text("Other\n", encoding="utf-8")
        assert await soon(changes) == only("pages/about.md")

    watching(current, story)


def test_a_deleted_folder_is_reported_and_counts_as_changed_when_it_returns(folder: Path) -> None:
    """CO-13"""
    messages: list[str] = []

    async def story(changes: FolderChanges) -> None:
        shutil.move(folder, folder.parent / "elsewhere")
        (folder.parent / "elsewhere/pages/about.md").unlink()
        while not messages:
            assert await is_quiet(changes)
        assert messages == [f"{folder} is gone: waiting until it is back"]
        (folder.parent / "elsewhere").rename(folder)
        assert await soon(changes) == FolderChange(everything=True)
        (folder / "pages/about.md").write_text("Back\n", encoding="utf-8")
        assert await soon(changes) == only("pages/about.md")

    watching(folder, story, report=messages.append)


def test_a_folder_that_is_deleted_and_immediately_created_is_still_watched(folder: Path) -> None:
    """CO-13"""

    async def story(changes: FolderChanges) -> None:
        shutil.rmtree(folder)
        (folder / "pages").mkdir(parents=True)  # with the same inode, on some file systems
        assert await soon(changes) == FolderChange(everything=True)
        (folder / "contentsync.toml").touch()
        assert await soon(changes) == only("contentsync.toml")

    watching(folder, story)


def test_a_missing_folder_is_watched_once_it_exists(tmp_path: Path) -> None:
    messages: list[str] = []

    async def story() -> None:
        async with FolderChanges(tmp_path / "site", quiet=QUIET, report=messages.append) as changes:
            assert await is_quiet(changes)
            (tmp_path / "site").mkdir()
            assert await soon(changes) == FolderChange(everything=True)

    asyncio.run(story())
    assert messages == [f"{tmp_path / 'site'} is gone: waiting until it is back"]


def debouncer_with(*events: tuple[float, FileEvent]) -> Debouncer:
    debouncer = Debouncer(quiet=0.1, longest=1.0)
    for now, event in events:
        debouncer.add(event, now)
    return debouncer


def test_a_debouncer_without_events_has_no_due_time() -> None:
    assert debouncer_with().due is None


def test_each_event_restarts_the_quiet_time() -> None:
    debouncer = debouncer_with((5.0, FileEvent("a.md")), (5.08, FileEvent("b.md")))
    assert debouncer.due == pytest.approx(5.18)
    assert debouncer.take_change(5.18) == FolderChange(frozenset({"a.md", "b.md"}))
    assert debouncer.due is None


def test_a_closed_file_is_due_sooner_than_an_open_one() -> None:
    """CO-13"""
    debouncer = debouncer_with((5.0, FileEvent("a.md", is_writing=True)))
    assert debouncer.due == 10.0
    debouncer.add(FileEvent("a.md"), 5.3)
    assert debouncer.due == pytest.approx(5.4)


def test_a_file_that_is_closed_late_is_reported_at_once_as_unsettled() -> None:
    debouncer = debouncer_with((5.0, FileEvent("a.md", is_writing=True)), (7.0, FileEvent("a.md")))
    assert debouncer.due == 6.0
    assert debouncer.take_change(7.0) == FolderChange(frozenset({"a.md"}), is_settled=False)


def test_a_file_that_is_never_closed_is_reported_as_unsettled() -> None:
    """CO-13"""
    debouncer = debouncer_with((5.0, FileEvent("a.md", is_writing=True)), (9.8, FileEvent("a.md", is_writing=True)))
    assert debouncer.due == 10.0
    assert debouncer.is_writing
    assert debouncer.take_change(10.0) == FolderChange(frozenset({"a.md"}), is_settled=False)
    assert not debouncer.is_writing


def test_endless_writes_are_reported_as_unsettled() -> None:
    """CO-13"""
    debouncer = debouncer_with(*((5.0 + tick / 20, FileEvent("a.md")) for tick in range(20)))
    assert debouncer.due == 6.0
    assert debouncer.take_change(6.0) == FolderChange(frozenset({"a.md"}), is_settled=False)


def test_an_event_of_everything_replaces_the_paths() -> None:
    debouncer = debouncer_with((5.0, FileEvent("a.md")), (5.0, FileEvent(None)), (5.0, FileEvent("b.md")))
    assert debouncer.take_change(5.1) == FolderChange(everything=True)


def test_a_restart_begins_the_quiet_time_again() -> None:
    debouncer = debouncer_with((5.0, FileEvent("a.md")))
    debouncer.restart(8.0)
    assert debouncer.due == pytest.approx(8.1)
    assert debouncer.take_change(8.1) == FolderChange(frozenset({"a.md"}))


def test_cleared_events_are_never_due() -> None:
    debouncer = debouncer_with((5.0, FileEvent("a.md", is_writing=True)), (5.0, FileEvent(None)))
    debouncer.clear()
    assert debouncer.due is None
    debouncer.add(FileEvent("b.md"), 7.0)
    assert debouncer.take_change(7.1) == FolderChange(frozenset({"b.md"}))
