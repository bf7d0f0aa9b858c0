"""Recognise texts that a spreadsheet program runs as formulas when it opens a CSV or TSV file."""

import re

from ...errors import Problem, Severity, Where

# A number or a telephone number may begin with a sign.
_FORMULA = re.compile(r"[=@\t\r]|[+-](?![\d\s().,/+-]*\Z)")


def is_formula(text: str) -> bool:
    """Return whether a spreadsheet program would run the text of a cell; it must not begin with spaces."""
    return _FORMULA.match(text) is not None


def formula_warning(column: str, where: Where) -> Problem:
    """Return the warning of a formula that an edit writes into a cell of this column."""
    message = f"a spreadsheet program would run the {column} as a formula"
    hint = "read the cell before you open the table there; in a YAML list, the value is only text"
    return Problem("formula-cell", message, where, hint, Severity.WARNING)
