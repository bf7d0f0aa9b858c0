"""Protect texts in CSV and TSV from spreadsheets, which run formulas and rewrite numbers and dates.

A spreadsheet that opens a CSV file turns 007 into 7, 1-2 into a date, and runs `=cmd|...`. It leaves a text alone that
begins with an apostrophe.
"""

import re

from ..content.edit.table_file import is_formula

_GUARD = "'"
_SIGNS = ("+", "-")  # of a number, or of a formula
# Numbers that each spreadsheet program, in each language, writes as they are.
_INTEGER = re.compile(r"(?:0|[1-9][0-9]{0,14})\Z")
_NUMBER_OR_DATE = re.compile(
    r"[\d\s.,:/%\u00a0'$€£¥()eE+-]*\d[\d\s.,:/%\u00a0'$€£¥()eE+-]*(?:[AaPp][Mm])?\Z"
    r"|\d{1,4}[ ./-][^\W\d_]{3,12}\.?(?:[ ./-]\d{1,4})?\Z"  # 1-Mar
    r"|[^\W\d_]{3,12}\.?[ ./-]\d{1,4}(?:,? \d{4})?\Z"  # Mar-26
    r"|\d{4}-\d\d-\d\dT.*\Z"
    r"|(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|waar|onwaar)\Z",
    re.IGNORECASE,
)


def guarded(text: str) -> str:
    """Return the text for a cell of a CSV or TSV file: with an apostrophe if a spreadsheet program would change it."""
    if not text or _INTEGER.match(text):
        return text
    is_at_risk = text.startswith((_GUARD, *_SIGNS)) or is_formula(text) or _NUMBER_OR_DATE.match(text) is not None
    return f"{_GUARD}{text}" if is_at_risk else text


def unguarded(text: str) -> str:
    """Return the text of a cell without the apostrophe of `guarded`."""
    return text.removeprefix(_GUARD)
