"""A sync to a server, from a folder with files that git does not have."""

from pathlib import Path

import pytest

from ..exit_codes import REFUSED
from ..hooks.repositories import SOUND, Tree
from ..served import Served
from .conftest import Ran, contentsync

CONFIG = '[targets.live]\nurl = "{}"\ndirectory = {}\nprune = true\n'


@pytest.fixture
def tree(tmp_path: Path, served: Served) -> Tree:
    """Return a clone with two committed pages, which is connected to the server."""
    tree = Tree.new(tmp_path / "site")
    tree.write("contentsync.toml", CONFIG.format(served.recorder.url, served.directory))
    tree.write(".gitignore", "*.draft.md\n.contentsync\n")
    for name in ("about", "other"):
        tree.write(f"pages/{name}.md", SOUND)
    tree.git("add", ".")
    assert tree.commit().returncode == 0
    return tree


def sync(tree: Tree, served: Served) -> Ran:
    return contentsync("sync", tree.path, "--yes", env=served.env)


def test_an_ignored_file_is_sent_only_if_the_target_includes_it(tree: Tree, served: Served) -> None:
    tree.write("pages/secret.draft.md", SOUND)
    refused = sync(tree, served)
    assert (refused.code, served.recorder.writes) == (REFUSED, [])
    assert "1 file that git ignores would be sent: pages/secret.draft.md" in refused.out + refused.err
    assert "include_ignored = true in [targets.live] consents to it" in refused.out + refused.err
    config = tree.path / "contentsync.toml"
    config.write_text(f"{config.read_text()}include_ignored = true\n")
    assert sync(tree, served).code == 0
    assert sync(tree, served).code == 0


def test_untracked_files_are_sent_and_named_in_one_line(tree: Tree, served: Served) -> None:
    for name in ("a", "b"):
        tree.write(f"pages/{name}.md", SOUND)
    ran = sync(tree, served)
    assert ran.code == 0
    assert ran.err.count("the folder has 2 files that git does not track: pages/a.md, pages/b.md\n") == 1


def test_a_sparse_checkout_deletes_nothing(tree: Tree, served: Served) -> None:
    assert sync(tree, served).code == 0
    tree.git("sparse-checkout", "set", "--no-cone", "/*", "!/pages/other.md")
    ran = sync(tree, served)
    assert (ran.code, "the sparse checkout leaves out 1 content file" in ran.out + ran.err) == (REFUSED, True)
    assert "DELETE" not in {method for method, _path in served.recorder.writes}


def test_an_embedded_target_gets_ignored_files(tree: Tree) -> None:
    tree.write("contentsync.toml", "")
    tree.write("pages/secret.draft.md", SOUND)
    assert contentsync("sync", tree.path, "--yes").code == 0
