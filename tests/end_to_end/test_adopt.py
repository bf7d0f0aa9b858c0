"""Folders of other generators, read with nothing but the config of docs/adopt.md beside them."""

import hashlib
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from contentsync.content.folder.load import load_content

from .conftest import contentsync

ADOPT = Path(__file__).parent / "adopt"
PAGE = Path(__file__).parent.parent.parent / "docs" / "adopt.md"

LEFT: dict[str, list[tuple[str, str]]] = {
    "jekyll": [],
    "hugo": [],
    "astro": [("src/content/blog/calculator.mdx", "template-syntax")],
}


def config(generator: str) -> str:
    """The config that the page shows for a generator."""
    shown = re.search(rf"^## {generator}\n\n```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.M | re.S | re.I)
    assert shown is not None
    return shown[1]


@pytest.fixture(params=LEFT)
def generator(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def folder(generator: str, tmp_path: Path) -> Path:
    folder = shutil.copytree(ADOPT / generator, tmp_path / generator)
    (folder / "contentsync.toml").write_text(config(generator), encoding="utf-8")
    return folder


def digests(folder: Path) -> dict[str, str]:
    """Return the digest of each of the generator's own files, by path."""
    files = (file for file in folder.rglob("*") if file.is_file() and ".contentsync" not in file.parts)
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def fields(folder: Path, kind: str) -> dict[str, Any]:
    return {entry.key: entry.fields for entry in load_content(folder).entries if entry.kind == kind}


def test_an_adopted_site_is_valid_and_a_sync_leaves_its_files_unchanged(folder: Path, generator: str) -> None:
    before = digests(folder)
    ran = contentsync("validate", folder, "--format", "json")
    assert ran.code == 0, ran.out
    problems = ran.document["problems"]
    assert [(problem["path"], problem["code"]) for problem in problems] == LEFT[generator]
    assert contentsync("sync", folder, "--yes").code == 0
    assert contentsync("plan", folder, "--detailed-exitcode").code == 0
    assert digests(folder) == before


def test_adopted_articles_have_their_dates_drafts_and_texts(folder: Path, generator: str) -> None:
    """PL-19"""
    articles = fields(folder, "article")
    sharpening = "sharpening" if generator == "hugo" else "sharpening-evening"
    calculator = {"calculator"} if generator == "astro" else set()
    assert articles.keys() == {"first-loan", sharpening, "summer-plans", *calculator}
    loan = articles["first-loan"]
    assert loan["title"] == "First loan: a drill"
    assert loan["published_at"] == "2026-01-12T08:30:00.000000Z"
    assert loan["categories"] == ["News"]
    assert loan["seo"]["description"].startswith("On Monday")
    assert loan["markdown"].startswith("On Monday somebody borrowed the drill.")
    assert articles[sharpening]["published_at"][:7] == "2026-02"
    others = articles.keys() - {"summer-plans", *calculator}
    assert {key: articles[key].get("active", True) for key in others} == {
        "first-loan": True,
        sharpening: True,
    }
    assert articles["summer-plans"]["active"] is False


@pytest.mark.parametrize(("generator", "pages"), [("jekyll", {"about", "rules"}), ("hugo", {"about"})])
def test_adopted_pages_are_in_order(folder: Path, pages: set[str]) -> None:
    found = fields(folder, "page")
    assert found.keys() == pages
    assert all(page["order"] for page in found.values())
    assert found["about"]["seo"] == {"description": "Who opens the shed on Saturdays."}


def test_every_unknown_key_names_the_setting_that_adopt_would_write(generator: str, tmp_path: Path) -> None:
    folder = shutil.copytree(ADOPT / generator, tmp_path / generator)
    paths = "\n".join(re.findall(r"^(?:\[content.*\]|path = .*|exclude = .*)$", config(generator), re.M))
    (folder / "contentsync.toml").write_text(paths, encoding="utf-8")
    problems = contentsync("validate", folder, "--format", "json").document["problems"]
    strange = [problem for problem in problems if problem["code"] == "unknown-key"]
    assert len(strange) > 5
    for problem in strange:
        assert re.search(r"(rename = \{ \w+ = |ignore = \[).*under \[content\.\w+\]", problem["hint"]), problem
