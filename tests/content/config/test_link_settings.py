"""The table [links] of contentsync.toml."""

from pathlib import Path

import pytest

from contentsync.content.config.config import read_config
from contentsync.content.config.link_settings import LinkSettings


def read(folder: Path, table: str) -> tuple[LinkSettings, list[str]]:
    (folder / "contentsync.toml").write_text(f"[links]\n{table}\n", encoding="utf-8")
    config, problems = read_config(folder)
    return config.links, [f"{problem.where.line} {problem.code}" for problem in problems]


def test_results_are_remembered_in_the_folder_by_default(tmp_path: Path) -> None:
    (tmp_path / "contentsync.toml").touch()
    config, _ = read_config(tmp_path)
    assert config.links == LinkSettings()
    assert config.links.memory == "links.jsonl"


def test_all_settings_are_read(tmp_path: Path) -> None:
    table = 'memory = "./.contentsync/cache/links.jsonl"\nexclude = ["https://a.dev/*"]\ntimeout = 5\nminutes = 90'
    settings, problems = read(tmp_path, table)
    assert problems == []
    assert settings == LinkSettings(
        memory=".contentsync/cache/links.jsonl", exclude=("https://a.dev/*",), timeout=5, minutes=90
    )


@pytest.mark.parametrize(
    "table",
    [
        'memory = "../links.jsonl"',
        'memory = "/tmp/links.jsonl"',
        'memory = "listings/all.csv"',
        'exclude = "https://a.dev/*"',
        "timeout = 0",
        "minutes = 1441",
        "retries = 3",
    ],
)
def test_a_wrong_setting_is_reported_at_its_line(tmp_path: Path, table: str) -> None:
    settings, problems = read(tmp_path, table)
    assert settings == LinkSettings()
    assert [problem[:2] for problem in problems] == ["2 "]
    assert read_config(tmp_path)[0].is_content_valid
