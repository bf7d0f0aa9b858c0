"""`contentsync propose`: what others changed on a real server, as branches of a real repository."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from ..exit_codes import REFUSED, SERVER_ERROR, WRONG_USAGE
from ..hooks.repositories import Tree
from ..sampling import sampled
from ..served import Served
from .conftest import Ran, contentsync

EDITS, SUBMISSIONS = "contentsync/live/edits", "contentsync/live/submissions"
PAGE = "---\ntitle: '{}'  # as on the door\nslug: {}\n# who we are\n---\n\nText.\n"
TABLE = 'name,url,description\n"One",https://one.example.org/,First\nTwo,https://two.example.org/,"Second"\n'


@pytest.fixture
def tree(tmp_path: Path, served: Served) -> Tree:
    """A synced repository of five pages and two listings, with a hook that refuses every commit, push and checkout."""
    tree = Tree.new(tmp_path / "site")
    for title in ("About", "Jobs", "Team", "Terms", "Help"):
        tree.write(f"pages/{title.lower()}.md", PAGE.format(title, title.lower()))
    tree.write("listings/all.csv", TABLE)
    tree.write(
        "contentsync.toml",
        f'[targets.live]\nurl = "{served.recorder.url}"\ndirectory = {served.directory}\n'
        'requests_per_minute = 60000\non_drift = "keep"\n',
    )
    tree.git("add", ".")
    assert tree.commit().returncode == 0
    assert contentsync("sync", tree.path, "--yes", env=served.env).code == 0
    for name in ("pre-commit", "commit-msg", "post-checkout", "pre-push", "reference-transaction", "post-commit"):
        hook = tree.write(f".git/hooks/{name}", f"#!/bin/sh\necho {name} >>'{tmp_path}/hooks-that-ran'\nexit 1\n")
        hook.chmod(0o755)
    return tree


def propose(tree: Tree, served: Served, *words: str) -> Ran:
    return contentsync("propose", tree.path, *words, env={**served.env, "CONTENTSYNC_TOKEN": served.reader})


def proposed(tree: Tree, served: Served, *words: str) -> Any:
    """Run `contentsync propose`, and return its JSON document."""
    ran = propose(tree, served, *words, "--format", "json")
    assert ran.code == 0, ran.out + ran.err
    return ran.document


def states(document: Any) -> list[str]:
    return [branch["state"] for branch in document["branches"]]


def merge(tree: Tree, branch: str, *words: str) -> None:
    tree.git("-c", "core.hooksPath=/dev/null", "merge", "--quiet", "--no-edit", *words, branch)


def page_id(served: Served, slug: str) -> int:
    (found,) = (page["id"] for page in served.get("pages")["data"] if page["slug"] == slug)
    return int(found)


def edit_page(served: Served, slug: str, **fields: Any) -> None:
    page = next(page for page in served.get("pages")["data"] if page["slug"] == slug)
    served.update(f"pages/{page['id']}", {"slug": slug, "title": page["title"], **fields})


def listing_id(served: Served, name: str) -> int:
    (found,) = (each["id"] for each in served.get("projects")["data"] if each["name"] == name)
    return int(found)


def submit(served: Served, name: str, **fields: Any) -> None:
    served.create("projects", {"name": name, "is_active": False, **fields})


def change_everything(served: Served) -> None:
    """Five edits, two submissions and a deletion of other users."""
    edit_page(served, "about", title="About us")
    edit_page(served, "team", markdown="Text.\n\nMore.")
    edit_page(served, "terms", title="Terms, and 'more'")
    served.update(f"projects/{listing_id(served, 'One')}", {"description": "Theirs, at last"})
    served.update(f"projects/{listing_id(served, 'Two')}", {"description": "Theirs"})
    submit(served, "Sent in", url="https://sent.example.org/")
    submit(served, "Sent too", url="https://too.example.org/")
    served.delete(f"pages/{page_id(served, 'jobs')}")


def test_edits_and_submissions_become_branches_that_change_only_the_lines_concerned(
    tree: Tree, served: Served, tmp_path: Path
) -> None:
    files = [path for path in tree.path.rglob("*.*") if path.is_file()]
    before = {path: path.read_bytes() for path in files if {".git", ".contentsync"}.isdisjoint(path.parts)}
    head, index = tree.git("rev-parse", "HEAD"), (tree.path / ".git/index").read_bytes()
    writes = len(served.recorder.writes)
    change_everything(served)
    made = len(served.recorder.writes)
    document = proposed(tree, served)
    assert len(served.recorder.writes) == made > writes
    assert states(document) == ["new", "new"]
    edits, submissions = document["branches"]
    assert [branch["name"] for branch in document["branches"]] == [EDITS, SUBMISSIONS]
    assert (edits["title"], submissions["title"]) == (
        "Take over 5 edits and 1 deletion from live",
        "Take over 2 submissions from live",
    )
    assert (edits["labels"], submissions["labels"]) == (["contentsync"], ["contentsync", "submission"])
    assert tree.git("diff", "--numstat", "main", EDITS).split("\n") == [
        "2\t2\tlistings/all.csv",
        "1\t1\tpages/about.md",
        "0\t7\tpages/jobs.md",
        "2\t0\tpages/team.md",
        "1\t1\tpages/terms.md",
    ]
    assert tree.git("show", f"{EDITS}:pages/about.md").startswith("---\ntitle: 'About us'  # as on the door\n")
    assert tree.git("show", f"{EDITS}:listings/all.csv").split("\n")[1:] == [
        '"One",https://one.example.org/,"Theirs, at last"',
        'Two,https://two.example.org/,"Theirs"',
    ]
    assert tree.git("diff", "--name-only", "main", SUBMISSIONS) == "listings/pulled.yaml"
    assert tree.git("log", "-1", "--format=%s%n%an", SUBMISSIONS) == "Take over 2 submissions from live\ncontentsync"
    assert document["deleted"] == []
    assert tree.git("log", "-1", "--format=%B", EDITS).startswith("Take over 1 deletion from live\n\n- 1 page\n")
    assert "**Take over 1 deletion from live**\n\n- page `jobs`" in edits["description"]
    assert [entry["key"] for entry in edits["entries"] if entry["action"] == "delete"] == ["jobs"]
    # The user's branch, index and files are untouched, and no hook has run.
    assert (tree.git("rev-parse", "HEAD"), (tree.path / ".git/index").read_bytes()) == (head, index)
    assert {path: path.read_bytes() for path in before} == before
    assert tree.git("status", "--porcelain") == ""
    assert not (tmp_path / "hooks-that-ran").exists()
    assert "  Take over 1 deletion from live\n" in propose(tree, served).out


def test_edits_that_break_or_satisfy_a_house_rule_are_proposed(tree: Tree, served: Served) -> None:
    config = (tree.path / "contentsync.toml").read_text()
    tree.write("contentsync.toml", f'{config}[rules.page]\nrequire = ["order"]\nmax = {{ order = 8 }}\n')
    tree.git("-c", "core.hooksPath=/dev/null", "commit", "--quiet", "--all", "--message=x")
    edit_page(served, "about", order=9)
    edit_page(served, "jobs", order=8)
    assert states(proposed(tree, served)) == ["new", "none"]
    assert tree.git("diff", "--name-only", "main", EDITS).split("\n") == ["pages/about.md", "pages/jobs.md"]


def test_a_deletion_that_the_folder_contradicts_is_left_to_the_user(tree: Tree, served: Served) -> None:
    """The entry has changed in the folder since the sync; deletions that are not in the way are proposed."""
    tree.write("pages/jobs.md", PAGE.format("Our jobs", "jobs"))
    tree.git("-c", "core.hooksPath=/dev/null", "commit", "--quiet", "--all", "--message=x")
    served.delete(f"pages/{page_id(served, 'jobs')}")
    served.delete(f"projects/{listing_id(served, 'One')}")
    document = proposed(tree, served)
    assert tree.git("diff", "--name-only", "main", EDITS) == "listings/all.csv"
    command = f"contentsync sync {tree.path} --only page/jobs --on-conflict ours"
    reason = f"title changed here: {command} creates it again, or delete it here by hand"
    remove = f"git -C {tree.path} rm -- pages/jobs.md"
    assert [(each["key"], each["reason"], each["commands"]) for each in document["deleted"]] == [
        ("jobs", reason, [remove])
    ]
    assert remove in document["branches"][0]["description"]
    assert f"! page jobs  deleted on the server: {reason}; {remove} deletes" in propose(tree, served).out


def test_deletes_over_the_limit_are_not_proposed_but_edits_are(tree: Tree, served: Served) -> None:
    """Also from a server that has lost a kind."""
    for slug in ("about", "jobs", "team", "terms", "help"):
        served.delete(f"pages/{page_id(served, slug)}")
    served.update(f"projects/{listing_id(served, 'One')}", {"description": "Theirs"})
    ran = propose(tree, served, "--format", "json")
    assert ran.code == REFUSED
    assert "the deletions are not proposed: no managed pages would be left: about, help, jobs, team, terms" in ran.err
    assert "if that is right: --allow-deletes 5" in ran.err
    assert tree.git("diff", "--name-only", "main", EDITS) == "listings/all.csv"
    assert {each["reason"] for each in ran.document["deleted"]} == {
        "more was deleted on the server than the limits for deletes allow"
    }
    assert states(proposed(tree, served, "--allow-deletes", "5")) == ["updated", "none"]
    assert len(tree.git("diff", "--name-only", "--diff-filter=D", "main", EDITS).split()) == 5
    assert propose(tree, served, "--allow-deletes", "4").code == REFUSED


def test_a_server_that_may_have_lost_entries_proposes_nothing(tree: Tree, served: Served) -> None:
    """Its other values may be those of an old backup."""
    tree.write("tags.yaml", "".join(f"- title: Tag {number}\n" for number in range(12)))
    tree.git("add", ".")
    tree.git("-c", "core.hooksPath=/dev/null", "commit", "--quiet", "--message=x")
    assert contentsync("sync", tree.path, "--yes", env=served.env).code == 0
    for tag in served.get("tags")["data"][:11]:
        served.delete(f"tags/{tag['id']}")
    edit_page(served, "about", title="Old")
    ran = propose(tree, served)
    assert (ran.code, ran.out) == (REFUSED, "")
    assert "nothing is proposed: 11 of 12 managed tags are missing on the server" in ran.err
    assert f"contentsync sync {tree.path} --allow-recreate 11 creates them again" in ran.err
    assert tree.git("branch", "--list", EDITS) == ""
    assert states(proposed(tree, served, "--allow-deletes", "11")) == ["new", "none"]


def test_a_sync_after_the_merge_is_empty_also_in_a_fresh_clone(tree: Tree, served: Served, tmp_path: Path) -> None:
    base = tree.git("rev-parse", "HEAD")
    change_everything(served)
    proposed(tree, served)
    merge(tree, EDITS)
    merge(tree, SUBMISSIONS)
    clone = Tree(tmp_path / "clone")
    tree.git("clone", "--quiet", str(tree.path), str(clone.path))
    plan = contentsync("plan", clone.path, "--base", f"git:{base}", "--format", "json", env=served.env).document
    assert plan["changes"] == []
    assert states(proposed(clone, served, "--base", f"git:{base}")) == ["none", "none"]
    writes = len(served.recorder.writes)
    assert contentsync("sync", tree.path, "--yes", env=served.env).code == 0
    assert len(served.recorder.writes) == writes
    assert states(proposed(tree, served)) == ["withdrawn", "withdrawn"]
    assert tree.git("branch", "--list", "contentsync/*") == ""


def test_a_proposal_updates_its_branches_only_when_they_change(tree: Tree, served: Served) -> None:
    edit_page(served, "about", title="About us")
    assert states(proposed(tree, served)) == ["new", "none"]
    tip, digest = tree.git("rev-parse", EDITS), proposed(tree, served)["branches"][0]["digest"]
    tree.write("README", "Read me.\n")
    tree.git("add", "README")
    tree.git("-c", "core.hooksPath=/dev/null", "commit", "--quiet", "--message=x")
    document = proposed(tree, served)
    assert (states(document), tree.git("rev-parse", EDITS)) == (["unchanged", "none"], tip)
    assert document["branches"][0]["digest"] == digest
    edit_page(served, "team", title="Crew")
    assert states(proposed(tree, served)) == ["updated", "none"]
    assert tree.git("rev-list", "--count", f"main..{EDITS}") == "1"
    assert "title: 'Crew'" in tree.git("show", f"{EDITS}:pages/team.md")


def test_a_branch_with_a_commit_of_another_user_is_left_alone(tree: Tree, served: Served, tmp_path: Path) -> None:
    edit_page(served, "about", title="About us")
    proposed(tree, served)
    quiet = ("-c", "core.hooksPath=/dev/null")
    tree.git(*quiet, "worktree", "add", "--quiet", str(tmp_path / "theirs"), EDITS)
    checked_out = propose(tree, served)
    assert (checked_out.code, "it is checked out" in checked_out.out) == (REFUSED, True)
    theirs = Tree(tmp_path / "theirs")
    theirs.git(*quiet, "commit", "--quiet", "--amend", "--message=Better words")
    tree.git("worktree", "remove", str(theirs.path))
    tip = tree.git("rev-parse", EDITS)
    edit_page(served, "team", title="Crew")
    submit(served, "Sent in", url="https://sent.example.org/")
    ran = propose(tree, served, "--format", "json")
    assert ran.code == REFUSED
    blocked, submissions = ran.document["branches"]
    assert (blocked["state"], submissions["state"], tree.git("rev-parse", EDITS)) == ("blocked", "new", tip)
    assert "merge the branch, or delete it" in blocked["problem"]["hint"]
    edit_page(served, "team", title="Team")
    edit_page(served, "about", title="About")
    assert propose(tree, served).code == REFUSED  # also with nothing to propose: the commit is not lost
    assert tree.git("rev-parse", EDITS) == tip


def test_a_run_that_was_killed_leaves_nothing_that_stops_the_next_one(tree: Tree, served: Served) -> None:
    change_everything(served)
    copy, git_dir = tree.path / ".git/contentsync/@propose", tree.path / ".git/worktrees/@propose"
    quiet = ("-c", "core.hooksPath=/dev/null", "worktree", "add", "--quiet")
    tree.git(*quiet, "--detach", "--no-checkout", "--lock", str(copy))
    (git_dir / "commondir").unlink()  # as git leaves a working tree that it has not finished
    lock = tree.write(f".git/refs/heads/{EDITS}.lock", "")
    assert states(proposed(tree, served)) == ["new", "new"]
    assert not lock.exists()
    assert "locked" not in tree.git("worktree", "list", "--porcelain")


def test_a_push_moves_the_branches_of_the_remote_only_if_they_change(
    tree: Tree, served: Served, tmp_path: Path
) -> None:
    origin = Tree.new(tmp_path / "origin.git", "--bare")
    origin.write("hooks/post-receive", "#!/bin/sh\necho >>pushes\n").chmod(0o755)
    quiet = ("-c", "core.hooksPath=/dev/null")
    tree.git("remote", "add", "origin", origin.path.as_uri())
    tree.git(*quiet, "push", "--quiet", "origin", "main")
    (origin.path / "pushes").unlink()
    change_everything(served)
    assert states(proposed(tree, served, "--push", "origin")) == ["new", "new"]
    clone = Tree(tmp_path / "clone")
    shutil.copytree(tree.path / ".contentsync", tmp_path / "kept")
    tree.git("clone", "--quiet", "--no-local", "--single-branch", origin.path.as_uri(), str(clone.path))
    shutil.copytree(tmp_path / "kept", clone.path / ".contentsync")
    for _ in range(2):
        assert states(proposed(clone, served, "--push", "origin")) == ["unchanged", "unchanged"]
    assert (origin.path / "pushes").read_text() == "\n"
    assert tree.git("branch", "--list", "contentsync/*") == ""
    assert propose(tree, served, "--push", "--upload-pack=touch x").code == WRONG_USAGE


def test_a_partial_read_of_the_server_proposes_nothing(tree: Tree, served: Served) -> None:
    change_everything(served)
    served.recorder.fails = lambda method, path: "projects" in path
    assert propose(tree, served).code == SERVER_ERROR
    assert tree.git("branch", "--list", "contentsync/*") == ""


def test_a_field_that_changed_on_both_sides_is_left_alone_and_named(tree: Tree, served: Served) -> None:
    edit_page(served, "about", title="Theirs", markdown="Theirs.")
    tree.write("pages/about.md", PAGE.format("Ours", "about"))
    tree.git("-c", "core.hooksPath=/dev/null", "commit", "--quiet", "--all", "--message=Ours")
    document = proposed(tree, served)
    assert document["conflicts"] == [{"kind": "page", "key": "about", "fields": ["title"]}]
    text = tree.git("show", f"{EDITS}:pages/about.md")
    assert "title: 'Ours'" in text
    assert "Theirs." in text  # the body, which changed only on the server
    assert "**Changed in the folder and on the server" in document["branches"][0]["description"]


@pytest.mark.parametrize(("turns", "same"), sampled([(2, 6), (20, 6)], every=2))
def test_a_field_that_both_sides_change_in_turns_is_contested(
    tree: Tree, served: Served, turns: int, same: int
) -> None:
    """Turns of both sides, the first ones with the same two values: there is no loop, and nothing is lost."""
    quiet = ("-c", "core.hooksPath=/dev/null")
    found = []
    for turn in range(turns):
        title, theirs = ("About", "About us") if turn < same else (f"Ours {turn}", f"Theirs {turn}")
        edit_page(served, "about", title=theirs)
        document = proposed(tree, served)
        if document["contested"]:
            found.append(turn)
            assert document["contested"] == [{"kind": "page", "key": "about", "fields": ["title"]}]
            assert "title: 'About'" in tree.git("show", "HEAD:pages/about.md")
            assert served.get(f"pages/{page_id(served, 'about')}")["data"]["title"] == theirs
            edit_page(served, "about", title="About")
            continue
        assert document["branches"][0]["state"] in ("new", "updated"), turn
        merge(tree, EDITS)
        assert contentsync("sync", tree.path, "--yes", env=served.env).code == 0
        assert f"title: '{theirs}'" in (tree.path / "pages/about.md").read_text()
        tree.write("pages/about.md", PAGE.format(title, "about"))
        tree.git(*quiet, "commit", "--quiet", "--all", f"--message={turn}")
        assert contentsync("sync", tree.path, "--yes", env=served.env).code == 0
        assert served.get(f"pages/{page_id(served, 'about')}")["data"]["title"] == title
    assert found == [*range(1, min(turns, same))]


def test_a_proposal_needs_a_repository_with_a_commit_and_a_base(tree: Tree, served: Served, tmp_path: Path) -> None:
    plain = shutil.copytree(tree.path, tmp_path / "plain", ignore=shutil.ignore_patterns(".git", ".contentsync"))
    ran = propose(Tree(plain), served)
    assert (ran.code, "is in none" in ran.err) == (WRONG_USAGE, True)
    Tree(plain).git("init", "--quiet")
    assert propose(Tree(plain), served).code == WRONG_USAGE
    shutil.rmtree(tree.path / ".contentsync")
    edit_page(served, "about", title="About us")
    ran = propose(tree, served)
    assert (ran.code, "it is not known which side has changed" in ran.err) == (REFUSED, True)


def test_the_config_marks_active_listings_as_submissions(tree: Tree, served: Served) -> None:
    config = (tree.path / "contentsync.toml").read_text()
    tag = served.create("tags", {"title": "Submitted", "slug": "submitted"})["data"]["id"]
    served.create("projects", {"name": "Sent in", "url": "https://sent.example.org/", "tags": [tag]})
    assert states(proposed(tree, served)) == ["new", "none"]
    for rule, code in (('tags = "submitted"', 0), ('tag = "submitted"', 64)):
        tree.write("contentsync.toml", f"{config}\n[propose]\nsubmissions = {{ {rule} }}\n")
        tree.git("-c", "core.hooksPath=/dev/null", "commit", "--quiet", "--all", "--message=x")
        assert propose(tree, served).code == code
    assert tree.git("diff", "--name-only", "main~1", SUBMISSIONS) == "listings/pulled.yaml\ntags.yaml"
    drift = contentsync("drift", tree.path, env=served.env)
    assert (drift.code, "did you mean 'tags'?" in drift.err) == (WRONG_USAGE, True)
