"""`contentsync export` and `contentsync import`. The imports that take long are made when they run."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import print_json
from .options import Folder, Format, FormatOption, Full, NoIndex, content_folder, from_confirmed_files, index_use

if TYPE_CHECKING:
    from ..content.folder.index_use import IndexUse
    from ..exchange.spreadsheet.sheet import Sheet

_SUFFIXES = (".xlsx", ".csv", ".tsv")
_MAX_BYTES = 100 * 1024 * 1024


class Exported(StrEnum):
    """What can be exported."""

    LISTINGS = "listings"


def export(
    what: Annotated[Exported, typer.Argument(metavar="listings", help="What to export.", show_default=False)],
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The new file: .xlsx, .csv or .tsv.", show_default=False)
    ],
    path: Folder = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    no_index: NoIndex = False,
) -> int:
    """Write the listings of the folder to a spreadsheet."""
    from ..content.folder.load import load_valid_content
    from ..errors import UsageError, pluralize
    from ..exchange.spreadsheet.sheet import make_sheet
    from ..file_writes import rewrite_file
    from .terminal import stdout

    _require_suffix(file)
    if file.exists() and not force:
        raise UsageError(f"{file} exists already", "--force replaces it")
    content = load_valid_content(content_folder(path), index_use(no_index=no_index), may_break_rules=True)
    sheet = make_sheet(content)
    if file.suffix.lower() == ".xlsx":
        from ..extra import SPREADSHEETS

        SPREADSHEETS.require()
        from ..exchange.spreadsheet.workbook_file import column_choices, write_workbook

        data = write_workbook(sheet, column_choices(content))
    else:
        from ..exchange.spreadsheet.sheet import write_delimited

        data = write_delimited(sheet, file.suffix.lower())
    rewrite_file(Path(), str(file), data)  # below the current folder, unless the path is absolute
    stdout().print(f"{pluralize(len(sheet.rows), 'listing')} written to {file}", markup=False)
    return 0


def import_(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file that export wrote, after edits.", show_default=False)
    ],
    path: Folder = None,
    yes: Annotated[bool, typer.Option("--yes", help="Write without asking, as in CI.")] = False,
    format_: FormatOption = Format.TEXT,
    no_index: NoIndex = False,
    full: Full = False,
) -> int:
    """Write the changed cells of a spreadsheet into the files."""
    _require_suffix(file)
    folder = content_folder(path)

    def import_sheet(no_index: bool) -> int:
        return _import(file, folder, index_use(no_index=no_index), yes=yes, format_=format_, full=full)

    return from_confirmed_files(import_sheet, no_index=no_index)


def _import(file: Path, folder: Path, index: "IndexUse | None", *, yes: bool, format_: Format, full: bool) -> int:
    """Read the folder and the sheet, ask, and write the changes. Raise IndexDiffers as `plan_import` does."""
    from ..authoring.edit.pull_edits import apply_edits
    from ..content.folder.load import load_valid_content
    from ..errors import ContentError, Refused, pluralize
    from ..exchange.spreadsheet.import_plan import compare_sheet, plan_import, without_equal_values
    from ..exchange.spreadsheet.sheet import column_types, make_sheet
    from ..report.file_reports import import_document, import_text
    from .terminal import require_agreement, stdout

    content = load_valid_content(folder, index, may_break_rules=True)
    present = make_sheet(content)
    changes = compare_sheet(_read_sheet(file, folder), present, column_types(content), file.name)
    if changes.problems:
        raise ContentError(changes.problems, folder)
    changes = without_equal_values(content, changes, present, file.name)
    plan = plan_import(content, changes, present, file.name)
    if format_ is Format.TEXT:
        stdout().print(import_text(plan, changes, file.name, full=full), end="", markup=False)
    if plan.edits and not yes:
        question = f"Write {pluralize(len(plan.changes) + len(plan.new), 'change')}?"
        require_agreement(question, "nothing was written", "--yes writes without asking")
    if plan.edits:
        apply_edits(folder, plan.edits, content.index)
    if format_ is Format.JSON:
        print_json(import_document(plan, changes, file.name))
    if changes.conflicts:
        message = f"{pluralize(len(changes.conflicts), 'cell')} changed here and in {file.name}: left alone"
        hint = "change the files, or export the listings again"
        raise Refused(message, hint, is_printed_as_json=format_ is Format.JSON)
    return 0


def _read_sheet(file: Path, folder: Path) -> "Sheet":
    """Return the sheet in a file. Raise UsageError if it cannot be read, ContentError if `export` writes no such sheet.

    `folder` is the content folder, for the messages.
    """
    from ..content.files.file_text import UnreadableFile
    from ..errors import ContentError, UsageError
    from ..extra import SPREADSHEETS

    try:
        if file.stat().st_size > _MAX_BYTES:
            raise UsageError(f"{file} is larger than {_MAX_BYTES // 1024 // 1024} MB", "import it in parts")
        data = file.read_bytes()
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from error
    try:
        if file.suffix.lower() == ".xlsx":
            SPREADSHEETS.require()
            from ..exchange.spreadsheet.workbook_file import read_workbook

            return read_workbook(data, file.name)
        from ..exchange.spreadsheet.sheet import read_delimited

        return read_delimited(data, file.name)
    except UnreadableFile as error:
        raise ContentError(error.problems, folder) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not UTF-8 or UTF-16", "save it as CSV UTF-8") from error


def _require_suffix(file: Path) -> None:
    from ..errors import UsageError

    if file.suffix.lower() not in _SUFFIXES:
        raise UsageError(f"{file} must end with .xlsx, .csv or .tsv")
