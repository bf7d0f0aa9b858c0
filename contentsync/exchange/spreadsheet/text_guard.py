"""An apostrophe before each text of a CSV or TSV file that a spreadsheet program would convert or run.

A program that opens such a file turns 007 into 7, 1-2 into a date, and runs `=cmd|...`. It leaves a text alone that
begins with an apostrophe.
"""

import re

from ...authoring.edit.table_file import is_formula

_GUARD = "'"
_SIGNS = ("+", "-")  # of a number, or of a formula
# Numbers that each spreadsheet program, in each language, writes as they are.
_INTEGER = re.compile(r"(?:0|[1-9][0-9]{0,14})\Z")
_NUMBER_OR_TIME = re.compile(
    r"[\s.,:/%'$€£¥()+-]*\d[\d\s.,:/%'$€£¥()+-]*(?:E[+-]?\d[\d\s%)]*)?(?:[AP]M|\s[AP])?\Z"
    r"|\d{4}-\d\d-\d\dT.*\Z"
    r"|(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|waar|onwaar)\Z",
    re.IGNORECASE,
)
_DATE = re.compile(
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
