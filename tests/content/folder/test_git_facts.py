"""contentsync.content.folder.git_facts: the dates of the first commits of articles, and files that git lacks."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from contentsync.content.config.config import read_config
from contentsync.content.folder.git_facts import UntrackedFiles, find_untracked
from contentsync.content.folder.load import load_content, make_report, validate_files, validate_folder
from contentsync.content.folder.unit_cache import InMemoryCache
from contentsync.model import Kind
from contentsync.sync.state.git_revision import read_revision

from ...end_to_end.conftest import contentsync
from ...hooks.repositories import SOUND, Tree
from ..conftest import CONFIG, write

SETTINGS = f'{CONFIG}[content.articles]\ndates = "git"\n'
TEXT = "---\ntitle: A title\n---\nText\n"


def git(folder: Path, *words: str, date: str = "2020-01-02T03:04:05+0200") -> str:
    """Run git in a folder at a moment, and return its output."""
    environ = {**os.environ, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    return subprocess.run(["git", "-C", folder, *words], env=environ, capture_output=True, text=True, check=True).stdout


def commit(folder: Path, date: str) -> str:
    """Commit all files of a folder at a moment, and return the commit."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=x", date=date)
    return git(folder, "rev-parse", "HEAD").strip()


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a content folder in a repository, with one committed article."""
    folder = write(tmp_path / "repository/site", {"contentsync.toml": SETTINGS, "articles/a.md": TEXT})
    git(tmp_path / "repository", "init", "--quiet", "--initial-branch=main")
    commit(folder, "2020-01-02T03:04:05+0200")
    return folder


def dates(folder: Path, cache: InMemoryCache | None = None) -> dict[str, str | None]:
    content = load_content(folder, cache)
    assert content.problems == ()
    return {entry.key: entry.fields.get("published_at") for entry in content.entries}


FIRST = "2020-01-02T01:04:05.000000Z"


def test_an_article_has_the_date_of_its_first_commit(site: Path) -> None:
    """Also if it has changed since, or was deleted in between; its name may contain any character that git allows."""
    write(site, {"articles/a.md": f"{TEXT}More\n", "articles/é\tx.md": TEXT, "contentsync.toml": SETTINGS})
    commit(site, "2021-05-01T00:00:00Z")
    git(site, "rm", "--quiet", "articles/a.md")
    commit(site, "2022-01-01T00:00:00Z")
    write(site, {"articles/a.md": TEXT, "contentsync.toml": SETTINGS})
    commit(site, "2023-01-01T00:00:00Z")
    assert dates(site) == {"a": FIRST, "e-x": "2021-05-01T00:00:00.000000Z"}


def test_a_date_in_the_file_takes_precedence_over_the_commit(site: Path) -> None:
    dated = "---\ntitle: B\npublished_at: 2019-01-01\n---\nText\n"
    empty = "---\ntitle: C\npublished_at:\n---\nText\n"
    files = {"articles/b.md": dated, "articles/c.md": empty, "articles/2018-01-01-d.md": TEXT, "articles/e.md": TEXT}
    write(site, {**files, "contentsync.toml": SETTINGS})
    assert dates(site) == {
        "a": FIRST,
        "b": "2019-01-01T00:00:00.000000Z",
        "c": None,
        "d": "2018-01-01T00:00:00.000000Z",
        "e": None,  # not committed yet
    }


def test_the_commit_date_can_be_part_of_the_slug(site: Path) -> None:
    write(site, {"contentsync.toml": f'{SETTINGS}slug = "{{year}}-{{name}}"\n'})
    assert dates(site) == {"2020-a": FIRST}


def test_a_new_commit_invalidates_the_cached_date(site: Path) -> None:
    cache = InMemoryCache(margin=-(10**12))
    write(site, {"articles/b.md": TEXT, "contentsync.toml": SETTINGS})
    assert dates(site, cache) == {"a": FIRST, "b": None}
    commit(site, "2021-05-01T00:00:00Z")
    assert dates(site, cache) == {"a": FIRST, "b": "2021-05-01T00:00:00.000000Z"}
    assert load_content(site).dependencies is None  # so that no plan is cached


def test_a_report_with_dates_of_commits_is_not_cached(site: Path) -> None:
    files = {f"articles/b{number}.md": TEXT for number in range(20)}
    write(site, {**files, "contentsync.toml": f'{SETTINGS}slug = "{{year}}-{{name}}"\n'})
    for file in site.rglob("*"):
        os.utime(file, (0, 0))
    assert len(make_report(site).errors) == 20  # without a commit, they have no date
    commit(site, "2021-05-01T00:00:00Z")
    assert validate_folder(site).problems == ()


def test_git_dates_outside_of_a_repository_are_an_error_in_the_config(tmp_path: Path) -> None:
    folder = write(tmp_path, {"contentsync.toml": SETTINGS, "articles/a.md": "---\ntitel: A\n---\n"})
    (problem,) = load_content(folder).problems
    assert (problem.code, problem.where.path, problem.where.line) == ("no-history", "contentsync.toml", 5)
    assert problem.message == "content.articles.dates is 'git', but the content folder is not in a git repository"
    assert 'dates = "file-name"' in problem.hint
    report, _ = validate_files(folder, ["articles/a.md"])
    assert report.problems == (problem,)


def test_a_shallow_clone_is_an_error(site: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{site.parent}", "clone")
    (problem,) = load_content(tmp_path / "clone/site").problems
    assert problem.code == "no-history"
    assert "git fetch --unshallow" in problem.hint


def test_an_article_has_no_date_before_the_first_commit(tmp_path: Path) -> None:
    folder = write(tmp_path, {"contentsync.toml": SETTINGS, "articles/a.md": TEXT})
    git(folder, "init", "--quiet")
    assert dates(folder) == {"a": None}


def test_a_base_commit_has_the_dates_of_its_own_history(site: Path) -> None:
    write(site, {"articles/b.md": TEXT, "contentsync.toml": SETTINGS})
    second = commit(site, "2021-05-01T00:00:00Z")
    found = [read_revision(site, ref) for ref in (f"{second}~", second)]
    assert [[entry.fields["published_at"] for entry in it.entries] for it in found if it] == [
        [FIRST],
        [FIRST, "2021-05-01T00:00:00.000000Z"],
    ]


def test_staged_articles_have_the_dates_of_their_repository(site: Path) -> None:
    write(site, {"contentsync.toml": f'{SETTINGS}slug = "{{year}}-{{name}}"\n', "articles/b.md": TEXT})
    git(site, "add", "--all")
    checked = contentsync("validate", "--staged", cwd=site)
    assert (checked.code, checked.out) == (0, "valid in 2 files with 2 entries\n")


def test_git_settings_that_start_programs_have_no_effect(site: Path, tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    program.chmod(0o755)
    for name, value in (("log.showSignature", "true"), ("gpg.program", str(program)), ("diff.external", str(program))):
        git(site, "config", name, value)
    assert dates(site) == {"a": FIRST}
    assert not (tmp_path / "started").exists()


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Return a clone with a committed content folder, and with drafts and old pages that git ignores."""
    tree = Tree.new(tmp_path / "clone")
    tree.write(".gitignore", "*.draft.md\n/site/pages/old/\n")
    tree.write("site/contentsync.toml", "")
    tree.write("site/pages/about.md", SOUND)
    tree.git("add", ".")
    assert tree.commit().returncode == 0
    return tree


def found(tree: Tree, kinds: Sequence[Kind] = tuple(Kind), others: Sequence[str] = ()) -> UntrackedFiles:
    folder = tree.path / "site"
    return find_untracked(folder, read_config(folder)[0], kinds, others)


def test_changed_files_that_git_tracks_are_not_reported(tree: Tree) -> None:
    tree.write("site/pages/about.md", f"{SOUND}More.\n")
    tree.write("site/pages/staged.md", SOUND)
    tree.git("add", "site")
    assert found(tree) == UntrackedFiles()


def test_ignored_and_untracked_files_are_reported_separately(tree: Tree) -> None:
    for path in ("a.draft.md", "old/é.md", "new.md", "no-content.txt"):
        tree.write(f"site/pages/{path}", SOUND)
    tree.write("site/photo.draft.md", "")
    tree.write("site/listings/all.csv", "name,url\n")
    expected = UntrackedFiles(
        ignored=("pages/a.draft.md", "pages/old/é.md", "photo.draft.md"), untracked=("pages/new.md",)
    )
    assert found(tree, [Kind.PAGE], ["photo.draft.md"]) == expected


def test_an_untracked_file_behind_a_tracked_link_is_reported(tree: Tree) -> None:
    tree.write("site/shared/real.draft.md", SOUND)
    (tree.path / "site/pages/linked.md").symlink_to("../shared/real.draft.md")
    tree.git("add", "site/pages/linked.md")
    assert found(tree) == UntrackedFiles(ignored=("shared/real.draft.md",))


def test_submodule_files_are_tracked_but_nested_repositories_are_not(tree: Tree) -> None:
    for name in ("module", "nested"):
        Tree.new(tree.path / "site/pages" / name).write("page.md", SOUND)
    commit = tree.git("rev-parse", "HEAD")
    tree.git("update-index", "--add", "--cacheinfo", f"160000,{commit},site/pages/module")
    assert found(tree) == UntrackedFiles(untracked=("pages/nested/page.md",))


def test_files_omitted_by_a_sparse_checkout_are_reported(tree: Tree) -> None:
    tree.write("site/pages/other/us.md", SOUND)
    tree.git("add", ".")
    assert tree.commit().returncode == 0
    tree.git("sparse-checkout", "set", "--no-cone", "/*", "!/site/pages/other/")
    assert found(tree) == UntrackedFiles(left_out=("pages/other/us.md",))


def test_a_folder_without_a_repository_has_no_untracked_files(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.write("site/contentsync.toml", "")
    tree.write("site/pages/about.md", SOUND)
    assert found(tree) == UntrackedFiles()
