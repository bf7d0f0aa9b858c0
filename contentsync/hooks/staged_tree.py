"""The files that a commit would contain: the files of git's index, as a checkout writes them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ..errors import UsageError
from ..git import environ_without_hook, git_line, git_read, working_tree
from .repository import Repository, TreeContents, is_below


@dataclass(frozen=True, slots=True)
class StagedTree:
    """The content of a git index: the index of a hook's environment, else the index of the working tree."""

    repository: Repository
    top: Path  # of the working tree
    tree: str  # the id of a tree with the content of the index
    contents: TreeContents

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
        contents = TreeContents.read(tree, repository.git_dir)
        return cls(repository, repository.top, tree, contents)

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

        Git writes it, so that line ends, links and filters (LFS) are as in any checkout.
        """
        with TemporaryDirectory(prefix="contentsync-") as temporary:
            tree = Path(temporary) / (self.top.name or "site")  # the file system's root has no name
            tree.mkdir()
            environ = {
                **environ_without_hook(),
                "GIT_DIR": str(self.repository.git_dir),
                "GIT_WORK_TREE": str(tree),
                "GIT_INDEX_FILE": str(Path(temporary) / "index"),
                "GIT_LITERAL_PATHSPECS": "1",  # the folder's name is no pattern
            }
            # The temporary index needs no program that watches its files, and no second file in the repository.
            settings = ("-c", "core.fsmonitor=false", "-c", "core.splitIndex=false")
            git_read(*settings, "read-tree", self.tree, folder=tree, environ=environ)
            paths = git_read("ls-files", "-z", *(["--", folder] if folder else []), folder=tree, environ=environ)
            git_read(*settings, "checkout-index", "--quiet", "-z", "--stdin", folder=tree, environ=environ, stdin=paths)
            yield tree
