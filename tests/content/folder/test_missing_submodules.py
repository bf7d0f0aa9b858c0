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
    """A content folder in a repository that has a submodule in the folder of the pages, as a plain clone leaves it."""
    folder = tmp_path / "my site"
    write(tmp_path, {"my site/contentsync.toml": "", "my site/pages/own.md": TITLE})
    (folder / "pages/sha red").mkdir()
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "update-index", "--add", "--cacheinfo", f"160000,{COMMIT},my site/pages/sha red")
    return folder


def test_a_submodule_that_is_not_checked_out_is_an_error_that_says_the_command(site: Path) -> None:
    content = load_content(site)
    assert spots(content) == [("pages/sha red", 1, 1, "missing-submodule")]
    assert "git submodule update --init -- 'pages/sha red'" in content.problems[0].hint


def test_the_folder_of_a_collection_may_be_such_a_submodule(site: Path) -> None:
    (site / "articles").mkdir()
    git(site.parent, "update-index", "--add", "--cacheinfo", f"160000,{COMMIT},my site/articles")
    (site / "pages/sha red/a.md").write_text(TITLE, encoding="utf-8")
    assert spots(load_content(site)) == [("articles", 1, 1, "missing-submodule")]


def test_one_that_is_checked_out_is_read_and_one_that_is_left_out_is_not_missed(site: Path) -> None:
    (site / "pages/sha red/shared.md").write_text(TITLE.replace("A", "B"), encoding="utf-8")
    assert [entry.key for entry in load_content(site).entries] == ["own", "shared"]
    (site / "pages/sha red/shared.md").unlink()
    (site / "contentsync.toml").write_text('[content.pages]\nexclude = ["sha*"]\n', encoding="utf-8")
    assert load_content(site).problems == ()


def test_a_folder_that_is_just_empty_is_none(site: Path, tmp_path: Path) -> None:
    (site / "pages/sha red").rmdir()
    (site / "pages/empty").mkdir()
    assert load_content(site).problems == ()
