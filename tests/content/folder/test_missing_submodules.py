"""contentsync.content.folder.scan: content that is committed elsewhere, and not here."""

import subprocess
from pathlib import Path

import pytest

from contentsync.content.folder.load import load_content

from ..conftest import spots, write

TITLE = "---\ntitle: A\n---\nText\n"
COMMIT = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", folder, *words], capture_output=True, check=True)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a plain clone of a repository with a submodule in the folder of the pages."""
    folder = tmp_path / "my site"
    write(tmp_path, {"my site/contentsync.toml": "", "my site/pages/own.md": TITLE})
    (folder / "pages/sha red").mkdir()
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "update-index", "--add", "--cacheinfo", f"160000,{COMMIT},my site/pages/sha red")
    return folder


def test_a_missing_submodule_is_an_error_with_the_git_command(site: Path) -> None:
    content = load_content(site)
    assert spots(content) == [("pages/sha red", 1, 1, "missing-submodule")]
    assert "git submodule update --init -- 'pages/sha red'" in content.problems[0].hint


def test_a_missing_submodule_can_be_the_folder_of_a_collection(site: Path) -> None:
    (site / "articles").mkdir()
    git(site.parent, "update-index", "--add", "--cacheinfo", f"160000,{COMMIT},my site/articles")
    (site / "pages/sha red/a.md").write_text(TITLE, encoding="utf-8")
    assert spots(load_content(site)) == [("articles", 1, 1, "missing-submodule")]


def test_a_submodule_that_is_checked_out_or_excluded_is_no_error(site: Path) -> None:
    (site / "pages/sha red/shared.md").write_text(TITLE.replace("A", "B"), encoding="utf-8")
    assert [entry.key for entry in load_content(site).entries] == ["own", "shared"]
    (site / "pages/sha red/shared.md").unlink()
    (site / "contentsync.toml").write_text('[content.pages]\nexclude = ["sha*"]\n', encoding="utf-8")
    assert load_content(site).problems == ()


def test_an_empty_folder_is_not_taken_for_a_submodule(site: Path, tmp_path: Path) -> None:
    (site / "pages/sha red").rmdir()
    (site / "pages/empty").mkdir()
    assert load_content(site).problems == ()


def test_a_folder_is_read_without_an_index_that_git_refuses(site: Path) -> None:
    (site.parent / ".git/index").write_bytes(b"damaged")
    assert load_content(site).problems == ()
