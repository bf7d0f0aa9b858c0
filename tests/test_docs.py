"""The documents show what the program reads."""

import re
import tomllib
from pathlib import Path

from contentsync.content import read_config

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
        for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"
