"""Files of commits, read with a real git: each reader returns the same files as a checkout."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from contentsync.content.config.config import read_config
from contentsync.content.folder.load import load_content
from contentsync.errors import Refused
from contentsync.git import working_tree
from contentsync.git_checkout import MAX_RUNS, GitFiles, uncommitted_files
from contentsync.hooks.deployment import Deployment
from contentsync.hooks.repository import StagedTree
from contentsync.model import Kind
from contentsync.sync.history.entry_commits import read_entry_commits
from contentsync.sync.state.git_revision import FolderRepository, read_revision
from scripts.structure import PACKAGE

from .hooks.repositories import SOUND, Tree
from .sampling import sampled

CONFIG = "site/contentsync.toml"
PAGE = "---\ntitle: {}\n---\n$Id$ of the café\n"
TABLE = "name,url,description\nÉté,https://a.example.org/,{}\n"
ROW = "Row,https://b.example.org/,Text\n"
STORE = """#!/bin/sh
# As git-lfs: the repository has a line that names the content, and the content is in a folder.
if [ "$1" = clean ]; then
    cat > "$0.tmp"; id=$(git hash-object --no-filters "$0.tmp"); mv "$0.tmp" "$0.$id"; echo "pointer $id"
else
    read -r _ id; cat "$0.$id"
fi
"""
ATTRIBUTES = {
    "filter": "*.csv filter=store\n",
    "working-tree-encoding": "*.csv text working-tree-encoding=CP1252\n",
    "ident": "*.md ident\n",
}
Files = Mapping[str, bytes]


class Matrix(NamedTuple):
    """A repository with two commits, and clones of it."""

    path: Path
    feature: str
    origin: Tree
    commits: tuple[str, str]

    @classmethod
    def new(cls, path: Path, feature: str) -> "Matrix":
        """Create a repository with page, table and attributes; the second commit edits the page and deletes a row."""
        origin = Tree.new(path / "origin")
        matrix = cls(path, feature, origin, ("", ""))
        matrix.configure(origin)
        for name in ("allowFilter", "allowAnySHA1InWant"):
            origin.git("config", f"uploadpack.{name}", "true")
        encoding = '[[content.listings.tables]]\nencoding = "windows-1252"\n'
        origin.write(CONFIG, encoding if feature == "working-tree-encoding" else "")
        origin.write("site/.gitattributes", ATTRIBUTES.get(feature, ""))
        commits = [matrix.save("One", TABLE.format("One") + ROW), matrix.save("Two", TABLE.format("Two"))]
        return matrix._replace(commits=(commits[0], commits[1]))

    def save(self, title: str, table: str) -> str:
        self.origin.write("site/pages/about.md", PAGE.format(title))
        for number in range(5):
            self.origin.write(f"site/pages/other/{number}.md", PAGE.format(f"{number} {title}"))
        encoding = "cp1252" if self.feature == "working-tree-encoding" else "utf-8"
        file = self.origin.write("site/listings/all.csv", "")
        file.write_bytes(table.encode(encoding))
        self.origin.git("add", "--", "site/contentsync.toml", "site/.gitattributes", "site/pages", "site/listings")
        if self.feature == "submodule":
            commit = self.origin.git("commit-tree", "-m", "x", self.origin.git("mktree"))
            self.origin.git("update-index", "--add", "--cacheinfo", f"160000,{commit},site/pages/shared")
        assert self.origin.commit().returncode == 0
        return self.origin.git("rev-parse", "HEAD")

    def configure(self, tree: Tree) -> None:
        """Give a repository the settings that its users have."""
        if self.feature == "autocrlf":
            tree.git("config", "core.autocrlf", "true")
        if self.feature == "filter":
            store = self.path / "store"
            store.write_text(STORE, encoding="utf-8")
            for word in ("clean", "smudge"):
                tree.git("config", f"filter.store.{word}", f"sh '{store}' {word}")
            tree.git("config", "filter.store.required", "true")

    def clone(self, name: str, *words: str) -> Tree:
        """Return a clone with the feature and without files; each fetch from the origin adds a line to `fetches`."""
        tree = Tree(self.path / name)
        options = ["--filter=blob:none"] if self.feature == "blobless" else []
        self.origin.git(
            "clone", "--quiet", "--no-checkout", *options, *words, self.origin.path.as_uri(), str(tree.path)
        )
        counting = f"echo >> '{self.path / 'fetches'}'; git-upload-pack"
        tree.git("config", "remote.origin.uploadpack", counting)
        self.configure(tree)
        return tree

    def working_tree(self) -> Tree:
        """Return a clone whose second commit is checked out."""
        tree = self.clone("clone")
        if self.feature == "sparse":
            tree.git("sparse-checkout", "set", "--no-cone", "/*", "!/site/pages/other/")
        tree.git("checkout", "--quiet", "main")
        if self.feature == "worktree":
            tree.git("worktree", "add", "--quiet", "-b", "linked", str(self.path / "linked"))
            return Tree(self.path / "linked")
        return tree

    def checkout(self, commit: str) -> Path:
        """Return the content folder as git itself checks a commit out, in a complete clone."""
        tree = Tree(self.path / f"checkout-{commit[:7]}")
        if not tree.path.exists():
            self.origin.git("clone", "--quiet", "--no-checkout", self.origin.path.as_uri(), str(tree.path))
            self.configure(tree)
            tree.git("checkout", "--quiet", commit)
        return tree.path / "site"

    @property
    def fetches(self) -> int:
        file = self.path / "fetches"
        return len(file.read_text().splitlines()) if file.exists() else 0


def files_of(folder: Path) -> Files:
    files = (path for path in folder.rglob("*") if path.is_file() and ".contentsync" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def entries_of(folder: Path) -> dict[tuple[Kind, str], Mapping[str, Any]]:
    return {(entry.kind, entry.key): entry.fields for entry in load_content(folder).entries}


def base(matrix: Matrix) -> None:
    folder = matrix.working_tree().path / "site"
    before = matrix.fetches
    commit = matrix.commits[0]
    past = read_revision(folder, commit)
    assert past is not None
    assert {(entry.kind, entry.key): entry.fields for entry in past.entries} == entries_of(matrix.checkout(commit))
    assert past.unread == ()
    assert past.submodules == (("pages/shared",) if matrix.feature == "submodule" else ())
    top = working_tree(folder)
    assert top is not None
    repository = FolderRepository.around(folder, top)
    with repository.check_out(repository.list_files(commit)) as (found, _unread):
        assert files_of(found) == files_of(matrix.checkout(commit))
    assert matrix.fetches - before <= 2


def staged(matrix: Matrix) -> None:
    tree = matrix.clone("clone") if matrix.feature == "blobless" else matrix.working_tree()
    tree.git("read-tree", "--reset", matrix.commits[0])
    before = matrix.fetches
    index = StagedTree.read_index(tree.path / "site" if matrix.feature != "blobless" else tree.path)
    with index.check_out("site") as top:
        assert files_of(top / "site") == files_of(matrix.checkout(matrix.commits[0]))
    assert index.submodules("site") == (["site/pages/shared"] if matrix.feature == "submodule" else [])
    assert matrix.fetches - before <= 2


def log(matrix: Matrix) -> None:
    folder = matrix.working_tree().path / "site"
    first, second = (entries_of(matrix.checkout(commit)) for commit in matrix.commits)
    content = load_content(folder)
    for kind, key in (
        (Kind.PAGE, "about"),
        (Kind.LISTING, "https://a.example.org"),
        (Kind.LISTING, "https://b.example.org"),
    ):
        before = matrix.fetches
        entry = next((each for each in content.entries if (each.kind, each.key) == (kind, key)), None)
        found = read_entry_commits(folder, content.config, kind, key, entry, 10)
        values = [change.after.fields if change.after else None for change in found.changes]
        assert values == [second.get((kind, key)), first.get((kind, key))]
        assert (found.unreadable, found.without_config) == (0, 0)
        assert matrix.fetches - before <= 2
    if matrix.feature == "submodule":
        shared = matrix.path / "clone/site/pages/shared/us.md"
        shared.write_text(PAGE.format("Us"))
        us = next(entry for entry in load_content(folder).entries if entry.key == "us")
        assert read_entry_commits(folder, content.config, Kind.PAGE, "us", us, 10).submodules == ("pages/shared",)


def hook(matrix: Matrix) -> None:
    """Check the copy that is synced after a push; the config names the server."""
    if matrix.feature in ("sparse", "worktree"):
        tree = matrix.working_tree()
        common_dir = tree.path / tree.git("rev-parse", "--git-common-dir")
    else:
        common_dir = matrix.clone("bare", "--bare").path
    deployment = Deployment(common_dir, "main", "production")
    before = matrix.fetches
    expected = matrix.checkout(matrix.commits[1])
    with deployment.check_out_config(matrix.commits[1], None) as folder:
        assert (folder / "contentsync.toml").read_bytes() == (expected / "contentsync.toml").read_bytes()
        assert read_config(folder)[1] == []
    copy = deployment.check_out(matrix.commits[1], None)
    assert files_of(copy) == files_of(expected)
    codes = [problem.code for problem in load_content(copy).errors]
    assert codes == (["missing-submodule"] if matrix.feature == "submodule" else [])
    assert matrix.fetches - before <= 2


FEATURES = (*ATTRIBUTES, "autocrlf", "blobless", "sparse", "submodule", "worktree")
CELLS = [
    pytest.param(feature, reader, id=f"{feature}-{reader.__name__}")
    for feature in FEATURES
    for reader in (base, staged, log, hook)
]


@pytest.mark.parametrize(("feature", "reader"), sampled(CELLS, every=5))
def test_every_reader_of_git_returns_the_files_of_a_checkout(
    tmp_path: Path, feature: str, reader: Callable[[Matrix], None]
) -> None:
    reader(Matrix.new(tmp_path, feature))


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    tree = Tree.new(tmp_path / "clone")
    tree.write(CONFIG, "")
    return tree


def commit_of(tree: Tree) -> str:
    tree.git("add", "--all")
    assert tree.commit().returncode == 0
    return tree.git("rev-parse", "HEAD")


def test_each_file_that_git_cannot_write_is_named_and_the_others_are_written(tree: Tree) -> None:
    tree.write(".gitattributes", "*.md filter=store\n")
    for number in range(40):
        tree.write(f"site/pages/{number}.md", "bad" if number in (3, 30) else "good")
    commit = commit_of(tree)
    tree.git("config", "filter.store.smudge", "read -r word; test $word = good && echo read")
    tree.git("config", "filter.store.required", "true")
    git_files = GitFiles(tree.path / ".git")
    with git_files.check_out(git_files.list_files(commit, ["site"]), "copy") as checked_out:
        assert sorted(checked_out.unread) == ["site/pages/3.md", "site/pages/30.md"]
        assert sum(text == b"read\n" for text in files_of(checked_out.folder).values()) == 38
        with pytest.raises(Refused, match=r"cannot check out site/pages/30?\.md: .*smudge filter store failed"):
            checked_out.require_all()


def test_a_filter_that_fails_for_every_file_is_started_a_limited_number_of_times(tree: Tree, tmp_path: Path) -> None:
    tree.write(".gitattributes", "*.md filter=store\n")
    for number in range(300):
        tree.write(f"site/pages/{number}.md", "bad")
    commit = commit_of(tree)
    tree.git("config", "filter.store.smudge", f"echo >> '{tmp_path}/runs'; false")
    tree.git("config", "filter.store.required", "true")
    git_files = GitFiles(tree.path / ".git")
    with git_files.check_out(git_files.list_files(commit), "copy") as checked_out:
        assert len(checked_out.unread) == 300
    assert len((tmp_path / "runs").read_text().splitlines()) <= MAX_RUNS + 1


def test_a_partial_clone_without_its_server_refuses_to_read_older_files(tmp_path: Path) -> None:
    matrix = Matrix.new(tmp_path, "blobless")
    clone = matrix.working_tree()
    shutil.rmtree(matrix.origin.path)
    with pytest.raises(Refused, match="this partial clone lacks 7 files, and git cannot fetch them"):
        read_revision(clone.path / "site", matrix.commits[0])


def test_a_link_is_followed_only_inside_the_repository(tree: Tree) -> None:
    tree.write("shared/real.md", SOUND)
    links = {
        "site/a.md": "../shared/link.md",
        "shared/link.md": "real.md",
        "site/out.md": "../../x",
        "site/self.md": "self.md",
    }
    for path, target in links.items():
        (tree.path / path).symlink_to(target)
    commit = commit_of(tree)
    git_files = GitFiles(tree.path / ".git")
    found = git_files.follow_links(commit, git_files.list_files(commit, ["site"]))
    assert {file.path for file in found} == {CONFIG, *links, "shared/real.md"}


def test_a_file_is_uncommitted_if_a_checkout_would_write_other_bytes(tmp_path: Path) -> None:
    tree = Tree.new(tmp_path / "clone")
    tree.write(".gitattributes", "*.md ident\n*.txt text eol=crlf\n")
    names = ["equal.md", "equal.txt", 'é "b".md', "changed.md", "staged.md", "hidden.md"]
    for name in names:
        tree.write(f"site/{name}", f"$Id$ of {name}\n")
    tree.git("add", ".")
    tree.commit()
    (tree.path / "site").rename(tree.path / "old")
    tree.git("checkout", "--quiet", ".")  # with identifiers and line ends
    assert (tree.path / "site/equal.txt").read_bytes().endswith(b"\r\n")
    tree.git("update-index", "--assume-unchanged", "site/hidden.md")
    for name in ("changed", "staged", "hidden", "new", "added"):
        tree.write(f"site/{name}.md", "Other.\n")
    tree.git("add", "site/staged.md", "site/added.md")
    changed = {"changed.md", "staged.md", "hidden.md", "new.md", "added.md"}
    assert uncommitted_files(tree.path / "site", {*names, *changed}) == changed


def test_all_files_are_uncommitted_if_git_cannot_compare_them(tmp_path: Path) -> None:
    tree = Tree.new(tmp_path / "clone")
    tree.write("a.md", "A\n")
    tree.git("add", ".")
    tree.commit()
    assert uncommitted_files(tree.path, ["a.md"]) == set()
    assert uncommitted_files(tree.path, ["a.md", "missing.md"]) == {"a.md", "missing.md"}
    assert uncommitted_files(tmp_path, ["clone/a.md"]) == {"clone/a.md"}  # outside of the working tree
    without_commit = Tree.new(tmp_path / "empty")
    without_commit.write("a.md", "A\n")
    assert uncommitted_files(without_commit.path, ["a.md"]) == {"a.md"}


def test_only_one_module_reads_file_contents_with_git() -> None:
    words = ("checkout-index", "ls-tree", "--batch")
    texts = {path.name: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    assert {name for name, text in texts.items() if any(f'"{word}"' in text for word in words)} == {"git_checkout.py"}
