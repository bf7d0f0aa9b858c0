"""The commands of a page, run in their order like those of a reader, and compared with the output on the page.

`...` on a page matches any output. A block under the name of a file is written to that file. A command that is expected
to fail is followed by `echo $?`.
"""

import os
import re
import shlex
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import pytest

from contentsync.cli import run

from .dev.dev_process import DevProcess
from .forked import running_command
from .serving import Serving, serving


class Command(NamedTuple):
    """The words after a `$`, and the lines of output below."""

    line: str
    printed: str


def section(page: Path, title: str) -> str:
    """Return the text under a heading, up to the next one."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", page.read_text(encoding="utf-8"), re.DOTALL | re.M)
    assert found is not None, f"{page.name} has no section {title}"
    return found[1]


class Failed(NamedTuple):
    """A command that ended with another exit code than 0."""

    line: str
    code: int
    output: str


class File(NamedTuple):
    """A block that follows the name of a file."""

    path: str
    text: str


def steps(text: str) -> Iterator[Command | File]:
    """Yield the steps of a reader in their order; the lines between `<<'SQL'` and `SQL` belong to their command."""
    for path, block in re.findall(r"^(?:`([^`\n]+)`\n\n)?```\w*\n(.*?)^```$", text, re.DOTALL | re.M):
        if path:
            yield File(path, block)
        elif block.startswith("$ "):
            for shown in re.split(r"^\$ ", block, flags=re.M)[1:]:
                line, _, printed = shown.partition("\n")
                if "<<'SQL'" in line:
                    line, printed = shown, ""
                yield Command(line.strip(), printed.strip())


def commands(text: str) -> Iterator[Command]:
    """Return the commands alone."""
    return (step for step in steps(text) if isinstance(step, Command))


class Reader:
    """A reader who types a page's commands in a folder; `instead` replaces texts such as an address on this machine."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.instead: dict[str, str] = {}
        self.after: Callable[[], None] = lambda: None  # is called after each command of ours
        self._failed: Failed | None = None
        self._capsys = capsys
        self.set = monkeypatch.setenv
        self._go_to = monkeypatch.chdir
        self._servers = ExitStack()
        self.serving: Serving | None = None
        monkeypatch.chdir(folder)
        for name in [name for name in os.environ if name.startswith("CONTENTSYNC_")]:
            monkeypatch.delenv(name)

    def type(self, text: str) -> list[str]:
        """Type the commands that a text shows, compare their output, and return the typed lines."""
        typed = []
        with self._servers:
            for step in steps(text):
                if isinstance(step, Command):
                    self._enter(step)
                    typed.append(step.line)
                else:
                    Path(step.path).parent.mkdir(parents=True, exist_ok=True)
                    Path(step.path).write_text(self._here(step.text), encoding="utf-8")
        assert self._failed is None, self._failed
        return typed

    def _enter(self, command: Command) -> None:
        line = self._here(command.line)
        if line == "echo $?" and self._failed:
            printed, self._failed = str(self._failed.code), None
        else:
            assert self._failed is None, self._failed
            printed = self._run(line)
        if command.printed:
            reported = re.escape(_comparable(self._here(command.printed))).replace(r"\.\.\.", "(?s:.*)")
            assert re.fullmatch(reported, _comparable(printed)), f"{line}\n{printed}"

    def _run(self, line: str) -> str:
        word, _, rest = line.partition(" ")
        if line.startswith("contentsync serve "):
            self._serve(shlex.split(line.removesuffix("&"))[2:])
        elif line == "contentsync dev":
            return self._show()
        elif word == "contentsync":
            return self._contentsync(line)
        elif word == "cd":
            self._go_to(rest)
        elif word == "export":
            for name, value, inner in re.findall(r"(\w+)=(\$\((.*?)\)|\S+)", rest):
                self.set(name, self._contentsync(inner) if inner else value.strip("'"))
        else:
            done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
            if done.returncode:
                self._failed = Failed(line, done.returncode, done.stderr)
            return (done.stdout + done.stderr).strip() if done.returncode else done.stdout.strip()
        return ""

    def _contentsync(self, line: str) -> str:
        code = run(shlex.split(line)[1:])
        self.after()
        printed, output = self._capsys.readouterr()
        if code:
            self._failed = Failed(line, code, output)
            printed += output
        return printed.strip()

    def _serve(self, options: list[str]) -> None:
        url = os.environ.get("CONTENTSYNC_DB", "sqlite:///.contentsync/site.db")
        self.serving = self._servers.enter_context(
            serving(url, *options, redis=os.environ.get("CONTENTSYNC_REDIS", ""))
        )
        self.instead["127.0.0.1:8000"] = f"127.0.0.1:{self.serving.port}"

    def _show(self) -> str:
        """Return the output of `contentsync dev`, which runs until the text ends, as in another terminal."""
        dev = self._servers.enter_context(running_command(["dev", "--port", "0"], os.environ, DevProcess))
        output = dev.wait_for_output("\n").partition("\n")[0]
        self.instead["127.0.0.1:8300"] = f"127.0.0.1:{dev.port}"
        return output

    def _here(self, text: str) -> str:
        for shown, own in self.instead.items():
            text = text.replace(shown, own)
        return text


def _comparable(printed: str) -> str:
    """Return the output without times and without spaces at the ends of lines."""
    return re.sub(r"\b\d\d:\d\d:\d\d\b", "00:00:00", re.sub(r" +$", "", unquote(printed), flags=re.M))
