"""The scripts that git calls: written where nobody's own hook is, known again, and taken away."""

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..content.file_writes import write_file
from ..errors import Refused, Unwritable
from .names import ENVIRONMENT, Hook
from .repository import Repository

_MARK = "# contentsync hook install wrote this file, and contentsync hook uninstall takes it away."


def install(repository: Repository, hooks: Mapping[Hook, Sequence[str]], url: str | None) -> list[Path]:
    """Writes a script a hook, with its options; `url` is the server that they may send a token to.

    All or none. A script of ours is written anew. Raises Refused, with the line that does the same, where another
    hook is or where `core.hooksPath` leads elsewhere; and Unwritable.
    """
    folder = repository.hooks
    shared = folder.resolve() != repository.own_hooks.resolve()
    for hook, options in hooks.items():
        if shared:
            message = (
                f"core.hooksPath says that hooks lie in {folder}, where others may share them: nothing was written"
            )
            raise Refused(
                message, f"add this line to {hook} there: {_line(['contentsync'], hook, options, url)} || exit 1"
            )
        if os.path.lexists(folder / hook) and not _is_ours(folder / hook):
            message = f"there is a {hook} hook already, and it stays as it is: nothing was written"
            raise Refused(
                message, f"add this line to {folder / hook}: {_line(_command(), hook, options, url)} || exit 1"
            )
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for hook, options in hooks.items():
            write_file(folder / hook, os.fsencode(_script(hook, options, url)))
            (folder / hook).chmod(0o755)
            written.append(folder / hook)
    except OSError as error:
        raise Unwritable(f"{folder} cannot be written: {error.strerror}") from error
    return written


def default_hooks(repository: Repository) -> list[Hook]:
    """Those that are wanted where none is named: none that writes to a target, but for a bare repository's."""
    return [Hook.POST_RECEIVE] if repository.top is None else [Hook.PRE_COMMIT, Hook.PRE_MERGE_COMMIT]


def uninstall(repository: Repository) -> list[Path]:
    """Takes the scripts of ours away; which they were. Raises Unwritable."""
    ours = [place for place in (repository.own_hooks / hook for hook in Hook) if _is_ours(place)]
    try:
        for place in ours:
            place.unlink()
    except OSError as error:
        raise Unwritable(f"{error.filename} cannot be taken away: {error.strerror}") from error
    return ours


def _script(hook: Hook, options: Sequence[str], url: str | None) -> str:
    program = _command()[0]
    gone = shlex.quote(
        f"contentsync is gone from {program}: contentsync hook install, where it is now, mends this hook"
    )
    lines = ["#!/bin/sh", _MARK]
    if hook.syncs:
        lines += [
            *([f"export CONTENTSYNC_URL={shlex.quote(url)}  # the token goes nowhere else"] if url else []),
            "set -a",
            f'if [ -f "${{0%/*}}/{ENVIRONMENT}" ]; then . "${{0%/*}}/{ENVIRONMENT}"; fi',
            "set +a",
        ]
    lines += [f"[ -x {shlex.quote(program)} ] || {{ echo {gone} >&2; exit 1; }}"]
    lines += [f"exec {_line(_command(), hook, options, None)}"]
    return "\n".join(lines) + "\n"


def _line(command: Sequence[str], hook: Hook, options: Sequence[str], url: str | None) -> str:
    pinned = f"CONTENTSYNC_URL={shlex.quote(url)} " if url and hook.syncs else ""
    return pinned + shlex.join([*command, "hook", "run", hook, *options])


def _command() -> list[str]:
    """The command as it runs now, whatever the PATH of a hook. Nothing is imported from where git stands (-P)."""
    return [sys.executable, "-P", "-m", "contentsync"]


def _is_ours(place: Path) -> bool:
    if place.is_symlink() or not place.is_file():
        return False
    try:
        return _MARK.encode() in place.read_bytes().splitlines()[1:2]
    except OSError as error:
        raise Unwritable(f"{place} cannot be read: {error.strerror}") from error
