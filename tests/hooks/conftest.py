import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from contentsync.hooks.hook_scripts import default_hooks, install
from contentsync.hooks.repository import Repository

from ..ci.workflow import clean
from .repositories import SOUND, Tree

OWN = shlex.join([sys.executable, "-P", "-m", "contentsync"])


def quicken(hook: Path, program: Path) -> None:
    """Let a hook that was installed call this program, in place of a Python that has to import everything."""
    text = hook.read_text(encoding="utf-8")
    assert OWN in text
    hook.write_text(text.replace(OWN, str(program)), encoding="utf-8")


def quicken_all(folder: Path, program: Path) -> None:
    """Do so with all hooks of the repositories below a folder."""
    for hook in folder.rglob("hooks/*"):
        if OWN in hook.read_text(encoding="utf-8"):
            quicken(hook, program)


def install_post_receive(origin: Tree, target: str, settings: Mapping[str, str], program: Path) -> None:
    """Let a bare repository sync each push; the settings are in the file beside the hook."""
    origin.write("hooks/contentsync.env", "".join(f"{name}={value}\n" for name, value in settings.items()))
    words = ["hook", "install", str(origin.path), "--target", target]
    subprocess.run([program, *words], check=True, capture_output=True, env=clean(settings))
    quicken(origin.path / "hooks/post-receive", program)


def call_post_receive(origin: Tree) -> "subprocess.CompletedProcess[str]":
    """Call the hook as a user does on the machine of the repository."""
    return subprocess.run(
        [origin.path / "hooks/post-receive"],
        cwd=origin.path,
        env=clean(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def clone(tmp_path: Path, program: Path) -> Tree:
    """Return a repository with one page in the content folder `site`, and with the hooks that run before a commit."""
    tree = Tree.new(tmp_path / "my clone ü")
    tree.write("site/contentsync.toml", "")
    tree.write("site/pages/about.md", SOUND)
    tree.write("README", "Read me.\n")
    tree.git("add", ".")
    assert tree.commit().returncode == 0
    for hook in install(repository := Repository.find(tree.path), dict.fromkeys(default_hooks(repository), ()), None):
        quicken(hook, program)
    return tree
