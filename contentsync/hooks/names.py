"""The hooks that there are; apart, so that `--help` knows them without what acts on them."""

from enum import StrEnum

ENVIRONMENT = "contentsync.env"  # beside the hooks: what a sync needs of its environment, such as the token


class Hook(StrEnum):
    """A moment at which git calls (githooks(5))."""

    PRE_COMMIT = "pre-commit"
    PRE_MERGE_COMMIT = "pre-merge-commit"  # instead of the former, where a merge needs nobody's help
    POST_MERGE = "post-merge"
    POST_RECEIVE = "post-receive"

    @property
    def syncs(self) -> bool:
        """Whether it writes to a target; the others only look."""
        return self in (Hook.POST_MERGE, Hook.POST_RECEIVE)
