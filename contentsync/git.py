"""Run git, in the current folder or in another one, with or without the environment of a hook."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from .errors import Refused, UsageError

# These variables of a hook name its repository, folder and index.
_OF_HOOKS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY")

NOTHING = "0" * 40  # git's name for the commit before the first one
SYNCED = "refs/contentsync/"  # followed by a target's name: the commit that was synced last
ATTEMPTS = "refs/contentsync/@attempts/"  # TARGET/COMMIT: commits that runs began to apply since then

GitResult = subprocess.CompletedProcess[bytes]


def without_hook() -> dict[str, str]:
    """Return this process's environment without the variables of a hook, which would lead git elsewhere."""
    return {name: value for name, value in os.environ.items() if name not in _OF_HOOKS}


def working_tree(folder: Path) -> Path | None:
    """Return the top of the working tree around a folder; None if there is none.

    Run git on untrusted files only there: elsewhere it takes a folder that looks like a bare repository for one, with
    the programs that its settings name, and a commit may contain such a folder.
    """
    folder = folder.resolve()
    # Path.exists would raise PermissionError.
    return next((top for top in (folder, *folder.parents) if os.path.exists(top / ".git")), None)  # noqa: PTH110


def git(
    *words: str, at: Path | None = None, environ: Mapping[str, str] | None = None, stdin: bytes | None = None
) -> GitResult:
    """Run git in the folder `at`. Raise UsageError if git is not installed."""
    try:
        return subprocess.run(  # noqa: S603  # a list of words; git takes none of them for an option
            ["git", *words],  # noqa: S607  # the git that the user has
            cwd=at,
            input=stdin,
            stdin=None if stdin is not None else subprocess.DEVNULL,
            capture_output=True,
            check=False,
            env=environ,
        )
    except (FileNotFoundError, NotADirectoryError) as error:
        if at is not None and not at.is_dir():
            raise UsageError(f"{at} is not a folder") from error
        raise UsageError("this needs git, which is not installed") from error


def git_read(
    *words: str, at: Path | None = None, environ: Mapping[str, str] | None = None, stdin: bytes | None = None
) -> bytes:
    """Return git's output. Raise Refused with its message if it fails."""
    done = git(*words, at=at, environ=environ, stdin=stdin)
    if done.returncode:
        said = " ".join(done.stderr.decode(errors="replace").rpartition("fatal: ")[2].split())
        command = next(word for word in words if not word.startswith("-") and "=" not in word)
        raise Refused(f"git {command} failed: {said or done.returncode}")
    return done.stdout


def git_line(*words: str, at: Path | None = None, environ: Mapping[str, str] | None = None) -> str:
    """Return the one line of git's output."""
    return os.fsdecode(git_read(*words, at=at, environ=environ)).removesuffix("\n")
