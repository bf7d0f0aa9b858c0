"""`contentsync new`: its options, and what it does. The imports that take long are made when it runs."""

from pathlib import Path
from typing import Annotated

import typer

from . import print_json
from .options import Folder, Format, FormatOption, complete_kind, content_folder


def new(
    name: Annotated[
        str,
        typer.Argument(
            metavar="KIND", help="The kind, such as article, page or listing.", autocompletion=complete_kind
        ),
    ],
    slug: Annotated[str, typer.Argument(metavar="SLUG", help="The slug of the entry, such as my-first-post.")],
    path: Folder = None,
    format_: FormatOption = Format.TEXT,
) -> int:
    """Create an entry, with the keys that its kind needs."""
    from ..authoring.scaffold import plan_new_entry
    from ..content.files.content_folder import CONFIG
    from ..content.folder.load import load_content
    from ..errors import ContentError, pluralize
    from ..model.entry import parse_kind
    from ..report.formatting import printable
    from .terminal import stderr, stdout

    kind = parse_kind(name)
    folder = content_folder(path)
    content = load_content(folder)
    config_errors = [problem for problem in content.errors if problem.where.path in (CONFIG, ".")]
    if config_errors:  # or errors of the folder (`.`): without a config, the file of the entry is not known
        raise ContentError(config_errors, folder)
    addition = plan_new_entry(content, kind, slug)
    addition.write(folder)
    if format_ is Format.JSON:
        print_json({"version": 1, "kind": kind, "key": slug, "path": addition.path, "line": addition.line})
    else:
        file = folder / addition.path
        cwd = Path.cwd()
        stdout().print(printable(str(file.relative_to(cwd) if file.is_relative_to(cwd) else file)), markup=False)
    if content.errors:
        errors = pluralize(len(content.errors), "error")
        stderr().print(f"the folder has {errors}, which may hide another '{slug}': contentsync validate shows them")
    return 0
