"""`contentsync fetch`: its options, and what it does. The imports that take long are made when it runs."""

from typing import Annotated

import typer

from . import print_json, run_coroutine
from .options import Folder, Format, FormatOption, NoIndex, content_folder, index_use


def fetch(
    path: Folder = None,
    source: Annotated[
        list[str] | None, typer.Option("--source", metavar="NAME", help="Only this source; may be repeated.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Overwrite changes of a file that are not committed.")] = False,
    allow_fewer_rows: Annotated[
        bool, typer.Option("--allow-fewer-rows", help="Accept data with at least 40 % fewer rows than the file.")
    ] = False,
    allow_missing_columns: Annotated[
        bool, typer.Option("--allow-missing-columns", help="Accept data without a column that the file has.")
    ] = False,
    format_: FormatOption = Format.TEXT,
    no_index: NoIndex = False,
) -> int:
    """Write the data of sources into files of the folder."""
    from ..authoring.edit.pull_edits import apply_edits
    from ..content.config.config import read_config
    from ..errors import ContentError
    from ..exchange.fetching import FetchOptions, choose_sources, fetch_sources, write_last_fetch
    from ..report.file_reports import fetch_document, fetch_text
    from .terminal import require_agreement, stdout

    folder = content_folder(path)
    config, problems = read_config(folder)
    if any(problem.is_error for problem in problems):
        raise ContentError(problems, folder)
    options = FetchOptions(allow_fewer_rows, allow_missing_columns)
    fetched = run_coroutine(fetch_sources(folder, config, choose_sources(config, source or ()), options))
    files = ", ".join(each.file for each in fetched if each.overwrites_local)
    if files and not yes:
        message = f"nothing was written: {files} has changes that are not committed"
        question = f"Overwrite the changes of {files}, which are not committed?"
        require_agreement(question, message, "commit them, or overwrite them with --yes")
    if edits := [each.edit for each in fetched if each.edit]:
        try:
            apply_edits(folder, edits, index_use(no_index=no_index))
        except ContentError as error:
            raise ContentError(error.problems, folder, outcome="nothing was written: with the new data, ") from error
    for each in fetched:
        write_last_fetch(folder, each.name, each.fetch)
    document = fetch_document(fetched)
    if format_ is Format.JSON:
        print_json(document)
    else:
        stdout().print(fetch_text(document), end="", markup=False)
    return 0
