"""`contentsync explain`: the text of docs/problems.md about a code, in the terminal."""

import re
from pathlib import Path

import pytest

from contentsync.cli import run
from contentsync.cli.options import complete_code
from contentsync.report.problem_explanations import explain_code, explanations

from ..test_problems_page import SECTIONS

PAGE = Path(__file__).parent.parent.parent / "docs/problems.md"


def test_explain_prints_the_section_of_the_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "duplicate-key"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("An entry has the same key twice")
    assert "```markdown\n---\ntitle: About\ntitle: About us\n---\n```" in printed
    assert printed.endswith("**Fix:** delete one of them.\n")


def test_every_code_has_an_explanation_with_a_fix_and_without_links() -> None:
    assert explanations().keys() == SECTIONS.keys()
    for code in SECTIONS:
        text = explain_code(code)
        assert "**Fix:**" in text
        assert "](" not in re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
        assert text == text.strip()


def test_a_link_in_an_explanation_becomes_the_name_of_its_page() -> None:
    assert "limit it to other tables with `path`" in explain_code("no-header")
    assert "the accepted forms (docs/content.md)" in explain_code("bad-date")
    assert "see deletes" in explain_code("emptied")
    assert 'replace = "[Video](https://www.youtube.com/watch?v={video})"' in explain_code("bad-replacement")


def test_an_unknown_code_is_refused_with_the_nearest_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "bad-dat"]) == 64
    errors = capsys.readouterr().err
    assert "there is no problem code 'bad-dat'" in errors
    assert "did you mean 'bad-date'?" in errors


def test_codes_are_completed() -> None:
    assert complete_code("merge-") == ["merge-marker"]


def test_the_package_contains_the_page_of_problems() -> None:
    page = PAGE.parent.parent / "contentsync/problems.md"
    assert page.resolve() == PAGE.resolve()
