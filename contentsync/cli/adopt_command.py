"""`contentsync adopt`: propose the config of a folder that was written for another program."""

import sys
from pathlib import Path

import typer

from ..content.adopt.adoption import Adoption, propose_adoption
from ..content.adopt.questions import Ask, DefaultAnswers, Question
from ..content.content_folder import CONFIG
from ..content.file_writes import swap_files
from ..errors import UsageError
from ..report.adoption_report import adoption_text
from ..report.formatting import printable
from .output import print_lines
from .terminal import stderr


def adopt(folder: Path, *, write: bool, yes: bool, full: bool) -> int:
    """Show the config and the new files that make the folder a content folder; with `write`, create them.

    On a terminal, ask about what is unclear, unless `yes`. Raise ContentError for a config with errors, and Refused for
    a folder without content.
    """
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}", "name the folder of the repository")
    defaults = DefaultAnswers()
    ask: Ask = _ask_on_terminal if sys.stdin.isatty() and not yes else defaults
    adoption = propose_adoption(folder, ask)
    text = "".join(adoption_text(adoption, defaults.guesses, full=full))
    print_lines(text.splitlines())
    if write:
        _write(adoption)
    stderr().print(_next_step(adoption, written=write), markup=False)
    return 0


def _write(adoption: Adoption) -> None:
    """Create the new files and the config, all or none. No other file of the folder is changed."""
    changes: dict[str, tuple[bytes | None, bytes | None]] = {}
    for path, data in adoption.files.items():
        changes[path] = None, data
    if adoption.changes_config:
        changes[CONFIG] = adoption.before, adoption.config
    swap_files(adoption.folder, changes)


def _next_step(adoption: Adoption, *, written: bool) -> str:
    if adoption.is_empty:
        return "nothing to add: the config covers the folder"
    names = ", ".join([*([CONFIG] if adoption.changes_config else []), *adoption.files])
    if written:
        return f"written: {names}\nnext: contentsync validate, then contentsync dev or contentsync sync"
    return f"nothing was written; --write writes {names}"


def _ask_on_terminal(question: Question) -> str:
    """Return the user's choice, by its number or its text."""
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
