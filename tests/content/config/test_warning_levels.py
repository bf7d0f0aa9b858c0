"""contentsync.content.config.warning_levels: which warnings are hidden, and which are errors."""

import pytest

from contentsync.content.config.warning_levels import WarningSettings
from contentsync.errors import Severity

from ..conftest import Load

ODD = {
    "pages/a.md": "---\ntitle: A\n---\n[x](/pages/none/)\n",
    "pages/old/b.md": "---\ntitle: B\n---\n[x](/pages/none/)\n",
    "articles/a.md": "---\ntitle: A\ncategories: one\n---\n[x](/pages/none/)\n",
}
ALL = {
    ("pages/a.md", "broken-link"): "warning",
    ("pages/old/b.md", "broken-link"): "warning",
    ("articles/a.md", "broken-link"): "warning",
    ("articles/a.md", "single-value"): "warning",
}


def levels(read: Load, config: str) -> dict[tuple[str, str], str]:
    problems = read({**ODD, "contentsync.toml": f'[site]\nname = "Test"\n[warnings]\n{config}\n'}).problems
    return {(problem.where.path, problem.code): problem.severity.value for problem in problems}


def test_warnings_stay_warnings_without_settings(read: Load) -> None:
    assert levels(read, "") == ALL


def test_an_ignored_code_is_hidden_and_an_error_stops(read: Load) -> None:
    found = levels(read, 'ignore = ["single-value"]\nerror = ["broken-link"]')
    assert found == {place: "error" for place in ALL if place[1] == "broken-link"}


@pytest.mark.parametrize(
    ("override", "changed"),
    [
        ('kind = "article"\nignore = ["broken-link"]', {("articles/a.md", "broken-link"): ""}),
        ('path = "pages/old"\nerror = ["broken-link"]', {("pages/old/b.md", "broken-link"): "error"}),
        ('path = "pages/*"\nerror = ["broken-link"]', {place: "error" for place in ALL if place[0][:5] == "pages"}),
        ('path = "a.md"\nkind = "article"\nignore = ["broken-link"]', {("articles/a.md", "broken-link"): ""}),
        ('error = ["single-value"]', {("articles/a.md", "single-value"): "error"}),
    ],
)
def test_an_override_changes_the_level_of_a_kind_or_a_path(
    read: Load, override: str, changed: dict[tuple[str, str], str]
) -> None:
    expected = {place: level for place, level in {**ALL, **changed}.items() if level}
    assert levels(read, f"[[warnings.overrides]]\n{override}") == expected


def test_the_last_override_of_a_code_counts(read: Load) -> None:
    config = 'error = ["broken-link"]\n[[warnings.overrides]]\npath = "pages/old"\nwarning = ["broken-link"]'
    found = levels(read, config)
    assert found["pages/a.md", "broken-link"] == "error"
    assert found["pages/old/b.md", "broken-link"] == "warning"


def test_no_setting_lowers_an_error(read: Load) -> None:
    config = '[warnings]\nignore = ["unknown-key"]\n[[warnings.overrides]]\nwarning = ["unknown-key"]\n'
    content = read({"contentsync.toml": config, "pages/a.md": "---\ntitle: A\nordre: 1\n---\n"})
    assert [(problem.code, problem.severity) for problem in content.problems] == [("unknown-key", Severity.ERROR)]


def test_settings_of_the_same_codes_are_equal_in_another_process() -> None:
    codes = ("broken-link", "misplaced")
    assert repr(WarningSettings(ignore=codes)) == repr(WarningSettings(ignore=codes))
