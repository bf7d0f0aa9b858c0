"""`--base git:REF` by hand, on the built-in server: attempts, submodules, saved plans."""

import re
from pathlib import Path

import pytest

from ..exit_codes import CONTENT_ERRORS, REFUSED, WRONG_USAGE
from ..hooks.repositories import SOUND, Tree
from ..served import Served
from .conftest import Ran, contentsync

REF = "refs/contentsync/local"
CONFIG = '[targets.local]\nurl = "embedded:.contentsync/site.db"\nprune = true\n'
SECRET = "---\ntitle: Secret\n---\nNot for everybody.\n"


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """A synced page, and a commit after it with another one that a run has written without finishing."""
    made = Tree.new(tmp_path / "site")
    made.write("contentsync.toml", CONFIG)
    made.write(".gitignore", ".contentsync\n")
    made.write("pages/about.md", SOUND)
    commit(made)
    made.git("update-ref", REF, "HEAD")
    made.write("pages/secret.md", SECRET)
    begun = commit(made)
    made.git("update-ref", f"refs/contentsync/@attempts/local/{begun}", begun)
    assert sync(made, "--base", f"git:{'0' * 40}").code == 0
    return made


def commit(tree: Tree) -> str:
    """Commit all files, and return the commit."""
    tree.git("add", "--all", ".")
    assert tree.commit().returncode == 0
    return tree.git("rev-parse", "HEAD")


def sync(tree: Tree, *words: str) -> Ran:
    return contentsync("sync", tree.path, "--yes", *words)


def deletes(tree: Tree, *words: str) -> list[str]:
    """Return the keys of the entries that a plan deletes."""
    ran = contentsync("plan", tree.path, "--format", "json", *words)
    assert ran.code == 0, ran.err
    return [change["key"] for change in ran.document["changes"] if change["action"] == "delete"]


def test_the_ref_of_a_target_includes_its_attempts_and_a_commit_needs_the_option(tree: Tree) -> None:
    begun = tree.git("rev-parse", "HEAD")
    tree.git("revert", "--no-edit", "HEAD")
    synced = tree.git("rev-parse", REF)
    assert deletes(tree, "--base", f"git:{REF}") == ["secret"]
    assert deletes(tree, "--base", f"git:{synced}") == []
    assert deletes(tree, "--base", f"git:{synced}", "--attempt", begun) == ["secret"]
    assert deletes(tree, "--base", f"git:{'0' * 40}", "--attempt", begun) == ["secret"]
    tree.git("update-ref", f"refs/contentsync/@attempts/other/{begun}", begun)
    tree.git("update-ref", "-d", f"refs/contentsync/@attempts/local/{begun}")
    assert deletes(tree, "--base", f"git:{REF}") == []


def test_an_attempt_before_the_synced_commit_has_no_effect(tree: Tree) -> None:
    """So the ref of an attempt that was not deleted after the sync makes no plan delete the page `secret`."""
    tree.git("revert", "--no-edit", "HEAD")  # the commit of the attempt, which has added the page
    tree.git("update-ref", REF, "HEAD")  # as a sync of this commit does
    assert tree.git("for-each-ref", "refs/contentsync/@attempts/") != ""
    assert deletes(tree, "--base", f"git:{REF}") == []


def test_an_attempt_on_another_directory_has_no_effect(tree: Tree) -> None:
    """The same content may lie there by another user's hand."""
    tree.git("revert", "--no-edit", "HEAD")
    begun = tree.git("rev-parse", "HEAD~1")
    tree.write("contentsync.toml", CONFIG.replace("site.db", "other.db"))
    commit(tree)
    tree.git("checkout", "--quiet", begun, "--", "pages")
    assert sync(tree, "--base", f"git:{'0' * 40}").code == 0
    tree.git("checkout", "--quiet", "HEAD", "--", "contentsync.toml")
    tree.git("rm", "--quiet", "-f", "pages/secret.md")
    assert deletes(tree, "--base", f"git:{'0' * 40}", "--attempt", begun) == []


def test_a_saved_plan_remembers_the_attempts(tree: Tree, tmp_path: Path) -> None:
    synced, begun = tree.git("rev-parse", REF), tree.git("rev-parse", "HEAD")
    tree.git("revert", "--no-edit", "HEAD")
    words = ("--base", f"git:{synced}", "--attempt", begun)
    assert contentsync("plan", tree.path, *words, "--out", tmp_path / "plan.json").code == 0
    ran = sync(tree, "--plan", str(tmp_path / "plan.json"))
    assert ran.code == 0, ran.err
    assert deletes(tree, *words) == []
    assert sync(tree, "--plan", str(tmp_path / "plan.json")).code == REFUSED


def test_the_attempt_option_needs_a_commit_as_the_base(tree: Tree) -> None:
    ran = contentsync("plan", tree.path, "--attempt", "HEAD")
    assert ran.code == WRONG_USAGE
    assert "--base git:REF" in ran.err


def test_a_submodule_that_is_not_checked_out_stops_a_sync_and_deletes_nothing(tree: Tree) -> None:
    module = "pages/shared"
    (tree.path / module).mkdir()
    tree.git("update-index", "--add", "--cacheinfo", f"160000,{tree.git('rev-parse', 'HEAD')},{module}")
    assert tree.commit().returncode == 0
    for command in ("validate", "plan", "sync"):
        ran = contentsync(command, tree.path)
        assert ran.code == CONTENT_ERRORS
        assert "missing-submodule" in ran.out + ran.err
        assert f"git submodule update --init -- {module}" in ran.out + ran.err
    tree.write(f"{module}/shared.md", "---\ntitle: Shared\n---\n")
    assert sync(tree, "--base", f"git:{REF}").code == 0
    tree.git("update-ref", REF, "HEAD")
    tree.git("rm", "--quiet", "--cached", module)
    (tree.path / f"{module}/shared.md").unlink()
    (tree.path / module).rmdir()
    assert tree.commit().returncode == 0
    assert deletes(tree, "--base", f"git:{REF}") == []
    assert "pages/shared is a submodule" in contentsync("plan", tree.path, "--base", f"git:{REF}").err


def test_a_run_that_plans_again_knows_what_it_has_written(tmp_path: Path, served: Served) -> None:
    """The commit is the base of the first plan only: by it, a swap of slugs that is done would be swapped back."""
    made = Tree.new(tmp_path / "site")
    made.write("contentsync.toml", f'[targets.local]\nurl = "{served.recorder.url}"\ndirectory = {served.directory}\n')
    slugs = {"one": "a", "two": "b"}
    for name, slug in slugs.items():
        made.write(f"pages/{name}.md", f"---\ntitle: {name}\nslug: {slug}\n---\nText of {name}.\n")
    commit(made)
    base = ["sync", made.path, "--yes", "--base"]
    assert contentsync(*base, f"git:{'0' * 40}", env=served.env).code == 0
    made.git("update-ref", REF, "HEAD")
    for name, slug in slugs.items():
        other = "b" if slug == "a" else "a"
        made.write(f"pages/{name}.md", f"---\ntitle: {name}\nslug: {other}\n---\nText of {name}.\n")
    made.write("articles/new.md", SECRET)
    commit(made)
    conflicts = iter([True])
    served.recorder.status = 409
    served.recorder.fails = lambda method, path: (
        method == "POST" and path.endswith("/articles") and next(conflicts, False)
    )
    ran = contentsync(*base, f"git:{REF}", env=served.env)
    assert (ran.code, "This is the new plan" in ran.err) == (0, True)
    assert {page["title"]: page["slug"] for page in served.get("pages")["data"]} == {"one": "b", "two": "a"}
    assert [article["slug"] for article in served.get("articles")["data"]] == ["new"]


TABLE = "name,url\nOne,https://one.example.org\n"
ROW = "Two,https://two.example.org\n"


@pytest.fixture
def stored(tree: Tree, tmp_path: Path) -> Path:
    """The store of a filter, which has the rows of the repository's table; they are synced and lose one."""
    store = tmp_path / "store"
    store.mkdir()
    clean = f"f={store}/$$; cat > $f; id=$(git hash-object --no-filters $f); mv $f {store}/$id; echo $id"
    tree.git("config", "filter.store.clean", clean)
    tree.git("config", "filter.store.smudge", f"read -r id; cat {store}/$id")
    tree.git("config", "filter.store.required", "true")
    tree.write(".gitattributes", "*.csv filter=store\n")
    tree.write("listings/all.csv", TABLE + ROW)
    tree.git("update-ref", REF, commit(tree))
    assert sync(tree, "--base", f"git:{'0' * 40}").code == 0
    tree.write("listings/all.csv", TABLE)
    commit(tree)
    return store


def test_a_row_that_was_deleted_in_a_filtered_table_is_deleted(tree: Tree, stored: Path) -> None:
    assert deletes(tree, "--base", f"git:{REF}") == ["https://two.example.org"]


def test_a_file_that_its_filter_cannot_read_is_named_and_its_base_is_unknown(tree: Tree, stored: Path) -> None:
    old = next(file for file in stored.iterdir() if ROW in file.read_text())
    old.unlink()
    tree.write("listings/all.csv", TABLE.replace("One,", "Uno,"))
    tree.write("listings/new.csv", "name,url\nThree,https://three.example.org\n")
    commit(tree)
    ran = contentsync("plan", tree.path, "--base", f"git:{REF}", "--verbose")
    assert "these files could not be read: listings/all.csv (" in ran.err
    assert "none is deleted" in ran.err
    text = re.sub(r" \(created [^)]*\)", "", " ".join(ran.out.split()))
    assert "~ listing https://one.example.org name differs; not from here; base unknown listings/all.csv:2" in text
    assert "listing https://two.example.org on the server only, left alone; base unknown" in text
    assert "1 record that only the server has may be from there, left alone" in text
    assert "+ listing https://three.example.org “Three” listings/new.csv:2" in text.replace('"Three"', "“Three”")
    document = contentsync("plan", tree.path, "--base", f"git:{REF}", "--format", "json").document
    assert [file["path"] for file in document["base_unknown"]] == ["listings/all.csv"]
    assert "smudge filter store failed" in document["base_unknown"][0]["reason"]
    assert "`listings/all.csv" in contentsync("plan", tree.path, "--base", f"git:{REF}", "--format", "markdown").out


def test_a_sync_is_refused_while_deletes_of_an_unread_file_are_unknown(tree: Tree, stored: Path) -> None:
    next(file for file in stored.iterdir() if ROW in file.read_text()).unlink()
    tree.write("listings/all.csv", TABLE)
    refused = sync(tree, "--base", f"git:{REF}", "--only", "listing")
    assert refused.code == REFUSED
    assert "https://two.example.org; make git read listings/all.csv" in " ".join(refused.out.split())
    consented = sync(tree, "--base", f"git:{REF}", "--only", "listing", "--allow-unknown-base", "1")
    assert consented.code == 0, consented.err


def test_a_config_with_errors_at_the_commit_is_refused_by_name(tree: Tree) -> None:
    tree.write("contentsync.toml", f"{CONFIG}[content.pages]\npath = 1\n")
    tree.git("update-ref", REF, commit(tree))
    tree.write("contentsync.toml", CONFIG)
    commit(tree)
    ran = contentsync("plan", tree.path, "--base", f"git:{REF}")
    assert (ran.code, "contentsync.toml has errors at the commit" in ran.err) == (REFUSED, True)
