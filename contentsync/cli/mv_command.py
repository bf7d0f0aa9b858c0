"""`contentsync mv`: its options, and what it does. The imports that take long are made when it runs."""

from typing import TYPE_CHECKING, Annotated

import typer

from . import print_json
from .options import Format, FormatOption, Full, content_folder, current_folder, split_entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..content.config.config import Config
    from ..model import Entry


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
    yes: Annotated[bool, typer.Option("--yes", help="Rename without asking, as in CI.")] = False,
    format_: FormatOption = Format.TEXT,
    full: Full = False,
) -> int:
    """Rename an entry, with its files and every link to it."""
    from ..authoring.rename.rename_plan import apply_rename, plan_rename
    from ..report.file_reports import rename_document, rename_text
    from .terminal import require_agreement, stdout

    old, (new,), path = split_entry(words, "mv OLD NEW", others=1)
    folder = content_folder(path)

    def may_be_synced(config: "Config", entries: "Sequence[Entry]", entry: "Entry") -> bool:
        from ..sync.state import recovery
        from .target_connection import EMBEDDED_TARGET

        return recovery.may_be_synced(folder, config.targets.values() or [EMBEDDED_TARGET], entries, entry)

    plan = plan_rename(folder, old, new, current_folder(), may_be_synced)
    document = rename_document(plan)
    if format_ is Format.TEXT:
        stdout().print(rename_text(document, full=full), end="", markup=False)
    if not yes:
        require_agreement("Rename it?", "nothing was written", "--yes renames without asking")
    apply_rename(plan)
    if format_ is Format.JSON:
        print_json(document)
    return 0
