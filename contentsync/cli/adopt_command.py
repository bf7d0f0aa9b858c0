"""`contentsync adopt`: its options, and what it does. The imports that take long are made when it runs."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..content.files.content_folder import CONFIG
from ..errors import UsageError
from . import print_lines

if TYPE_CHECKING:
    from ..authoring.adopt.adoption import Adoption
    from ..authoring.adopt.proposed_settings import Ask, Question


def adopt(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder of a site of another generator, or of tables or lists.")
    ] = Path(),
    write: Annotated[
        bool, typer.Option("--write", help="Write the config and the new files; no other file changes.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Use the default answers without asking, as in CI.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Show files, notes and problems in full.")] = False,
) -> int:
    """Propose a config for the folder of another generator."""
    from ..authoring.adopt.adoption import propose_adoption
    from ..authoring.adopt.proposed_settings import DefaultAnswers
    from ..report.adoption_report import adoption_text
    from .terminal import stderr

    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}", "name the folder of the repository")
    defaults = DefaultAnswers()
    ask: Ask = _ask_on_terminal if sys.stdin.isatty() and not yes else defaults
    adoption = propose_adoption(folder, ask, datetime.now(UTC))
    text = "".join(adoption_text(adoption, defaults.guesses, full=full))
    print_lines(text.splitlines())
    if write:
        _write(adoption)
    stderr().print(_next_step(adoption, written=write), markup=False)
    return 0


def _write(adoption: "Adoption") -> None:
    """Create the new files and the config, all or none. No other file of the folder is changed."""
    from ..file_writes import swap_files

    changes: dict[str, tuple[bytes | None, bytes | None]]  # by path: the bytes before and after
    changes = {path: (None, data) for path, data in adoption.files.items()}
    if adoption.changes_config:
        changes[CONFIG] = adoption.before, adoption.config
    swap_files(adoption.folder, changes)


def _next_step(adoption: "Adoption", *, written: bool) -> str:
    """Return what was `written`, or would be, and what to do next."""
    if adoption.is_empty:
        return "nothing to add: the config covers the folder"
    paths = [CONFIG, *adoption.files] if adoption.changes_config else [*adoption.files]
    names = ", ".join(paths)
    if written:
        return f"written: {names}\nnext: contentsync validate, then contentsync dev or contentsync sync"
    return f"nothing was written; --write writes {names}"


def _ask_on_terminal(question: "Question") -> str:
    """Return the user's choice, by its number or its text."""
    from ..value_text import printable
    from .terminal import stderr

    stderr().print(printable(question.text), markup=False)
    for number, choice in enumerate(question.choices, 1):
        stderr().print(f"  {number}  {printable(choice)}", markup=False)
    default = question.choices.index(question.default) + 1
    while True:
        answer = str(typer.prompt("choice", default=default, type=str, err=True)).strip()
        if answer in question.choices:
            return answer
        if answer.isdecimal() and 1 <= int(answer) <= len(question.choices):
            return question.choices[int(answer) - 1]
