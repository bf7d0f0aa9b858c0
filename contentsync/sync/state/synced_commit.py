"""The commit that was checked out when this clone last synced its whole folder to a target."""

from contextlib import suppress
from pathlib import Path

from ...content.files.content_folder import hide_from_git
from ...errors import Refused, UsageError
from ...file_writes import write_file
from ...git import environ_without_hook, git_line, working_tree
from .state_dir import StateDir


def read_synced_commit(state_dir: StateDir) -> str | None:
    """Return the id of the commit; None if it is not known."""
    with suppress(OSError, UnicodeDecodeError):
        return state_dir.synced_commit.read_text(encoding="ascii").strip() or None
    return None


def write_synced_commit(state_dir: StateDir, folder: Path) -> None:
    """Note the commit that is checked out in a folder, if it is in git.

    Ignore errors: without the note, a sync keeps values of the server that the branch has reverted.
    """
    if working_tree(folder) is None:
        return
    with suppress(OSError, Refused, UsageError):
        commit = git_line("rev-parse", "--verify", "HEAD", folder=folder, environ=environ_without_hook())
        if commit != read_synced_commit(state_dir):
            hide_from_git(state_dir.synced_commit)
            state_dir.synced_commit.parent.mkdir(parents=True, exist_ok=True)
            write_file(state_dir.synced_commit, f"{commit}\n".encode())
