"""contentsync.exchange.spreadsheet.sheet: texts in CSV and TSV that spreadsheets must leave alone."""

import pytest

from contentsync.exchange.spreadsheet.sheet import guarded, unguarded

from .folder import NASTY


@pytest.mark.parametrize("text", NASTY)
def test_every_text_comes_back(text: str) -> None:
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize("text", ["", "0", "42", "plain text", "two\nlines", "a, b; c", "été"])
def test_a_text_that_no_spreadsheet_changes_stays_as_it_is(text: str) -> None:
    assert guarded(text) == text


@pytest.mark.parametrize("text", ["=1+1", "=cmd|'/c calc'!A0", "+49", "-5", "@x", "\tx", "'quoted"])
def test_no_cell_begins_like_a_formula(text: str) -> None:
    assert guarded(text) == f"'{text}"


@pytest.mark.parametrize("text", ["007", "1-2", "1.5", "1,5", "12345678901234567890", "1e5", "Mar 26", "true", "12:30"])
def test_no_cell_is_a_number_or_a_date_that_is_written_differently(text: str) -> None:
    assert guarded(text) == f"'{text}"
