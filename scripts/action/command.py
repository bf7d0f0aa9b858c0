"""contentsync as these scripts call it: told where the token may go, and given nothing else of what a run knows."""

import os
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from deployed import Deployed
from environment import GIT_NAMES, GIT_PREFIXES, environment

_OURS = ("CONTENTSYNC_URL", "CONTENTSYNC_TOKEN", "CONTENTSYNC_DIRECTORY")


class Unpinned(Exception):
    """Nothing says which server the token may be sent to."""


@dataclass(frozen=True)
class Command:
    """What is asked of contentsync, from the environment of a run."""

    folder: str
    target: str
    options: tuple[str, ...]

    @classmethod
    def of_environment(cls) -> "Command":
        """Raises Unpinned unless both the token and its server are given."""
        if not {"CONTENTSYNC_TOKEN", "CONTENTSYNC_URL"} <= environment(*_OURS).keys():
            raise Unpinned("CONTENTSYNC_TOKEN and CONTENTSYNC_URL are needed: a token, and the server that it is for")
        options = tuple(shlex.split(os.environ.get("CONTENTSYNC_OPTIONS", "")))
        return cls(os.environ.get("CONTENTSYNC_PATH") or ".", os.environ["CONTENTSYNC_TARGET"], options)

    @property
    def deployed(self) -> Deployed:
        """What it was that the target got last."""
        return Deployed(self.folder, self.target, os.environ.get("CONTENTSYNC_REMOTE") or "origin")

    @property
    def is_whole(self) -> bool:
        """Whether all of the folder is asked for: `--only` leaves something out."""
        return not any(option.partition("=")[0] == "--only" for option in self.options)

    def journals(self) -> set[Path] | None:
        """The journals of the runs that have begun to write; None where they are kept elsewhere."""
        if any(option.partition("=")[0] == "--state-dir" for option in self.options):
            return None
        return set(Path(self.folder, ".contentsync/journal").glob("*/*.jsonl"))

    def run(self, command: str, *words: str, may_push: bool = False) -> tuple[int, str]:
        """The exit code, and what it printed; what it says meanwhile goes to the log.

        If it `may_push`, the git that it calls gets what it needs to reach the remote repository.
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
