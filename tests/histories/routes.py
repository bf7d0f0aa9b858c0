"""From a commit to the server: by a push to a repository with our hook, by CI from a fresh clone, or by hand."""

import re
import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

from ..ci.workflow import ROOT, clean
from ..end_to_end.conftest import contentsync
from ..exit_codes import REFUSED
from ..hooks.conftest import call_post_receive, install_post_receive
from ..hooks.repositories import Tree
from .server import TARGET, Server

SHOWN = 300  # characters
_CONSENT = "If that is right, run these three"


@dataclass(frozen=True)
class Said:
    """The output of a run, and whether the run refused to do anything."""

    text: str
    refused: bool

    @property
    def end(self) -> str:
        """The last words, without git's own about a push."""
        lines = [line for line in self.text.splitlines() if not re.match(r"To /| [*+ ] |   +[0-9a-f]+\.\.", line)]
        text = " ".join(" ".join(lines).split())
        refused = text.rfind("refused ")
        return text[refused:][:SHOWN] if self.refused and refused >= 0 else text[-SHOWN:]


class Route(ABC):
    """An author's working tree, whose content folder is `site`, and the way from there to the server."""

    def __init__(self, server: Server, home: Path) -> None:
        self._server = server
        self.home = home
        self.tree = Tree.new(home / "clone")
        self.tree.write(".gitignore", ".contentsync/\n")

    @property
    def site(self) -> Path:
        return self.tree.path / "site"

    @abstractmethod
    def first(self) -> None:
        """Set up what the route needs, when the first commit is there."""

    @abstractmethod
    def deliver(self) -> Said:
        """Sync what is committed, as the author does after a commit."""

    def again(self) -> Said:
        """Sync the same commit once more."""
        return self.deliver()


class ByHook(Route):
    """A bare repository that syncs what is pushed to it."""

    def first(self) -> None:
        self._origin = Tree.new(self.home / "origin.git", "--bare")
        self.tree.git("remote", "add", "origin", str(self._origin.path))
        settings = {"CONTENTSYNC_TOKEN": self._server.token, "CONTENTSYNC_URL": self._server.url}
        install_post_receive(self._origin, TARGET, settings, self._server.program)

    def deliver(self) -> Said:
        return said_by_hook(self.tree.run("push", "origin", "main").stderr.replace("remote: ", ""))

    def again(self) -> Said:
        done = call_post_receive(self._origin)
        return said_by_hook(done.stdout + done.stderr)


class ByAction(Route):
    """A repository on a forge, whose CI clones it for each run and has nothing else."""

    def first(self) -> None:
        self._origin = Tree.new(self.home / "origin.git", "--bare")
        self.tree.git("remote", "add", "origin", str(self._origin.path))
        (self.home / "contentsync/bin").mkdir(parents=True)
        (self.home / "contentsync/bin/contentsync").symlink_to(self._server.program)

    def deliver(self) -> Said:
        self.tree.git("push", "--quiet", "origin", "main")
        workspace = self.home / "workspace"
        shutil.rmtree(workspace, ignore_errors=True)
        self.tree.git("clone", "--quiet", "--depth=1", "--branch=main", self._origin.path.as_uri(), str(workspace))
        settings = {
            "CONTENTSYNC_TOKEN": self._server.token,
            "CONTENTSYNC_URL": self._server.url,
            "CONTENTSYNC_PATH": "site",
            "CONTENTSYNC_TARGET": TARGET,
            "RUNNER_TEMP": str(self.home),
        }
        done = subprocess.run(
            [sys.executable, ROOT / "scripts/action/sync.py"],
            cwd=workspace,
            env=clean(settings),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return Said(done.stdout + done.stderr, done.returncode == REFUSED)


class ByHand(Route):
    """`contentsync sync` in the working tree, with a state file."""

    def first(self) -> None:
        """Nothing is needed."""

    def deliver(self) -> Said:
        return self.command("sync")

    def undo(self) -> Said:
        """Take the last run back."""
        return self.command("undo")

    def command(self, *words: str) -> Said:
        """Run a command on the content folder."""
        settings = {"CONTENTSYNC_TOKEN": self._server.token, "COLUMNS": "300", "TMPDIR": str(self.home)}
        arguments = [*words, str(self.site), "--target", TARGET, "--yes"]
        if self._server.is_healthy:
            ran = contentsync(*arguments, env=settings)
            return Said(ran.out + ran.err, ran.code == REFUSED)
        done = self._server.run_program(*arguments, COLUMNS="300", TMPDIR=str(self.home))
        return Said(done.stdout + done.stderr, done.returncode == REFUSED)


ROUTES: dict[str, type[Route]] = {"hook": ByHook, "action": ByAction, "folder": ByHand}


def said_by_hook(text: str) -> Said:
    """Return what a hook printed; git does not pass its exit code on."""
    return Said(text, _CONSENT in " ".join(text.split()))
