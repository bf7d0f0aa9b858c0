"""The repository of a hook."""

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..content.config_file import CONFIG
from ..errors import UsageError
from ..git import git, git_line, git_read, without_hook

_MODULE = b"160000"  # the mode of a commit of another repository


@dataclass(frozen=True, slots=True)
class Repository:
    """The folders of a git repository."""

    git_dir: Path  # for this working tree
    common_dir: Path  # for all working trees: refs, objects, hooks
    top: Path | None  # the working tree; None if the repository is bare

    @classmethod
    def at(cls, start: Path) -> "Repository":
        """Return the repository around a folder, or of a hook's environment. Raise UsageError if there is none."""
        result = git("rev-parse", "--git-dir", at=start)
        if result.returncode:  # git also refuses another user's repository
            said = result.stderr.decode(errors="replace").partition("\n")[0].removeprefix("fatal: ")
            raise UsageError(f"{start.absolute()} is in no git repository", f"git says: {said}")
        git_dir, common_dir = (
            (start / git_line("rev-parse", word, at=start)).resolve() for word in ("--git-dir", "--git-common-dir")
        )
        top = git("rev-parse", "--show-toplevel", at=start)
        return cls(git_dir, common_dir, None if top.returncode else Path(os.fsdecode(top.stdout).removesuffix("\n")))

    @property
    def own_hooks(self) -> Path:
        """The folder for hooks of this repository alone."""
        return self.common_dir / "hooks"

    @property
    def hooks(self) -> Path:
        """The folder in which git looks for hooks, which `core.hooksPath` may set."""
        start = self.top or self.common_dir
        return start / git_line("rev-parse", "--git-path", "hooks", at=start)


@dataclass(frozen=True, slots=True)
class TreeContents:
    """The content folders and submodules of a commit or a tree."""

    folders: tuple[str, ...]  # those with a contentsync.toml, relative and with forward slashes; "" is the top
    submodules: tuple[str, ...]  # commits of other repositories, whose files are not here

    @classmethod
    def of(cls, tree: str, git_dir: Path) -> "TreeContents":
        """Read an existing object."""
        words = ("ls-tree", "-r", "-z", "--full-tree", tree)
        listed = git_read(f"--git-dir={git_dir}", *words, environ=without_hook())
        folders, submodules = [], []
        for line in listed.split(b"\0"):
            if line.endswith(CONFIG.encode()) or line.startswith(_MODULE):
                facts, _, name = line.partition(b"\t")
                path = PurePosixPath(os.fsdecode(name))
                if facts.startswith(_MODULE):
                    submodules.append(str(path))
                elif path.name == CONFIG:
                    folders.append("" if path.parent == PurePosixPath() else str(path.parent))
        return cls(tuple(folders), tuple(submodules))


def is_below(path: str, folder: str) -> bool:
    """Return whether a path of a repository is in one of its folders."""
    return not folder or path == folder or path.startswith(f"{folder}/")
