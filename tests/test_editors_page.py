"""The instructions of docs/editors.md work."""

import json
import os
import re
import shutil
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from contentsync.errors import Problem, Severity, Where
from contentsync.report.problems import problems_text

from . import yaml12
from .forked import program_file
from .report.surveys import plain

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/editors.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the example after the page's command has run in it."""
    tmp_path = tmp_path_factory.mktemp("editors")
    folder = shutil.copytree(ROOT / "content-example", tmp_path / "site", ignore=shutil.ignore_patterns(".contentsync"))
    with program_file() as command:
        environ = {**os.environ, "PATH": f"{command.parent}:{os.environ['PATH']}"}
        subprocess.run(["sh", "-e", "-c", blocks("sh")[0]], cwd=folder, env=environ, check=True)
    return folder


def schema(site: Path, path: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads((site / path).read_text(encoding="utf-8")))


def test_every_schema_in_the_editor_settings_accepts_the_files_of_its_pattern(site: Path) -> None:
    for path, pattern in json.loads(blocks("json")[0])["yaml.schemas"].items():
        patterns = [re.sub(r"\{.*\}", end, pattern.replace("**/", "*")) for end in ("yaml", "yml")]
        files = [
            file
            for file in site.rglob("*.y*ml")
            if any(fnmatchcase(file.relative_to(site).as_posix(), pattern) for pattern in patterns)
        ]
        assert files
        for file in files:
            schema(site, path).validate(yaml12.read(file.read_text(encoding="utf-8")))


def test_a_file_with_a_schema_comment_is_valid_in_that_schema(site: Path) -> None:
    (text,) = blocks("yaml")
    (site / "tags.yaml").write_text(text, encoding="utf-8")
    path = re.match(r"# yaml-language-server: \$schema=(\S+)\n", text)
    assert path
    schema(site, path[1]).validate(yaml12.read(text))


@pytest.mark.parametrize(
    ("problem", "read"),
    [
        (Problem("bad-date", "m: 1", Where("a b/c.md", 3, 7), "h"), ("a b/c.md", "3", "7", None, "bad-date", "m: 1")),
        (
            Problem("relative-link", "m", Where("c.md"), severity=Severity.WARNING),
            ("c.md", "1", "1", "warning", "relative-link", "m"),
        ),
    ],
)
def test_the_pattern_of_the_editor_task_matches_a_printed_problem(
    tmp_path: Path, problem: Problem, read: tuple[Any, ...]
) -> None:
    pattern = json.loads(blocks("json")[1])["tasks"][0]["problemMatcher"]["pattern"]
    (tmp_path / "a b").mkdir()
    for path in ("a b/c.md", "c.md"):
        (tmp_path / path).write_text("1: 2: 3\n\nkey: 12:30\n", encoding="utf-8")
    lines = plain(problems_text([problem], tmp_path)).splitlines()
    (found,) = (match for match in (re.match(pattern["regexp"], line) for line in lines) if match)
    names = ("file", "line", "column", "severity", "code", "message")
    assert tuple(found[pattern[name]] for name in names) == read
