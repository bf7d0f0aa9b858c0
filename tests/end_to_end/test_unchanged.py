"""`validate` of a folder in which nothing has changed: sooner, and with the same words."""

import json
import os
import pty
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from contentsync.content.files.content_folder import CACHE_FOLDER
from contentsync.content.files.validation_report import load_cached_report

from ..sampling import sampled
from .conftest import Ran, contentsync

Shown = TypeVar("Shown")

PAGES = 30
COMMAND = [sys.executable, "-m", "contentsync", "validate"]
FORMATS = [[], ["--format", "json"], ["--format=github"], ["--format", "sarif"]]
ODD = "---\ntitel: Ümlaut, and more words than a narrow terminal has room for\nactive: tru\n---\n\nText.\n"


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """A folder without problems, one with, and one that a setting solves, left alone for long enough."""
    root = tmp_path_factory.mktemp("unchanged")
    folders = {name: root / name for name in ("sound", "faulty", "solvable")}
    for folder in folders.values():
        (folder / "pages").mkdir(parents=True)
        (folder / "contentsync.toml").touch()
        for number in range(PAGES):
            (folder / f"pages/p{number}.md").write_text("---\ntitle: A\n---\n\nText.\n")
    (folders["faulty"] / "pages/odd-é.md").write_text(ODD, encoding="utf-8")
    (folders["solvable"] / "contentsync.toml").write_text('[content.pages]\nignore = ["weather"]\n')
    for number in range(30):
        (folders["solvable"] / f"pages/p{number}.md").write_text("---\ntitle: A\nmood: good\n---\n")
    time.sleep(3.2)
    yield folders
    shutil.rmtree(root)


@pytest.fixture(params=["sound", "faulty"])
def folder(folders: dict[str, Path], request: pytest.FixtureRequest) -> Path:
    return folders[request.param]


def same(folder: Path, run: Callable[[], Shown]) -> Shown:
    """Return the output of a run, which must be the same with and without the cache."""
    contentsync("validate", folder)
    assert load_cached_report(folder)
    shown = run()
    shutil.rmtree(folder / CACHE_FOLDER)
    assert run() == shown
    return shown


def reported(folder: Path, words: list[str], **settings: str) -> Ran:
    return contentsync("validate", folder, *words, env=settings)


def piped(words: list[str], redirection: str = "", **settings: str) -> tuple[int, bytes, bytes]:
    """By a process that begins as one does."""
    shell = ["sh", "-c", f'exec "$@" {redirection}', "sh", *COMMAND, *words]
    ran = subprocess.run(shell, capture_output=True, check=False, env={**os.environ, **settings})
    return ran.returncode, ran.stdout, ran.stderr


def at_a_terminal(words: list[str]) -> tuple[int, bytes]:
    process, terminal = pty.fork()
    if process == 0:
        os.execve(COMMAND[0], [*COMMAND, *words], {**os.environ, "TERM": "xterm-256color"})
    shown = b""
    while True:
        try:
            shown += os.read(terminal, 65536)
        except OSError:  # the other end is closed
            break
    _, status = os.waitpid(process, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), shown


@pytest.mark.parametrize("format_", sampled(FORMATS, every=4), ids=" ".join)
def test_every_format_is_the_same_with_and_without_the_cache(folder: Path, format_: list[str]) -> None:
    assert same(folder, lambda: reported(folder, format_))


def test_a_cached_report_counts_the_same_problems_that_settings_solve(folders: dict[str, Path]) -> None:
    folder = folders["solvable"]
    shown = same(folder, lambda: reported(folder, ["--full"])).out
    assert "of these are solved by settings: contentsync adopt shows and adds them\n" in shown


@pytest.mark.parametrize(
    "settings",
    sampled(
        [{"COLUMNS": "42"}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "1"}, {"TTY_COMPATIBLE": "1", "TERM": "xterm"}], every=2
    ),
    ids=lambda settings: " ".join(settings),
)
def test_cached_text_is_the_same_in_every_environment(folder: Path, settings: dict[str, str]) -> None:
    assert same(folder, lambda: reported(folder, [], **settings))


def test_cached_text_is_the_same_in_an_ascii_locale(folders: dict[str, Path]) -> None:
    folder = folders["faulty"]
    ascii_ = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert same(folder, lambda: piped([str(folder)], **ascii_))


def test_cached_text_is_the_same_on_a_terminal(folder: Path) -> None:
    _, shown = same(folder, lambda: at_a_terminal([str(folder)]))
    assert b"\x1b[" in shown


@pytest.mark.parametrize("redirection", sampled([">&-", "2>&-", ">/dev/full", "| head -c 5"], every=2))
def test_lost_output_is_reported_the_same_with_the_cache(folders: dict[str, Path], redirection: str) -> None:
    folder = folders["faulty"]
    assert same(folder, lambda: piped([str(folder)], redirection))


def test_a_cached_report_is_found_from_a_subfolder(folder: Path) -> None:
    def run() -> tuple[str, int]:
        ran = contentsync("validate", cwd=folder / "pages")
        return ran.out, ran.code

    assert same(folder, run)


def imported(folder: Path, *words: str) -> list[str]:
    """Return the libraries, and our modules that read a folder, that a run has imported."""
    code = (
        "import json, sys; from contentsync.cli import run; run(['validate', *sys.argv[1:]]); parts = "
        "('rich', 'yaml', 'orjson', 'contentsync.model', 'contentsync.content.folder.load'); "
        "print(json.dumps([name for name in parts if name in sys.modules]), file=sys.stderr)"
    )
    contentsync("validate", folder)
    ran = subprocess.run([sys.executable, "-c", code, str(folder), *words], capture_output=True, check=True)
    return list(json.loads(ran.stderr))


@pytest.mark.parametrize("format_", sampled(FORMATS, every=4), ids=" ".join)
def test_a_cached_report_without_problems_imports_no_reader(folders: dict[str, Path], format_: list[str]) -> None:
    assert imported(folders["sound"], *format_) == []


@pytest.mark.parametrize("format_", sampled(FORMATS[1:], every=4), ids=" ".join)
def test_a_cached_report_with_problems_imports_no_reader(folders: dict[str, Path], format_: list[str]) -> None:
    assert imported(folders["faulty"], *format_) == []
