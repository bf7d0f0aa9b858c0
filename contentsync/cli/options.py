"""What can be typed about a plan, whichever command makes it (docs/reference/commands.md, contentsync plan)."""

from dataclasses import dataclass
from pathlib import Path

from ..content.config import Target
from ..errors import UsageError
from ..sync import Limits, Policy, Selection
from .choices import STATE, OnConflict, OnDrift

_GIT = "git:"


@dataclass(frozen=True, slots=True)
class Options:
    """The options; None stands for what the target's settings say."""

    target: str | None = None
    only: tuple[str, ...] = ()
    prune: bool | None = None
    allow_deletes: int | None = None
    allow_clears: int | None = None
    allow_recreate: int | None = None
    on_drift: OnDrift | None = None
    on_conflict: OnConflict = OnConflict.FAIL
    adopt: bool = False
    base: str = STATE
    state_dir: Path | None = None
    attempts: tuple[str, ...] = ()  # commits that runs have begun to apply since the base

    def check(self) -> None:
        """Raises UsageError for a kind or a base that there is not, and for attempts without a commit as the base."""
        Selection.parse(self.only)
        if revision_of(self.base) is None and self.attempts:
            raise UsageError("--attempt goes with --base git:REF", "a state file knows what was applied")

    @property
    def selection(self) -> Selection:
        """Raises UsageError for a kind that there is not."""
        return Selection.parse(self.only)

    def policy(self, target: Target) -> Policy:
        """What a plan towards the target may do."""
        prune = target.embedded if target.prune is None else target.prune
        return Policy(
            prune=prune if self.prune is None else self.prune,
            limits=Limits(target.max_deletes.percent, target.max_deletes.count),
            allow_deletes=self.allow_deletes,
            allow_clears=self.allow_clears,
            allow_recreate=self.allow_recreate,
            on_drift=(self.on_drift or OnDrift(target.on_drift)).value,
            on_conflict=self.on_conflict.value,
            adopt=self.adopt,
        )


def revision_of(base: str) -> str | None:
    """The commit that a base names; None where it is the state file. Raises UsageError for anything else."""
    if base == STATE:
        return None
    if base.startswith(_GIT) and base != _GIT:
        return base.removeprefix(_GIT)
    raise UsageError(f"--base {base} is no base", "it is state, or git: and a commit, such as git:HEAD~1")
