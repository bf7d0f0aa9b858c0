"""Find the content files that git ignores, does not track, or has not checked out (docs/targets.md)."""

import os
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from ...errors import UsageError
from ...git import SUBMODULE_MODE, environ_with_literal_paths, git_read, working_tree
from ...model import Kind
from ..config.config import Config
from .scan import scan

_NOT_CHECKED_OUT = b"S"  # the letter of `git ls-files -t` for a file that a sparse checkout leaves out
_UNTRACKED = b"?"


class UntrackedFiles(NamedTuple):
    """Content files that are not as a commit has them; all paths are relative to the content folder."""

    ignored: tuple[str, ...] = ()
    untracked: tuple[str, ...] = ()  # and not ignored
    left_out: tuple[str, ...] = ()  # by a sparse checkout: a commit has them, and the folder has not


def find_untracked(folder: Path, config: Config, kinds: Collection[Kind], others: Collection[str]) -> UntrackedFiles:
    """Return the untracked files of some kinds, and those among the `others`, such as pictures.

    One call of git finds all of them. Without a repository or git, return none. Files in submodules count as tracked.
    """
    top = working_tree(folder)
    if top is None:
        return UntrackedFiles()
    prefix = f"{folder.resolve().relative_to(top).as_posix()}/".removeprefix("./")
    words = ("-c", "core.fsmonitor=false", "ls-files", "-z", "-t", "--stage", "--cached", "--others")
    environ = environ_with_literal_paths()
    try:
        output = git_read(*words, "--exclude-standard", "--", prefix or ".", folder=top, environ=environ)
    except UsageError:  # git is not installed
        return UntrackedFiles()
    tracked, untracked, folders, left_out = set[str](), set[str](), list[str](), list[str]()
    for line in output.split(b"\0"):  # `TAG MODE ID STAGE`, a tab and the path; of an untracked file `? PATH`
        tag, _space, rest = line.partition(b" ")
        listed = rest if tag == _UNTRACKED else rest.partition(b"\t")[2]
        path = normalize("NFC", os.fsdecode(listed)).removeprefix(prefix)
        (untracked if tag == _UNTRACKED else tracked).add(path)
        if rest.startswith(SUBMODULE_MODE):
            folders.append(f"{path}/")
        elif tag == _NOT_CHECKED_OUT and not os.path.lexists(folder / path):
            left_out.append(path)
    nested = tuple(path for path in untracked if path.endswith("/"))  # other repositories
    files = {file.location for file in scan(folder, config).files if file.kind in kinds}
    missing = [path for path in sorted({normalize("NFC", path) for path in (*files, *others)}) if path not in tracked]
    missing = [path for path in missing if not path.startswith(tuple(folders))]

    def is_untracked(path: str) -> bool:
        return path in untracked or path.startswith(nested)

    return UntrackedFiles(
        ignored=tuple(path for path in missing if not is_untracked(path)),
        untracked=tuple(filter(is_untracked, missing)),
        left_out=tuple(sorted(path for path in left_out if config.kinds_at(path).intersection(kinds))),
    )
