import pytest

from contentsync.exchange.spreadsheet.text_guard import guarded, unguarded

from .folder import NASTY


@pytest.mark.parametrize("text", NASTY)
def test_every_guarded_text_is_restored_exactly(text: str) -> None:
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "0", "42", "plain text", "two\nlines", "a, b; c", "été", "E5", "eco", "a 1", "C#"),
        *("Studio 54", "Windows 11", "Boeing 747", "Area-51", "24 Hours", "3 Musketeers", "7-Eleven", "100 places"),
    ],
)
def test_a_text_that_no_spreadsheet_converts_is_not_guarded(text: str) -> None:
    assert guarded(text) == text


@pytest.mark.parametrize("text", ["=1+1", "=cmd|'/c calc'!A0", "+49", "-5", "@x", "\tx", "'quoted"])
def test_a_text_that_begins_like_a_formula_gets_an_apostrophe(text: str) -> None:
    assert guarded(text) == f"'{text}"


@pytest.mark.parametrize(
    "text",
    [
        *("007", "1-2", "1.5", "1,5", "12345678901234567890", "1e5", "1.2E+05", "50 %", "(5)", "$5", "3 pm", "true"),
        *("Mar 26", "1-Mar", "12:30", "5. März 2026", "Mai 68", "1 de enero de 2026", "Dez. 2026", "August 5, 2026"),
    ],
)
def test_a_text_that_a_spreadsheet_would_convert_gets_an_apostrophe(text: str) -> None:
    assert guarded(text) == f"'{text}"


def test_a_long_text_is_checked_quickly() -> None:
    assert guarded("1" + 30_000 * " " + "x") == "1" + 30_000 * " " + "x"
