"""A push to a bare repository, or a merge, changes the server: real git, real hook, real server."""

import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ..end_to_end.conftest import Ran, contentsync
from ..exit_codes import REFUSED
from ..in_process import environment
from ..served import Served, recording
from .conftest import quicken
from .repositories import BROKEN, SOUND, Tree

SYNCED_REF = "refs/contentsync/production"  # the commit that was synced last
OTHER_SERVER = "the token belongs to one of the two servers"  # those of the config and of the hook


@pytest.fixture
def origin(tmp_path: Path) -> Tree:
    """Return a bare repository to which authors push; its path has a space and a letter that is not ASCII."""
    return Tree.new(tmp_path / "our site ü.git", "--bare")


@pytest.fixture
def clone(origin: Tree, tmp_path: Path, served: Served) -> Tree:
    """Return a clone with one commit that was never pushed."""
    tree = Tree.new(tmp_path / "clone")
    tree.git("remote", "add", "origin", str(origin.path))
    tree.write("site/contentsync.toml", config(served))
    tree.write("site/pages/about.md", SOUND)
    tree.write("site/pages/old.md", "---\ntitle: Old\n---\n")
    tree.git("add", ".")
    assert tree.commit().returncode == 0
    return tree


def config(served: Served, url: str | None = None) -> str:
    return (
        f'[targets.production]\nurl = "{url or served.recorder.url}"\ndirectory = {served.directory}\n'
        "prune = true\nrequests_per_minute = 60000\n"
    )


@pytest.fixture
def installed(origin: Tree, clone: Tree, served: Served, program: Path) -> Tree:
    """Return the clone, when the bare repository has the hook, and the token beside it."""
    environment = f"CONTENTSYNC_TOKEN={served.token}\nCONTENTSYNC_URL={served.recorder.url}\n"
    origin.write("hooks/contentsync.env", environment)
    assert contentsync("hook", "install", origin.path, "--target", "production").code == 0
    quicken(origin.path / "hooks/post-receive", program)
    return clone


@pytest.fixture
def hooked(installed: Tree, served: Served) -> Iterator[Tree]:
    """Return the clone with the hook, after the first commit is pushed."""
    first = push(installed, "main")
    assert "the first sync to production from here" in first
    yield installed
    assert served.token not in first


def push(tree: Tree, *refs: str) -> str:
    """Push and return the output that the user sees."""
    done = tree.run("push", "origin", *refs)
    assert done.returncode == 0, done.stderr
    return done.stderr


def titles(served: Served) -> dict[str, str]:
    """Return the titles of the pages on the server, by slug."""
    return {page["slug"]: page["title"] for page in served.get("pages")["data"]}


def change(tree: Tree, title: str) -> str:
    return change_in(tree, "site", title)


def change_in(tree: Tree, folder: str, title: str) -> str:
    tree.write(f"{folder}/pages/about.md", f"---\ntitle: {title}\nslug: about\n---\n")
    tree.git("add", ".")
    assert tree.commit().returncode == 0
    return tree.git("rev-parse", "HEAD")


def test_a_push_changes_the_server_and_its_run_can_be_undone(origin: Tree, hooked: Tree, served: Served) -> None:
    """PL-17: the base is a commit, and there is no state."""
    assert titles(served) == {"about": "About", "old": "Old"}
    hooked.git("checkout", "--quiet", "-b", "feature")
    hooked.git("rm", "--quiet", "site/pages/old.md")
    commit = change(hooked, "About us")
    served.recorder.requests.clear()
    assert "remote:" not in push(hooked, "feature")
    assert served.recorder.requests == []
    hooked.git("tag", "v1")
    output = push(hooked, "HEAD:main", "v1", ":feature")
    assert "about" in output
    assert served.token not in output
    assert titles(served) == {"about": "About us"}
    assert origin.git("rev-parse", SYNCED_REF) == commit
    copy = origin.path / "contentsync/production/site"
    options = ("--target", "production", "--yes", "--allow-deletes", "0")
    ran = contentsync("undo", copy, *options, env={"CONTENTSYNC_TOKEN": served.token})
    assert ran.code == 0, ran.err
    assert titles(served) == {"about": "About", "old": "Old"}


def test_a_refused_push_is_reported_and_the_next_push_syncs_it(origin: Tree, hooked: Tree, served: Served) -> None:
    """AU-12, PL-09: a push with a mistake, and a push with another server in the config."""
    before = origin.git("rev-parse", SYNCED_REF)
    hooked.write("site/pages/new.md", BROKEN)
    change(hooked, "About us")
    assert "pages/new.md:3:1: unknown-key" in push(hooked, "main")
    hooked.write("site/pages/new.md", "---\ntitle: New\n---\n")
    with recording(int(served.recorder.url.rpartition(":")[2])) as thief:
        hooked.write("site/contentsync.toml", config(served, thief.url))
        change(hooked, "Stolen")
        assert OTHER_SERVER in push(hooked, "main")
        assert thief.requests == []
        copy = origin.path / "contentsync/production/site/contentsync.toml"
        assert thief.url not in copy.read_text(), "or undo, by hand, would send the token there"
    assert titles(served) == {"about": "About", "old": "Old"}
    assert origin.git("rev-parse", SYNCED_REF) == before
    hooked.write("site/contentsync.toml", config(served))
    commit = change(hooked, "About you")
    push(hooked, "main")
    assert titles(served) == {"about": "About you", "old": "Old", "new": "New"}
    assert origin.git("rev-parse", SYNCED_REF) == commit


def test_a_trailer_in_a_pushed_commit_consents_to_the_refused_deletes(
    origin: Tree, hooked: Tree, served: Served
) -> None:
    hooked.write("site/tags.yaml", "- title: Free\n")
    hooked.git("rm", "--quiet", "-r", "site/pages")
    hooked.git("add", ".")
    assert hooked.commit().returncode == 0
    output = push(hooked, "main")
    assert "or a later commit whose message ends with: Contentsync-Allow: deletes=2" in output
    assert len(titles(served)) == 2
    assert hooked.commit("--allow-empty", "--message=Contentsync-Allow: deletes=2").returncode == 0
    commit = hooked.git("rev-parse", "HEAD")
    output = push(hooked, "main")
    assert f"commit {commit[:12]} by " in output
    assert "consents with deletes=2; the plan has 2" in output
    assert titles(served) == {}
    assert origin.git("rev-parse", SYNCED_REF) == commit


@contextmanager
def nothing_is_synced(origin: Tree, served: Served) -> Iterator[None]:
    """Require that the pushes in between send no request, and leave the synced commit as it is."""
    before = origin.git("rev-parse", SYNCED_REF)
    served.recorder.requests.clear()
    yield
    assert served.recorder.requests == []
    assert origin.git("rev-parse", SYNCED_REF) == before


def test_a_synced_commit_is_not_a_base_for_another_directory(origin: Tree, hooked: Tree, served: Served) -> None:
    """PL-09: entries of another directory are not deleted."""
    with nothing_is_synced(origin, served):
        hooked.write("site/contentsync.toml", config(served).replace("directory = ", "directory = 9"))
        change(hooked, "About us")
        assert "was synced elsewhere" in push(hooked, "main")


def test_a_synced_commit_is_not_a_base_for_an_embedded_target(origin: Tree, hooked: Tree, served: Served) -> None:
    """PL-09"""
    with nothing_is_synced(origin, served):
        hooked.write("site/contentsync.toml", config(served, "embedded:.contentsync/site.db"))
        change(hooked, "About us")
        assert OTHER_SERVER in push(hooked, "main")


def test_a_renamed_folder_is_not_synced_as_a_new_one(origin: Tree, hooked: Tree, served: Served) -> None:
    """PL-09"""
    with nothing_is_synced(origin, served):
        hooked.git("mv", "site", "web")
        change_in(hooked, "web", "About us")
        assert "holds no contentsync.toml in the folder web" in push(hooked, "main")


def test_a_deleted_or_rewound_branch_deletes_nothing(origin: Tree, hooked: Tree, served: Served) -> None:
    commit = origin.git("rev-parse", SYNCED_REF)
    hooked.git("checkout", "--quiet", "--orphan", "rewound")
    hooked.git("rm", "--quiet", "--force", "site/pages/old.md")
    change(hooked, "Rewound")
    reported = push(hooked, "+HEAD:main")
    assert "does not build upon" in reported
    assert "git revert" in reported
    origin.git("config", "receive.denyDeleteCurrent", "ignore")
    assert "main was deleted: nothing is synced" in push(hooked, ":main")
    assert titles(served) == {"about": "About", "old": "Old"}
    assert origin.git("rev-parse", SYNCED_REF) == commit


def test_a_hook_that_was_installed_without_a_url_sends_no_token(
    origin: Tree, clone: Tree, served: Served, program: Path
) -> None:
    """AU-12: the repository was empty when the hook was installed, so its config was not known."""
    origin.write("hooks/contentsync.env", f"CONTENTSYNC_TOKEN={served.token}\n")
    assert contentsync("hook", "install", origin.path, "--target", "production").code == 0
    quicken(origin.path / "hooks/post-receive", program)
    output = push(clone, "main")
    assert "CONTENTSYNC_URL is not set, and any commit could name another server" in output
    assert served.recorder.requests == []
    (install,) = re.findall(r"contentsync (hook install .*) again, or write", output)
    assert contentsync(*shlex.split(install)).code == 0
    assert call(origin).code == 0
    assert titles(served) == {"about": "About", "old": "Old"}


def test_the_command_that_the_hook_prints_adopts_earlier_content_of_the_server(
    origin: Tree, clone: Tree, served: Served, program: Path
) -> None:
    env = {"CONTENTSYNC_TOKEN": served.token}
    assert contentsync("sync", clone.path / "site", "--yes", env=env).code == 0
    commit = change(clone, "About us")
    push(clone, "main")
    assert contentsync("hook", "install", origin.path, "--target", "production").code == 0
    quicken(origin.path / "hooks/post-receive", program)
    refused = call(origin, env)
    assert refused.code == REFUSED
    assert titles(served)["about"] == "About"
    question, *steps = (line.strip() for line in refused.err.splitlines()[-7:])
    assert question == "If that is right, run these three commands on this machine:"
    assert [step.startswith("# ") for step in steps] == [True, False] * 3
    _attempt, line, again = steps[1::2]
    ran = contentsync(*shlex.split(line)[1:], "--yes", "--adopt", env=env)
    assert ran.code == 0, ran.err
    assert titles(served)["about"] == "About us"
    subprocess.run(["sh", "-c", again], env=environment(env), capture_output=True, check=True)
    assert origin.git("rev-parse", SYNCED_REF) == commit


def test_a_merge_syncs_the_committed_branch_and_no_other_branch(clone: Tree, served: Served, program: Path) -> None:
    env = {"CONTENTSYNC_TOKEN": served.token}
    words = ("--hook", "post-merge", "--target", "production")
    assert contentsync("hook", "install", clone.path, *words).code == 0
    quicken(clone.path / ".git/hooks/post-merge", program)
    clone.git("checkout", "--quiet", "-b", "feature")
    change(clone, "Feature")
    clone.git("checkout", "--quiet", "-b", "other", "main")
    clone.git("merge", "--quiet", "feature", env=env)
    assert titles(served) == {}
    clone.git("checkout", "--quiet", "main")
    clone.git("sparse-checkout", "set", "--no-cone", "/site/contentsync.toml", "/site/pages/about.md")
    clone.write("site/pages/draft.md", "---\ntitle: Draft\n---\n")
    clone.git("merge", "--quiet", "feature", env=env)
    assert titles(served) == {"about": "Feature", "old": "Old"}
    assert clone.git("rev-parse", SYNCED_REF) == clone.git("rev-parse", "main")


def call(origin: Tree, env: dict[str, str] | None = None) -> Ran:
    """Run the hook by hand without input, as the documentation describes."""
    done = subprocess.run(
        [origin.path / "hooks/post-receive"],
        cwd=origin.path,
        env=environment(env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
