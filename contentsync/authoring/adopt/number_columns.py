"""Recognise how a table writes numbers, by its columns, and its last row if that has their sums.

A cell such as `1.201` has two readings. It has one if another column shows which sign begins the fraction.
"""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from ...content.formats.table_rows import USUAL_NUMBERS, NumberStyle
from ...lazy_pattern import lazy_pattern
from ...model.scalar import parse_number, with_decimal_point

Row = Sequence[str | None]  # the cells

_COMMA: NumberStyle = "1.234,56"
_POINT: NumberStyle = "1,234.56"
# A cell that has only one reading: `150,00` and `1.201,5`, but neither `1,201` nor `1.201`.
_CERTAIN = {
    _COMMA: lazy_pattern(r"[-+]?(?:[0-9]+,(?:[0-9]{1,2}|[0-9]{4,})|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+)\Z"),
    _POINT: lazy_pattern(r"[-+]?(?:[0-9]+\.(?:[0-9]{1,2}|[0-9]{4,})|[0-9]{1,3}(?:,[0-9]{3})+\.[0-9]+)\Z"),
}
_THOUSANDS = lazy_pattern(r"[-+]?[0-9]{1,3}(?:(?P<sign>[.,])[0-9]{3})+(?:[.,][0-9]+)?\Z")
_SUM_WORDS = frozenset(
    "total totals sum sums summe gesamt insgesamt gesamtsumme somme totaux suma totale somma totaal som soma".split()  # noqa: SIM905
)
_MIN_ROWS = 2  # above a row of sums


def number_style(rows: Iterable[Row]) -> NumberStyle:
    """Return the style of a table's numbers. It is the usual one if no column, or two that differ, show a style."""
    columns = [*_columns(rows)]
    shown = {style for style in _CERTAIN for column in columns if _shows(column, style)}
    if shown == {_COMMA}:
        return _COMMA
    has_thousands = any(_has_thousands(column) for column in columns)
    return _POINT if shown == {_POINT} and has_thousands else USUAL_NUMBERS


def _columns(rows: Iterable[Row]) -> Iterator[list[str]]:
    """Yield the filled cells of each column."""
    for column in zip(*rows, strict=True):
        yield [cell for cell in column if cell]


def _shows(column: Sequence[str], style: NumberStyle) -> bool:
    """Return whether all cells are numbers of a style, and one of them has no other reading."""
    return any(map(_CERTAIN[style].match, column)) and all(_number(cell, style) is not None for cell in column)


def _has_thousands(column: Sequence[str]) -> bool:
    """Return whether all cells of a column are numbers, of which one has commas between its thousands."""
    signs = [match["sign"] for match in map(_THOUSANDS.match, column) if match]
    return "," in signs and all(_number(cell, _POINT) is not None for cell in column)


def _number(cell: str, style: NumberStyle) -> Decimal | None:
    text = cell if style == USUAL_NUMBERS else with_decimal_point(cell, style)
    return None if parse_number(text) is None else Decimal(text)


def sums_row(rows: Sequence[Row], style: NumberStyle) -> str | None:
    """Return the first text of the last row if it is a word such as `Total`, and each number in it is a sum.

    Return None if a number there is another one, or if there is none.
    """
    if len(rows) <= _MIN_ROWS:
        return None
    *others, last = rows
    name = next(filter(None, last), None)
    if name is None or name.casefold().rstrip(": ") not in _SUM_WORDS:
        return None
    found = 0
    for column in zip(*others, last, strict=True):
        *above, total = column
        if not total or total == name:
            continue
        numbers = [_number(cell, style) for cell in above if cell]
        known = [number for number in numbers if number is not None]
        if len(known) < len(numbers) or len(known) < _MIN_ROWS or sum(known) != _number(total, style):
            return None
        found += 1
    is_unique = all(next(filter(None, row), None) != name for row in others)
    return name if found and is_unique else None
