"""A folder as of a commit, with a real git."""

import subprocess
from pathlib import Path

import pytest

from contentsync.errors import Refused, UsageError
from contentsync.model import Kind
from contentsync.sync.state.git_revision import read_revision

from ...hooks.repositories import looking_like_a_repository


def git(folder: Path, *words: str) -> str:
    """Run git in a folder, and return its output."""
    done = subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a content folder inside of a repository, with one commit."""
    folder = tmp_path / "repository" / "site"
    (folder / "pages").mkdir(parents=True)
    (folder / "contentsync.toml").write_text('[site]\nlocales = ["en", "fr"]\n')
    (folder / "pages/about.md").write_text("---\ntitle: About\nslug: about\n---\n" + "A long text. " * 20)
    git(tmp_path / "repository", "init", "--quiet", "--initial-branch=main")
    commit(folder)
    return folder


def commit(folder: Path) -> str:
    """Commit all files of a folder, and return the commit."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=x")
    return git(folder, "rev-parse", "HEAD")


def keys(folder: Path, ref: str) -> list[str]:
    """Return the keys of the entries of a folder at a commit."""
    found = read_revision(folder, ref)
    assert found is not None
    return [entry.key for entry in found.entries]


def test_a_revision_has_the_committed_files_and_not_the_present_ones(site: Path) -> None:
    (site / "pages/about.md").unlink()
    (site / "pages/new.md").write_text("---\ntitle: New\n---\n")
    assert keys(site, "HEAD") == ["about"]
    assert not (site / "pages/about.md").exists()


def test_files_outside_of_the_content_folder_are_not_read(site: Path) -> None:
    (site.parent / "pages").mkdir()
    (site.parent / "pages/other.md").write_text("---\ntitle: Other\n---\n")
    commit(site.parent)
    assert keys(site, "HEAD") == ["about"]


def test_a_moved_file_is_reported_with_both_paths(site: Path) -> None:
    before = git(site, "rev-parse", "HEAD")
    git(site, "mv", "pages/about.md", "pages/us.md")
    text = (site / "pages/us.md").read_text()
    (site / "pages/us.md").write_text(text.replace("slug: about", "slug: us"))
    commit(site)
    found = read_revision(site, before)
    assert found is not None
    assert found.renamed_files == {"pages/us.md": "pages/about.md"}


def test_a_file_with_errors_is_omitted(site: Path) -> None:
    """An entry is not deleted unless it is known as managed."""
    (site / "pages/broken.md").write_text("---\ntitle: [\n---\n")
    commit(site)
    assert keys(site, "HEAD") == ["about"]


def test_git_attributes_hide_no_files(site: Path) -> None:
    (site / ".gitattributes").write_text("pages export-ignore\n")
    commit(site)
    assert keys(site, "HEAD") == ["about"]


def test_file_names_that_git_quotes_are_read(site: Path) -> None:
    """FI-23"""
    (site / 'pages/a"b ü.md').write_text("---\ntitle: Odd\nslug: odd\n---\n", encoding="utf-8")
    commit(site)
    assert keys(site, "HEAD") == ["about", "odd"]


def test_links_and_submodules_are_harmless(site: Path, tmp_path: Path) -> None:
    """FI-14"""
    (tmp_path / "outside.md").write_text("---\ntitle: Outside\n---\n")
    (site / "pages/out.md").symlink_to(tmp_path / "outside.md")
    head = git(site, "rev-parse", "HEAD")
    git(site, "update-index", "--add", "--cacheinfo", f"160000,{head},site/module")
    git(site, "add", "pages")
    git(site, "commit", "--quiet", "--message=x")
    assert keys(site, "HEAD") == ["about"]


def test_submodules_in_content_folders_are_reported(site: Path) -> None:
    """Their content is not known, so the commands report them."""
    head = git(site, "rev-parse", "HEAD")
    for module in ("site/pages/shared", "site/theme", "other"):
        git(site.parent, "update-index", "--add", "--cacheinfo", f"160000,{head},{module}")
    git(site, "commit", "--quiet", "--message=x")
    found = read_revision(site, "HEAD")
    assert found is not None
    assert found.submodules == ("pages/shared",)


def test_the_null_commit_is_not_a_base(site: Path) -> None:
    assert read_revision(site, "0" * 40) is None


def test_a_too_shallow_clone_is_refused_with_the_command_to_deepen_it(site: Path, tmp_path: Path) -> None:
    first = git(site, "rev-parse", "HEAD")
    (site / "pages/new.md").write_text("---\ntitle: New\n---\n")
    commit(site)
    git(tmp_path, "clone", "--quiet", "--depth=1", site.parent.as_uri(), "shallow")
    with pytest.raises(Refused) as raised:
        read_revision(tmp_path / "shallow/site", first)
    assert "git fetch --unshallow" in raised.value.hint


def test_a_missing_attempt_is_refused_with_the_command_to_fetch_it(site: Path) -> None:
    """Without the attempt, its writes would count as those of other users."""
    with pytest.raises(Refused, match="the attempt") as raised:
        read_revision(site, "HEAD", ["1" * 40])
    assert "git fetch origin '+refs/contentsync/*:refs/contentsync/*'" in raised.value.hint


def test_attempts_are_read_in_history_order_without_a_branch(site: Path) -> None:
    base = git(site, "rev-parse", "HEAD")
    commits = []
    for name in ("a", "b"):
        (site / f"pages/{name}.md").write_text(f"---\ntitle: {name}\n---\n")
        commits.append(commit(site))
    git(site, "reset", "--quiet", "--hard", base)
    found = read_revision(site, base, [*reversed(commits), commits[0]])
    assert found is not None
    attempt_keys = [[entry.key for entry in attempt.entries] for attempt in found.attempts]
    assert attempt_keys == [["a", "about"], ["a", "about", "b"]]


def test_a_commit_of_another_branch_is_refused(site: Path) -> None:
    git(site, "checkout", "--quiet", "-b", "feature")
    (site / "pages/promo.md").write_text("---\ntitle: Promo\n---\n")
    commit(site)
    git(site, "checkout", "--quiet", "main")
    with pytest.raises(Refused, match="feature is no ancestor") as raised:
        read_revision(site, "feature")
    assert "git merge-base HEAD feature" in raised.value.hint


def test_an_unconnected_commit_of_a_shallow_clone_is_refused(site: Path, tmp_path: Path) -> None:
    first = git(site, "rev-parse", "HEAD")
    for number in range(2):
        (site / f"pages/{number}.md").write_text("---\ntitle: New\n---\n")
        commit(site)
    git(tmp_path, "clone", "--quiet", "--depth=1", site.parent.as_uri(), "shallow")
    git(tmp_path / "shallow", "fetch", "--quiet", "--depth=1", "origin", first)
    with pytest.raises(Refused) as raised:
        read_revision(tmp_path / "shallow/site", first)
    assert "git fetch --unshallow" in raised.value.hint


def test_a_branch_without_a_commit_has_no_ancestors(site: Path) -> None:
    first = git(site, "rev-parse", "HEAD")
    git(site, "checkout", "--quiet", "--orphan", "new")
    assert keys(site, first) == ["about"]


@pytest.mark.parametrize("ref", ["nowhere", "--output=x", "HEAD:pages", ""])
def test_an_unknown_commit_is_a_usage_error(site: Path, ref: str) -> None:
    with pytest.raises(UsageError):
        read_revision(site, ref)
    assert not (site / "x").exists()


def test_a_folder_outside_of_git_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="git repository"):
        read_revision(tmp_path, "HEAD")


def test_the_environment_of_a_git_hook_has_no_effect(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "init", "--quiet", "other")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other/.git"))
    assert keys(site, "HEAD") == ["about"]


def test_the_base_of_a_commit_contains_its_entries(site: Path) -> None:
    found = read_revision(site, "HEAD")
    assert found is not None
    assert list(found.compute_base([], {})) == [(Kind.PAGE, "about")]


def test_a_commit_without_the_folder_is_not_taken_for_an_empty_folder(site: Path) -> None:
    before = git(site, "rev-parse", "HEAD")
    git(site.parent, "mv", "site", "web")
    commit(site.parent / "web")
    with pytest.raises(Refused, match=r"holds no contentsync\.toml in the folder web"):
        read_revision(site.parent / "web", before)
    assert keys(site.parent / "web", "HEAD") == ["about"]


def test_files_that_imitate_a_repository_start_no_program(site: Path) -> None:
    """AU-12: git would run the programs in their settings, with the token in the environment."""
    looking_like_a_repository(site, "touch ran")
    commit(site.parent)
    assert keys(site, "HEAD") == ["about"]
    assert not (site / "ran").exists()


def test_an_unreadable_repository_is_reported_with_the_message_of_git(site: Path) -> None:
    with (site.parent / ".git/config").open("a") as config:
        config.write("[core]\n\trepositoryformatversion = 99\n")
    with pytest.raises(Refused, match="99"):
        read_revision(site, "HEAD")
