"""Output that cannot be written: one line says so, and the exit code is not 0."""

import subprocess
import sys
from pathlib import Path

import pytest

FULL = Path("/dev/full")

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
    ["--version"],
]


def written_to(redirection: str, command: list[str], folder: Path) -> tuple[int, str]:
    words = [word.format(folder=folder) for word in command]
    shell = ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-m", "contentsync", *words]
    ran = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert ran.stdout == ""
    return ran.returncode, ran.stderr


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_disk_behind_stdout_is_told_in_one_line(command: list[str], folder: Path) -> None:
    code, told = written_to(f">{FULL}", command, folder)
    assert (code, told) == (64, "contentsync: the output cannot be written: No space left on device\n")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_closed_stdout_is_told_before_anything_is_done(command: list[str], folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    code, told = written_to(">&-", command, folder)
    assert (code, told) == (64, "contentsync: the output cannot be written: stdout is closed\n")
    assert sorted(folder.rglob("*")) == before


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("redirection", [f"2>{FULL}", "2>&-"])
def test_without_a_place_for_talk_the_exit_code_still_says_it(redirection: str, folder: Path) -> None:
    (folder / "pages/about.md").write_text("---\ntitel: About\n---\n", encoding="utf-8")
    assert written_to(redirection, ["plan", "{folder}"], folder) == (1, "")
