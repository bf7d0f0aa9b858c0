"""A server that fails in the middle of a run: what the run says of the rest, and how to bring it to an end."""

import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from ..exit_codes import PARTLY_DONE
from ..in_process import environment
from ..served import Served
from .conftest import UNHURRIED, contentsync

PAGES = 5


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    (tmp_path / "pages").mkdir()
    (tmp_path / "contentsync.toml").write_text(UNHURRIED, encoding="utf-8")
    write(tmp_path, "Page")
    return tmp_path


def write(folder: Path, title: str) -> None:
    for number in range(PAGES):
        (folder / f"pages/p{number}.md").write_text(f"---\ntitle: {title} {number}\n---\n", encoding="utf-8")


def titles(served: Served) -> Counter[str]:
    return Counter(page["title"].partition(" ")[0] for page in served.get("pages")["data"])


def repair(served: Served) -> None:
    served.recorder.fails = lambda method, path: False


def test_the_next_sync_continues_an_interrupted_one(pages: Path, served: Served) -> None:
    """HT-13"""
    served.recorder.fail_writes_after(3)
    cut = contentsync("sync", pages, "--yes", "--concurrency=1", env=served.env)
    assert cut.code == PARTLY_DONE
    assert re.fullmatch(rf"3 done, {PAGES - 3} unknown; the next sync continues from here", cut.out.splitlines()[-1])
    repair(served)
    on = contentsync("sync", pages, "--yes", env=served.env)
    assert (on.code, on.out.splitlines()[-1]) == (0, f"{PAGES - 3} done")
    assert titles(served) == {"Page": PAGES}


def test_status_counts_the_changes_of_a_stopped_run_as_the_run_did(pages: Path, served: Served) -> None:
    served.recorder.fail_writes_after(1)
    cut = contentsync("sync", pages, "--yes", "--concurrency=1", "--on-error=stop", env=served.env)
    counts = f"1 done, 1 unknown, {PAGES - 2} skipped"
    assert cut.out.splitlines()[-1] == f"{counts}; the next sync continues from here"
    assert f" UTC, {counts} (run " in contentsync("status", pages, env=served.env).out


def test_an_interrupted_undo_prints_the_command_that_continues_it(pages: Path, served: Served) -> None:
    """HT-13"""
    assert contentsync("sync", pages, "--yes", env=served.env).code == 0
    write(pages, "Other")
    assert contentsync("sync", pages, "--yes", env=served.env).code == 0
    served.recorder.fail_writes_after(3)
    cut = contentsync("undo", pages, "--yes", env=served.env)
    repair(served)
    assert cut.code == PARTLY_DONE
    found = re.search(r"; contentsync undo .* --run (\S+) continues from here$", cut.out.strip())
    assert found, cut.out
    assert contentsync("undo", pages, "--yes", "--run", found[1], env=served.env).code == 0
    assert titles(served) == {"Page": PAGES}


def test_a_repeated_undo_continues_the_one_that_was_killed(pages: Path, served: Served) -> None:
    for title in ("Page", "Other"):
        write(pages, title)
        assert contentsync("sync", pages, "--yes", env=served.env).code == 0
    before, in_flight = len(served.recorder.writes), 4
    served.recorder.gate.clear()
    command = [sys.executable, "-m", "contentsync", "undo", str(pages), "--yes"]
    with subprocess.Popen(command, env=environment(served.env), stdout=subprocess.DEVNULL) as process:
        wait_until(lambda: len(served.recorder.writes) == before + in_flight)
        process.kill()
    lost = served.recorder.writes[before:]

    def fails(*request: str) -> bool:
        if request not in lost:
            return False
        lost.remove(request)
        return True

    served.recorder.fails = fails
    served.recorder.gate.set()
    wait_until(lambda: not lost)
    again = contentsync("undo", pages, "--yes", env=served.env)
    assert (again.code, "the last undo did not complete: continuing the undo of run" in again.err) == (0, True)
    assert titles(served) == {"Page": PAGES}
    assert contentsync("undo", pages, "--yes", env=served.env).code == 0
    assert titles(served) == {"Other": PAGES}


def wait_until(happened: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < until
        time.sleep(0.01)
