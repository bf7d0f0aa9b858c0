"""The repository of a hook, and the content folders in its commits and in its index."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..content.files.content_folder import CONFIG
from ..content.files.file_names import is_below
from ..errors import UsageError
from ..git import git, git_line, git_read, working_tree
from ..git_checkout import GitFiles


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
    def read(cls, tree: str, git_files: GitFiles) -> "TreeContents":
        """Return the contents of a commit or a tree, which must exist."""
        files = git_files.list_files(tree)
        folders = [file.path.rpartition("/")[0] for file in files if file.path.rpartition("/")[2] == CONFIG]
        return cls(tuple(folders), tuple(file.path for file in files if file.is_submodule))


@dataclass(frozen=True, slots=True)
class StagedTree:
    """The files that a commit would contain, as a checkout writes them.

    They are those of git's index: of the index in a hook's environment, else of the index of the working tree.
    """

    repository: Repository
    top: Path  # of the working tree
    tree: str  # the id of a tree with the content of the index
    contents: TreeContents
    git_files: GitFiles

    @classmethod
    def read_index(cls, start: Path) -> "StagedTree":
        """Read the index of the working tree around a folder, which git writes as a tree to the repository.

        Raise UsageError without a working tree, and Refused if git cannot write the tree, as in a merge conflict.
        """
        folder = working_tree(start) or start
        repository = Repository.find(folder)
        if repository.top is None:
            raise UsageError(f"{repository.common_dir} has no working tree, so nothing is staged there")
        # The tree of the next commit: without files of `git add -N`, with files that a sparse checkout excludes.
        tree = git_line("write-tree", folder=folder)
        git_files = GitFiles(repository.git_dir)
        return cls(repository, repository.top, tree, TreeContents.read(tree, git_files), git_files)

    def changed_folders(self) -> list[str]:
        """Return the content folders in which a commit would change files."""
        changed = git_read("diff", "--cached", "--name-only", "--no-renames", "--no-ext-diff", "-z", folder=self.top)
        paths = [os.fsdecode(path) for path in changed.split(b"\0") if path]
        return [folder for folder in self.contents.folders if any(is_below(path, folder) for path in paths)]

    def folder_of(self, path: Path) -> str:
        """Return a folder's path in the repository. Raise UsageError if it is not a staged content folder."""
        try:
            inner = path.resolve().relative_to(self.top.resolve()).as_posix()
        except ValueError as error:
            raise UsageError(f"{path} is not in {self.top}") from error
        folder = "" if inner == "." else inner
        if folder not in self.contents.folders:
            raise UsageError(f"no contentsync.toml is staged in {path}", "run git add on it first")
        return folder

    def submodules(self, folder: str) -> list[str]:
        """Return the submodules in a content folder; their files are staged in their own repositories."""
        return [module for module in self.contents.submodules if is_below(module, folder)]

    @contextmanager
    def check_out(self, folder: str) -> Iterator[Path]:
        """Yield a temporary copy of the working tree as the index has it, limited to the folder.

        Raise Refused if git cannot write a file.
        """
        files = self.git_files.list_files(self.tree, [folder])
        with self.git_files.check_out(files, name=self.top.name) as checked_out:
            yield checked_out.require_all()
