"""Calls of git in a working tree that run no hooks, ask for no password and have a fixed author."""

import os
from dataclasses import dataclass
from pathlib import Path

from ..git import GitResult, environ_without_hook, git, git_read

NETWORK_SECONDS = 300
_SETTINGS = (
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.sparseCheckout=false"),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
    *("-c", "fetch.recurseSubmodules=false"),
)
_AUTHOR = {
    f"GIT_{role}_{name}": value
    for role in ("AUTHOR", "COMMITTER")
    for name, value in (("NAME", "contentsync"), ("EMAIL", "contentsync@localhost"))
}


@dataclass(frozen=True, slots=True)
class QuietGit:
    """Git in one working tree."""

    top: Path

    def read(self, *words: str, stdin: bytes | None = None, timeout: float | None = None) -> bytes:
        """Return git's standard output. Raise Refused with git's message if git fails."""
        return git_read(*_SETTINGS, *words, folder=self.top, environ=_environ(), stdin=stdin, timeout=timeout)

    def line(self, *words: str, stdin: bytes | None = None) -> str:
        """Return git's standard output without its last line end. Raise Refused if git fails."""
        return os.fsdecode(self.read(*words, stdin=stdin)).removesuffix("\n")

    def succeeds(self, *words: str) -> bool:
        """Return whether git succeeds."""
        return not self.run(*words).returncode

    def run(self, *words: str, timeout: float | None = None) -> GitResult:
        """Return the result of git, also of a failure."""
        return git(*_SETTINGS, *words, folder=self.top, environ=_environ(), timeout=timeout)


def _environ() -> dict[str, str]:
    return {**environ_without_hook(), **_AUTHOR, "GIT_TERMINAL_PROMPT": "0", "GIT_LITERAL_PATHSPECS": "1"}
