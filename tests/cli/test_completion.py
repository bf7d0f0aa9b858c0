"""Completion in a real bash, on a terminal: what the Tab key makes of the beginning of a word."""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

BASH = shutil.which("bash")
pytestmark = pytest.mark.skipif(BASH is None, reason="there is no bash")

PROMPT = "ready> "
TARGETS = '[targets.staging]\nurl = "https://staging.example.com"\n[targets.production]\nurl = "https://example.com"\n'


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's own folder, into which the command has put its completion; it holds a content folder too."""
    home = tmp_path_factory.mktemp("home")
    (home / "contentsync.toml").write_text(TARGETS, encoding="utf-8")
    (home / ".bashrc").write_text(f"PS1='{PROMPT}'\n", encoding="utf-8")
    (home / "empty").mkdir()
    (home / "empty/contentsync.toml").touch()
    done = subprocess.run(
        ["bash", "-c", "contentsync --install-completion; exit"], env=environment(home), capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "bash completion installed in" in done.stdout
    return home


def environment(home: Path) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("CONTENTSYNC_", "COMP_"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**clean, "HOME": str(home), "PATH": path, "TERM": "dumb"}


class Bash:
    """An interactive bash on a terminal."""

    def __init__(self, home: Path) -> None:
        process, self._terminal = pty.fork()
        if process == 0:
            os.chdir(home)
            os.execvpe("bash", ["bash", "--noprofile", "-i"], environment(home))
        self._process = process
        self._shown = ""
        self.wait_for(PROMPT)

    def press(self, keys: str) -> None:
        """The keys, as if typed."""
        os.write(self._terminal, keys.encode())

    def wait_for(self, pattern: str) -> str:
        """What is shown until the pattern comes, and with it."""
        deadline = time.monotonic() + 30
        while not (found := re.search(pattern, self._shown)):
            ready, _, _ = select.select([self._terminal], [], [], max(0, deadline - time.monotonic()))
            assert ready, self._shown
            self._shown += os.read(self._terminal, 65536).decode()
        before, self._shown = self._shown[: found.end()], self._shown[found.end() :]
        return before

    def close(self) -> None:
        """Leaves it."""
        os.close(self._terminal)
        os.waitpid(self._process, 0)


@pytest.fixture(scope="module")
def terminal(home: Path) -> Iterator[Bash]:
    bash = Bash(home)
    yield bash
    bash.close()


@pytest.fixture
def bash(terminal: Bash) -> Bash:
    """At home, at an empty line."""
    terminal.press("\x15cd\n")
    terminal.wait_for(f"\n{PROMPT}")
    return terminal


@pytest.mark.parametrize(
    ("typed", "becomes"),
    [
        ("contentsync val", "contentsync validate "),
        ("contentsync plan --detailed", "contentsync plan --detailed-exitcode "),
        ("contentsync plan --format mark", "contentsync plan --format markdown "),
        ("contentsync sync --only list", "contentsync sync --only listing "),
        ("contentsync sync --target prod", "contentsync sync --target production "),
        ("contentsync sync empty --target l", "contentsync sync empty --target local "),
        ("contentsync validate emp", "contentsync validate empty/"),
    ],
)
def test_tab_completes_a_word(bash: Bash, typed: str, becomes: str) -> None:
    bash.press(f"{typed}\t")
    bash.wait_for(re.escape(becomes))


def test_without_a_content_folder_no_target_is_offered_and_no_error_shown(bash: Bash) -> None:
    bash.press("cd /; contentsync sync --target \t\t-x")
    assert bash.wait_for("-x").endswith("--target -x")
