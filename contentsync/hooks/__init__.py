"""Git's hooks: what a commit would contain, the copy that a push is synced from, and the scripts.

This module contains only names, so that `--help` imports nothing else.
"""

from enum import StrEnum

ENVIRONMENT = "contentsync.env"  # a file in the hooks folder: environment variables for a sync, such as the token


class Hook(StrEnum):
    """A hook of git (githooks(5))."""

    PRE_COMMIT = "pre-commit"
    PRE_MERGE_COMMIT = "pre-merge-commit"  # git calls it in place of pre-commit for a merge without conflicts
    POST_MERGE = "post-merge"
    POST_RECEIVE = "post-receive"

    @property
    def syncs(self) -> bool:
        """Whether the hook syncs to a target; the other hooks only validate."""
        return self in (Hook.POST_MERGE, Hook.POST_RECEIVE)
