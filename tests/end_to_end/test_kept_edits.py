"""Edits that other users make on a real server: a sync keeps them, until a command asks for something else."""

import re
import shlex
from pathlib import Path

import pytest

from ..exit_codes import CONTENT_ERRORS, REFUSED
from ..hooks.repositories import Tree
from ..served import Served
from .conftest import Ran, contentsync

PAGE = "---\ntitle: {}\nslug: about\n---\n\n{}\n"


def kept(tree: Tree) -> str:
    """The line about the edit of a page."""
    return (
        f"1 edit on the server is kept: contentsync pull {tree.path} takes it over, "
        f"contentsync sync {tree.path} --only page/about --on-drift overwrite reverts it\n"
    )


@pytest.fixture
def tree(tmp_path: Path, served: Served) -> Tree:
    """A synced repository of one page and one tag, with the default settings."""
    made = Tree.new(tmp_path / "site")
    made.write(
        "contentsync.toml",
        f'[targets.live]\nurl = "{served.recorder.url}"\ndirectory = {served.directory}\nrequests_per_minute = 60000\n',
    )
    made.write(".gitignore", ".contentsync\n")
    made.write("tags.yaml", "- title: Metal\n")
    save(made, "About", "Text.")
    assert sync(made, served).code == 0
    return made


def save(tree: Tree, title: str, text: str) -> None:
    """Commit the page with a title and a text."""
    tree.write("pages/about.md", PAGE.format(title, text))
    tree.git("add", "--all", ".")
    assert tree.commit().returncode == 0


def sync(tree: Tree, served: Served, *words: str) -> Ran:
    return contentsync("sync", tree.path, "--yes", *words, env=served.env)


def clone(tree: Tree) -> Tree:
    """A second clone, with the state of the first one."""
    path = tree.path.parent / "clone"
    tree.git("clone", "--quiet", str(tree.path), str(path))
    other = Tree(path)
    other.write(".contentsync/state/live.jsonl", (tree.path / ".contentsync/state/live.jsonl").read_text())
    return other


def about(served: Served) -> dict[str, object]:
    """Return the record of the page about on the server."""
    (page,) = (page for page in served.get("pages")["data"] if page["slug"] == "about")
    return dict(page)


def retitle(served: Served, title: str) -> None:
    served.update(f"pages/{about(served)['id']}", {"slug": "about", "title": title})


def test_an_edit_in_the_dashboard_stays_and_is_reported_in_a_line(tree: Tree, served: Served) -> None:
    retitle(served, "Theirs")
    ran = contentsync("plan", tree.path, "--detailed-exitcode", env=served.env)
    assert (ran.code, kept(tree) in ran.out) == (0, True)
    assert kept(tree) in contentsync("status", tree.path, env=served.env).out
    assert kept(tree) in sync(tree, served).out
    assert about(served)["title"] == "Theirs"


def test_the_printed_command_reverts_the_edit(tree: Tree, served: Served) -> None:
    retitle(served, "Theirs")
    assert sync(tree, served, "--only", "page/about", "--on-drift", "overwrite").code == 0
    assert about(served)["title"] == "About"


def test_another_change_of_the_entry_leaves_the_edit_alone(tree: Tree, served: Served) -> None:
    retitle(served, "Theirs")
    save(tree, "About", "More text.")
    assert sync(tree, served).code == 0
    assert (about(served)["title"], about(served)["markdown"]) == ("Theirs", "More text.")


def test_a_stale_clone_keeps_what_a_newer_deploy_has_changed(tree: Tree, served: Served) -> None:
    stale = clone(tree)
    save(tree, "About us", "Text.")
    assert sync(tree, served).code == 0
    ran = sync(stale, served)
    assert (ran.code, kept(stale) in ran.out) == (0, True)
    assert about(served)["title"] == "About us"


def test_a_proposal_names_the_command_that_declines_an_edit(tree: Tree, served: Served) -> None:
    retitle(served, "Theirs")
    command = f"contentsync sync {tree.path} --only KIND/KEY --on-drift overwrite"
    assert f"to decline an edit or a deletion: {command}\n" in contentsync("propose", tree.path, env=served.env).out
    edits, _submissions = contentsync("propose", tree.path, "--format", "json", env=served.env).document["branches"]
    assert f"To decline an edit or a deletion, run `{command}`" in edits["description"]


def test_a_kept_edit_that_the_folder_edits_too_is_a_conflict_with_both_values(tree: Tree, served: Served) -> None:
    retitle(served, "Theirs")
    assert sync(tree, served).code == 0
    save(tree, "Ours", "More text.")
    ran = sync(tree, served)
    assert ran.code == REFUSED
    assert 'page about (title: "Ours" in the folder, "Theirs" on the server)' in ran.out
    assert f"contentsync sync {tree.path} --only page/about --on-conflict ours (the folder's side)" in ran.out
    assert (about(served)["title"], about(served)["markdown"]) == ("Theirs", "Text.")
    status = contentsync("status", tree.path, env=served.env).out
    assert status.endswith(f"; refused\ncontentsync plan {tree.path} says why\n")


def test_an_entry_that_one_side_deleted_and_the_other_edited_is_left_alone(tree: Tree, served: Served) -> None:
    retitle(served, "Theirs")
    tree.git("rm", "--quiet", "pages/about.md")
    for command in (("sync", "--yes", "--prune"), ("pull",)):
        ran = contentsync(command[0], tree.path, *command[1:], env=served.env)
        assert (ran.code, "title changed" in ran.out) == (REFUSED, True)
    assert about(served)["title"] == "Theirs"
    assert not (tree.path / "pages/about.md").exists()


def test_an_entry_that_was_edited_here_and_deleted_on_the_server_is_left_alone(tree: Tree, served: Served) -> None:
    served.delete(f"pages/{about(served)['id']}")
    save(tree, "Ours", "Text.")
    ran = contentsync("pull", tree.path, env=served.env)
    assert (ran.code, "--only page/about --on-conflict ours creates it again" in ran.err) == (REFUSED, True)
    assert sync(tree, served).code == REFUSED
    assert served.get("pages")["data"] == []
    assert sync(tree, served, "--on-conflict", "ours").code == 0
    assert about(served)["title"] == "Ours"


def test_a_reference_to_an_entry_that_stays_deleted_is_refused_before_any_write(tree: Tree, served: Served) -> None:
    served.delete(f"tags/{served.get('tags')['data'][0]['id']}")
    tree.write("listings/saw.yaml", "name: Saw\ntags:\n  - metal\n")
    served.recorder.requests.clear()
    ran = contentsync("plan", tree.path, env=served.env)
    assert (ran.code, "listings/saw.yaml:3:5: unknown-reference the tag 'metal' was deleted" in ran.err) == (
        CONTENT_ERRORS,
        True,
    )
    assert sync(tree, served).code == CONTENT_ERRORS
    assert served.recorder.writes == []
    (create,) = re.findall(r"create it again with contentsync (sync .*)", ran.err)
    assert contentsync(*shlex.split(create), "--yes", env=served.env).code == 0
    assert sync(tree, served).code == 0
    assert [tag["slug"] for tag in served.get("projects")["data"][0]["tags"]] == ["metal"]


def test_a_value_of_a_custom_field_that_stays_deleted_is_refused(tree: Tree, served: Served) -> None:
    tree.write("custom_fields.yaml", "- {name: effort, label: Effort, type: text}\n")
    assert sync(tree, served).code == 0
    served.delete(f"custom-fields/{served.get('custom-fields')['data'][0]['id']}")
    tree.write("listings/saw.yaml", "name: Saw\neffort: low\n")
    ran = sync(tree, served)
    assert (ran.code, "listings/saw.yaml:2:9: unknown-reference the custom field 'effort'" in ran.err) == (
        CONTENT_ERRORS,
        True,
    )


def test_a_revert_reaches_the_server_from_a_clone_that_never_saw_the_commit(tree: Tree, served: Served) -> None:
    stale = clone(tree)
    assert sync(stale, served).code == 0
    save(tree, "About us", "Text.")
    assert sync(tree, served).code == 0
    tree.git("revert", "--no-edit", "HEAD")
    stale.git("pull", "--quiet")
    assert sync(stale, served).code == 0
    assert about(served)["title"] == "About"


def test_a_reverted_delete_creates_the_entry_from_a_clone_that_never_saw_it(tree: Tree, served: Served) -> None:
    stale = clone(tree)
    assert sync(stale, served).code == 0
    tree.git("rm", "--quiet", "pages/about.md")
    assert tree.commit().returncode == 0
    assert sync(tree, served, "--prune", "--allow-deletes", "1").code == 0
    tree.git("revert", "--no-edit", "HEAD")
    stale.git("pull", "--quiet")
    assert sync(stale, served).code == 0
    assert about(served)["title"] == "About"


@pytest.mark.parametrize("base", ["state", "git"])
def test_an_edit_to_a_value_that_was_reverted_before_the_last_sync_is_kept(
    tree: Tree, served: Served, base: str
) -> None:
    save(tree, "About us", "Text.")
    tree.git("revert", "--no-edit", "HEAD")
    assert sync(tree, served).code == 0
    options = ("--base", f"git:{tree.git('rev-parse', 'HEAD')}") if base == "git" else ()
    retitle(served, "About us")
    save(tree, "About", "More text.")
    assert sync(tree, served, *options).code == 0
    assert (about(served)["title"], about(served)["markdown"]) == ("About us", "More text.")


def test_a_revert_reaches_the_server_with_a_commit_as_the_base(tree: Tree, served: Served) -> None:
    synced = tree.git("rev-parse", "HEAD")
    save(tree, "About us", "Text.")
    assert sync(tree, served).code == 0
    tree.git("revert", "--no-edit", "HEAD")
    assert sync(tree, served, "--base", f"git:{synced}").code == 0
    assert about(served)["title"] == "About"


@pytest.mark.parametrize("words", [("sync", "--yes"), ("sync", "--yes", "--quiet"), ("plan", "--format", "markdown")])
def test_a_token_in_a_value_of_a_conflict_is_hidden(tree: Tree, served: Served, words: tuple[str, ...]) -> None:
    """PL-20, AU-12"""
    retitle(served, f"My {served.token}")
    save(tree, "Ours", "Text.")
    ran = contentsync(words[0], tree.path, *words[1:], env=served.env)
    assert (ran.code, "(hidden)" in ran.out + ran.err) == (REFUSED, True)
    assert served.token not in ran.out + ran.err
