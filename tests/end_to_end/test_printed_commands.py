"""Commands that a run prints, pasted into a shell: each works on the folder and the target of the run."""

import re
import shlex
from pathlib import Path

import pytest

from ..exit_codes import REFUSED
from ..hooks.repositories import Tree
from .conftest import Ran, contentsync

CONFIG = """\
default_target = "production"
[targets.production]
url = "embedded:.contentsync/production.db"
[targets.staging]
url = "embedded:.contentsync/staging.db"
"""
SITE = "my site"
EDITED = {"production": "Edited on production", "staging": "Edited on staging"}


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """A repository with a content folder, whose page another user has edited on both targets."""
    made = Tree.new(tmp_path / "repository")
    made.write(f"{SITE}/contentsync.toml", CONFIG)
    save(made, "About")
    made.git("add", "--all", ".")
    assert made.commit().returncode == 0
    for target, title in EDITED.items():
        assert run(made, "sync", "--target", target, "--yes").code == 0
        save(made, title)
        assert run(made, "sync", "--target", target, "--yes", "--adopt", "--state-dir", "of another user").code == 0
        save(made, "About")
    return made


def save(tree: Tree, title: str) -> None:
    tree.write(f"{SITE}/pages/about.md", f"---\ntitle: {title}\nslug: about\n---\n")


def run(tree: Tree, command: str, *words: str) -> Ran:
    """Run a command as it is typed in the repository: with the path of the site."""
    return contentsync(command, SITE, *words, cwd=tree.path)


def paste(tree: Tree, ran: Ran, pattern: str, *words: str) -> Ran:
    """Run the printed command that matches the pattern."""
    (command,) = {*re.findall(f"contentsync {pattern}", ran.out + ran.err)}
    return contentsync(*shlex.split(command)[1:], *words, cwd=tree.path)


def titles(tree: Tree) -> dict[str, str]:
    """The title of the page on each target where it is not as it was synced."""
    found: dict[str, str] = {}
    for target in EDITED:
        document = run(tree, "drift", "--target", target, "--format", "json").document
        found.update((target, entry["fields"]["title"]["there"]) for entry in document["changed"])
        found.update((target, "deleted") for _entry in document["deleted"])
    return found


@pytest.mark.parametrize("words", [("plan",), ("status",), ("sync", "--yes"), ("propose",)], ids=lambda words: words[0])
def test_a_printed_revert_works_on_the_target_of_the_run(tree: Tree, words: tuple[str, ...]) -> None:
    ran = run(tree, *words, "--target", "staging")
    (command,) = {*re.findall("contentsync sync .*? --on-drift overwrite", ran.out)}
    assert command.startswith(f"contentsync sync '{SITE}' --target staging --only ")
    pasted = shlex.split(command.replace("KIND/KEY", "page/about"))
    assert contentsync(*pasted[1:], "--yes", cwd=tree.path).code == 0
    assert titles(tree) == {"production": "Edited on production"}


def test_a_printed_pull_takes_over_the_edit_of_the_target(tree: Tree) -> None:
    ran = run(tree, "plan", "--target", "staging")
    assert paste(tree, ran, "pull .*?(?= takes)").code == 0
    assert "title: Edited on staging" in (tree.path / SITE / "pages/about.md").read_text()


@pytest.mark.parametrize("command", ["sync", "pull"])
def test_a_printed_decision_of_a_conflict_works_on_the_target(tree: Tree, command: str) -> None:
    save(tree, "Ours")
    ran = run(tree, command, "--target", "staging", *(["--yes"] if command == "sync" else []))
    assert ran.code == REFUSED
    assert paste(tree, ran, "sync .*? --on-conflict ours", "--yes").code == 0
    assert titles(tree) == {"production": "Edited on production"}


def test_a_printed_command_for_a_conflict_prunes_as_the_run_did(tree: Tree) -> None:
    tree.write(f"{SITE}/contentsync.toml", CONFIG + "prune = false\n")
    (tree.path / SITE / "pages/about.md").unlink()
    tree.write(f"{SITE}/tags.yaml", "- title: Metal\n")
    ran = run(tree, "plan", "--target", "staging", "--prune")
    assert ran.code == REFUSED
    assert paste(tree, ran, "sync .*? --on-conflict ours", "--yes", "--allow-deletes", "1").code == 0
    assert titles(tree) == {"production": "Edited on production"}


def test_a_pull_from_an_empty_server_prints_the_command_that_fills_it(tree: Tree) -> None:
    (tree.path / SITE / ".contentsync/staging.db").unlink()
    ran = run(tree, "pull", "--deletes", "--target", "staging")
    assert (ran.code, titles(tree)["staging"]) == (REFUSED, "deleted")
    assert paste(tree, ran, "sync .*?(?= creates)", "--yes").code == 0
    assert titles(tree) == {"production": "Edited on production"}


def test_an_undo_prints_its_target(tree: Tree) -> None:
    save(tree, "About us")
    assert run(tree, "sync", "--target", "staging", "--yes", "--on-conflict", "ours").code == 0
    assert run(tree, "undo", "--target", "staging", "--yes").code == 0
    (journal, *_) = sorted((tree.path / SITE / ".contentsync/journal/staging").glob("*.jsonl"), reverse=True)
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-1]))
    ran = run(tree, "status", "--target", "staging")
    again = paste(tree, ran, "undo .*?(?= continues)", "--yes")
    assert (again.code, "matches the folder" in again.out) == (0, True)


def test_warnings_name_the_folder_to_validate(tree: Tree) -> None:
    tree.write(f"{SITE}/pages/about.md", "---\ntitle: About\nslug: about\n---\nSee [the team](team.md).\n")
    _first, second = (run(tree, "plan", "--target", "staging") for _ in range(2))
    assert "pages/about.md:5:" in paste(tree, second, "validate .*?(?= shows)").out
