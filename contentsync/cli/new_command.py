"""`contentsync new`: its options, and what it does. The imports that take long are made when it runs."""

from pathlib import Path
from typing import Annotated

import typer

from . import print_json
from .options import (
    Format,
    FormatOption,
    NoIndex,
    complete_kind,
    content_folder,
    current_folder,
    index_use,
    split_entry,
)


def new(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="KIND SLUG [PATH]",
            help="The kind and the slug of the entry (article my-first-post), or the path of its new file. PATH: the "
            "content folder; default: the nearest one, from this folder upwards.",
            show_default=False,
            autocompletion=complete_kind,
        ),
    ],
    format_: FormatOption = Format.TEXT,
    no_index: NoIndex = False,
) -> int:
    """Create an entry, with the keys that its kind needs."""
    from ..authoring.scaffold import plan_named_entry
    from ..content.files.content_folder import CONFIG
    from ..content.folder.load import load_content
    from ..errors import ContentError, pluralize
    from ..printed_commands import PrintedCommands
    from ..value_text import printable

    name, _, path = split_entry(words, "new KIND SLUG")
    folder = content_folder(path)
    content = load_content(folder, index=index_use(no_index=no_index, is_read_only=True))
    config_errors = [problem for problem in content.errors if problem.where.path in (CONFIG, ".")]
    if config_errors:  # or errors of the folder (`.`): without a config, the file of the entry is not known
        raise ContentError(config_errors, folder)
    addition, kind, slug = plan_named_entry(content, name, current_folder())
    addition.write(folder)
    if format_ is Format.JSON:
        print_json({"version": 1, "kind": kind, "key": slug, "path": addition.path, "line": addition.line})
    else:
        file = folder / addition.path
        cwd = Path.cwd()
        print(printable(str(file.relative_to(cwd) if file.is_relative_to(cwd) else file)))  # without colour: no rich
    if content.errors:
        from .terminal import stderr

        errors = pluralize(len(content.errors), "error")
        validate = PrintedCommands.for_folder(folder)("validate")
        message = f"the folder has {errors}, which may hide another '{slug}': {validate} shows them"
        stderr().print(message, markup=False)
    return 0
