"""`contentsync redirects`, as it is typed."""

from pathlib import Path

import pytest

from ..exit_codes import CONTENT_ERRORS
from .conftest import contentsync


@pytest.fixture
def moved(tmp_path: Path) -> Path:
    (tmp_path / "contentsync.toml").write_text('[content.pages]\nformer_addresses = ["aliases"]\n', encoding="utf-8")
    (tmp_path / "pages").mkdir()
    text = "---\ntitle: About\naliases: /?p=1\nsync: {previous: [who]}\n---\n"
    (tmp_path / "pages/about.md").write_text(text, encoding="utf-8")
    return tmp_path


def test_redirects_go_to_stdout_and_impossible_ones_are_reported_separately(moved: Path) -> None:
    ran = contentsync("redirects", moved)
    assert (ran.code, ran.out) == (0, "from,to\n/pages/who/,/pages/about/\n")
    assert ran.err == "1 former address has a query, and no redirect: /?p=1\n"
    ran = contentsync("redirects", moved, "--format", "netlify", "--to", "https://example.com")
    assert ran.out == "/pages/who/ https://example.com/pages/about/ 301\n"


def test_a_folder_with_errors_has_no_redirects(moved: Path) -> None:
    (moved / "pages/bad.md").write_text("---\ntitel: Bad\n---\n", encoding="utf-8")
    ran = contentsync("redirects", moved)
    assert (ran.code, ran.out) == (CONTENT_ERRORS, "")
    assert "unknown-key" in ran.err
