"""`contentsync init`: its options, and what it does. The imports that take long are made when it runs."""

import os
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from ..content.files.content_folder import CONFIG
from ..errors import Refused, UsageError, join_first
from . import print_json
from .options import Format, FormatOption


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="An empty folder, or one that does not exist yet.")
    ] = Path(),
    format_: FormatOption = Format.TEXT,
) -> int:
    """Create a content folder with an example of each kind."""
    from ..authoring.scaffold import starter_files
    from ..content.files.file_writes import create_files
    from ..report.formatting import printable
    from .terminal import stderr, stdout

    _require_empty(folder)
    create_files(folder, files := starter_files())
    if format_ is Format.JSON:
        print_json({"version": 1, "folder": str(folder), "files": list(files)})
    else:
        for path in files:
            stdout().print(printable(str(folder / path)), markup=False)
    argument = "" if folder == Path() else f" {quote(printable(str(folder)))}"
    commands = [f"  contentsync {command}{argument}" for command in ("validate", "dev", "sync")]
    stderr().print("next steps:", *commands, sep="\n")
    if address := _environment_address():
        stderr().print(printable(f"sync writes to {address}: unset CONTENTSYNC_URL for a database here"), markup=False)
    return 0


def _environment_address() -> str:
    """Return the address of the server that CONTENTSYNC_URL names for a folder without targets; "" if it is not set."""
    from .target_connection import choose_target, target_address

    try:
        target = choose_target(targets={}, default=None, name=None, environ=os.environ)
    except UsageError:  # the first command that needs the target reports it
        return ""
    return "" if target.is_embedded else target_address(target)


def _require_empty(folder: Path) -> None:
    """Raise Refused unless the folder is empty; a repository without files counts as empty."""
    try:
        names = {name for name in os.listdir(folder) if name != ".git"}  # noqa: PTH208  # only names are needed
    except FileNotFoundError:
        return
    except OSError as error:
        raise UsageError(
            f"{folder}: {error.strerror}", "name an empty folder, or one that does not exist yet"
        ) from error
    if CONFIG in names:
        raise Refused(f"{folder} is already a content folder", "contentsync validate checks it")
    if names:
        hint = f"name an empty folder, or one that does not exist yet; to use this one, create a {CONFIG} in it"
        raise Refused(f"{folder} is not empty: it contains {join_first(sorted(names), 3)}", hint)
