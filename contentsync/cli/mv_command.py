"""`contentsync mv`: its options, and what it does. The imports that take long are made when it runs."""

from typing import TYPE_CHECKING, Annotated

import typer

from . import print_json
from .options import Folder, Format, FormatOption, Full, content_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..content.config.config import Config
    from ..model import Entry


def mv(
    old: Annotated[
        str,
        typer.Argument(metavar="OLD", help="The entry: its file, or KIND/KEY such as page/about.", show_default=False),
    ],
    new: Annotated[
        str,
        typer.Argument(metavar="NEW", help="A path if OLD is one, else the new slug or URL.", show_default=False),
    ],
    path: Folder = None,
    yes: Annotated[bool, typer.Option("--yes", help="Rename without asking, as in CI.")] = False,
    format_: FormatOption = Format.TEXT,
    full: Full = False,
) -> int:
    """Rename an entry, with its files and every link to it."""
    from pathlib import Path

    from ..authoring.rename.rename_plan import apply_rename, plan_rename
    from ..report.edit_reports import rename_document, rename_text
    from .terminal import require_agreement, stdout

    folder = content_folder(path)

    def may_be_synced(config: "Config", entries: "Sequence[Entry]", entry: "Entry") -> bool:
        from ..sync.state import recovery
        from .target_connection import EMBEDDED_TARGET

        return recovery.may_be_synced(folder, config.targets.values() or [EMBEDDED_TARGET], entries, entry)

    plan = plan_rename(folder, old, new, Path.cwd(), may_be_synced)
    if format_ is Format.TEXT:
        stdout().print(rename_text(plan, full=full), end="", markup=False)
    if not yes:
        require_agreement("Rename it?", "nothing was written", "--yes renames without asking")
    apply_rename(plan)
    if format_ is Format.JSON:
        print_json(rename_document(plan))
    return 0
