"""Output that cannot be written: one line says so, and the exit code is not 0."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..exit_codes import WRONG_USAGE
from ..forked import CONTEXT, become_command
from ..in_process import environment
from ..sampling import sampled

FULL = Path("/dev/full")
WRONG = "---\ntitel: About\n---\n"

COMMANDS = [
    ["validate", "{folder}"],
    *(["validate", "{folder}", "--format", name] for name in ("json", "github", "sarif")),
    ["plan", "{folder}"],
    ["plan", "{folder}", "--format", "json"],
    ["sync", "{folder}", "--yes"],
    ["status", "{folder}"],
    ["schema", "page", "{folder}"],
    ["new", "page", "b", "{folder}"],
    ["init", "{folder}/new"],
    ["--help"],
]


# A closed stdout is reported before a command is known, but of one.
CLOSED = [["validate", "{folder}"], ["sync", "{folder}", "--yes"], ["init", "{folder}/new"], ["--version"]]


def written_to(out: Path | str, err: Path | str, command: list[str], folder: Path) -> int:
    """The exit code of a command whose output goes to these files."""
    words = [word.format(folder=folder) for word in command]
    process = CONTEXT.Process(target=become_command, args=(words, environment(), str(folder), str(out), str(err)))
    process.start()
    process.join(120)
    assert process.exitcode is not None
    return process.exitcode


def redirected(redirection: str, command: list[str], folder: Path) -> tuple[int, str]:
    """The exit code of a command that a shell starts, and what it wrote to stderr."""
    words = [word.format(folder=folder) for word in command]
    shell = ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-m", "contentsync", *words]
    buffered = {name: value for name, value in environment().items() if name != "PYTHONUNBUFFERED"}
    ran = subprocess.run(shell, capture_output=True, text=True, check=False, env=buffered)
    assert ran.stdout == ""
    return ran.returncode, ran.stderr


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("command", sampled(COMMANDS, every=2), ids=" ".join)
def test_a_full_disk_behind_stdout_is_reported_in_one_line(command: list[str], folder: Path, tmp_path: Path) -> None:
    err = tmp_path / "err"
    assert written_to(FULL, err, command, folder) == 64
    assert err.read_text() == "contentsync: the output cannot be written: No space left on device\n"


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
def test_a_full_disk_is_reported_by_the_version_option_too(folder: Path) -> None:
    code, reported = redirected(f">{FULL}", ["--version"], folder)
    assert (code, reported) == (WRONG_USAGE, "contentsync: the output cannot be written: No space left on device\n")


@pytest.mark.parametrize("command", CLOSED, ids=" ".join)
def test_a_closed_stdout_is_reported_before_anything_is_done(command: list[str], folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    code, reported = redirected(">&-", command, folder)
    assert (code, reported) == (WRONG_USAGE, "contentsync: the output cannot be written: stdout is closed\n")
    assert sorted(folder.rglob("*")) == before


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
def test_the_exit_code_reports_errors_when_stderr_is_full(folder: Path, tmp_path: Path) -> None:
    (folder / "pages/about.md").write_text(WRONG, encoding="utf-8")
    assert written_to(tmp_path / "out", FULL, ["plan", "{folder}"], folder) == 1
    assert (tmp_path / "out").read_text() == ""


def test_the_exit_code_reports_errors_when_stderr_is_closed(folder: Path) -> None:
    (folder / "pages/about.md").write_text(WRONG, encoding="utf-8")
    assert redirected("2>&-", ["plan", "{folder}"], folder) == (1, "")


@pytest.mark.parametrize("command", [["redirects", "{folder}"], ["schema", "page", "{folder}"]], ids=" ".join)
def test_a_reader_that_has_closed_the_pipe_is_no_error(command: list[str], folder: Path) -> None:
    ends = os.pipe()
    os.close(ends[0])
    words = [word.format(folder=folder) for word in command]
    arguments = [sys.executable, "-m", "contentsync", *words]
    ran = subprocess.run(arguments, stdout=ends[1], stderr=subprocess.PIPE, check=False, env=environment())
    os.close(ends[1])
    assert (ran.returncode, ran.stderr) == (0, b"")
