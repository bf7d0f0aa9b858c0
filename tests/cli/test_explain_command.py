"""`contentsync explain`: the text of docs/problems.md about a code, in the terminal."""

from pathlib import Path

import pytest

from contentsync.cli import run
from contentsync.cli.options import complete_code

PAGE = Path(__file__).parent.parent.parent / "docs/problems.md"


def test_explain_prints_the_section_of_the_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "duplicate-key"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("An entry has the same key twice")
    assert "```markdown\n---\ntitle: About\ntitle: About us\n---\n```" in printed
    assert printed.endswith("**Fix:** delete one of them.\n")


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
