"""At a terminal: the question, Ctrl-C, and a reader that has seen enough."""

import os
import pty
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from ..exit_codes import INTERRUPTED, REFUSED
from ..forked import CONTEXT, become_command
from ..in_process import environment
from ..sampling import sampled
from .conftest import contentsync


def at_a_terminal(
    folder: Path,
    keys: bytes,
    command: str = "sync",
    question: bytes = b"[y/N]",
    options: Sequence[str] = (),
    *,
    program: Path | None = None,
) -> tuple[int, str]:
    """Runs a command on a terminal, presses the keys at its question, and gives the exit code and what was shown.

    Ctrl-C does not reach a forked `program`, which is in another session.
    """
    shown = b""
    process, terminal = pty.fork()
    if process == 0:
        start = [sys.executable, "-m", "contentsync"] if program is None else [str(program)]
        os.execv(start[0], [*start, command, str(folder), *options])
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            shown += os.read(terminal, 65536)
        except OSError:  # the other end is closed
            break
        if question in shown and keys:
            os.write(terminal, keys)
            keys = b""
    _, status = os.waitpid(process, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), shown.decode()


def in_sync(folder: Path) -> bool:
    return bool(contentsync("status", folder, "--format", "json").document["in_sync"])


def test_yes_applies_the_plan(folder: Path, program: Path) -> None:
    code, shown = at_a_terminal(folder, b"y\n", program=program)
    assert (code, in_sync(folder)) == (0, True)
    assert "Apply 1 change to local?" in shown
    assert "1 done" in shown


def test_adopt_asks_what_a_folder_contains(tmp_path: Path, program: Path) -> None:
    (tmp_path / "things").mkdir()
    (tmp_path / "things/a.md").write_text("---\ntitle: A\n---\n", encoding="utf-8")
    code, shown = at_a_terminal(tmp_path, b"none\nlisting\n", "adopt", b"choice [2]", program=program)
    assert code == 0
    assert "What are the entries of things (1 file)?\r\n  1  article\r\n  2  page\r\n" in shown
    assert "[content.listings]" in shown
    assert "guessed" not in shown


def test_no_writes_nothing(folder: Path, program: Path) -> None:
    code, shown = at_a_terminal(folder, b"n\n", program=program)
    assert (code, in_sync(folder)) == (REFUSED, False)
    assert "nothing was written" in shown


def test_ctrl_c_at_the_question_writes_nothing(folder: Path) -> None:
    """CO-14"""
    code, _ = at_a_terminal(folder, b"\x03y\n")
    assert (code, in_sync(folder)) == (INTERRUPTED, False)


@pytest.mark.parametrize("options", sampled([["--full"], ["--format", "json"]], every=2))
def test_a_reader_that_closes_the_pipe_does_not_stop_a_sync(tmp_path: Path, options: list[str]) -> None:
    """CO-14: `| head`"""
    (tmp_path / "contentsync.toml").touch()
    rows = "".join(f"- title: {'Tag ' * 60}{number}\n  slug: tag-{number}\n" for number in range(400))
    (tmp_path / "tags.yaml").write_text(rows, encoding="utf-8")
    os.mkfifo(pipe := tmp_path / "pipe")
    command = ["sync", str(tmp_path), "--only", "tag/tag-*", "--yes", *options]
    process = CONTEXT.Process(
        target=become_command, args=(command, environment(), str(tmp_path), str(pipe), os.devnull)
    )
    process.start()
    with os.fdopen(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb") as reading:
        while process.is_alive() and not reading.read(10):
            time.sleep(0.01)
    process.join(120)
    assert process.exitcode == 0
    assert contentsync("plan", tmp_path, "--only", "tag/tag-*", "--detailed-exitcode").code == 0
