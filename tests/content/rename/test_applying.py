"""contentsync.content.rename.applying: the files and git's index, all or nothing."""

from pathlib import Path

import pytest

from contentsync.content.rename.applying import apply_rename
from contentsync.content.rename.rename_plan import plan_rename
from contentsync.errors import ContentsyncError, Refused
from contentsync.git import environ_without_hook, git_read

from .conftest import Renamer, page

FILES = {
    "articles/a.md": page("A", "x"),
    "articles/a.fr.md": page("A", "y"),
    "pages/x.md": page("X", "[a](/blog/a/)"),
}


def git(folder: Path, *words: str) -> str:
    return git_read(*words, folder=folder, environ=environ_without_hook()).decode()


def commit(folder: Path, *paths: str) -> None:
    git(folder, "init", "--quiet")
    git(folder, "add", *(paths or (".",)))
    git(folder, "commit", "--quiet", "--message=Site")


def snapshot(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file() and ".git" not in file.parts)
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def test_git_shows_renamed_files_and_staged_content_stays(rename: Renamer) -> None:
    rename.plan(FILES, "article/a", "b")
    commit(rename.folder)
    (rename.folder / "articles/a.fr.md").write_text(page("A", "changed"), encoding="utf-8")
    rename({}, "article/a", "b")
    assert git(rename.folder, "status", "--porcelain").splitlines() == [
        "RM articles/a.fr.md -> articles/b.fr.md",
        "RM articles/a.md -> articles/b.md",
        " M pages/x.md",
    ]
    assert git(rename.folder, "show", ":articles/b.fr.md") == page("A", "y")


def test_files_that_git_does_not_track_are_only_renamed(rename: Renamer) -> None:
    rename.plan(FILES, "article/a", "b")
    commit(rename.folder, "articles/a.md", "pages")
    renamed = rename({}, "article/a", "b")
    assert (renamed.folder / "articles/b.fr.md").is_file()
    status = git(rename.folder, "status", "--porcelain").splitlines()
    assert "RM articles/a.md -> articles/b.md" in status
    assert "?? articles/b.fr.md" in status


def test_a_content_folder_inside_a_repository_is_staged_by_its_paths_there(tmp_path: Path) -> None:
    rename = Renamer(tmp_path / "repository/my site")
    rename.plan(FILES, "article/a", "b")
    commit(tmp_path / "repository")
    rename({}, "article/a", "b")
    assert '"my site/articles/a.md" -> "my site/articles/b.md"' in git(rename.folder, "status", "--porcelain")


def test_if_git_cannot_stage_the_moves_nothing_changes(rename: Renamer) -> None:
    plan = rename.plan(FILES, "article/a", "b")
    commit(rename.folder)
    (rename.folder / ".git/index.lock").touch()
    before = snapshot(rename.folder)
    with pytest.raises(Refused) as raised:
        apply_rename(plan)
    assert "index.lock" in raised.value.message
    assert snapshot(rename.folder) == before


@pytest.mark.parametrize("staged", ["articles/b.md", "articles/b.md/note.txt", "articles/b.fr.md"])
def test_content_that_only_git_has_at_a_new_path_is_not_replaced(rename: Renamer, staged: str) -> None:
    plan = rename.plan(FILES, "article/a", "b")
    commit(rename.folder)
    file = rename.folder / staged
    file.parent.mkdir(exist_ok=True)
    file.write_text("work that was never committed", encoding="utf-8")
    git(rename.folder, "add", ".")
    file.unlink()
    if file.parent.name == "b.md":
        file.parent.rmdir()
    before = snapshot(rename.folder)
    with pytest.raises(Refused) as raised:
        apply_rename(plan)
    assert raised.value.message.startswith(f"git's index has {staged}")
    assert snapshot(rename.folder) == before
    assert git(rename.folder, "show", f":{staged}") == "work that was never committed"


def test_a_file_in_the_index_is_not_replaced_by_a_folder(rename: Renamer) -> None:
    plan = rename.plan(FILES, "articles/a.md", "articles/old/a.md")
    commit(rename.folder)
    (rename.folder / "articles/old").write_text("work", encoding="utf-8")
    git(rename.folder, "add", ".")
    (rename.folder / "articles/old").unlink()
    with pytest.raises(Refused):
        apply_rename(plan)
    assert git(rename.folder, "show", ":articles/old") == "work"


@pytest.mark.parametrize("taken", ["articles/b.md", "articles/b.fr.md"])
def test_if_a_new_path_was_taken_meanwhile_nothing_changes(rename: Renamer, taken: str) -> None:
    plan = rename.plan(FILES, "article/a", "b")
    (rename.folder / taken).write_text("", encoding="utf-8")
    before = snapshot(rename.folder)
    with pytest.raises(ContentsyncError) as raised:
        apply_rename(plan)
    assert raised.value.message == f"{taken} exists already"
    assert snapshot(rename.folder) == before


def test_if_a_file_has_changed_meanwhile_nothing_changes(rename: Renamer) -> None:
    plan = rename.plan(FILES, "article/a", "b")
    (rename.folder / "pages/x.md").write_text(page("X", "Now"), encoding="utf-8")
    before = snapshot(rename.folder)
    with pytest.raises(ContentsyncError) as raised:
        apply_rename(plan)
    assert raised.value.message == "pages/x.md has changed meanwhile"
    assert snapshot(rename.folder) == before


def test_a_plan_writes_nothing(rename: Renamer) -> None:
    rename.plan(FILES, "article/a", "b")
    before = snapshot(rename.folder)
    plan_rename(rename.folder, "article/a", "b", rename.folder)
    assert snapshot(rename.folder) == before


def test_a_name_that_git_ignores_is_refused(rename: Renamer) -> None:
    rename.plan({**FILES, ".gitignore": "drafts/\n"}, "article/a", "b")
    commit(rename.folder)
    with pytest.raises(Refused) as raised:
        rename.plan({}, "articles/a.md", "articles/drafts/a.md")
    assert raised.value.message == "git would ignore articles/drafts/a.md"


def test_an_ignored_file_can_be_renamed(rename: Renamer) -> None:
    rename.plan({**FILES, ".gitignore": "articles/\n"}, "article/a", "b")
    git(rename.folder, "init", "--quiet")
    assert rename({}, "articles/a.md", "articles/drafts/a.md").plan.renaming.key == "a"
