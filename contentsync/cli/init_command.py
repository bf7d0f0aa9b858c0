"""`contentsync init`: its options, and what it does. The imports that take long are made when it runs."""

import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated

import typer

from ..content.files.content_folder import CONFIG
from ..errors import Refused, UsageError, join_first
from ..printed_commands import PrintedCommands
from . import print_json
from .options import Format, FormatOption

GITIGNORE = ".gitignore"


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder; it may have other files, or not exist yet.")
    ] = Path(),
    format_: FormatOption = Format.TEXT,
) -> int:
    """Create a content folder with an example of each kind."""
    from ..authoring.scaffold import starter_files
    from ..file_writes import create_files
    from ..value_text import printable
    from .terminal import stderr, stdout

    create_files(folder, files := _new_files(folder, starter_files()))
    if format_ is Format.JSON:
        print_json({"version": 1, "folder": str(folder), "files": list(files)})
    else:
        for path in files:
            stdout().print(printable(str(folder / path)), markup=False)
    commands = PrintedCommands.for_folder(folder)
    next_steps = (f"  {commands(command)}" for command in ("validate", "dev", "sync"))
    stderr().print("next steps:", *next_steps, sep="\n", markup=False)
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


def _new_files(folder: Path, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files to create, without a `.gitignore` that exists. Raise Refused if another one would be replaced.

    A file or a link in place of one of their folders counts as one that would be replaced.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is not a folder", "name a folder, or one that does not exist yet")
    if os.path.lexists(folder / CONFIG):
        validate = PrintedCommands.for_folder(folder)("validate")
        raise Refused(f"{folder} is already a content folder", f"{validate} checks it")
    # The program's own folder `.contentsync` excludes itself from git, so the `.gitignore` is not necessary.
    new = {path: data for path, data in files.items() if path != GITIGNORE or not os.path.lexists(folder / path)}
    blocked = {name for path in new if (name := _name_in_place(folder, path))}
    if blocked:
        names = join_first(sorted(blocked), 3)
        adopt = PrintedCommands.for_folder(folder)("adopt")
        hint = f"name another folder; to use this one with its files, create a {CONFIG} in it: {adopt} proposes one"
        raise Refused(f"{folder} contains {names}, which init would replace", hint)
    return new


def _name_in_place(folder: Path, path: str) -> str:
    """Return the part of a path at which the folder has something else than a folder; "" if the path is free."""
    parts = PurePosixPath(path).parts
    for length in range(1, len(parts) + 1):
        name = "/".join(parts[:length])
        place = folder / name
        is_folder = place.is_dir() and not place.is_symlink()
        if os.path.lexists(place) and (length == len(parts) or not is_folder):
            return name
    return ""
