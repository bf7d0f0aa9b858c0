"""Whether a fetch would overwrite something that only this folder has."""

from pathlib import Path

from ..git import environ_without_hook, git, working_tree
from .last_fetch import LastFetch, digest_of


def has_local_changes(folder: Path, file: str, before: bytes | None, last: LastFetch) -> bool:
    """Return whether the bytes of a file are neither those of the last fetch nor those of git's last commit."""
    return before is not None and digest_of(before) != last.digest and not _is_committed(folder, file)


def _is_committed(folder: Path, file: str) -> bool:
    if working_tree(folder) is None:
        return False
    environ = {**environ_without_hook(), "GIT_LITERAL_PATHSPECS": "1", "GIT_OPTIONAL_LOCKS": "0"}
    words = ("-c", "core.fsmonitor=false", "status", "--porcelain", "--ignored", "--", file)
    status = git(*words, folder=folder, environ=environ)
    tracked = git("ls-files", "--error-unmatch", "--", file, folder=folder, environ=environ)
    return status.returncode == 0 and not status.stdout and tracked.returncode == 0
