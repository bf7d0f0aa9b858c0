"""Git's hooks: what a commit would contain, the copy that a push is synced from, and the scripts.

This module has the names alone, so that `--help` loads nothing else.
"""

from enum import StrEnum

ENVIRONMENT = "contentsync.env"  # beside the hooks: environment variables for a sync, such as the token


class Hook(StrEnum):
    """A hook of git (githooks(5))."""

    PRE_COMMIT = "pre-commit"
    PRE_MERGE_COMMIT = "pre-merge-commit"  # git calls it in place of pre-commit for a merge without conflicts
    POST_MERGE = "post-merge"
    POST_RECEIVE = "post-receive"

    @property
    def syncs(self) -> bool:
        """Whether it writes to a target; the others only validate."""
        return self in (Hook.POST_MERGE, Hook.POST_RECEIVE)
