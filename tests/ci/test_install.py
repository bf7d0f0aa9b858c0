"""scripts/action/install.sh: installations from the index and from the cache."""

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from ..wheelhouse import pack
from .workflow import ROOT, clean

BUILD = ("hatchling", "packaging", "pathspec", "pluggy", "tomlkit", "trove-classifiers")
PROJECT = """[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "contentsync"
version = "1"
scripts = {contentsync = "contentsync:main"}
"""


@dataclass(frozen=True)
class Runner:
    """A copy of the script beside a small package of the same name, and an index of its own."""

    folder: Path

    @property
    def wheels(self) -> Path:
        return self.folder / "temporary/contentsync-wheels"

    def install(self, index: Path) -> "subprocess.CompletedProcess[str]":
        """Install into a fresh environment; only the packages of the index can be fetched."""
        shutil.rmtree(self.folder / "temporary/contentsync", ignore_errors=True)
        programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        pip = {"PIP_INDEX_URL": index.as_uri(), "PIP_CONFIG_FILE": os.devnull}
        return subprocess.run(
            ["sh", str(self.folder / "source/scripts/action/install.sh")],
            cwd=self.folder,
            env=clean({"RUNNER_TEMP": str(self.folder / "temporary"), "PATH": programs, **pip}),
            capture_output=True,
            text=True,
            check=False,
        )

    def run(self) -> str:
        program = self.folder / "temporary/contentsync/bin/contentsync"
        return subprocess.run([str(program)], env=clean(), capture_output=True, text=True, check=True).stdout


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """Return a package index of files: a page for each package, with a link to its wheel."""
    folder = tmp_path / "index"
    for name in BUILD:
        (folder / name).mkdir(parents=True)
        pack(name, folder / name)
        [wheel] = (folder / name).iterdir()
        (folder / name / "index.html").write_text(f'<!DOCTYPE html><a href="{wheel.name}">{wheel.name}</a>')
    return folder


@pytest.fixture
def runner(tmp_path: Path, index: Path) -> Runner:
    """Return a runner with the script that installs from a lock of the wheels in an index."""
    source = tmp_path / "source"
    (tmp_path / "temporary").mkdir()
    (source / "scripts/action").mkdir(parents=True)
    shutil.copy(ROOT / "scripts/action/install.sh", source / "scripts/action")
    (source / "pyproject.toml").write_text(PROJECT)
    (source / "contentsync.py").write_text("def main():\n    print('it runs')\n")
    lock = ""
    for wheel in index.glob("*/*.whl"):
        name, version, *_ = wheel.name.split("-")
        lock += f"{name}=={version} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"
    (source / "requirements-base.lock").write_text(lock)
    return Runner(tmp_path)


@pytest.mark.whole
def test_a_second_install_fetches_nothing_and_refuses_an_exchanged_wheel(
    runner: Runner, index: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    first = runner.install(index)
    assert first.returncode == 0, first.stderr
    assert {wheel.name for wheel in runner.wheels.iterdir()} == {wheel.name for wheel in index.glob("*/*.whl")}
    second = runner.install(empty)
    assert second.returncode == 0, second.stderr
    assert runner.run() == "it runs\n"
    [exchanged] = runner.wheels.glob("pluggy-*")
    exchanged.write_bytes(exchanged.read_bytes() + b"\0")
    assert runner.install(empty).returncode != 0
