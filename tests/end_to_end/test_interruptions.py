"""A sync that someone stops, as a process of its own against a server that takes its time."""

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ..exit_codes import INTERRUPTED
from ..in_process import environment
from ..served import Served
from .conftest import contentsync

PAGES = 6


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Return a folder with PAGES pages that was never synced."""
    folder = tmp_path / "site"
    (folder / "pages").mkdir(parents=True)
    (folder / "contentsync.toml").touch()
    for number in range(PAGES):
        (folder / f"pages/p{number}.md").write_text(f"---\ntitle: Page {number}\n---\n", encoding="utf-8")
    return folder


def stopped(pages: Path, served: Served, *signals: signal.Signals, then_open: bool) -> tuple[int, Any]:
    """Stops a sync when two writes are in flight; the exit code and the document."""
    gate = served.recorder.gate
    gate.clear()
    command = [sys.executable, "-m", "contentsync", "sync", str(pages), "--yes", "--format=json", "--concurrency=2"]
    with subprocess.Popen(command, env=environment(served.env), stdout=subprocess.PIPE, text=True) as process:
        until = time.monotonic() + 30
        while len(served.recorder.writes) < 2:
            assert time.monotonic() < until
            time.sleep(0.01)
        for number in signals:
            process.send_signal(number)
            time.sleep(0.3)
        if then_open:
            assert process.poll() is None
            gate.set()
        out, _ = process.communicate(timeout=30)
    gate.set()
    return process.returncode, json.loads(out)


def statuses(document: Any) -> Counter[str]:
    return Counter(result["status"] for result in document["results"])


def test_a_first_signal_finishes_the_requests_in_flight_and_the_next_run_continues(pages: Path, served: Served) -> None:
    """CO-14"""
    code, document = stopped(pages, served, signal.SIGTERM, then_open=True)
    assert code == INTERRUPTED
    assert statuses(document) == {"done": 2, "skipped": PAGES - 2}
    assert len(served.get("pages")["data"]) == 2
    again = contentsync("sync", pages, "--yes", "--format=json", env=served.env)
    assert again.code == 0
    assert statuses(again.document) == {"done": PAGES - 2}


def test_an_undo_names_the_interrupted_run_before_it(pages: Path, served: Served) -> None:
    _, document = stopped(pages, served, signal.SIGTERM, then_open=True)
    assert contentsync("sync", pages, "--yes", env=served.env).code == 0
    undone = contentsync("undo", pages, "--yes", "--allow-deletes", PAGES - 2, env=served.env)
    assert undone.code == 0
    assert f"contentsync undo {pages} --run {document['run']}" in " ".join(undone.err.split())
    assert len(served.get("pages")["data"]) == 2
    earlier = contentsync("undo", pages, "--yes", "--run", document["run"], "--allow-deletes", 2, env=served.env)
    assert earlier.code == 0
    assert "--run" not in earlier.err
    assert served.get("pages")["data"] == []


def test_a_second_signal_ends_the_run_at_once_and_nothing_is_doubled(pages: Path, served: Served) -> None:
    """CO-14"""
    code, document = stopped(pages, served, signal.SIGINT, signal.SIGINT, then_open=False)
    assert code == INTERRUPTED
    assert statuses(document) == {"unknown": 2, "skipped": PAGES - 2}
    assert contentsync("sync", pages, "--yes", env=served.env).code == 0
    assert len(served.get("pages")["data"]) == PAGES
    assert contentsync("plan", pages, "--detailed-exitcode", env=served.env).code == 0
