"""The options of the commands that make a plan."""

from dataclasses import dataclass
from pathlib import Path

from ..content.config_tables import Target
from ..errors import UsageError
from ..sync import Limits, Policy, Selection
from .options import STATE_BASE, OnConflict, OnDrift

_GIT = "git:"


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """The options of every command that makes a plan; None means that the option was not used."""

    target: str | None = None
    only: tuple[str, ...] = ()
    prune: bool | None = None
    allow_deletes: int | None = None
    allow_clears: int | None = None
    allow_recreate: int | None = None
    on_drift: OnDrift | None = None
    on_conflict: OnConflict = OnConflict.FAIL
    adopt: bool = False
    base: str = STATE_BASE
    state_dir: Path | None = None
    attempts: tuple[str, ...] = ()  # commits that runs began to apply since the base

    def check(self) -> None:
        """Raise UsageError for an unknown kind or base, or for attempts without a commit as the base."""
        Selection.parse(self.only)
        if revision_of(self.base) is None and self.attempts:
            raise UsageError("--attempt needs --base git:REF", "a state file already records what was applied")

    @property
    def selection(self) -> Selection:
        """The entries that `--only` selects. Raise UsageError for an unknown kind."""
        return Selection.parse(self.only)

    def policy(self, target: Target) -> Policy:
        """Return what a plan for the target may do."""
        prune = target.is_embedded if target.prune is None else target.prune
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
    """Return the commit that `--base` names; None for the state file. Raise UsageError for other values."""
    if base == STATE_BASE:
        return None
    if base.startswith(_GIT) and base != _GIT:
        return base.removeprefix(_GIT)
    raise UsageError(f"--base must not be {base}", "write state, or git: and a commit, such as git:HEAD~1")
