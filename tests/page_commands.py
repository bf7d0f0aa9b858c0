"""The commands that a page shows, run as a reader would: one after the other, with what the page says they answer."""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import pytest

from contentsync.cli import run

from .serving import Serving, serving


class Command(NamedTuple):
    """What follows a `$`, and the lines that it prints."""

    line: str
    printed: str


def section(page: Path, title: str) -> str:
    """The text under a heading, up to the next one."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", page.read_text(encoding="utf-8"), re.DOTALL | re.M)
    assert found is not None, f"{page.name} has no section {title}"
    return found[1]


def commands(text: str) -> Iterator[Command]:
    """The commands of all blocks that have any; what stands between `<<'SQL'` and `SQL` belongs to its command."""
    for block in re.findall(r"^```\n(\$ .*?)^```$", text, re.DOTALL | re.M):
        for shown in re.split(r"^\$ ", block, flags=re.M)[1:]:
            line, _, printed = shown.partition("\n")
            if "<<'SQL'" in line:
                line, printed = shown, ""
            yield Command(line.strip(), printed.strip())


class Reader:
    """Types a page's commands in a folder; `instead` holds what is this machine's own, such as an address."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.instead: dict[str, str] = {}
        self._capsys = capsys
        self.set = monkeypatch.setenv
        self._servers = ExitStack()
        self.serving: Serving | None = None
        monkeypatch.chdir(folder)
        for name in [name for name in os.environ if name.startswith("CONTENTSYNC_")]:
            monkeypatch.delenv(name)

    def type(self, text: str) -> list[str]:
        """Runs what a text shows; the lines that were typed."""
        with self._servers:
            return [self._run(command) for command in commands(text)]

    def _run(self, command: Command) -> str:
        line = self._here(command.line)
        if line.startswith("contentsync serve "):
            self._serve(shlex.split(line.removesuffix("&"))[2:])
            return command.line
        if line.startswith("contentsync "):
            printed = self._contentsync(line)
        elif line.startswith("export "):
            for name, value, inner in re.findall(r"(\w+)=(\$\((.*?)\)|\S+)", line):
                self.set(name, self._contentsync(inner) if inner else value)
            printed = ""
        else:
            done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
            assert done.returncode == 0, (line, done.stderr)
            printed = done.stdout.strip()
        if command.printed:
            assert unquote(printed) == unquote(self._here(command.printed)), line
        return command.line

    def _contentsync(self, line: str) -> str:
        code = run(shlex.split(line)[1:])
        printed, said = self._capsys.readouterr()
        assert code == 0, (line, said)
        return printed.strip()

    def _serve(self, options: list[str]) -> None:
        environ = {name: value for name, value in os.environ.items() if name == "CONTENTSYNC_REDIS"}
        url = os.environ.get("CONTENTSYNC_DB", "sqlite:///.contentsync/site.db")
        self.serving = self._servers.enter_context(serving(url, *options, **environ))
        self.instead["127.0.0.1:8000"] = f"127.0.0.1:{self.serving.port}"

    def _here(self, text: str) -> str:
        for shown, own in self.instead.items():
            text = text.replace(shown, own)
        return text
