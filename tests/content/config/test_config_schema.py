"""contentsync.content.config.config_schema: it describes every key, and accepts the same files as the config."""

import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from contentsync.content.config.config import read_config
from contentsync.content.config.config_schema import config_schema

ROOT = Path(__file__).parent.parent.parent.parent
SCHEMA = config_schema()
PAGES = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
BLOCKS = [
    block for page in PAGES for block in re.findall(r"^```toml\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S)
]


def accepts(values: dict[str, Any]) -> bool:
    return jsonschema.Draft202012Validator(SCHEMA).is_valid(values)


def test_the_config_schema_is_a_valid_json_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_every_setting_has_a_description_without_links() -> None:
    tables = {"ConfigFile": SCHEMA, **SCHEMA["$defs"]}
    for name, table in tables.items():
        for key, schema in table["properties"].items():
            is_table = "$ref" in schema or "$ref" in schema.get("additionalProperties", ())
            assert is_table or schema["description"], f"{name}.{key}"
            assert "](" not in schema.get("description", "")


def test_the_schema_accepts_the_config_of_the_example() -> None:
    assert accepts(tomllib.loads((ROOT / "content-example/contentsync.toml").read_text(encoding="utf-8")))


def test_the_schema_accepts_every_valid_config_of_the_docs(tmp_path: Path) -> None:
    accepted = 0
    for block in BLOCKS:
        (tmp_path / "contentsync.toml").write_text(block, encoding="utf-8")
        _config, problems = read_config(tmp_path)
        if not problems:
            assert accepts(tomllib.loads(block)), block
            accepted += 1
    assert accepted > 10


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[site]\nlocales = ['en', 'pt-BR']",
        "[content.pages]\npath = ['pages', 'legal']",
        "[content.pages]\npath = '.'\ninclude = ['*.md']",
        "[[content.listings.tables]]\nencoding = 'UTF-16'",
        "[targets.a]\nurl = 'https://example.org'\ndirectory = 1\nuser_ids = {'a@example.org' = 2}",
    ],
)
def test_the_schema_accepts_a_config_that_validate_accepts(tmp_path: Path, text: str) -> None:
    (tmp_path / "contentsync.toml").write_text(text, encoding="utf-8")
    assert not read_config(tmp_path)[1]
    assert accepts(tomllib.loads(text))


@pytest.mark.parametrize(
    "text",
    [
        "[sites]",
        "[site]\nlocales = 'en'",
        "[content.pages]\ntitle = 'first'",
        "[content.pages]\npath = 1",
        "[content.pages]\npath = ['pages', 1]",
        "[content.articles]\nskip_empty = 'yes'",
        "[targets.a]\nname = 'a'\nurl = 'https://example.org'\ndirectory = 1",
        "[targets.a]\ndirectory = 1",
        "[targets.a]\nurl = 'https://example.org'\ndirectory = 1\nmax_deletes = { percent = 101 }",
        "[[markdown.replace]]\nfind = 'a'",
    ],
)
def test_validate_refuses_a_config_that_the_schema_refuses(tmp_path: Path, text: str) -> None:
    (tmp_path / "contentsync.toml").write_text(text, encoding="utf-8")
    assert read_config(tmp_path)[1]
    assert not accepts(tomllib.loads(text))
