"""git, the program: asked where one stands, or in a folder, and whatever a hook was given only where that is meant."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from .errors import Refused, UsageError

# What git hands a hook is about the repository, the folder and the index that the hook runs for.
_OF_HOOKS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY")

NOTHING = "0" * 40  # what git calls the commit before the first one
SYNCED = "refs/contentsync/"  # and a target's name: the commit that was synced last
ATTEMPTS = "refs/contentsync/@attempts/"  # TARGET/COMMIT: commits that runs have begun to apply since then

Ran = subprocess.CompletedProcess[bytes]


def without_hook() -> dict[str, str]:
    """This process's environment without what a hook is given, which would lead git elsewhere."""
    return {name: value for name, value in os.environ.items() if name not in _OF_HOOKS}


def working_tree(folder: Path) -> Path | None:
    """The top of the working tree around a folder; None where there is none.

    Where somebody else's files lie, git may be run only there: in a folder it takes what looks like a bare repository
    for one, with the programs that its settings name, and anybody can commit such files.
    """
    folder = folder.resolve()
    # A Path would raise where a folder may not be searched.
    return next((top for top in (folder, *folder.parents) if os.path.exists(top / ".git")), None)  # noqa: PTH110


def git(
    *words: str, at: Path | None = None, environ: Mapping[str, str] | None = None, stdin: bytes | None = None
) -> Ran:
    """What git did in the folder `at`. Raises UsageError where there is no git."""
    try:
        return subprocess.run(  # noqa: S603  # a list of words, none of which git takes for an option
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
            raise UsageError(f"{at} is no folder") from error
        raise UsageError("this needs git, and there is none") from error


def git_read(
    *words: str, at: Path | None = None, environ: Mapping[str, str] | None = None, stdin: bytes | None = None
) -> bytes:
    """What git printed. Raises Refused with what it said when it failed."""
    done = git(*words, at=at, environ=environ, stdin=stdin)
    if done.returncode:
        said = " ".join(done.stderr.decode(errors="replace").rpartition("fatal: ")[2].split())
        command = next(word for word in words if not word.startswith("-") and "=" not in word)
        raise Refused(f"git {command} failed: {said or done.returncode}")
    return done.stdout


def git_line(*words: str, at: Path | None = None, environ: Mapping[str, str] | None = None) -> str:
    """The one line that git printed."""
    return os.fsdecode(git_read(*words, at=at, environ=environ)).removesuffix("\n")
