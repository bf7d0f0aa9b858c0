"""Call contentsync with the token and the server that it may be sent to, and without other secrets of the run."""

import os
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from deployed import Deployed
from environment import GIT_NAMES, GIT_PREFIXES, environment

_OURS = ("CONTENTSYNC_URL", "CONTENTSYNC_TOKEN", "CONTENTSYNC_DIRECTORY")


class Unpinned(Exception):
    """The environment does not name the server that the token may be sent to."""


@dataclass(frozen=True)
class Command:
    """The folder, the target and the options of a run, from its environment."""

    folder: str
    target: str
    options: tuple[str, ...]

    @classmethod
    def of_environment(cls) -> "Command":
        """Raise Unpinned unless both the token and its server are set."""
        if not {"CONTENTSYNC_TOKEN", "CONTENTSYNC_URL"} <= environment(*_OURS).keys():
            raise Unpinned("CONTENTSYNC_TOKEN and CONTENTSYNC_URL are needed: a token, and the server that it is for")
        options = tuple(shlex.split(os.environ.get("CONTENTSYNC_OPTIONS", "")))
        return cls(os.environ.get("CONTENTSYNC_PATH") or ".", os.environ["CONTENTSYNC_TARGET"], options)

    @property
    def deployed(self) -> Deployed:
        """The commit that was synced to the target last."""
        return Deployed(self.folder, self.target, os.environ.get("CONTENTSYNC_REMOTE") or "origin")

    @property
    def is_whole(self) -> bool:
        """Whether the run covers the whole folder, without `--only`."""
        return not any(option.partition("=")[0] == "--only" for option in self.options)

    def journals(self) -> set[Path] | None:
        """Return the journals of the runs that have begun to write; None if they are in another folder."""
        if any(option.partition("=")[0] == "--state-dir" for option in self.options):
            return None
        return set(Path(self.folder, ".contentsync/journal").glob("*/*.jsonl"))

    def run(self, command: str, *words: str, may_push: bool = False) -> tuple[int, str]:
        """Run a command and return its exit code and its output; its messages are in the log of the run.

        With `may_push`, the git that it calls can reach the remote repository.
        """
        names, prefixes = (GIT_NAMES, GIT_PREFIXES) if may_push else ((), ())
        program = Path(os.environ["RUNNER_TEMP"], "contentsync", "bin", "contentsync")
        done = subprocess.run(  # noqa: S603  # a list of words
            [program, command, "--target", self.target, *words, *self.options, "--", self.folder],
            env=environment(*_OURS, *names, prefixes=prefixes),
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            check=False,
            stdin=subprocess.DEVNULL,
        )
        return done.returncode, done.stdout
