"""Tables: a draft for each row, its values under the names of the columns."""

from collections.abc import Iterable, Iterator
from functools import partial

from ...errors import Problem, Where
from ...model import Kind
from ..draft import Draft, Places, Unreadable
from .damage import Damage
from .header import Header
from .rows import DELIMITERS, Row, Rows


def read_table(blocks: Iterable[str], kind: Kind, path: str, delimiter: str) -> Iterator[Draft | Problem]:
    """A draft for each row, its values flat: the text of each cell, or None, by column; a problem for each mistake.

    `blocks` are consecutive pieces of the text, with `\\n` line ends; a first line such as `sep=;` beats `delimiter`.
    Under a header with mistakes there are no drafts. Raises Unreadable where it is unclear how cells are told apart:
    possibly after many rows, and of those that would follow nothing is known.
    """
    rows, damage = Rows(blocks, delimiter, path), Damage(kind, path)
    try:
        yield from _entries(rows, damage, kind, path)
    except Unreadable:
        yield from damage.problems()
        raise
    yield from damage.problems()


def _entries(rows: Rows, damage: Damage, kind: Kind, path: str) -> Iterator[Draft | Problem]:
    each = iter(rows)
    first = next((row for row in each if any(row.cells)), None)
    if first is None:
        return
    header = Header(first, rows.marks(first), path)
    header.refuse_delimiter(rows.delimiter)
    problems = list(header.problems())
    yield from problems
    names, nameless = header.names, header.nameless
    untold = set(nameless)
    for row in each:
        cells = row.cells
        if not any(cells):
            continue
        if len(cells) != len(names):
            yield _ragged(row, len(names), rows, path)
            continue
        damage.look(row, rows)
        for index in [index for index in untold if cells[index]] if untold else ():
            untold.remove(index)
            yield header.nameless_problem(index, row)
        if not problems:
            values = dict(zip(names, cells, strict=True))
            if nameless:
                del values[""]
            draft = Draft(kind, path, row.line, values, partial(_places, row, rows, header, path))
            if row.number != row.line:
                draft.row = row.number
            yield draft


def _places(row: Row, rows: Rows, header: Header, path: str) -> tuple[Places, Places]:
    values = {name: place for name, place in zip(header.names, rows.places(row), strict=True) if name}
    return values, header.places()


def _ragged(row: Row, width: int, rows: Rows, path: str) -> Problem:
    count = len(row.cells)
    message = f"row {row.number} has {count} {'cell' if count == 1 else 'cells'}, but the header has {width}"
    where = Where(path, *rows.marks(row)[min(width, count - 1)])
    word = DELIMITERS[rows.delimiter]
    if count < width:
        hint = f"add the missing cells, including the empty ones, each after a {word}"
    else:
        hint = f"put a value that contains a {word} in double quotes"
    return Problem("ragged-row", message, where, hint)
