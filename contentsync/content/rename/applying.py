"""Apply the rename of an entry to the folder and to git's index: all of it, or nothing if a step fails."""

import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path, PurePosixPath

from ...errors import Refused, UsageError
from ...git import environ_without_hook, git_read, working_tree
from ..file_writes import move_files, swap_files
from .rename_plan import RenamePlan


def apply_rename(plan: RenamePlan) -> None:
    """Write the edits, move the files, and stage the moves in git as `git mv` does.

    Raises Unwritable, and Refused if git cannot stage the moves; then the folder is unchanged.
    """
    top = working_tree(plan.folder)
    index_lines = _index_lines(plan.folder, top, plan.renaming.moves) if top else b""
    swap_files(plan.folder, {edit.location: (edit.before, edit.after) for edit in plan.edits})
    try:
        move_files(plan.folder, plan.renaming.moves)
        try:
            if index_lines:
                git_read("update-index", "-z", "--index-info", folder=top, environ=_environ(), stdin=index_lines)
        except BaseException:
            move_files(plan.folder, {new: old for old, new in plan.renaming.moves.items()})
            raise
    except BaseException:
        swap_files(plan.folder, {edit.location: (edit.after, edit.before) for edit in plan.edits})
        raise


def _index_lines(folder: Path, top: Path, moves: Mapping[str, str]) -> bytes:
    """Return the input of `git update-index --index-info` that gives files their new paths, with their staged content.

    `top` is the top folder of the repository. Files that are not in the index are left out; b"" if none is in it.
    Raises Refused if a new path would replace a file in the index: its staged content would be lost.
    """
    inner = folder.resolve().relative_to(top).as_posix()
    new_paths = {str(PurePosixPath(inner, old)): str(PurePosixPath(inner, new)) for old, new in moves.items()}
    staged = _staged(top, new_paths)
    if not staged:
        return b""
    for path in sorted(_staged(top, _with_folders(new_paths.values())).keys() - new_paths.keys()):
        for new in new_paths.values():
            # git replaces a file at the new path, one above it, and all below it
            if f"{path}/".startswith(f"{new}/") or new.startswith(f"{path}/"):
                hint = "choose another name, or commit the deletion of that file first"
                raise Refused(f"git's index has {path}, which {new} would replace", hint)
    lines: list[str] = []
    for path, index_entries in staged.items():
        for index_entry in index_entries:
            _mode, object_id, _stage = index_entry.split()
            lines.append(f"0 {'0' * len(object_id)}\t{path}\0")  # removes the old path
            lines.append(f"{index_entry}\t{new_paths[path]}\0")
    return os.fsencode("".join(lines))


def _with_folders(paths: Iterable[str]) -> set[str]:
    """Return the paths with those of the folders that they are in."""
    return {str(each) for path in paths for each in (path, *PurePosixPath(path).parents[:-1])}


def _staged(top: Path, paths: Collection[str]) -> dict[str, list[str]]:
    """Return the entries ("MODE OBJECT STAGE") of git's index at or below the paths, by path.

    A file with a merge conflict has several. Return {} if git is not installed.
    """
    staged: dict[str, list[str]] = {}
    try:
        lines = git_read("ls-files", "--stage", "-z", "--", *paths, folder=top, environ=_environ()) if paths else b""
    except UsageError:  # there is no git
        return {}
    for line in filter(None, lines.split(b"\0")):
        index_entry, _, path = os.fsdecode(line).partition("\t")
        staged.setdefault(path, []).append(index_entry)
    return staged


def _environ() -> dict[str, str]:
    return {**environ_without_hook(), "GIT_LITERAL_PATHSPECS": "1"}
