"""The options of the commands that make a plan, and the commit that `--base git:REF` names as the base of the plan."""

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rich.console import Console

from ..content.config.config import Config
from ..content.config.config_tables import Target
from ..content.files.content_folder import CONFIG
from ..content.folder.entry_names import existing_path
from ..errors import Refused, UsageError, join_first, pluralize
from ..git import NO_COMMIT
from ..model import Entry
from ..printed_commands import PrintedCommands
from ..sync import Consents, Limits, Policy, Selection
from ..sync.state.git_revision import Revision, read_revision
from ..sync.state.state_file import directory_of
from ..value_text import printable
from .options import STATE_BASE, OnConflict, OnDrift, current_folder
from .target_connection import choose_target, target_address

_GIT = "git:"


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """The options of every command that makes a plan; None means that the option was not used."""

    target: str | None = None
    only: tuple[str, ...] = ()
    prune: bool | None = None
    allowed: Consents = field(default_factory=Consents)
    on_drift: OnDrift | None = None
    on_conflict: OnConflict = OnConflict.FAIL
    adopt: bool = False
    base: str = STATE_BASE
    state_dir: Path | None = None
    attempts: tuple[str, ...] = ()  # commits that runs began to apply since the base
    path: Path | None = None  # of the folder in messages, if it was opened by another path

    def check(self, folder: Path) -> None:
        """Raise UsageError for an unknown kind or base, or for attempts without a commit as the base."""
        for value in self.only:
            if existing_path(folder, value, current_folder()) is None:
                Selection.parse([value])
        if revision_of(self.base) is None and self.attempts:
            raise UsageError("--attempt needs --base git:REF", "a state file already records what was applied")

    def commands(self, folder: Path) -> PrintedCommands:
        """Return the commands that messages print for a folder: with the options that were used, without consents."""
        values: list[tuple[str, object]] = [
            ("--prune", self.prune is True),
            ("--no-prune", self.prune is False),
            ("--target", self.target),
            *(("--only", pattern) for pattern in self.only),
            ("--on-drift", self.on_drift),
            ("--on-conflict", None if self.on_conflict is OnConflict.FAIL else self.on_conflict),
            ("--adopt", self.adopt),
            ("--base", None if self.base == STATE_BASE else self.base),
            *(("--attempt", attempt) for attempt in self.attempts),
            ("--state-dir", self.state_dir),
        ]
        used = [(name, value) for name, value in values if value not in (None, False)]
        words = [(name,) if value is True else (name, str(value)) for name, value in used]
        return PrintedCommands.for_folder(self.path or folder, tuple(words))

    def selection(self, folder: Path, entries: Collection[Entry]) -> Selection:
        """Return the entries of a folder that `--only` selects. Raise UsageError for a file without entries."""
        return Selection.find(self.only, folder, entries, current_folder()) if self.only else Selection()

    def policy(self, target: Target) -> Policy:
        """Return what a plan for the target may do."""
        prune = target.is_embedded if target.prune is None else target.prune
        return Policy(
            prune=prune if self.prune is None else self.prune,
            limits=Limits(target.max_deletes.percent, target.max_deletes.count),
            update_limits=Limits(target.max_updates.percent, target.max_updates.count),
            allowed=self.allowed,
            on_drift=(self.on_drift or OnDrift(target.on_drift)).value,
            on_conflict=self.on_conflict.value,
            adopt=self.adopt,
        )


def limits_of_sources(config: Config) -> dict[str, Limits]:
    """Return the limits of updates by file that `fetch` writes; without a setting, the number of updates is free."""
    limits = {source.file: source.max_updates for source in config.sources.values()}
    return {file: Limits(each.percent, each.count) if each else Limits(percent=100) for file, each in limits.items()}


def revision_of(base: str) -> str | None:
    """Return the commit that `--base` names; None for the state file. Raise UsageError for other values."""
    if base == STATE_BASE:
        return None
    if base.startswith(_GIT) and base != _GIT:
        return base.removeprefix(_GIT)
    raise UsageError(f"--base must not be {base}", "write state, or git: and a commit, such as git:HEAD~1")


def read_past_revision(
    folder: Path, ref: str, attempts: Sequence[str], target: Target, console: Console
) -> Revision | None:
    """Return the folder at the commit `ref`, without attempts to write to another directory than the target has.

    Return None if `ref` is the commit of zeros (nothing was synced) and there are no attempts. Raise Refused if the
    commit itself was synced to another directory.
    """
    past = read_revision(folder, ref, attempts)
    if past is None:
        return None
    if past.config is not None:
        require_same_directory(target, past.config, ref, os.environ)
    for module in past.submodules:
        message = f"{module} is a submodule with unknown content at {ref}: nothing that was in it is deleted"
        console.print(printable(message), markup=False)
    attempts_here = tuple(each for each in past.attempts if _is_same_directory(target, each.config, os.environ))
    if attempts_here:
        runs = pluralize(len(attempts_here), "run")
        effect = "a record that equals the entry in such a run's commit counts as written by it"
        console.print(f"{runs} after {ref} did not finish: {effect}", style="dim", markup=False)
    past = replace(past, attempts=attempts_here)
    if unread := [f"{file.path} ({file.reason})" for file in past.all_unread]:
        message = f"at {ref}, these files could not be read: {join_first(unread)}"
        console.print(printable(f"{message}; the base of their entries is unknown, so none is deleted"), markup=False)
    return past


def require_same_directory(target: Target, past: Config, ref: str, environ: Mapping[str, str]) -> None:
    """Raise Refused unless `past`, the config of the commit `ref`, has the same directory for the target."""
    if _is_same_directory(target, past, environ):
        return
    past_target = _past_target(target, past, environ)
    past_address = target_address(past_target) if past_target else "another server, or none"
    raise Refused(
        f"{ref} was synced elsewhere: the target '{target.name}' is {target_address(target)} now, and its "
        f"{CONFIG} says {past_address}",
        f"give the new directory a target of its own; a first sync with --base git:{NO_COMMIT} deletes nothing",
    )


def _is_same_directory(target: Target, past: Config, environ: Mapping[str, str]) -> bool:
    """Return whether the config of a commit has the same directory for the target."""
    past_target = _past_target(target, past, environ)
    return past_target is not None and directory_of(past_target) == directory_of(target)


def _past_target(target: Target, past: Config, environ: Mapping[str, str]) -> Target | None:
    """Return the target of the same name in the config of a commit, or its default target; None if it has neither.

    Return None also if the target is at another server than `environ` names.
    """
    name = target.name if target.name in past.targets else None
    try:
        return choose_target(past.targets, past.default_target, name, environ)
    except (Refused, UsageError):
        return None
