"""Apply the rename of an entry to the folder and to git's index: all of it, or nothing if a step fails."""

import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from ...errors import UsageError
from ...git import environ_without_hook, git_read, working_tree
from ..file_writes import move_files, swap_files
from .rename_plan import RenamePlan


def apply_rename(plan: RenamePlan) -> None:
    """Write the edits, move the files, and stage the moves in git as `git mv` does.

    Raises Unwritable, and Refused if git cannot stage the moves; then the folder is unchanged.
    """
    swap_files(plan.folder, {edit.location: (edit.before, edit.after) for edit in plan.edits})
    try:
        move_files(plan.folder, plan.renaming.moves)
        try:
            _stage_moves(plan.folder, plan.renaming.moves)
        except BaseException:
            move_files(plan.folder, {new: old for old, new in plan.renaming.moves.items()})
            raise
    except BaseException:
        swap_files(plan.folder, {edit.location: (edit.after, edit.before) for edit in plan.edits})
        raise


def _stage_moves(folder: Path, moves: Mapping[str, str]) -> None:
    """Give the files in git's index their new paths, with their staged content. Files that git does not know stay."""
    top = working_tree(folder)
    if top is None or not moves:
        return
    inner = folder.resolve().relative_to(top).as_posix()
    paths = {str(PurePosixPath(inner, old)): str(PurePosixPath(inner, new)) for old, new in moves.items()}
    environ = {**environ_without_hook(), "GIT_LITERAL_PATHSPECS": "1"}
    try:
        staged = git_read("ls-files", "--stage", "-z", "--", *paths, folder=top, environ=environ)
    except UsageError:  # there is no git
        return
    lines = [_index_lines(os.fsdecode(line), paths) for line in staged.split(b"\0") if line]
    if lines:
        stdin = b"".join(lines)
        git_read("update-index", "-z", "--index-info", folder=top, environ=environ, stdin=stdin)


def _index_lines(line: str, paths: Mapping[str, str]) -> bytes:
    """Return the input of `git update-index --index-info` that moves a file with its mode, object and stage."""
    entry, _, path = line.partition("\t")
    return os.fsencode(f"0 {'0' * len(entry.split()[1])}\t{path}\0{entry}\t{paths[path]}\0")
