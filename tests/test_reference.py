"""docs/reference/ is generated from the code."""

import re

import pytest

from contentsync import errors
from scripts.reference import FOLDER
from scripts.reference.commands import EXIT_CODES
from scripts.reference.pages import PAGES

from . import exit_codes


@pytest.mark.parametrize("name", PAGES)
def test_each_generated_page_is_up_to_date(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONTENTSYNC_TARGET", raising=False)
    assert (FOLDER / name).read_text(encoding="utf-8") == PAGES[name](), "make reference"


def test_the_folder_contains_only_generated_pages() -> None:
    assert {file.name for file in FOLDER.iterdir()} == PAGES.keys()


def test_every_error_uses_an_exit_code_of_the_table() -> None:
    named = (it for it in vars(errors).values() if isinstance(it, type) and issubclass(it, errors.ContentsyncError))
    assert {error.exit_code for error in named if error is not errors.ContentsyncError} <= EXIT_CODES.keys()


def test_the_tests_name_each_exit_code_of_the_table() -> None:
    numbers = {number for name, number in vars(exit_codes).items() if name.isupper()}
    assert {0, *numbers} == EXIT_CODES.keys()


def test_the_readme_has_the_same_exit_codes() -> None:
    readme = (FOLDER.parent.parent / "README.md").read_text(encoding="utf-8")
    assert {int(code): words for code, words in re.findall(r"^\| (\d+) \| (.*) \|$", readme, re.M)} == EXIT_CODES
