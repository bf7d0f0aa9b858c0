"""A push whose sync did not finish, and the next pushes, which know the writes of the first (docs/git.md)."""

import os

import pytest

from ..forked import CONTEXT, become_command
from ..in_process import environment
from ..sampling import sampled
from ..served import Served
from .repositories import SOUND, Tree
from .test_push import SYNCED_REF, clone, hooked, installed, origin, push, titles

__all__ = ["clone", "hooked", "installed", "origin"]

AS_BEFORE = {"about": "About", "old": "Old"}
SECRET = "---\ntitle: Secret\n---\nNot for everybody.\n"


def commit(tree: Tree, **pages: str) -> str:
    """Commit pages, by their file names."""
    for name, text in pages.items():
        tree.write(f"site/pages/{name}.md", text)
    tree.git("add", "--all", ".")
    assert tree.commit().returncode == 0
    return tree.git("rev-parse", "HEAD")


def refused(served: Served, path: str) -> None:
    """Let the server refuse each change at a path of the API."""
    served.recorder.status = 422
    served.recorder.fails = lambda method, asked: method != "GET" and asked.endswith(path)


def accepted(served: Served) -> None:
    """Let the server accept all requests again."""
    served.recorder.fails = lambda method, asked: False


def page(served: Served, slug: str) -> str:
    """Return the path of a page, by its id."""
    return next(f"/pages/{page['id']}" for page in served.get("pages")["data"] if page["slug"] == slug)


def attempts(origin: Tree) -> list[str]:
    return origin.git("for-each-ref", "--format=%(refname)", "refs/contentsync/@attempts/").split()


def killed(origin: Tree, served: Served, write: int, *, done: bool) -> bool:
    """Sync as the hook does, and kill it at a write, before or after it is stored; False if there were fewer writes."""
    words = ["hook", "run", "post-receive", "--target", "production", "--branch", "main"]
    env = environment({"CONTENTSYNC_TOKEN": served.token, "CONTENTSYNC_URL": served.recorder.url})
    process = CONTEXT.Process(target=become_command, args=(words, env, str(origin.path), os.devnull, os.devnull))
    seen = 0

    def kill(method: str, path: str) -> bool:
        nonlocal seen
        seen += method != "GET"
        if method == "GET" or seen != write:
            return seen > write
        process.kill()
        process.join()
        return not done

    served.recorder.fails = kill
    process.start()
    process.join()
    accepted(served)
    return seen >= write


def quietly(tree: Tree, origin: Tree) -> None:
    """Push without the hook."""
    hook = origin.path / "hooks/post-receive"
    hook.rename(hook.with_suffix(".off"))
    push(tree, "main")
    hook.with_suffix(".off").rename(hook)


def test_a_revert_removes_the_page_that_a_partly_failed_sync_created(
    origin: Tree, hooked: Tree, served: Served
) -> None:
    refused(served, page(served, "about"))
    commit(hooked, secret=SECRET, about=SOUND + "More.\n")
    push(hooked, "main")
    accepted(served)
    assert "secret" in titles(served)
    (attempt,) = attempts(origin)
    assert attempt == f"refs/contentsync/@attempts/production/{hooked.git('rev-parse', 'HEAD')}"
    hooked.git("revert", "--no-edit", "HEAD")
    push(hooked, "main")
    assert titles(served) == AS_BEFORE
    assert origin.git("rev-parse", SYNCED_REF) == hooked.git("rev-parse", "HEAD")
    assert attempts(origin) == []


@pytest.mark.parametrize("done", sampled([True, False], every=2), ids=["done", "not-done"])
def test_a_revert_undoes_a_sync_that_was_killed_at_any_write(
    origin: Tree, hooked: Tree, served: Served, done: bool
) -> None:
    """A page is new, one is edited, one is renamed, and one is deleted."""
    (hooked.path / "site/pages/gone.md").write_text("---\ntitle: Gone\n---\nSoon.\n")
    commit(hooked)
    push(hooked, "main")
    before = titles(served)
    write = 1
    while True:
        (hooked.path / "site/pages/gone.md").unlink()
        hooked.git("mv", "site/pages/old.md", "site/pages/former.md")
        commit(hooked, secret=SECRET, about=SOUND.replace("About", "About us"))
        quietly(hooked, origin)
        was_killed = killed(origin, served, write, done=done)
        hooked.git("revert", "--no-edit", "HEAD")
        output = push(hooked, "main")
        assert titles(served) == before, (write, output)
        assert origin.git("rev-parse", SYNCED_REF) == hooked.git("rev-parse", "HEAD"), (write, output)
        if not was_killed:
            break
        write += 1
    assert write == 5


@pytest.mark.whole
def test_an_edit_after_a_failed_sync_has_no_conflict_with_its_own_value(
    origin: Tree, hooked: Tree, served: Served
) -> None:
    refused(served, page(served, "old"))
    commit(hooked, old="---\ntitle: Older\n---\n", about=SOUND.replace("About", "About us"))
    push(hooked, "main")
    accepted(served)
    assert titles(served) == {"about": "About us", "old": "Old"}
    head = commit(hooked, about=SOUND.replace("About", "About you"))
    output = push(hooked, "main")
    assert titles(served) == {"about": "About you", "old": "Older"}, output
    assert origin.git("rev-parse", SYNCED_REF) == head


def test_a_revert_keeps_a_page_that_another_user_created_with_other_values(
    origin: Tree, hooked: Tree, served: Served
) -> None:
    refused(served, "/pages")
    commit(hooked, secret=SECRET, about=SOUND.replace("About", "About us"))
    push(hooked, "main")
    accepted(served)
    theirs = {"slug": "secret", "title": "Secret", "markdown": "Not for everybody.", "seo": {"title": "Theirs"}}
    served.create("pages", theirs)
    hooked.git("revert", "--no-edit", "HEAD")
    push(hooked, "main")
    assert titles(served) == {**AS_BEFORE, "secret": "Secret"}
    assert origin.git("rev-parse", SYNCED_REF) == hooked.git("rev-parse", "HEAD")


def test_a_branch_reset_to_the_synced_commit_undoes_a_failed_sync(origin: Tree, hooked: Tree, served: Served) -> None:
    refused(served, page(served, "about"))
    before = hooked.git("rev-parse", "HEAD")
    commit(hooked, secret=SECRET, about=SOUND + "More.\n")
    push(hooked, "main")
    accepted(served)
    hooked.git("reset", "--quiet", "--hard", before)
    output = push(hooked, "+main")
    assert titles(served) == AS_BEFORE, output
    assert attempts(origin) == []


def test_a_revert_undoes_several_failed_syncs_together(origin: Tree, hooked: Tree, served: Served) -> None:
    refused(served, page(served, "about"))
    commit(hooked, secret=SECRET, about=SOUND + "More.\n")
    push(hooked, "main")
    commit(hooked, second=SECRET.replace("Secret", "Second"))
    push(hooked, "main")
    assert titles(served) == {**AS_BEFORE, "secret": "Secret", "second": "Second"}
    assert len(attempts(origin)) == 2
    accepted(served)
    synced = origin.git("rev-parse", SYNCED_REF)
    hooked.git("revert", "--no-edit", "HEAD", "HEAD~1")
    output = push(hooked, "main")
    assert titles(served) == AS_BEFORE, output
    message = f"2 runs after {synced} did not finish: a record that equals the entry in such a run's commit counts as"
    assert f"{message} written by it" in " ".join(output.replace("remote:", "").split())


@pytest.mark.whole
def test_a_revert_undoes_a_first_sync_that_failed(origin: Tree, installed: Tree, served: Served) -> None:
    """It has no base commit."""
    commit(installed, secret=SECRET)
    served.recorder.status = 422
    served.recorder.fail_writes_after(1)
    push(installed, "main")
    accepted(served)
    (made,) = titles(served)
    file = {"about": "about", "old": "old", "secret": "secret"}[made]
    installed.git("rm", "--quiet", f"site/pages/{file}.md")
    head = commit(installed)
    output = push(installed, "main")
    assert titles(served) == {slug: slug.title() for slug in ("about", "old", "secret") if slug != made}, output
    assert origin.git("rev-parse", SYNCED_REF) == head


def test_the_command_that_the_hook_prints_names_the_failed_attempt(origin: Tree, hooked: Tree, served: Served) -> None:
    refused(served, page(served, "about"))
    commit(hooked, secret=SECRET, about=SOUND + "More.\n")
    push(hooked, "main")
    accepted(served)
    attempt = hooked.git("rev-parse", "HEAD")
    served.create("pages", {"slug": "other", "title": "Theirs"})
    commit(hooked, other=SECRET.replace("Secret", "Other"))
    assert f"--attempt {attempt}" in push(hooked, "main")
