"""Folders that are empty because they are git submodules that are not checked out."""

import os
from collections.abc import Collection
from pathlib import Path, PurePosixPath

from ...errors import UsageError
from ...git import git, without_hook, working_tree

_SUBMODULE = b"160000 "  # the mode of a commit of another repository


def not_checked_out(root: Path, folders: Collection[str]) -> set[str]:
    """Return those of some empty `folders`, relative to the content folder, that git's index has as submodules.

    Return none of them where there is no repository or no git.
    """
    top = working_tree(root)
    if top is None or not folders:
        return set()
    inner = root.resolve().relative_to(top).as_posix()
    names = {str(PurePosixPath(inner, folder)): folder for folder in folders}
    environ = {**without_hook(), "GIT_LITERAL_PATHSPECS": "1"}
    try:
        listed = git("ls-files", "--stage", "-z", "--", *names, at=top, environ=environ).stdout
    except UsageError:  # there is no git
        return set()
    found = {os.fsdecode(line.partition(b"\t")[2]) for line in listed.split(b"\0") if line.startswith(_SUBMODULE)}
    return {folder for name, folder in names.items() if name in found}
