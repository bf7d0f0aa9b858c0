"""contentsync.sync.state.commit_trailers: which lines of a message git takes for trailers."""

from pathlib import Path

import pytest

from contentsync.sync.state.commit_trailers import read_trailers

from ...hooks.repositories import Tree


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    made = Tree.new(tmp_path / "site")
    made.git("commit", "--quiet", "--allow-empty", "--message=Start")
    made.git("tag", "start")
    return made


def texts(tree: Tree, message: str) -> list[tuple[str, str]]:
    """Return the trailers of one commit, each with its fault."""
    tree.git("commit", "--quiet", "--allow-empty", f"--message={message}")
    return [(trailer.text, trailer.fault) for trailer in read_trailers(tree.path, "start")]


def test_a_message_without_a_trailer_has_none(tree: Tree) -> None:
    assert texts(tree, "Contentsync-Allow is explained in the docs") == []


def test_git_determines_where_a_trailer_begins_and_ends(tree: Tree) -> None:
    message = "Sort\n\nText.\n\nReviewed-by: Ada <a@example.com>\ncontentsync-allow : updates=3,\n  deletes=2\n"
    assert texts(tree, message) == [("updates=3, deletes=2", "")]


def test_a_line_above_the_last_paragraph_is_a_fault(tree: Tree) -> None:
    message = "Sort\n\nContentsync-Allow: deletes=9\n\nText.\n\nContentsync-Allow: updates=3\n"
    misplaced = ("deletes=9", "it is not in the last paragraph of the message")
    assert texts(tree, message) == [misplaced, ("updates=3", "")]


def test_an_empty_trailer_is_a_fault(tree: Tree) -> None:
    ((text, fault),) = texts(tree, "Sort\n\nContentsync-Allow:\n")
    assert text == ""
    assert fault


def test_the_git_settings_of_a_user_have_no_effect(tree: Tree) -> None:
    for name, value in {"log.showSignature": "true", "i18n.logOutputEncoding": "latin1", "color.ui": "always"}.items():
        tree.git("config", name, value)
    tree.git(
        "commit",
        "--quiet",
        "--allow-empty",
        "--author=Zoë <z@example.com>",
        "--message=x\n\nContentsync-Allow: updates=1",
    )
    (trailer,) = read_trailers(tree.path, "start")
    assert (trailer.author, trailer.text) == ("Zoë", "updates=1")
