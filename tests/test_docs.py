"""The documents agree with the formats that the program reads."""

import re
import tomllib
from pathlib import Path

import pytest

from contentsync.content.config.config import read_config
from contentsync.content.files.file_names import MAX_NAME, MAX_PATH
from contentsync.content.files.source_file import MAX_BYTES, MAX_TABLE_BYTES
from contentsync.content.folder.entry_reader import MAX_LIST_BYTES
from contentsync.content.formats.front_matter import MAX_FRONT_MATTER
from contentsync.content.formats.table_rows import MAX_ROW
from contentsync.model.field_types import MAX_DEPTH, MAX_ITEMS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])


def test_the_config_in_the_documents_is_valid(tmp_path: Path) -> None:
    shown = re.search(r"## 10\. .*?```toml\n(.*?)```", (DOCS / "content.md").read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    (tmp_path / "contentsync.toml").write_text(shown[1], encoding="utf-8")
    (tmp_path / "_posts").mkdir()
    config, problems = read_config(tmp_path)
    assert problems == []
    assert config.targets.keys() == tomllib.loads(shown[1])["targets"].keys()


def prose(page: Path) -> str:
    """Return a page without its code."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def links(page: Path) -> list[tuple[Path, str]]:
    """Return the files of the project that a page links to, each with the place in it."""
    found = re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)", prose(page))
    return [((page.parent / path).resolve() if path else page, place) for path, place in found]


def places(page: Path) -> set[str]:
    """Return the possible fragments of links to a page: its headings, as GitHub names them."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_an_existing_page_and_heading(page: Path) -> None:
    for path, place in links(page):
        assert path.exists(), f"there is no {path}"
        assert not place or place in places(path), f"{path} has no {place}"


def test_the_list_of_documents_links_to_each_document() -> None:
    listed = {path for path, _ in links(DOCS / "README.md")}
    missing = {page for page in PAGES if page.is_relative_to(DOCS)} - listed - {DOCS / "README.md"}
    assert [page for page in missing if page.parent not in listed] == []
    assert DOCS / "README.md" in {path for path, _ in links(ROOT / "README.md")}


def test_the_documented_limits_are_those_of_the_program() -> None:
    table = re.search(r"\| limit \| of \|\n(.*?)\n\n", (DOCS / "content.md").read_text(encoding="utf-8"), re.DOTALL)
    assert table is not None
    limits = [re.findall(r"\d[\d,]*", row) for row in table[1].splitlines()[1:]]
    megabyte = 1024 * 1024
    assert [[int(limit.replace(",", "")) for limit in row] for row in limits] == [
        [MAX_BYTES // megabyte],
        [MAX_TABLE_BYTES // megabyte],
        [MAX_LIST_BYTES // megabyte],
        [MAX_FRONT_MATTER // 1024],
        [MAX_ROW],
        [MAX_DEPTH],
        [MAX_ITEMS],
        [MAX_NAME, MAX_PATH],
    ]
