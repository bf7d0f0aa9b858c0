"""The options of the commands that make, print or apply a plan.

Imports stay inside the methods, because `--help` needs the options and not the sync.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import UsageError
from .options import (
    Full,
    NoIndex,
    OnConflict,
    OnDrift,
    OnError,
    PlanFormat,
    StateDir,
    SyncFormat,
    TargetOption,
    complete_kind,
    current_folder,
    index_use,
)

if TYPE_CHECKING:
    from ..content.config.config import Config
    from ..content.config.config_tables import Target
    from ..content.folder.index_use import IndexUse
    from ..model import Entry
    from ..printed_commands import PrintedCommands
    from ..sync.planning.plan import Limits, Policy, Selection
    from ..sync.state.saved_plan import SavedPlan

STATE_BASE = "state"  # of --base
_GIT = "git:"

DriftOption = Annotated[
    OnDrift | None,
    typer.Option("--on-drift", help="What to do with fields that were changed, or entries deleted, on the server."),
]

Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Also list the entries that only the server has.")]


def _allow(flag: str, effect: str) -> Any:
    return typer.Option(flag, metavar="N", min=0, help=f"Allow {effect}")


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """The options of every command that makes a plan; None means that the option was not used."""

    target: TargetOption = None
    only: Annotated[
        tuple[str, ...],
        typer.Option(
            "--only",
            metavar="KIND[/GLOB]",
            help="Only these entries, or those of a file; may be repeated.",
            autocompletion=complete_kind,
        ),
    ] = ()
    prune: Annotated[
        bool | None,
        typer.Option("--prune/--no-prune", help="Delete entries that were synced and are no longer in the folder."),
    ] = None
    allow_deletes: Annotated[
        int | None, _allow("--allow-deletes", "exactly the N deletes that the refusal counts.")
    ] = None
    allow_clears: Annotated[
        int | None, _allow("--allow-clears", "clearing values in exactly the N entries that the plan names.")
    ] = None
    allow_publish: Annotated[
        int | None,
        _allow("--allow-publish", "exactly the N hidden entries to become public that the plan names."),
    ] = None
    allow_updates: Annotated[
        int | None, _allow("--allow-updates", "replacing values in exactly the N entries that the plan names.")
    ] = None
    allow_recreate: Annotated[
        int | None,
        _allow("--allow-recreate", "creating again exactly the N entries that are missing on the server."),
    ] = None
    allow_unknown_base: Annotated[
        int | None,
        _allow(
            "--allow-unknown-base",
            "leaving alone exactly the N records that may be deleted entries of files that were not readable.",
        ),
    ] = None
    on_drift: DriftOption = None
    on_conflict: Annotated[
        OnConflict,
        typer.Option(
            "--on-conflict",
            help="What to do with fields that both sides have changed, and entries that one has changed and one "
            "deleted.",
        ),
    ] = OnConflict.FAIL
    adopt: Annotated[
        bool, typer.Option("--adopt", help="Overwrite entries on the server that were not synced from this folder.")
    ] = False
    base: Annotated[
        str,
        typer.Option(
            "--base",
            metavar="state|git:REF",
            help="The values that were applied last: those of the state file, or of a commit.",
        ),
    ] = STATE_BASE
    attempts: Annotated[
        tuple[str, ...],
        typer.Option(
            "--attempt", metavar="REF", help="A commit after git:REF whose sync did not finish; may be repeated."
        ),
    ] = ()
    state_dir: StateDir = None
    no_index: NoIndex = False
    path: Path | None = None  # of the folder in messages, if it was opened by another path

    @property
    def index(self) -> "IndexUse | None":
        """The use of the index in reading the folder; None if all files are read."""
        return index_use(no_index=self.no_index)

    def check(self, folder: Path) -> None:
        """Raise UsageError for an unknown kind or base, or for attempts without a commit as the base."""
        from ..content.folder.entry_names import existing_path
        from ..sync.planning.plan import Selection

        for value in self.only:
            if existing_path(folder, value, current_folder()) is None:
                Selection.parse([value])
        if revision_of(self.base) is None and self.attempts:
            raise UsageError("--attempt needs --base git:REF", "a state file already records what was applied")

    def commands(self, folder: Path) -> "PrintedCommands":
        """Return the commands that messages print for a folder: with the options that were used, without consents."""
        from ..printed_commands import PrintedCommands

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

    def selection(self, folder: Path, entries: "Collection[Entry]") -> "Selection":
        """Return the entries of a folder that `--only` selects; without `--only`, the Selection of all entries.

        Raise UsageError for an unknown kind, and for a file without entries.
        """
        from ..sync.planning.plan import Selection

        return Selection.find(self.only, folder, entries, current_folder()) if self.only else Selection()

    def policy(self, target: "Target") -> "Policy":
        """Return what a plan for the target may do."""
        from ..sync.planning.consents import Consents
        from ..sync.planning.plan import Limits, Policy

        return Policy(
            prune=target.prunes if self.prune is None else self.prune,
            limits=Limits(target.max_deletes.percent, target.max_deletes.count),
            update_limits=Limits(target.max_updates.percent, target.max_updates.count),
            allowed=Consents(**{each.name: getattr(self, f"allow_{each.name}") for each in fields(Consents)}),
            on_drift=(self.on_drift or OnDrift(target.on_drift)).value,
            on_conflict=self.on_conflict.value,
            adopt=self.adopt,
        )


def limits_of_sources(config: "Config") -> "dict[str, Limits]":
    """Return the limits of updates by file that `fetch` writes; without a setting, the number of updates is free."""
    from ..sync.planning.plan import Limits

    limits = {source.file: source.max_updates for source in config.sources.values()}
    return {file: Limits(each.percent, each.count) if each else Limits(percent=100) for file, each in limits.items()}


def revision_of(base: str) -> str | None:
    """Return the commit that `--base` names; None for the state file. Raise UsageError for other values."""
    if base == STATE_BASE:
        return None
    if base.startswith(_GIT) and base != _GIT:
        return base.removeprefix(_GIT)
    raise UsageError(f"--base must not be {base}", "write state, or git: and a commit, such as git:HEAD~1")


@dataclass(frozen=True, slots=True)
class ApplyOptions:
    """The options for applying a plan."""

    yes: Annotated[bool, typer.Option("--yes", help="Apply without asking, as in CI.")] = False
    on_error: Annotated[OnError, typer.Option("--on-error", help="What to do with the other entries if one fails.")] = (
        OnError.CONTINUE
    )
    concurrency: Annotated[
        int, typer.Option("--concurrency", min=1, max=32, help="The number of writes at a time.")
    ] = 4
    take_lock: Annotated[bool, typer.Option("--take-lock", help="Take over the lock if another run has it.")] = False
    saved: "SavedPlan | None" = None  # the saved plan that the plan must be equal to
    before_write: Callable[[], None] = lambda: None  # called before the first write; if it raises, nothing is written


@dataclass(frozen=True, slots=True)
class PlanOutput:
    """The options for printing and saving a plan."""

    format_: Annotated[
        PlanFormat, typer.Option("--format", help="The form of the plan; markdown: for the comment of a pull request.")
    ] = PlanFormat.TEXT
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Save the plan for sync --plan.")] = None
    whole: Annotated[
        Path | None,
        typer.Option(
            "--whole", metavar="FILE", help="If --format markdown leaves something out, write all of it to a new file."
        ),
    ] = None
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="TIME", help="Also show what appears and expires until this time."),
    ] = None
    detailed_exitcode: Annotated[bool, typer.Option("--detailed-exitcode", help="Exit 2 if there are changes.")] = False
    full: Full = False
    verbose: Verbose = False


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """The options for printing the plan and the results."""

    format_: Annotated[
        SyncFormat, typer.Option("--format", help="The form of the result; jsonl: each event on a line, as it happens.")
    ] = SyncFormat.TEXT
    full: Full = False
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Also list the entries that only the server has, and each failure.")
    ] = False
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print only the result.")] = False

    @property
    def shows_plan(self) -> bool:
        """Whether the plan is printed before it is applied."""
        return self.format_ is SyncFormat.TEXT and not self.quiet
