from pathlib import Path

import pytest

from contentsync.hooks.installing import default_hooks, install
from contentsync.hooks.repository import Repository

from ..end_to_end.conftest import running, served
from .repositories import SOUND, Tree

__all__ = ["running", "served"]


@pytest.fixture
def clone(tmp_path: Path) -> Tree:
    """A repository whose content folder is `site`, with one page, and the hooks that come before a commit."""
    tree = Tree.new(tmp_path / "my clone ü")
    tree.write("site/contentsync.toml", "")
    tree.write("site/pages/about.md", SOUND)
    tree.write("README", "Read me.\n")
    tree.git("add", ".")
    assert tree.commit().returncode == 0
    install(repository := Repository.at(tree.path), dict.fromkeys(default_hooks(repository), ()), None)
    return tree
