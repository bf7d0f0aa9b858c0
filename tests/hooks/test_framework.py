""".pre-commit-hooks.yaml: the command that pre-commit runs, without pre-commit itself."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import yaml

from .repositories import BROKEN, SOUND, Tree

FILE = Path(__file__).parent.parent.parent / ".pre-commit-hooks.yaml"
(HOOK,) = yaml.safe_load(FILE.read_text(encoding="utf-8"))


def run_entry(tree: Tree) -> "subprocess.CompletedProcess[str]":
    """Return the entry and the reader's `args`, from the root of the repository and without any file name."""
    program, *words = [*shlex.split(HOOK["entry"]), "site"]
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("CONTENTSYNC_", "GIT_"))}
    found = Path(sys.executable).parent / program
    return subprocess.run([found, *words], cwd=tree.path, env=environ, capture_output=True, text=True, check=False)


def test_pre_commit_validates_staged_pages_and_committed_ones(clone: Tree) -> None:
    """`pre-commit run --all-files` in CI has nothing staged."""
    assert not HOOK["pass_filenames"]
    assert HOOK["always_run"]
    assert HOOK["language"] == "python"
    assert run_entry(clone).returncode == 0
    clone.write("site/pages/about.md", BROKEN)
    clone.git("add", ".")
    clone.write("site/pages/about.md", SOUND)
    assert clone.commit("--no-verify").returncode == 0
    done = run_entry(clone)
    assert done.returncode == 1
    assert "site/pages/about.md:3:1: unknown-key" in done.stdout
