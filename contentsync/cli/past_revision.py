"""The folder at the commit that `--base git:REF` names, as the base of a plan."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from ..content.config import Target
from ..errors import pluralize
from ..report.formatting import printable
from ..sync.state.git_revision import Revision, read_revision
from .target_connection import is_same_directory, require_same_directory


def read_past_revision(
    folder: Path, ref: str, attempts: Sequence[str], target: Target, console: Console
) -> Revision | None:
    """Return the folder at a commit, without attempts to write to another directory than that of the target.

    Return None for a new branch without attempts. Raise Refused if the commit itself was synced to another directory.
    """
    past = read_revision(folder, ref, attempts)
    if past is None:
        return None
    if past.config is not None:
        require_same_directory(target, past.config, ref, os.environ)
    for module in past.submodules:
        message = f"{module} is a submodule with unknown content at {ref}: nothing that was in it is deleted"
        console.print(printable(message), markup=False)
    attempts_here = tuple(each for each in past.attempts if is_same_directory(target, each.config, os.environ))
    if attempts_here:
        runs = pluralize(len(attempts_here), "run")
        console.print(
            f"{runs} after {ref} did not finish: entries exactly as in their commits count as ours",
            style="dim",
            markup=False,
        )
    return replace(past, attempts=attempts_here)
