"""Run git, in the current folder or in another one, with or without the environment of a hook."""

import os
import subprocess
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from .errors import Refused, UsageError

# Git sets these for a hook: the paths of its repository, working tree and index.
_HOOK_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY")

NO_COMMIT = "0" * 40  # git's id for a commit that does not exist
SYNCED = "refs/contentsync/"  # followed by a target's name: the commit that was synced last
SUBMODULE_MODE = b"160000"  # of a path at which git has a commit of another repository
ATTEMPTS = "refs/contentsync/@attempts/"  # TARGET/COMMIT: commits that runs began to apply since then

GitResult = subprocess.CompletedProcess[bytes]


def environ_without_hook() -> dict[str, str]:
    """Return this process's environment without the variables that would make git use a hook's repository."""
    return {name: value for name, value in os.environ.items() if name not in _HOOK_VARIABLES}


def environ_with_literal_paths() -> dict[str, str]:
    """Return `environ_without_hook` with the variable by which git takes no path for a pattern."""
    return {**environ_without_hook(), "GIT_LITERAL_PATHSPECS": "1"}


def working_tree(folder: Path) -> Path | None:
    """Return the top folder of the git working tree that contains a folder; None if no working tree does.

    Run git on untrusted files only in a working tree: in any other folder that looks like a bare repository, git uses
    its settings and may run the programs that they name. A commit may contain such a folder.
    """
    folder = folder.resolve()
    # Path.exists would raise PermissionError.
    return next((top for top in (folder, *folder.parents) if os.path.exists(top / ".git")), None)  # noqa: PTH110


def has_uncommitted_files(folder: Path) -> bool:
    """Return whether a folder in a working tree has files that differ from the commit that is checked out.

    Return False outside of a working tree, and True if git cannot compare them.
    """
    if working_tree(folder) is None:
        return False
    words = ("-c", "core.fsmonitor=false", "--no-optional-locks", "status", "--porcelain", "--", ".")
    try:
        status = git(*words, folder=folder, environ=environ_without_hook())
    except UsageError:  # it is not installed
        return True
    return status.returncode != 0 or bool(status.stdout)


def git(
    *words: str,
    folder: Path | None = None,
    environ: Mapping[str, str] | None = None,
    stdin: bytes | None = None,
    timeout: float | None = None,
) -> GitResult:
    """Return the result of git in the folder `folder`, also of a failure.

    Without `folder` and `environ`, those of this process apply. Raise UsageError if git is not installed. Raise Refused
    if it takes more than `timeout` seconds; None: it may take any time.
    """
    try:
        return subprocess.run(  # noqa: S603  # a list of arguments: no shell reads them
            ["git", *words],  # noqa: S607  # the git that the user has
            cwd=folder,
            input=stdin,
            stdin=None if stdin is not None else subprocess.DEVNULL,
            capture_output=True,
            check=False,
            env=environ,
            timeout=timeout,
        )
    except subprocess.TimeoutExpired as error:
        raise Refused(f"git {_command(words)} took more than {timeout:g} s") from error
    except (FileNotFoundError, NotADirectoryError) as error:
        if folder is not None and not folder.is_dir():
            raise UsageError(f"{folder} is not a folder") from error
        raise UsageError("this needs git, which is not installed") from error


def git_read(
    *words: str,
    folder: Path | None = None,
    environ: Mapping[str, str] | None = None,
    stdin: bytes | None = None,
    timeout: float | None = None,
) -> bytes:
    """Return git's standard output; the parameters are those of `git`. Raise Refused with its message if it fails."""
    result = git(*words, folder=folder, environ=environ, stdin=stdin, timeout=timeout)
    if result.returncode:
        reason = " ".join(result.stderr.decode(errors="replace").rpartition("fatal: ")[2].split())
        raise Refused(f"git {_command(words)} failed: {reason or result.returncode}")
    return result.stdout


def _command(words: tuple[str, ...]) -> str:
    """Return the name of git's command: the first word that is neither an option nor a setting (`-c name=value`)."""
    return next(word for word in words if not word.startswith("-") and "=" not in word)


def git_line(*words: str, folder: Path | None = None, environ: Mapping[str, str] | None = None) -> str:
    """Return git's standard output without its last line end. Raise Refused with git's message if git fails."""
    return os.fsdecode(git_read(*words, folder=folder, environ=environ)).removesuffix("\n")


class IndexEntry(NamedTuple):
    """A file, a link or a submodule in git's index. A file with a merge conflict has several entries."""

    path: str  # relative to the top of the working tree, with forward slashes
    mode: str
    object_id: str
    stage: str

    @property
    def is_submodule(self) -> bool:
        """Return whether the path is a submodule, whose files are in another repository."""
        return self.mode.encode() == SUBMODULE_MODE


def read_index(top: Path, paths: Collection[str]) -> list[IndexEntry]:
    """Return the entries of git's index at or below paths, which are relative to `top`, that of the working tree.

    Return [] if git is not installed. Raise Refused if git cannot read the index.
    """
    if not paths:
        return []
    environ = environ_with_literal_paths()
    try:
        output = git_read("ls-files", "--stage", "-z", "--", *paths, folder=top, environ=environ)
    except UsageError:  # git is not installed
        return []
    found = (line.partition("\t") for line in os.fsdecode(output).split("\0") if line)
    return [IndexEntry(path, *attributes.split(" ")) for attributes, _tab, path in found]
