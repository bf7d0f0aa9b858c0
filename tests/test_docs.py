"""The documents show what the program reads."""

import re
import tomllib
from pathlib import Path

from contentsync.content.config import read_config
from contentsync.content.files.file_names import MAX_NAME, MAX_PATH
from contentsync.content.files.source_file import MAX_BYTES, MAX_TABLE_BYTES
from contentsync.content.formats.front_matter import MAX_FRONT_MATTER
from contentsync.content.formats.rows import MAX_ROW
from contentsync.content.reading import MAX_LIST_BYTES
from contentsync.model.fields import MAX_DEPTH, MAX_ITEMS

DOCS = Path(__file__).parent.parent / "docs"


def test_the_config_in_the_documents_is_one(tmp_path: Path) -> None:
    shown = re.search(r"```toml\n(.*?)```", (DOCS / "content.md").read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    (tmp_path / "contentsync.toml").write_text(shown[1], encoding="utf-8")
    (tmp_path / "_posts").mkdir()
    config, problems = read_config(tmp_path)
    assert problems == []
    assert config.targets.keys() == tomllib.loads(shown[1])["targets"].keys()


def test_every_link_between_the_documents_leads_somewhere() -> None:
    pages = list(DOCS.rglob("*.md"))
    assert pages
    for page in pages:
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"


def test_the_limits_in_the_documents_are_those_of_the_program() -> None:
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
