"""Installing hooks: a foreign hook is never replaced, and a second installation changes nothing."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from ..end_to_end.conftest import contentsync
from ..exit_codes import REFUSED, WRONG_USAGE
from .repositories import BROKEN, SOUND, Tree

TARGET = '[targets.production]\nurl = "https://directory.example.com/"\ndirectory = 42\n'


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Return a repository that is a content folder with a target."""
    made = Tree.new(tmp_path / "clone")
    made.write("contentsync.toml", TARGET)
    made.write("pages/about.md", SOUND)
    made.git("add", ".")
    assert made.commit().returncode == 0
    return made


def hooks(tree: Tree) -> set[str]:
    return {path.name for path in (tree.path / ".git/hooks").iterdir() if path.suffix != ".sample"}


def test_an_install_without_options_adds_the_hooks_before_a_commit(tree: Tree) -> None:
    ran = contentsync("hook", "install", tree.path / "pages", "--format", "json")
    assert [hook["hook"] for hook in ran.document["hooks"]] == ["pre-commit", "pre-merge-commit"]
    assert hooks(tree) == {"pre-commit", "pre-merge-commit"}
    assert all(os.access(hook["path"], os.X_OK) for hook in ran.document["hooks"])


def test_a_second_install_adds_nothing_and_uninstall_removes_all(tree: Tree) -> None:
    words = ("--hook", "pre-commit", "--hook", "post-merge", "--target", "production")
    for _ in range(2):
        assert contentsync("hook", "install", tree.path, *words).code == 0
    script = (tree.path / ".git/hooks/post-merge").read_text(encoding="utf-8")
    assert script.count("hook run post-merge --target production --branch main") == 1
    assert contentsync("hook", "uninstall", tree.path).code == 0
    assert hooks(tree) == set()
    assert contentsync("hook", "uninstall", tree.path).code == 0


def test_a_syncing_hook_contains_the_present_url_of_its_target(tree: Tree) -> None:
    assert contentsync("hook", "install", tree.path, "--hook", "post-merge", "--target", "production").code == 0
    script = (tree.path / ".git/hooks/post-merge").read_text(encoding="utf-8")
    assert "\nexport CONTENTSYNC_URL=https://directory.example.com/ " in script


def test_a_linked_config_is_read_only_if_it_is_in_the_repository(tree: Tree) -> None:
    tree.git("mv", "contentsync.toml", "shared.toml")
    (tree.path / "contentsync.toml").symlink_to("shared.toml")
    tree.git("add", ".")
    assert tree.commit().returncode == 0
    assert contentsync("hook", "install", tree.path, "--hook", "post-merge", "--target", "production").code == 0
    (tree.path / "contentsync.toml").unlink()
    (tree.path / "contentsync.toml").symlink_to("../shared.toml")
    assert tree.commit("--all").returncode == 0
    refused = contentsync("hook", "install", tree.path, "--hook", "post-merge", "--target", "production")
    assert "contentsync.toml:1:1: bad-link" in refused.err


def test_a_hook_for_an_embedded_server_is_refused(tree: Tree) -> None:
    tree.write("contentsync.toml", '[targets.production]\nurl = "embedded:.contentsync/site.db"\n')
    assert tree.commit("--all").returncode == 0
    refused = contentsync("hook", "install", tree.path, "--hook", "post-merge", "--target", "production")
    assert refused.code == REFUSED
    assert "hooks sync only to a server" in refused.err
    assert hooks(tree) == set()


def test_a_foreign_hook_is_kept_and_the_line_to_add_is_reported(tree: Tree) -> None:
    foreign_hook = tree.write(".git/hooks/pre-commit", "#!/bin/sh\necho theirs >&2\n")
    foreign_hook.chmod(0o755)
    refused = contentsync("hook", "install", tree.path)
    assert refused.code == REFUSED
    assert hooks(tree) == {"pre-commit"}, "all or none"
    line = refused.err.splitlines()[-1].split(f"{foreign_hook}: ")[1]
    foreign_hook.write_text(f"{foreign_hook.read_text()}{line}\n")
    tree.write("pages/about.md", BROKEN)
    tree.git("add", ".")
    done = tree.commit()
    assert done.returncode == 1
    assert done.stderr.startswith("theirs\npages/about.md:3:1: unknown-key")
    assert contentsync("hook", "uninstall", tree.path).code == 0
    assert hooks(tree) == {"pre-commit"}


def test_a_second_script_that_cannot_be_written_leaves_the_first_unchanged(tree: Tree) -> None:
    """The limit on the size of files has the effect of a full disk."""
    words = ["hook", "install", tree.path, "--hook", "pre-commit", "--hook", "post-merge", "--target", "production"]
    assert contentsync("hook", "install", tree.path, "--hook", "pre-commit").code == 0
    script = tree.path / ".git/hooks/pre-commit"
    size = script.stat().st_size
    script.write_text("\n".join([*script.read_text().splitlines()[:2], "echo older", ""]))
    before = script.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        ran = contentsync(*words)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert ran.code == 1, ran.err
    assert ".git/hooks/post-merge cannot be written: File too large\n  nothing was changed" in ran.err
    assert (hooks(tree), script.read_bytes()) == ({"pre-commit"}, before)


def test_a_link_to_a_hook_counts_as_foreign(tree: Tree) -> None:
    assert contentsync("hook", "install", tree.path).code == 0
    script = tree.path / ".git/hooks/pre-commit"
    script.rename(tree.path / "shared")
    script.symlink_to("../../shared")
    assert contentsync("hook", "install", tree.path).code == REFUSED
    assert script.is_symlink()


@pytest.mark.parametrize("place", [".husky", "/elsewhere"])
def test_a_hook_folder_outside_of_the_repository_settings_is_not_written(
    tree: Tree, tmp_path: Path, place: str
) -> None:
    folder = tmp_path / "elsewhere" if place == "/elsewhere" else tree.path / place
    tree.git("config", "core.hooksPath", str(folder) if place == "/elsewhere" else place)
    refused = contentsync("hook", "install", tree.path)
    assert refused.code == REFUSED
    assert str(folder) in refused.err
    assert "add this line to pre-commit there: contentsync hook run pre-commit || exit 1" in refused.err
    assert not folder.exists()
    assert hooks(tree) == set()


def test_a_configured_path_that_is_the_default_is_accepted(tree: Tree) -> None:
    tree.git("config", "core.hooksPath", ".git/hooks")
    assert contentsync("hook", "install", tree.path).code == 0


def test_a_hook_without_its_program_reports_how_to_install_it(tree: Tree) -> None:
    assert contentsync("hook", "install", tree.path).code == 0
    script = tree.path / ".git/hooks/pre-commit"
    script.write_text(script.read_text().replace(sys.executable, "/gone/bin/python"))
    done = subprocess.run([script], cwd=tree.path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "contentsync was removed from /gone/bin/python" in done.stderr
    assert "contentsync hook install" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--hook", "post-merge"),
        ("--hook", "post-merge", "--target", "prodution"),
        ("--hook", "post-merge", "--target", "a..b"),
        ("--hook", "post-merge", "--target", "production", "--folder", "elsewhere"),
        ("--hook", "pre-push"),
        ("--target", "production"),
    ],
    ids=" ".join,
)
def test_an_invalid_combination_of_options_is_wrong_use_and_writes_nothing(tree: Tree, words: tuple[str, ...]) -> None:
    ran = contentsync("hook", "install", tree.path, *words)
    assert ran.code == WRONG_USAGE
    assert hooks(tree) == set()


def test_a_branch_with_several_content_folders_needs_the_folder_option(tree: Tree) -> None:
    tree.write("blog/contentsync.toml", TARGET)
    tree.git("add", ".")
    assert tree.commit().returncode == 0
    words = ("hook", "install", tree.path, "--hook", "post-merge", "--target", "production")
    refused = contentsync(*words)
    assert refused.code == WRONG_USAGE
    assert "choose one with --folder: blog, ." in refused.err
    assert contentsync(*words, "--folder", "blog/").code == 0


def test_an_install_outside_of_a_repository_is_wrong_use(tmp_path: Path) -> None:
    ran = contentsync("hook", "install", tmp_path)
    assert ran.code == WRONG_USAGE
    assert "no git repository" in ran.err
