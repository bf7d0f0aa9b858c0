"""Real repositories for tests: git with nothing of this machine's settings."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

SOUND = "---\ntitle: About\n---\nWe list tools.\n"
BROKEN = "---\ntitle: About\ntitel: Abuot\n---\n"


def looking_like_a_repository(folder: Path, command: str) -> None:
    """Write files that git takes for a bare repository, whose settings name a program."""
    for inner in ("objects", "refs"):
        (folder / inner).mkdir()
        (folder / inner / "kept").touch()
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_text(
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = ./x.sh\n"
        '[remote "origin"]\n\turl = .\n\tuploadpack = ./x.sh\n'
    )
    program = folder / "x.sh"
    program.write_text(f"#!/bin/sh\n{command}\nexit 1\n")
    program.chmod(0o755)


@dataclass(frozen=True)
class Tree:
    """A working tree, or a bare repository."""

    path: Path

    @classmethod
    def new(cls, path: Path, *words: str) -> "Tree":
        """Return a new repository, whose first branch is `main`."""
        path.mkdir(parents=True)
        tree = cls(path)
        tree.git("init", "--quiet", "--initial-branch=main", *words)
        return tree

    def run(self, *words: str, env: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
        """Run git and return the finished process, also if it failed."""
        clean = {
            name: value for name, value in os.environ.items() if not name.startswith(("CONTENTSYNC_", "PYTHONPATH"))
        }
        return subprocess.run(
            ["git", *words],
            cwd=self.path,
            env={**clean, **(env or {})},
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    def git(self, *words: str, env: dict[str, str] | None = None) -> str:
        """Run git and return its output; raise an error if it failed."""
        done = self.run(*words, env=env)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def write(self, path: str, text: str) -> Path:
        file = self.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def commit(self, *words: str, env: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
        """Run `git commit` and return the finished process."""
        return self.run("commit", "--message=x", *words, env=env)

    @property
    def commits(self) -> int:
        return int(self.git("rev-list", "--count", "--all"))
