import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from contentsync.hooks.hook_scripts import default_hooks, install
from contentsync.hooks.repository import Repository

from ..forked import program_file
from .repositories import SOUND, Tree


@pytest.fixture(scope="session")
def program() -> Iterator[Path]:
    with program_file() as file:
        yield file


def quicken(hook: Path, program: Path) -> None:
    """Lets a hook that was installed call this program, in place of a Python that has to import everything."""
    text, own = hook.read_text(encoding="utf-8"), shlex.join([sys.executable, "-P", "-m", "contentsync"])
    assert own in text
    hook.write_text(text.replace(own, str(program)), encoding="utf-8")


@pytest.fixture
def clone(tmp_path: Path, program: Path) -> Tree:
    """A repository whose content folder is `site`, with one page, and the hooks that come before a commit."""
    tree = Tree.new(tmp_path / "my clone ü")
    tree.write("site/contentsync.toml", "")
    tree.write("site/pages/about.md", SOUND)
    tree.write("README", "Read me.\n")
    tree.git("add", ".")
    assert tree.commit().returncode == 0
    for hook in install(repository := Repository.find(tree.path), dict.fromkeys(default_hooks(repository), ()), None):
        quicken(hook, program)
    return tree
