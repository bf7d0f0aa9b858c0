"""`contentsync init`."""

import os
from pathlib import Path
from shlex import quote

from ..content.content_folder import CONFIG
from ..content.file_writes import create_files
from ..content.scaffold import starter_files
from ..errors import Refused, UsageError
from ..report.words import printable
from .output import print_json
from .terminal import data, talk


def init(folder: Path, *, as_json: bool) -> int:
    """Makes a content folder with a config and an example of each kind, where there is nothing yet."""
    _require_empty(folder)
    create_files(folder, files := starter_files())
    if as_json:
        print_json({"version": 1, "folder": str(folder), "files": list(files)})
    else:
        for path in files:
            data().print(printable(str(folder / path)), markup=False)
    here = "" if folder == Path() else f" {quote(printable(str(folder)))}"
    talk().print("what next:", *(f"  contentsync {command}{here}" for command in ("validate", "dev", "sync")), sep="\n")
    return 0


def _require_empty(folder: Path) -> None:
    """A repository without files counts as empty."""
    try:
        names = {name for name in os.listdir(folder) if name != ".git"}  # noqa: PTH208  # iterdir makes paths
    except FileNotFoundError:
        return
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror}", "name a folder that is empty or not there yet") from error
    if CONFIG in names:
        raise Refused(f"{folder} is a content folder already", "contentsync validate checks it")
    if names:
        shown = ", ".join(sorted(names)[:3]) + (", ..." if len(names) > 3 else "")
        hint = f"name a folder that is empty or not there yet; to bring this one along, write a {CONFIG} in it"
        raise Refused(f"{folder} is not empty: it holds {shown}", hint)
