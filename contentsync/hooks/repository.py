"""The repository that a hook is for."""

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..content.content_folder import CONFIG
from ..errors import UsageError
from ..git import git, git_line, git_read, without_hook

_MODULE = b"160000"  # the mode of a commit of another repository


@dataclass(frozen=True, slots=True)
class Repository:
    """Where git keeps what."""

    git_dir: Path  # of this working tree
    common_dir: Path  # of all working trees: refs, objects, hooks
    top: Path | None  # the working tree; None where the repository is bare

    @classmethod
    def at(cls, start: Path) -> "Repository":
        """The one around a folder, or the one that a hook's environment names. Raises UsageError if there is none."""
        asked = git("rev-parse", "--git-dir", at=start)
        if asked.returncode:  # it may also be somebody else's
            said = asked.stderr.decode(errors="replace").partition("\n")[0].removeprefix("fatal: ")
            raise UsageError(f"{start.absolute()} is in no git repository", f"git says: {said}")
        git_dir, common_dir = (
            (start / git_line("rev-parse", word, at=start)).resolve() for word in ("--git-dir", "--git-common-dir")
        )
        top = git("rev-parse", "--show-toplevel", at=start)
        return cls(git_dir, common_dir, None if top.returncode else Path(os.fsdecode(top.stdout).removesuffix("\n")))

    @property
    def own_hooks(self) -> Path:
        """Where hooks lie that are of this repository alone."""
        return self.common_dir / "hooks"

    @property
    def hooks(self) -> Path:
        """Where git looks for hooks: `core.hooksPath` may say so."""
        start = self.top or self.common_dir
        return start / git_line("rev-parse", "--git-path", "hooks", at=start)


@dataclass(frozen=True, slots=True)
class Listing:
    """What a commit or a tree of a repository holds."""

    folders: tuple[str, ...]  # that hold a contentsync.toml, relative and with forward slashes; "" is the top
    modules: tuple[str, ...]  # commits of other repositories, whose files are not here

    @classmethod
    def of(cls, tree: str, git_dir: Path) -> "Listing":
        """Of an object that is known to be there."""
        words = ("ls-tree", "-r", "-z", "--full-tree", tree)
        listed = git_read(f"--git-dir={git_dir}", *words, environ=without_hook())
        folders, modules = [], []
        for line in listed.split(b"\0"):
            if line.endswith(CONFIG.encode()) or line.startswith(_MODULE):
                facts, _, name = line.partition(b"\t")
                path = PurePosixPath(os.fsdecode(name))
                if facts.startswith(_MODULE):
                    modules.append(str(path))
                elif path.name == CONFIG:
                    folders.append("" if path.parent == PurePosixPath() else str(path.parent))
        return cls(tuple(folders), tuple(modules))


def is_below(path: str, folder: str) -> bool:
    """Whether a path of a repository is in a folder of it."""
    return not folder or path == folder or path.startswith(f"{folder}/")
