"""`contentsync mv`: its options, and what it does. The imports that take long are made when it runs."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import print_json
from .options import (
    Format,
    FormatOption,
    Full,
    NoIndex,
    content_folder,
    current_folder,
    from_confirmed_files,
    index_use,
    split_entry,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ..authoring.rename.rename_plan import MayBeSynced, RenamePlan
    from ..content.config.config import Config
    from ..model import Entry


class Keep(StrEnum):
    """Whose values win in a merge."""

    FIRST = "first"
    SECOND = "second"


def mv(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="OLD NEW [PATH]",
            help="OLD: the entry's file, or its kind and key (page/about, page about). NEW: a path if OLD is one, else "
            "the new slug or URL. PATH: the content folder; default: the nearest one, from this folder upwards.",
            show_default=False,
        ),
    ],
    merge: Annotated[
        bool, typer.Option("--merge", help="Merge OLD into NEW, an entry that exists: a tag, category or organizer.")
    ] = False,
    keep: Annotated[
        Keep | None, typer.Option("--keep", help="With --merge: whose values win where both entries have some.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Rename without asking, as in CI.")] = False,
    format_: FormatOption = Format.TEXT,
    no_index: NoIndex = False,
    full: Full = False,
) -> int:
    """Rename or merge an entry, with its files and every link to it."""
    from ..errors import UsageError

    if keep and not merge:
        raise UsageError("--keep says whose values a merge keeps", "add --merge")
    old, (new,), path = split_entry(words, "mv OLD NEW", others=1)
    folder = content_folder(path)

    def rename(no_index: bool) -> int:
        from ..authoring.rename.rename_plan import plan_merge, plan_rename

        index = index_use(no_index=no_index)
        if merge:
            plan = plan_merge(folder, old, new, current_folder(), keep.value if keep else "", index)
        else:
            plan = plan_rename(folder, old, new, current_folder(), may_be_synced_in(folder), index)
        return _apply(plan, merge=merge, yes=yes, format_=format_, full=full)

    return from_confirmed_files(rename, no_index=no_index)


def _apply(plan: "RenamePlan", *, merge: bool, yes: bool, format_: Format, full: bool) -> int:
    """Show a plan, ask, and write it."""
    from ..authoring.rename.rename_plan import apply_rename
    from ..report.file_reports import rename_document, rename_text
    from .terminal import require_agreement, stdout

    document = rename_document(plan)
    if format_ is Format.TEXT:
        stdout().print(rename_text(document, full=full), end="", markup=False)
    if not yes:
        verb = "merge" if merge else "rename"
        require_agreement(f"{verb.capitalize()} it?", "nothing was written", f"--yes {verb}s without asking")
    apply_rename(plan)
    if format_ is Format.JSON:
        print_json(document)
    elif merge:
        stdout().print(_after_merge(plan.folder, document), end="", markup=False)
    return 0


def _after_merge(folder: "Path", document: "Mapping[str, Any]") -> str:
    from ..content.config.config import read_config
    from ..printed_commands import PrintedCommands
    from ..report.file_reports import after_merge_text
    from .target_connection import EMBEDDED_TARGET

    config, _problems = read_config(folder)
    targets = [*config.targets.values()] or [EMBEDDED_TARGET]
    prunes = {target.name: target.prunes for target in targets}
    return after_merge_text(document, prunes, PrintedCommands.for_folder(folder))


def may_be_synced_in(folder: "Path") -> "MayBeSynced":
    """Return the function that returns whether a server may have an entry of a folder under its key."""

    def may_be_synced(config: "Config", entries: "Sequence[Entry]", entry: "Entry") -> bool:
        from ..sync.state import recovery
        from .target_connection import EMBEDDED_TARGET

        return recovery.may_be_synced(folder, config.targets.values() or [EMBEDDED_TARGET], entries, entry)

    return may_be_synced
