"""The commit that `--base git:REF` names, as the base of a plan for a target."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from ..content.config.config import Config
from ..content.config.config_tables import Target
from ..content.files.content_folder import CONFIG
from ..errors import Refused, UsageError, join_first, pluralize
from ..git import NO_COMMIT
from ..sync.state.git_revision import Revision, read_revision
from ..sync.state.state_file import directory_of
from ..value_text import printable
from .target_connection import choose_target, target_address


def read_past_revision(
    folder: Path, ref: str, attempts: Sequence[str], target: Target, console: Console
) -> Revision | None:
    """Return the folder at the commit `ref`, without attempts to write to another directory than the target has.

    Return None if `ref` is the commit of zeros (nothing was synced) and there are no attempts. Raise Refused if the
    commit itself was synced to another directory.
    """
    past = read_revision(folder, ref, attempts)
    if past is None:
        return None
    if past.config is not None:
        require_same_directory(target, past.config, ref, os.environ)
    for module in past.submodules:
        message = f"{module} is a submodule with unknown content at {ref}: nothing that was in it is deleted"
        console.print(printable(message), markup=False)
    attempts_here = tuple(each for each in past.attempts if _is_same_directory(target, each.config, os.environ))
    if attempts_here:
        runs = pluralize(len(attempts_here), "run")
        effect = "a record that equals the entry in such a run's commit counts as written by it"
        console.print(f"{runs} after {ref} did not finish: {effect}", style="dim", markup=False)
    past = replace(past, attempts=attempts_here)
    if unread := [f"{file.path} ({file.reason})" for file in past.all_unread]:
        message = f"at {ref}, these files could not be read: {join_first(unread)}"
        console.print(printable(f"{message}; the base of their entries is unknown, so none is deleted"), markup=False)
    return past


def require_same_directory(target: Target, past: Config, ref: str, environ: Mapping[str, str]) -> None:
    """Raise Refused unless `past`, the config of the commit `ref`, has the same directory for the target."""
    if _is_same_directory(target, past, environ):
        return
    past_target = _past_target(target, past, environ)
    past_address = target_address(past_target) if past_target else "another server, or none"
    raise Refused(
        f"{ref} was synced elsewhere: the target '{target.name}' is {target_address(target)} now, and its "
        f"{CONFIG} says {past_address}",
        f"give the new directory a target of its own; a first sync with --base git:{NO_COMMIT} deletes nothing",
    )


def _is_same_directory(target: Target, past: Config, environ: Mapping[str, str]) -> bool:
    """Return whether the config of a commit has the same directory for the target."""
    past_target = _past_target(target, past, environ)
    return past_target is not None and directory_of(past_target) == directory_of(target)


def _past_target(target: Target, past: Config, environ: Mapping[str, str]) -> Target | None:
    """Return the target of the same name in the config of a commit, or its default target; None if it has neither.

    Return None also if the target is at another server than `environ` names.
    """
    name = target.name if target.name in past.targets else None
    try:
        return choose_target(past.targets, past.default_target, name, environ)
    except (Refused, UsageError):
        return None
