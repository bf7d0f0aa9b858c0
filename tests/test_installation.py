"""The abilities of the two installations: `contentsync` alone, and `contentsync[server]`, each in its own venv."""

import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import pytest

import contentsync
from contentsync.errors import UsageError

from . import wheelhouse
from .served import Served

ROOT = Path(__file__).parent.parent
IN_ONE_PROCESS = """
import sys
from contentsync.cli import run

for line in sys.stdin:
    if code := run(line.split()):
        sys.exit(code)
"""


@dataclass(frozen=True)
class Installation:
    """An environment as `uv tool install` makes it: there is no pip in it."""

    folder: Path

    @classmethod
    def make(cls, folder: Path, wheels: Path) -> "Installation":
        """Install `contentsync` from the wheels alone."""
        (folder / "uv.toml").write_text(f"offline = true\nno-index = true\nfind-links = [{json.dumps(str(wheels))}]\n")
        made = cls(folder)
        command = ["uv", "tool", "install", "--quiet", "--python", sys.executable, "contentsync"]
        subprocess.run(command, env=made.environ, check=True)
        return made

    @property
    def environ(self) -> dict[str, str]:
        """Return the environment of a user with uv, without this repository and without a network."""
        programs = os.pathsep.join([str(self.folder / "bin"), str(Path(sys.executable).parent), os.defpath])
        config = {"UV_CONFIG_FILE": str(self.folder / "uv.toml"), "UV_CACHE_DIR": str(self.folder / "cache")}
        tools = {"UV_TOOL_DIR": str(self.folder / "tools"), "UV_TOOL_BIN_DIR": str(self.folder / "bin")}
        return {"PATH": programs, "HOME": str(self.folder), **config, **tools}

    @property
    def program(self) -> Path:
        return self.folder / "bin/contentsync"

    def run(
        self, *arguments: str, cwd: Path, environ: Mapping[str, str] | None = None
    ) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [str(self.program), *arguments],
            cwd=cwd,
            env={**self.environ, **(environ or {})},
            capture_output=True,
            text=True,
            check=False,
        )

    def run_all(self, *lines: str, cwd: Path, environ: Mapping[str, str]) -> str:
        """Run several commands in one process, which imports each module once; return what they print."""
        command = [str(self.folder / "tools/contentsync/bin/python"), "-c", IN_ONE_PROCESS]
        environ, text = {**self.environ, **environ}, "\n".join(lines)
        done = subprocess.run(command, cwd=cwd, env=environ, input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def distributions(self) -> set[str]:
        """Return the names of the packages that are installed beside the command."""
        found = (self.folder / "tools/contentsync").glob("lib/python*/site-packages/*.dist-info")
        return {one.name.partition("-")[0].lower().replace("_", "-") for one in found}


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel of this folder, and those of everything that it asks for."""
    folder = tmp_path_factory.mktemp("wheels")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
    [wheel] = folder.iterdir()
    wheelhouse.fill(folder, wheel)
    return folder


@pytest.fixture(scope="module")
def without_extras(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Return an installation without the extras."""
    return Installation.make(tmp_path_factory.mktemp("user"), wheels)


def test_the_installation_without_server_packages_syncs_over_http(
    without_extras: Installation, tmp_path: Path, served: Served
) -> None:
    installed = without_extras.distributions()
    assert "httpx" in installed
    assert installed.isdisjoint({"sqlalchemy", "alembic", "starlette", "psycopg", "psycopg-binary", "redis", "uvicorn"})

    def run(*lines: str) -> str:
        return without_extras.run_all(*lines, cwd=tmp_path, environ=served.env)

    printed = run("serve --help", "init demo", "validate demo", "plan demo", "sync demo --yes")
    for words in ("--metrics-port", "7 to create", "7 done"):
        assert words in printed
    about = tmp_path / "demo/pages/about.md"
    before = about.read_text(encoding="utf-8")
    about.write_text(before.replace("title: ", "title: New, ", 1), encoding="utf-8")
    assert run("sync demo --yes", "undo demo --yes").count("1 done") == 2
    run("pull demo --yes", "status demo")
    assert about.read_text(encoding="utf-8") == before


def test_a_command_that_needs_the_server_names_the_install_command(
    without_extras: Installation, tmp_path: Path
) -> None:
    assert without_extras.run("init", "demo", cwd=tmp_path).returncode == 0
    for command in ("serve --port 0", "dev demo", "admin migrate", "sync demo --yes"):
        done = without_extras.run(*command.split(), cwd=tmp_path)
        said, line = done.stderr.splitlines()
        assert done.returncode == UsageError.exit_code, command
        assert said.startswith("contentsync: the built-in server is not installed"), command
        assert line.endswith(" 'contentsync[server]'"), command
    answer = json.loads(without_extras.run("plan", "demo", "--format", "json", cwd=tmp_path).stdout)
    assert answer["error"]["hint"] == line.strip()


@pytest.mark.whole
def test_the_printed_install_command_makes_dev_and_the_embedded_target_work(
    wheels: Path, without_extras: Installation, tmp_path: Path
) -> None:
    """This test is the last one of the without_extras installation, because it installs the server."""
    wheelhouse.fill(wheels, next(wheels.glob("contentsync-*.whl")), "server")
    without_extras.run("init", "demo", cwd=tmp_path)
    line = without_extras.run("sync", "demo", "--yes", cwd=tmp_path).stderr.splitlines()[-1]
    subprocess.run(shlex.split(line), env=without_extras.environ, check=True, capture_output=True)
    version = without_extras.run("--version", cwd=tmp_path)
    assert version.stdout == f"contentsync {contentsync.__version__}\n"
    done = without_extras.run("sync", "demo", "--yes", cwd=tmp_path)
    assert "7 done" in done.stdout, done.stderr
    dev = [str(without_extras.program), "dev", "demo", "--port", "0"]
    with subprocess.Popen(dev, stderr=subprocess.PIPE, cwd=tmp_path, env=without_extras.environ, text=True) as process:
        try:
            assert process.stderr is not None
            address = re.search(r"http://\S+", process.stderr.readline())
            assert address
            deadline = time.monotonic() + 60
            while "About this directory" not in urlopen(address[0], timeout=20).read().decode():
                assert time.monotonic() < deadline
                time.sleep(0.05)
        finally:
            process.terminate()
