"""A trailer of a reviewed commit consents to a plan: real git, real merges, the built-in server."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from ..exit_codes import CONTENT_ERRORS, REFUSED, WRONG_USAGE
from ..hooks.repositories import Tree
from .conftest import Ran, contentsync

REF = "refs/contentsync/local"
CONFIG = '[targets.local]\nurl = "embedded:.contentsync/site.db"\nprune = true\n'
PAGES = 30


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Thirty synced pages."""
    made = Tree.new(tmp_path / "site")
    made.write("contentsync.toml", CONFIG)
    made.write(".gitignore", ".contentsync\n")
    for number in range(PAGES):
        made.write(f"pages/p{number}.md", f"---\ntitle: Page {number}\n---\n")
    commit(made, "Start")
    assert contentsync("sync", made.path, "--yes", "--base", f"git:{'0' * 40}").code == 0
    made.git("update-ref", REF, "HEAD")
    return made


def commit(tree: Tree, *paragraphs: str, author: str = "Ada <ada@example.com>") -> str:
    """Commit all files with a message of these paragraphs, and return the commit."""
    tree.git("add", "--all", ".")
    messages = [word for paragraph in paragraphs for word in ("--message", paragraph)]
    tree.git("commit", "--quiet", "--allow-empty", f"--author={author}", *messages)
    return tree.git("rev-parse", "HEAD")


def allow(consents: str) -> str:
    """Return the trailer that consents to this."""
    return f"Contentsync-Allow: {consents}"


def delete(tree: Tree, numbers: Sequence[int]) -> None:
    """Delete the pages with these numbers."""
    tree.git("rm", "--quiet", *(f"pages/p{number}.md" for number in numbers))


def plan(tree: Tree, *words: str) -> Ran:
    """Plan against the commit REF as the base."""
    return contentsync("plan", tree.path, "--base", f"git:{REF}", *words)


def needed_options(tree: Tree, *words: str) -> list[str]:
    """Return the options to which a refused plan needs consent; None for a refusal without one, [] if it is allowed."""
    document = json.loads(plan(tree, "--format", "json", *words).out)
    return [refusal["flag"] for refusal in document["refused"]]


def test_a_trailer_consents_to_at_most_its_number(tree: Tree) -> None:
    delete(tree, range(14))
    commit(tree, "Clean up", allow("deletes=13, updates=2"))
    shown = plan(tree)
    assert shown.code == REFUSED
    assert "allows only deletes=13" in shown.out
    assert "or a later commit whose message ends with: Contentsync-Allow: deletes=14" in shown.out
    last = commit(tree, "Really", allow("deletes=20"))
    synced = contentsync("sync", tree.path, "--yes", "--base", f"git:{REF}")
    assert synced.code == 0, synced.out
    assert f"commit {last[:12]} by Ada consents with deletes=20; the plan has 14" in synced.out


def test_the_numbers_of_several_commits_are_never_added(tree: Tree) -> None:
    delete(tree, range(10))
    commit(tree, "One", allow("deletes=10"))
    delete(tree, range(10, 24))
    commit(tree, "Two", allow("deletes=14"))
    assert needed_options(tree) == ["--allow-deletes 24"]
    tree.write("pages/p23.md", "---\ntitle: Page 23\n---\n")
    for number in range(14, 23):
        tree.write(f"pages/p{number}.md", f"---\ntitle: Page {number}\n---\n")
    commit(tree, "Put ten back")
    assert needed_options(tree) == []


def test_a_merged_commit_of_a_fork_consents_to_nothing(tree: Tree) -> None:
    tree.git("checkout", "--quiet", "-b", "fork")
    delete(tree, range(14))
    commit(tree, "Clean up", allow("deletes=14"), author="Mallory <m@example.com>")
    tree.git("checkout", "--quiet", "main")
    tree.git("merge", "--quiet", "--no-ff", "fork", "--message", "Merge the fork")
    assert needed_options(tree) == ["--allow-deletes 14"]
    document = json.loads(plan(tree, "--format", "json").out)
    assert document["missing_trailer"] == allow("deletes=14")
    tree.git("commit", "--quiet", "--amend", "--message", "Merge the fork", "--message", document["missing_trailer"])
    (consent,) = json.loads(plan(tree, "--format", "json").out)["consents"]
    assert consent["commit"] == tree.git("rev-parse", "HEAD")
    assert (consent["consent"], consent["number"], consent["allowed"]) == ("deletes", 14, 14)


@pytest.mark.parametrize("how", ["squash", "rebase"])
def test_a_squashed_or_rebased_commit_counts(tree: Tree, how: str) -> None:
    tree.git("checkout", "--quiet", "-b", "fork")
    delete(tree, range(14))
    commit(tree, "Clean up", allow("deletes=14"), author="Mallory <m@example.com>")
    tree.git("checkout", "--quiet", "main")
    if how == "squash":
        tree.git("merge", "--quiet", "--squash", "fork")
        commit(tree, "Clean up (#3)", allow("deletes=14"), author="Mallory <m@example.com>")
    else:
        tree.git("merge", "--quiet", "--ff-only", "fork")
    (consent,) = json.loads(plan(tree, "--format", "json").out)["consents"]
    assert (consent["author"], needed_options(tree)) == ("Mallory", [])


def test_an_option_wins_over_a_trailer(tree: Tree) -> None:
    delete(tree, range(14))
    commit(tree, "Clean up", allow("deletes=20"))
    assert needed_options(tree) == []
    assert needed_options(tree, "--allow-deletes", "13") == ["--allow-deletes 14"]
    allowed_by_option = json.loads(plan(tree, "--format", "json", "--allow-deletes", "14").out)
    assert "consents" not in allowed_by_option, "the plan lists only consents of trailers"


def test_only_commits_since_the_base_consent(tree: Tree) -> None:
    commit(tree, "Earlier", allow("deletes=20"))
    tree.git("update-ref", REF, "HEAD")
    delete(tree, range(14))
    commit(tree, "Clean up")
    assert needed_options(tree) == ["--allow-deletes 14"]


def test_a_trailer_covers_no_uncommitted_files(tree: Tree) -> None:
    delete(tree, range(13))
    commit(tree, "Clean up", allow("deletes=20"))
    delete(tree, [13])
    shown = plan(tree)
    assert shown.code == REFUSED
    assert "consents to nothing: Contentsync-Allow: deletes=20: the folder has changes" in shown.out


def test_a_trailer_covers_neither_an_empty_folder_nor_a_first_sync(tree: Tree) -> None:
    delete(tree, range(PAGES))
    commit(tree, "All", allow("deletes=30"))
    assert needed_options(tree) == [None]
    tree.write("pages/p1.md", "---\ntitle: Other\n---\n")
    commit(tree, "Another", allow("adopt=1, updates=1"))
    first = contentsync("plan", tree.path, "--base", f"git:{'0' * 40}", "--format", "json")
    assert [refusal["flag"] for refusal in json.loads(first.out)["refused"]] == ["--adopt"]
    assert not {"consents", "missing_trailer", "faulty_trailers"} & json.loads(first.out).keys()


def test_a_faulty_trailer_is_named_and_consents_to_nothing(tree: Tree) -> None:
    delete(tree, range(14))
    last = commit(tree, "Clean up", allow("deletes=14, adopt=1"))
    document = json.loads(plan(tree, "--format", "json").out)
    (faulty,) = document["faulty_trailers"]
    assert (faulty["commit"], faulty["error"]) == (last, "'adopt' is not one of deletes, clears, publish, updates")
    assert needed_options(tree) == ["--allow-deletes 14"]
    assert "adopt" in plan(tree).out
    markdown = plan(tree, "--format", "markdown").out
    assert f"- commit {last[:12]} by `Ada` consents to nothing: `Contentsync-Allow: deletes=14, adopt=1`" in markdown
    assert "\n```\nContentsync-Allow: deletes=14\n```\n" in markdown


@pytest.mark.parametrize("format_", ["text", "json", "github"])
def test_validate_reports_each_trailer_of_a_pull_request(tree: Tree, format_: str) -> None:
    tree.git("checkout", "--quiet", "-b", "fork")
    good = commit(tree, "Good", allow("updates=3"))
    wrong = commit(tree, "Wrong", allow("updates=many"), author="Mallory\x1b <m@example.com>")
    tree.git("checkout", "--quiet", "main")
    tree.git("merge", "--quiet", "--no-ff", "fork", "--message", "Merge 1 into 2")
    ran = contentsync("validate", tree.path, "--commits", REF, "--format", format_)
    assert ran.code == CONTENT_ERRORS
    if format_ == "json":
        listed = [(each["commit"], each["error"]) for each in json.loads(ran.out)["trailers"]]
        assert listed == [(wrong, "updates= needs a whole number, not 'many'"), (good, None)]
        return
    asked = f"commit {good[:12]} by Ada asks to allow: updates=3"
    fault = f"commit {wrong[:12]} by Mallory"
    errors, notices = ("::error title=Contentsync-Allow::", "::notice title=Contentsync-Allow::")
    if format_ == "text":
        errors, notices = "error: ", "notice: "
    assert errors + fault in ran.out
    assert notices + asked in ran.out
    assert "\x1b" not in ran.out


def test_validate_needs_a_commit_that_exists(tree: Tree) -> None:
    assert contentsync("validate", tree.path, "--commits", "elsewhere").code == WRONG_USAGE
    assert contentsync("validate", tree.path, "--commits", REF, "--staged").code == WRONG_USAGE
