"""contentsync.content.folder.git_dates: articles with the date of their first commit, from a real git."""

import os
import subprocess
from pathlib import Path

import pytest

from contentsync.content.folder.load import load_content, make_report, validate_files, validate_folder
from contentsync.content.folder.unit_cache import InMemoryCache
from contentsync.sync.state.git_revision import read_revision

from ...end_to_end.conftest import contentsync
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


def test_the_report_on_a_large_folder_is_not_cached(site: Path) -> None:
    files = {f"articles/b{number}.md": TEXT for number in range(500)}
    write(site, {**files, "contentsync.toml": f'{SETTINGS}slug = "{{year}}-{{name}}"\n'})
    for file in site.rglob("*"):
        os.utime(file, (0, 0))
    assert len(make_report(site).errors) == 500  # without a commit, they have no date
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
