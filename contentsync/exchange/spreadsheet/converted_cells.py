"""Cells that a spreadsheet program has turned from texts into numbers, dates or errors.

Whether a number is the text of before can be certain: 815 is 0815. If it is not, only the user knows the text.
"""

import re
from datetime import date, time, timedelta
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal
from typing import Any, NamedTuple

from ...content.formats.table_reader import damage_cause

_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?")
_EXCEL_DIGITS = 15  # Excel stores no more digits of a number; other programs store up to 17


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
