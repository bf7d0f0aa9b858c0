"""contentsync.content.adopt.slug_choice: the pattern by which files with equal names have addresses of their own."""

from pathlib import Path

import pytest

from contentsync.content.adopt.questions import Ask, DefaultAnswers
from contentsync.content.adopt.slug_choice import propose_slugs
from contentsync.content.config import read_config
from contentsync.content.load import load_content
from contentsync.content.scan import scan

from .repositories import write

POST = "---\ntitle: A\n---\nText\n"


def proposed(folder: Path, paths: list[str], config: str = "", ask: Ask | None = None) -> list[str]:
    write(folder, {"contentsync.toml": config, **{f"articles/{path}": POST for path in paths}})
    settings, _ = read_config(folder)
    problems = load_content(folder).problems
    found = propose_slugs(folder, settings, scan(folder, settings).files, problems, ask or DefaultAnswers())
    return [str(it.value) for it in found]


@pytest.mark.parametrize(
    ("paths", "pattern"),
    [
        (["a/x.md", "b/x.md"], "{parent}-{name}"),
        (["a/x.md", "b/x.md", "y.md"], "{path}"),
        (["a/b/x.md", "c/b/x.md"], "{path}"),
        (["2024-01-01-x.md", "2025-01-01-x.md"], "{year}-{name}"),
        (["2024-01-01-x.md", "2024-02-01-x.md"], "{year}-{month}-{name}"),
        (["2024-01-01-x.md", "2024-01-02-x.md"], "{year}-{month}-{day}-{name}"),
        (["x.md", "x.markdown"], ""),
        (["x.md", "y.md"], ""),
        (["a/x.md", "b/x.md", "x.md", "x.mdx"], "{path}"),  # which solves the most
    ],
)
def test_the_pattern_makes_names_differ(paths: list[str], pattern: str, tmp_path: Path) -> None:
    assert proposed(tmp_path, paths) == ([pattern] if pattern else [])


def test_several_patterns_are_asked_about(tmp_path: Path) -> None:
    paths = ["a/2024-01-01-x.md", "b/2025-01-01-x.md"]
    answers = DefaultAnswers()
    assert proposed(tmp_path, paths, ask=answers) == ["{parent}-{name}"]
    assert answers.guesses == [
        "1 article has the name of another one. What are their addresses made of? {parent}-{name}"
    ]
    assert proposed(tmp_path, paths, ask=lambda question: question.choices[2]) == ["{year}-{name}"]
    assert proposed(tmp_path, paths, ask=lambda question: "{name}") == []


def test_a_pattern_of_the_config_stays(tmp_path: Path) -> None:
    config = '[content.articles]\nslug = "{year}-{name}"\n'
    assert proposed(tmp_path, ["2024-01-01-x.md", "2024-01-02-x.md"], config) == []
