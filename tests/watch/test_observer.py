"""What the system tells, and where it tells nothing."""

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
from pathlib import Path

from contentsync.watch import Change, Changes
from contentsync.watch.notice import Notice
from contentsync.watch.observer import Heard, Watched, observe

from .conftest import SOON, is_quiet, soon, watching

WATCHING = """
import asyncio, sys
from pathlib import Path
from contentsync.watch import Changes

async def main():
    async with Changes(Path(sys.argv[1]), quiet=0.05) as changes:
        async for change in changes:
            print(change.everything, flush=True)

asyncio.run(main())
"""


def test_each_notice_says_whether_more_is_to_come(folder: Path) -> None:
    heard: queue.SimpleQueue[Notice] = queue.SimpleQueue()
    with observe(folder, heard.put), (folder / "pages/about.md").open("a", encoding="utf-8") as file:
        file.write("More\n")
        file.flush()
        assert heard.get(timeout=SOON) == Notice("pages/about.md", writing=True)
        file.close()
        assert heard.get(timeout=SOON) == Notice("pages/about.md")


def test_a_file_that_no_content_is_read_from_is_not_waited_for(folder: Path) -> None:
    heard: queue.SimpleQueue[Notice] = queue.SimpleQueue()
    with observe(folder, heard.put), (folder / "out.log").open("a", encoding="utf-8") as file:
        file.write("More\n")
        file.flush()
        assert [heard.get(timeout=SOON) for _ in range(2)] == [Notice("out.log")] * 2


def test_a_folder_that_is_moved_out_and_back_is_watched_on_without_a_word(folder: Path) -> None:
    heard: queue.SimpleQueue[Notice] = queue.SimpleQueue()
    away = folder.parent / "away"
    with warnings.catch_warnings(record=True) as warned, observe(folder, heard.put):
        warnings.simplefilter("always")
        for before, after in ((folder / "pages", away), (away, folder / "pages")):
            before.rename(after)
            assert heard.get(timeout=SOON) == Notice("pages")
        while heard.get(timeout=SOON) != Notice("pages/about.md"):
            (folder / "pages/about.md").touch()
    assert not warned


def test_a_queue_that_overflows_means_that_everything_may_have_changed(folder: Path) -> None:
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
            while (said := process.stdout.readline()) == "False\n":  # what came before
                pass
            watchdog.cancel()
            assert said == "True\n"
        finally:
            process.kill()


def test_where_the_system_watches_nothing_all_files_are_looked_at(folder: Path) -> None:
    """CO-13"""
    said: list[str] = []

    @contextmanager
    def refuse(folder: Path, heard: Heard) -> Iterator[Watched]:
        raise OSError(errno.EMFILE, "inotify instance limit reached")
        yield

    async def story(changes: Changes) -> None:
        assert len(said) == 1
        assert said[0].endswith("(fs.inotify.max_user_watches): looking at all files every second instead")
        (folder / "pages/about.md").write_text("New\n", encoding="utf-8")
        (folder / "pages/new.md").touch()
        (folder / "contentsync.toml").unlink()
        assert await soon(changes) == Change(frozenset({"pages/about.md", "pages/new.md", "contentsync.toml"}))
        assert await is_quiet(changes)

    watching(folder, story, say=said.append, observe=refuse)


def test_where_the_system_watches_a_part_the_rest_is_looked_at(folder: Path) -> None:
    """CO-13"""
    said: list[str] = []

    class Partly:
        partly = False

    @contextmanager
    def observe_partly(folder: Path, heard: Heard) -> Iterator[Watched]:
        yield Partly()

    async def story(changes: Changes) -> None:
        assert not said
        Partly.partly = True
        (folder / "pages/about.md").write_text("New\n", encoding="utf-8")
        assert await soon(changes) == Change(frozenset({"pages/about.md"}))
        assert len(said) == 1

    watching(folder, story, say=said.append, observe=observe_partly)


def test_what_the_system_did_not_tell_is_found_and_what_it_told_is_not_told_again(folder: Path) -> None:
    """CO-13"""

    class Whole:
        partly = False

    told: list[Heard] = []

    @contextmanager
    def silent(folder: Path, heard: Heard) -> Iterator[Watched]:
        told.append(heard)
        yield Whole()

    async def story(changes: Changes) -> None:
        (folder / "pages/about.md").write_text("New\n", encoding="utf-8")
        assert await soon(changes) == Change(frozenset({"pages/about.md"}))
        (folder / "pages/about.md").write_text("Newer\n", encoding="utf-8")
        threading.Thread(target=told[0], args=[Notice("pages/about.md")]).start()
        assert await soon(changes) == Change(frozenset({"pages/about.md"}))
        assert await is_quiet(changes, 0.5)

    watching(folder, story, rescan=0.2, observe=silent)
