"""`contentsync log`: the history of an entry from git and the journals, as it is typed."""

from pathlib import Path

import pytest

from ..exit_codes import CONTENT_ERRORS, WRONG_USAGE
from ..hooks.repositories import Tree
from ..served import Served
from .conftest import Ran, contentsync

TABLE = "name,url,description\nOne,https://one.example.org/,{}\nTwo,https://two.example.org/,Second\n"


@pytest.fixture
def site(tmp_path: Path, served: Served) -> Tree:
    """A repository whose table was synced, changed, and synced again."""
    tree = Tree.new(tmp_path / "site")
    tree.write("contentsync.toml", f'[targets.live]\nurl = "{served.recorder.url}"\ndirectory = {served.directory}\n')
    for number, text in enumerate(("First", "Better")):
        tree.write("listings/all.csv", TABLE.format(text))
        tree.git("add", "--all")
        moment = f"2026-03-0{number + 1}T12:00:00+01:00"
        env = {"GIT_AUTHOR_NAME": "Ada", "GIT_COMMITTER_DATE": moment}
        tree.git("commit", "--quiet", f"--message=Say {text} ::error::@all", env=env)
        assert contentsync("sync", tree.path, "--yes", env=served.env).code == 0
    return tree


def log(site: Tree, served: Served, *words: str) -> Ran:
    return contentsync("log", *words, site.path, env=served.env)


def test_commits_and_runs_are_shown_with_the_values_of_each_field(site: Tree, served: Served) -> None:
    ran = log(site, served, "listing/https://one.example.org/")
    assert ran.code == 0
    assert ran.out.startswith('listing https://one.example.org  "One"  listings/all.csv:2\n\nrun ')
    assert "    updated on live\n" in ran.out
    assert ran.out.count('      description: "First" → "Better"\n') == 2
    assert "  2026-03-02 11:00 UTC  Ada: Say Better ::error::@all\n    changed  listings/all.csv\n" in ran.out
    assert ran.out.endswith("    added, 3 fields  listings/all.csv\n")
    assert 'name: nothing → "One"' in log(site, served, "listing/https://one.example.org", "--full").out


def test_an_entry_that_was_not_changed_since_has_one_commit_and_one_run(site: Tree, served: Served) -> None:
    document = log(site, served, "listing/https://two.example.org", "--format", "json").document
    run, commit = document["changes"]
    assert (run["action"], run["run"]["status"], run["commit"]) == ("created", "done", None)
    assert (commit["action"], commit["commit"]["author"], commit["run"]) == ("added", "Ada", None)
    assert commit["time"] == "2026-03-01T11:00:00.000000Z"
    assert commit["fields"]["description"] == {"from": None, "to": "Second"}
    assert (document["path"], document["line"], document["notes"]) == ("listings/all.csv", 3, [])


def test_the_log_sends_no_request_and_writes_nothing(site: Tree, served: Served) -> None:
    served.recorder.requests.clear()
    before = {path: path.read_bytes() for path in site.path.rglob("*") if path.is_file() and ".git" not in path.parts}
    log(site, served, "listing/https://one.example.org")
    after = {path: path.read_bytes() for path in site.path.rglob("*") if path.is_file() and ".git" not in path.parts}
    assert (served.recorder.requests, after) == ([], before)


def test_a_token_in_a_previous_value_is_hidden_as_in_a_plan(site: Tree, served: Served) -> None:
    """PL-20, AU-12: the journals and git have it, because another user wrote it there."""
    one = next(each for each in served.get("projects")["data"] if each["name"] == "One")
    served.update(f"projects/{one['id']}", {"description": f"My {served.token} is here"})
    assert contentsync("sync", site.path, "--yes", "--on-drift", "overwrite", env=served.env).code == 0
    site.git("commit", "--quiet", "--allow-empty", "--message=Nothing")
    site.write("listings/all.csv", TABLE.format(f"My {served.token}"))
    site.git("commit", "--quiet", "--all", f"--message=Oh {served.token}")
    for words in ((), ("--full",), ("--format", "json")):
        ran = log(site, served, "listing/https://one.example.org", *words)
        assert ran.code == 0
        assert "(hidden)" in ran.out
        assert served.token not in ran.out + ran.err


def test_the_log_notes_uncommitted_files_and_unread_history(site: Tree, served: Served) -> None:
    site.write("listings/all.csv", TABLE.format("Best"))
    ran = log(site, served, "listing/https://one.example.org", "--limit", "1")
    assert "not committed: listings/all.csv\n" in ran.out
    assert "older commits of its files were not read: --limit 10 reads more\n" in ran.out
    assert "older journals were not read: --limit 10 reads more\n" in ran.out


def test_the_log_shows_only_runs_in_a_folder_without_git(site: Tree, served: Served, tmp_path: Path) -> None:
    (site.path / ".git").rename(tmp_path / "elsewhere")
    ran = log(site, served, "listing/https://one.example.org")
    assert "    updated on live\n" in ran.out
    assert ran.out.endswith("the folder is in no git repository, so only runs are shown\n")


def test_an_unknown_entry_is_named_with_the_nearest(site: Tree, served: Served) -> None:
    ran = log(site, served, "listing/https://on.example.org")
    assert ran.code == WRONG_USAGE
    assert "did you mean 'https://one.example.org'?" in ran.err
    assert "write its kind and key" in log(site, served, "listing/").err


def test_a_config_with_errors_is_reported(site: Tree, served: Served) -> None:
    site.write("contentsync.toml", "[sites]\n")
    ran = log(site, served, "listing/https://one.example.org")
    assert (ran.code, "unknown-key" in ran.err) == (CONTENT_ERRORS, True)
