"""Events of the system, and polling where the system reports nothing."""

import errno
import os
import queue
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import pytest

from contentsync.watch import FolderChange, FolderChanges
from contentsync.watch.file_events import EventCallback, FileEvent, FolderObserver, observe_folder

from .conftest import SOON, is_quiet, soon, watching

WATCHING = """
import asyncio, sys
from pathlib import Path
from contentsync.watch import FolderChanges

async def main():
    async with FolderChanges(Path(sys.argv[1]), quiet=0.05) as changes:
        async for change in changes:
            print(change.everything, flush=True)

asyncio.run(main())
"""


def test_the_extended_version_of_watchdog_is_installed() -> None:
    """`file_events._Connection` overrides private methods. Check them against a new version before changing this."""
    assert version("watchdog").startswith("7.1.")


def test_an_event_reports_whether_the_file_is_still_open_for_writing(folder: Path) -> None:
    events: queue.SimpleQueue[FileEvent] = queue.SimpleQueue()
    with observe_folder(folder, events.put), (folder / "pages/about.md").open("a", encoding="utf-8") as file:
        file.write("More\n")
        file.flush()
        assert events.get(timeout=SOON) == FileEvent("pages/about.md", is_writing=True)
        file.close()
        assert events.get(timeout=SOON) == FileEvent("pages/about.md")


def test_an_open_file_that_is_not_content_is_reported_at_once(folder: Path) -> None:
    events: queue.SimpleQueue[FileEvent] = queue.SimpleQueue()
    with observe_folder(folder, events.put), (folder / "out.log").open("a", encoding="utf-8") as file:
        file.write("More\n")
        file.flush()
        assert [events.get(timeout=SOON) for _ in range(2)] == [FileEvent("out.log")] * 2


def test_a_folder_moved_away_and_back_stays_watched_without_a_warning(folder: Path) -> None:
    events: queue.SimpleQueue[FileEvent] = queue.SimpleQueue()
    away = folder.parent / "away"
    with warnings.catch_warnings(record=True) as warned, observe_folder(folder, events.put):
        warnings.simplefilter("always")
        for before, after in ((folder / "pages", away), (away, folder / "pages")):
            before.rename(after)
            assert events.get(timeout=SOON) == FileEvent("pages")
        while events.get(timeout=SOON) != FileEvent("pages/about.md"):
            (folder / "pages/about.md").touch()
    assert not warned


def test_an_overflow_of_the_event_queue_marks_everything_as_changed(folder: Path) -> None:
    """CO-13"""
    limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text(encoding="utf-8"))
    command = [sys.executable, "-c", WATCHING, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "True\n"  # the first
            process.send_signal(signal.SIGSTOP)
            os.waitpid(process.pid, os.WUNTRACED)  # until it has stopped
            for number in range(limit // 2 + 100):  # in turns, as the kernel makes one event of equal ones
                os.utime(folder / "pages/about.md", (number, number))
                os.utime(folder / "contentsync.toml", (number, number))
            process.send_signal(signal.SIGCONT)
            watchdog = threading.Timer(SOON, process.kill)
            watchdog.start()
            while (line := process.stdout.readline()) == "False\n":  # what came before
                pass
            watchdog.cancel()
            assert line == "True\n"
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("error", "limit"), [(errno.ENOSPC, "max_user_watches)"), (errno.EMFILE, "max_user_instances, ulimit -n)")]
)
def test_all_files_are_polled_if_the_system_refuses_to_watch(folder: Path, error: int, limit: str) -> None:
    """CO-13"""
    messages: list[str] = []

    @contextmanager
    def refuse(folder: Path, on_event: EventCallback) -> Iterator[FolderObserver]:
        raise OSError(error, "inotify limit reached")
        yield

    async def story(changes: FolderChanges) -> None:
        assert len(messages) == 1
        assert messages[0].endswith(f"fs.inotify.{limit}: checking all files every second instead")
        (folder / "pages/about.md").write_text("New\n", encoding="utf-8")
        (folder / "pages/new.md").touch()
        (folder / "contentsync.toml").unlink()
        assert await soon(changes) == FolderChange(frozenset({"pages/about.md", "pages/new.md", "contentsync.toml"}))
        assert await is_quiet(changes)

    watching(folder, story, report=messages.append, observe=refuse)


def test_all_files_are_polled_if_the_system_watches_only_a_part(folder: Path) -> None:
    """CO-13"""
    messages: list[str] = []

    class Partly:
        is_partial = False

    @contextmanager
    def observe_partly(folder: Path, on_event: EventCallback) -> Iterator[FolderObserver]:
        yield Partly()

    async def story(changes: FolderChanges) -> None:
        assert not messages
        Partly.is_partial = True
        (folder / "pages/about.md").write_text("New\n", encoding="utf-8")
        assert await soon(changes) == FolderChange(frozenset({"pages/about.md"}))
        assert len(messages) == 1

    watching(folder, story, report=messages.append, observe=observe_partly)


def test_a_scan_reports_only_changes_without_an_event(folder: Path) -> None:
    """CO-13"""

    class Whole:
        is_partial = False

    callbacks: list[EventCallback] = []

    @contextmanager
    def silent(folder: Path, on_event: EventCallback) -> Iterator[FolderObserver]:
        callbacks.append(on_event)
        yield Whole()

    async def story(changes: FolderChanges) -> None:
        (folder / "pages/about.md").write_text("New\n", encoding="utf-8")
        assert await soon(changes) == FolderChange(frozenset({"pages/about.md"}))
        (folder / "pages/about.md").write_text("Newer\n", encoding="utf-8")
        threading.Thread(target=callbacks[0], args=[FileEvent("pages/about.md")]).start()
        assert await soon(changes) == FolderChange(frozenset({"pages/about.md"}))
        assert await is_quiet(changes, 0.5)

    watching(folder, story, rescan=0.2, observe=silent)
