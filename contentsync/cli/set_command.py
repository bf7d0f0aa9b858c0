"""`contentsync set`: its options, and what it does. The imports that take long are made when it runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import print_json
from .options import (
    Format,
    FormatOption,
    Full,
    KindWord,
    Missing,
    NoIndex,
    Where,
    complete_field,
    content_folder,
    from_confirmed_files,
    index_use,
)

if TYPE_CHECKING:
    from ..authoring.edit.set_plan import SetPlan


def set_(
    kind: KindWord,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FIELD=VALUE... [PATH]",
            help="FIELD=VALUE, or += and -= for the items of a list. PATH: the content folder.",
            show_default=False,
            autocompletion=complete_field,
        ),
    ] = None,
    *,
    where: Where = None,
    missing: Missing = None,
    unset: Annotated[
        list[str] | None,
        typer.Option(
            "--unset", metavar="FIELD", help="Remove a field; may be repeated.", autocompletion=complete_field
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Write without asking, as in CI.")] = False,
    format_: FormatOption = Format.TEXT,
    no_index: NoIndex = False,
    full: Full = False,
) -> int:
    """Change fields of many entries in their files.

    contentsync set listing --where 'price > 20' is_featured=yes tags+=premium
    """
    from ..model.entry import parse_kind

    wanted = parse_kind(kind)
    texts, path = _split(words or [], unset or [])
    folder = content_folder(path)

    def set_fields(no_index: bool) -> int:
        from ..authoring.edit.set_plan import plan_set
        from ..content.folder.load import load_valid_content
        from ..model.assignments import parse_assignments
        from ..model.conditions import all_hold
        from .entry_selection import field_names, selecting_conditions

        content = load_valid_content(folder, index_use(no_index=no_index), may_break_rules=True)
        names = field_names(content.config, wanted, content.entries)
        assignments = parse_assignments(texts, unset or (), names)
        conditions = selecting_conditions(names, content.entries, where, missing)
        found = [entry for entry in content.entries if entry.kind is wanted and all_hold(conditions, entry)]
        return _apply(plan_set(content, wanted, found, assignments), folder, yes=yes, format_=format_, full=full)

    return from_confirmed_files(set_fields, no_index=no_index)


def _apply(plan: "SetPlan", folder: Path, *, yes: bool, format_: Format, full: bool) -> int:
    """Show a plan, ask, and write it."""
    from ..errors import pluralize
    from ..file_writes import swap_files
    from ..git_checkout import uncommitted_files
    from ..report.set_report import set_document, set_text
    from .terminal import print_problems, require_agreement, stdout

    uncommitted = uncommitted_files(folder, [edit.location for edit in plan.edits if edit.before is not None])
    if format_ is Format.TEXT:
        stdout().print(set_text(plan, uncommitted, full=full), end="", markup=False)
        print_problems([warning for edit in plan.edits for warning in edit.warnings], folder)
    if plan.edits and not yes:
        question = f"Write {pluralize(len(plan.changes), 'change')}?"
        require_agreement(question, "nothing was written", "--yes writes without asking")
    swap_files(folder, {edit.location: (edit.before, edit.after) for edit in plan.edits})
    if format_ is Format.JSON:
        print_json(set_document(plan, uncommitted))
    return 0


def _split(words: Sequence[str], unset: Sequence[str]) -> tuple[Sequence[str], Path | None]:
    """Return the assignments among the words, and the content folder if the last word names it.

    Raise UsageError if nothing is assigned.
    """
    from ..errors import UsageError
    from ..model.assignments import is_assignment

    has_folder = bool(words) and not is_assignment(words[-1]) and Path(words[-1]).is_dir()
    texts = words[:-1] if has_folder else words
    if not (texts or unset):
        raise UsageError("no field is assigned", "write FIELD=VALUE, such as is_featured=yes, or --unset FIELD")
    return texts, Path(words[-1]) if has_folder else None
