"""The repository of a hook, and the content folders in its commits."""

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..content.content_folder import CONFIG
from ..errors import UsageError
from ..git import environ_without_hook, git, git_line, git_read

_SUBMODULE_MODE = b"160000"  # the mode of a commit of another repository


@dataclass(frozen=True, slots=True)
class Repository:
    """The folders of a git repository."""

    git_dir: Path  # for this working tree
    common_dir: Path  # for all working trees: refs, objects, hooks
    top: Path | None  # the working tree; None if the repository is bare

    @classmethod
    def find(cls, start: Path) -> "Repository":
        """Return the repository that git uses in the folder `start`. Raise UsageError if git refuses or finds none.

        In a hook, this is the repository that git has set in the environment, even if `start` is in another one.
        """
        result = git("rev-parse", "--git-dir", folder=start)
        if result.returncode:  # git also refuses another user's repository
            reason = result.stderr.decode(errors="replace").partition("\n")[0].removeprefix("fatal: ")
            raise UsageError(f"{start.absolute()} is in no git repository", f"git says: {reason}")
        git_dir, common_dir = (
            (start / git_line("rev-parse", word, folder=start)).resolve() for word in ("--git-dir", "--git-common-dir")
        )
        result = git("rev-parse", "--show-toplevel", folder=start)  # fails without a working tree
        top = None if result.returncode else Path(os.fsdecode(result.stdout).removesuffix("\n"))
        return cls(git_dir, common_dir, top)

    @property
    def own_hooks(self) -> Path:
        """The hooks folder inside this repository, which no other repository shares."""
        return self.common_dir / "hooks"

    @property
    def hooks(self) -> Path:
        """The folder from which git runs hooks: the value of `core.hooksPath`, else `own_hooks`."""
        start = self.top or self.common_dir
        return start / git_line("rev-parse", "--git-path", "hooks", folder=start)


@dataclass(frozen=True, slots=True)
class TreeContents:
    """The content folders and submodules of a commit or a tree."""

    folders: tuple[str, ...]  # folders with a contentsync.toml, as relative paths with forward slashes; "" is the top
    submodules: tuple[str, ...]  # paths of submodules, whose files are in other repositories

    @classmethod
    def read(cls, tree: str, git_dir: Path) -> "TreeContents":
        """Return the contents of a commit or a tree, which must exist."""
        words = ("ls-tree", "-r", "-z", "--full-tree", tree)
        listing = git_read(f"--git-dir={git_dir}", *words, environ=environ_without_hook())
        folders, submodules = [], []
        for line in listing.split(b"\0"):  # `MODE TYPE ID`, a tab, and the path
            if not line.endswith(CONFIG.encode()) and not line.startswith(_SUBMODULE_MODE):
                continue  # for speed: most files are neither
            path = PurePosixPath(os.fsdecode(line.partition(b"\t")[2]))
            if line.startswith(_SUBMODULE_MODE):
                submodules.append(str(path))
            elif path.name == CONFIG:  # not only a name that ends so
                folders.append("" if path.parent == PurePosixPath() else str(path.parent))
        return cls(tuple(folders), tuple(submodules))


def is_below(path: str, folder: str) -> bool:
    """Return whether a path of a repository is the folder or inside it; "" is the top folder."""
    return not folder or path == folder or path.startswith(f"{folder}/")
