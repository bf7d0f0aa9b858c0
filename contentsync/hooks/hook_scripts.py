"""The hook scripts: write them without overwriting other hooks, recognise them, and delete them."""

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..errors import LocalFileError, Refused, Unwritable
from ..file_writes import swap_files
from ..hooks import ENVIRONMENT, Hook
from .repository import Repository

_MARK = "# contentsync hook install wrote this file, and contentsync hook uninstall takes it away."


def install(repository: Repository, hooks: Mapping[Hook, Sequence[str]], url: str | None) -> list[Path]:
    """Write a script for each hook, which runs our command with the hook's options; return the paths.

    The scripts send the token only to the server `url`; without it (None), they sync only if the environment names a
    server. Overwrite our own scripts. Raise Refused before writing, with the line to add by hand, if another script
    exists or `core.hooksPath` is set. Raise Unwritable, and leave all scripts as they were, if one cannot be written.
    """
    folder = repository.hooks
    is_shared = folder.resolve() != repository.own_hooks.resolve()
    for hook, options in hooks.items():
        if is_shared:
            message = f"core.hooksPath is {folder}, which other repositories may share: nothing was written"
            line = _command_line(["contentsync"], hook, options, url)
            raise Refused(message, f"add this line to {hook} there: {line} || exit 1")
        if os.path.lexists(folder / hook) and not _is_ours(folder / hook):
            message = f"there is already another {hook} hook: nothing was written"
            line = _command_line(_command(), hook, options, url)
            raise Refused(message, f"add this line to {folder / hook}: {line} || exit 1")
    scripts = {str(hook): folder / hook for hook in hooks}
    try:
        before = {name: script.read_bytes() if script.exists() else None for name, script in scripts.items()}
        after = {str(hook): os.fsencode(_script(hook, options, url)) for hook, options in hooks.items()}
        swap_files(folder, {name: (before[name], after[name]) for name in scripts})
        for script in scripts.values():
            script.chmod(0o755)
    except Unwritable as error:  # its message starts with the script's name
        raise Unwritable(f"{folder}/{error.message}", error.hint) from error
    except OSError as error:
        raise Unwritable(f"{folder} cannot be written: {error.strerror}") from error
    return [*scripts.values()]


def default_hooks(repository: Repository) -> list[Hook]:
    """Return the hooks to install by default; only the one of a bare repository syncs to a target."""
    return [Hook.POST_RECEIVE] if repository.top is None else [Hook.PRE_COMMIT, Hook.PRE_MERGE_COMMIT]


def uninstall(repository: Repository) -> list[Path]:
    """Delete our scripts, and return their paths. Raise Unwritable if one cannot be deleted."""
    scripts = [repository.own_hooks / hook for hook in Hook]
    ours = [script for script in scripts if _is_ours(script)]
    try:
        for script in ours:
            script.unlink()
    except OSError as error:
        raise Unwritable(f"{error.filename} cannot be deleted: {error.strerror}") from error
    return ours


def _script(hook: Hook, options: Sequence[str], url: str | None) -> str:
    """Return the text of a hook's script: set its environment, then run the command that installed it."""
    program = sys.executable
    missing = shlex.quote(f"contentsync was removed from {program}: run contentsync hook install where it is now")
    lines = ["#!/bin/sh", _MARK]
    if hook.syncs and url:
        lines.append(f"export CONTENTSYNC_URL={shlex.quote(url)}  # the only server that gets the token")
    if hook.syncs:
        environment_file = f'"${{0%/*}}/{ENVIRONMENT}"'  # in the folder of the script
        # -a: export the variables that the file sets.
        lines += ["set -a", f"if [ -f {environment_file} ]; then . {environment_file}; fi", "set +a"]
    lines.append(f"[ -x {shlex.quote(program)} ] || {{ echo {missing} >&2; exit 1; }}")
    command_line = _command_line(_command(), hook, options, url=None)  # the script has exported the URL above
    lines.append(f"exec {command_line}")
    return "\n".join(lines) + "\n"


def _command_line(command: Sequence[str], hook: Hook, options: Sequence[str], url: str | None) -> str:
    """Return the line of a script that runs a hook; for a sync, `url` is the only server that gets the token."""
    pinned = f"CONTENTSYNC_URL={shlex.quote(url)} " if url and hook.syncs else ""
    return pinned + shlex.join([*command, "hook", "run", hook, *options])


def _command() -> list[str]:
    """Return the command that runs this installation, whatever the PATH; -P: import nothing from the current folder."""
    return [sys.executable, "-P", "-m", "contentsync"]


def _is_ours(script: Path) -> bool:
    """Return whether `install` wrote a file. Raise LocalFileError if the file cannot be read."""
    if script.is_symlink() or not script.is_file():
        return False
    try:
        second_line = script.read_bytes().splitlines()[1:2]
    except OSError as error:
        raise LocalFileError(f"{script} cannot be read: {error.strerror}") from error
    return second_line == [_MARK.encode()]
