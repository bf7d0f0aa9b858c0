from pathlib import Path

from contentsync.cli.repository import path_in_repository


def make(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def test_paths_begin_at_the_nearest_repository(tmp_path: Path) -> None:
    site = make(tmp_path / "work/repo/sites/one")
    make(tmp_path / "work/.git")
    make(tmp_path / "work/repo/.git")
    environ = {"GITHUB_WORKSPACE": str(tmp_path)}
    assert path_in_repository(site, environ, site) == "sites/one"


def test_a_folder_that_is_the_repository_has_an_empty_path(tmp_path: Path) -> None:
    make(tmp_path / ".git")
    assert path_in_repository(tmp_path, {}, tmp_path.parent) == ""


def test_a_worktree_is_a_repository_too(tmp_path: Path) -> None:
    site = make(tmp_path / "tree/site")
    (tmp_path / "tree/.git").write_text("gitdir: elsewhere\n", encoding="utf-8")
    assert path_in_repository(site, {}, site) == "site"


def test_without_a_repository_paths_begin_at_the_workspace_then_where_the_command_runs(tmp_path: Path) -> None:
    site = make(tmp_path / "work/site")
    here = make(tmp_path / "elsewhere")
    assert path_in_repository(site, {"GITHUB_WORKSPACE": str(tmp_path / "work")}, here) == "site"
    assert path_in_repository(site, {"GITHUB_WORKSPACE": str(here)}, tmp_path) == "work/site"
    assert path_in_repository(site, {}, here) == ""


def test_a_relative_path_means_the_same_folder(tmp_path: Path) -> None:
    make(tmp_path / "site")
    make(tmp_path / ".git")
    assert path_in_repository(tmp_path / "site/../site", {}, tmp_path) == "site"
