"""Cells that a spreadsheet program turns from texts into numbers, dates or errors: prevented, and recognised.

A program that opens a CSV or TSV file turns 007 into 7, 1-2 into a date, and runs `=cmd|...`. It leaves a text alone
that begins with an apostrophe. Whether a number is the text of before can be certain: 815 is 0815. If it is not, only
the user knows the text.
"""

import re
from datetime import date, time, timedelta
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal
from typing import Any, NamedTuple

from ...authoring.edit.table_file import is_formula
from ...content.formats.table_reader import damage_cause
from ...lazy_pattern import lazy_pattern

_NUMBER = lazy_pattern(r"[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?")
_EXCEL_DIGITS = 15  # Excel stores no more digits of a number; other programs store up to 17

_GUARD = "'"
_SIGNS = ("+", "-")  # of a number, or of a formula
# Numbers that each spreadsheet program, in each language, writes as they are.
_INTEGER = lazy_pattern(r"(?:0|[1-9][0-9]{0,14})\Z")
_NUMBER_OR_TIME = lazy_pattern(
    r"[\s.,:/%'$€£¥()+-]*\d[\d\s.,:/%'$€£¥()+-]*(?:E[+-]?\d[\d\s%)]*)?(?:[AP]M|\s[AP])?\Z"
    r"|\d{4}-\d\d-\d\dT.*\Z"
    r"|(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|waar|onwaar)\Z",
    re.IGNORECASE,
)
_DATE = lazy_pattern(
    r"\d{1,4}\.?[ ./-](?:de )?([^\W\d_]{3,12})\.?(?:[ ./-](?:de )?\d{1,4})?\Z"  # 1-Mar
    r"|([^\W\d_]{3,12})\.?[ ./-]\d{1,4}(?:,? \d{4})?\Z"  # Mar 26, but not Studio 54
)
# In the languages of most users; spreadsheet programs also read the first three letters or more.
_MONTHS = tuple(
    """
    january february march april may june july august september october november december
    januar jänner februar feber märz mrz mai juni juli oktober dezember
    janvier février mars avril juin juillet août septembre octobre novembre décembre
    enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre
    gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
    janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
    januari februari maart mei augustus maj augusti marts desember
    """.split()  # noqa: SIM905  # a list of 70 short words
)


class ConvertedCell(NamedTuple):
    """A cell with a value that is not a text."""

    place: str  # such as `cell C5 of the sheet listings`
    value: str  # with its type, for messages: "the number 815"
    text: str  # as the program writes the value
    fix: str = "format the cell as text, and write the text again"

    def is_of(self, text: str) -> bool:
        """Return whether the value is certainly that of a text: the same number, or the same word."""
        return text.casefold() == self.text.casefold() or is_same_number(text, self.text)


def converted_value(value: Any, place: str, *, is_error: bool = False) -> ConvertedCell | None:
    """Return the cell of an .xlsx file with a value; None for a text or an empty cell."""
    if is_error:
        return ConvertedCell(place, f"the error {value}", str(value))
    match value:
        case bool():
            return ConvertedCell(place, f"the boolean {str(value).upper()}", str(value))
        case int() | float():
            return ConvertedCell(place, f"the number {value:.15g}", repr(value))
        case date() | time() | timedelta():
            return ConvertedCell(place, f"the date or time {value}", str(value))
    return None


def converted_text(text: str, place: str) -> ConvertedCell | None:
    """Return the cell of a CSV or TSV file with a text that looks like a converted value; None for other texts."""
    cause = damage_cause(text)
    fix = "write the text again, with an apostrophe before it"
    return ConvertedCell(place, f"{text}, which looks like {cause}", text, fix) if cause else None


def is_same_number(text: str, stored: str) -> bool:
    """Return whether a text is a number that a spreadsheet program stores as another one, which has fewer digits."""
    if not (_NUMBER.fullmatch(text) and _NUMBER.fullmatch(stored)):
        return False
    first, second = (Decimal(each.replace(",", ".")) for each in (text, stored))
    if first == second:
        return True
    if len(first.as_tuple().digits) <= _EXCEL_DIGITS:
        return False
    digits = max(_EXCEL_DIGITS, len(second.as_tuple().digits))
    rounded = [Context(digits, rounding).create_decimal(first) for rounding in (ROUND_DOWN, ROUND_HALF_UP)]
    return second in rounded or float(first) == float(second)


def guarded(text: str) -> str:
    """Return the text for a cell of a CSV or TSV file: with an apostrophe if a spreadsheet program would change it."""
    if not text or _INTEGER.match(text):
        return text
    is_run = text.startswith(_SIGNS) or is_formula(text)
    is_converted = _NUMBER_OR_TIME.match(text) is not None or _is_date(text)
    return f"{_GUARD}{text}" if is_run or is_converted or is_guarded(text) else text


def unguarded(text: str) -> str:
    """Return the text of a cell without the apostrophe of `guarded`."""
    return text.removeprefix(_GUARD)


def is_guarded(text: str) -> bool:
    """Return whether a cell begins with an apostrophe."""
    return text.startswith(_GUARD)


def _is_date(text: str) -> bool:
    """Return whether a text is a day and the name of a month, or the other way round."""
    match = _DATE.match(text)
    word = (match[1] or match[2]).casefold() if match else ""
    return bool(word) and any(month.startswith(word) for month in _MONTHS)
