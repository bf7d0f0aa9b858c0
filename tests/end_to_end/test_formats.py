"""The forms of one report: at a terminal, in a pipe, in CI."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
from pathlib import Path

import pytest

from ..exit_codes import CONTENT_ERRORS
from .conftest import contentsync


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A content folder in a repository, with an error and a warning."""
    site = tmp_path / "work/sites/one"
    (site / "pages").mkdir(parents=True)
    (tmp_path / "work/.git").mkdir()
    (site / "contentsync.toml").touch()
    (site / "pages/über uns.md").write_text("---\ntitel: Über uns\n---\n![Us](us.jpg)\n", encoding="utf-8")
    return site


def at_a_terminal(program: Path, folder: Path, columns: int, **env: str) -> str:
    """Return the output of `validate` on a terminal of this width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
    process = subprocess.Popen(
        [program, "validate", folder],
        env={**clean, "TERM": "xterm-256color", **env},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            shown += os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
    os.close(ours)
    assert process.wait(30) == 1
    return shown.decode().replace("\r\n", "\n")


def test_a_terminal_shows_the_line_in_colour(folder: Path, program: Path) -> None:
    shown = at_a_terminal(program, folder, 80)
    assert "\x1b[31munknown-key\x1b[0m titel is not a known key" in shown
    assert "\x1b[1;31m^^^^^\x1b[0m" in shown
    assert "\x1b[33mwarning: relative-link\x1b[0m" in shown


def test_no_color_is_honoured(folder: Path, program: Path) -> None:
    shown = at_a_terminal(program, folder, 80, NO_COLOR="1")
    assert "^^^^^" in shown
    assert "\x1b[31m" not in shown


def test_a_narrow_terminal_gets_a_shorter_line(folder: Path, program: Path) -> None:
    (folder / "pages/long.md").write_text(f"---\ntitle: x\nbad: {'long ' * 50}\n---\n", encoding="utf-8")
    for columns in (50, 100):
        shown = re.sub(r"\x1b\[[0-9;]*m", "", at_a_terminal(program, folder, columns))
        (line,) = re.findall(r"^    3 \| bad: long.*", shown, re.MULTILINE)
        assert columns - 10 < len(line) <= columns
        assert line.endswith("...")


def test_a_pipe_gets_no_escape_sequences(folder: Path) -> None:
    ran = contentsync("validate", folder)
    assert "\x1b" not in ran.out
    assert "      | ^^^^^ did you mean 'title'?" in ran.out


@pytest.mark.parametrize("here", [".", "pages", "../.."])
def test_annotations_name_paths_from_the_root_of_the_repository(folder: Path, here: str) -> None:
    ran = contentsync("validate", folder, "--format", "github", cwd=folder / here)
    assert ran.code == CONTENT_ERRORS
    *commands, last = ran.out.splitlines()
    assert last == "1 error, 1 warning in 1 file with 0 entries"
    assert [command.partition(",")[0] for command in commands] == [
        "::error file=sites/one/pages/über uns.md",
        "::warning file=sites/one/pages/über uns.md",
    ]


def test_sarif_names_paths_from_the_root_of_the_repository(folder: Path) -> None:
    ran = contentsync("validate", folder, "--format", "sarif", cwd=folder)
    assert ran.code == CONTENT_ERRORS
    places = [result["locations"][0]["physicalLocation"] for result in ran.document["runs"][0]["results"]]
    assert {place["artifactLocation"]["uri"] for place in places} == {"sites/one/pages/%C3%BCber%20uns.md"}


@pytest.mark.parametrize("format_", ["text", "json", "github", "sarif"])
def test_every_format_has_the_same_exit_code(folder: Path, format_: str) -> None:
    assert contentsync("validate", folder, "--format", format_).code == CONTENT_ERRORS
    (folder / "pages/über uns.md").write_text("---\ntitle: Über uns\n---\n", encoding="utf-8")
    ran = contentsync("validate", folder, "--format", format_)
    assert ran.code == 0
    assert format_ not in ("json", "sarif") or json.loads(ran.out)


def test_a_problem_that_needs_the_server_is_shown_in_its_line(folder: Path) -> None:
    (folder / "pages/über uns.md").unlink()
    (folder / "listings").mkdir()
    (folder / "listings/lathe.yaml").write_text("name: Lathe\ncategories: [machines]\n", encoding="utf-8")
    ran = contentsync("plan", folder)
    assert ran.code == CONTENT_ERRORS
    assert "listings/lathe.yaml:2:14: unknown-reference" in ran.err
    assert "    2 | categories: [machines]\n      |              ^^^^^^^^\n" in ran.err
