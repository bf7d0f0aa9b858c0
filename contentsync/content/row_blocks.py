"""Read a table of listings in blocks of rows: plain rows become entry rows, the others drafts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from ..errors import Problem
from ..model import Definition, Kind
from .draft import Draft, Locations, UnreadableFile
from .formats.table_reader import Table
from .formats.table_rows import TableRow
from .key_mapping import TableColumns
from .plain_rows import Cells, PlainRows
from .validation_report import REPEATED, JsonRow

BLOCK = 512  # rows
_MIN_PART = 4  # a part of a block is read row by row if it is smaller than the block divided by this


def read_blocks(
    table: Table,
    columns_of: Callable[[Sequence[str]], TableColumns],
    definitions: Mapping[str, Definition],
    validate: Callable[[Draft], Draft],
    size: int,
) -> Iterator[Draft | JsonRow | Problem]:
    """Yield plain rows as entry rows, other rows as drafts before validation, and the problems of the table.

    `columns_of` gets the names of the columns. Entries are in the order of their rows, problems before them or between
    them. Raises UnreadableFile as the table does, after yielding the entries before the mistake.
    """
    reader = _RowReader(table, columns_of, definitions, validate)
    rows: list[TableRow] = []
    try:
        for item in table:
            if isinstance(item, Problem):
                yield item
                continue
            rows.append(item)
            if len(rows) == size:
                yield from reader.read(rows, size)
                rows = []
    except UnreadableFile:
        yield from reader.read(rows, size)
        raise
    yield from reader.read(rows, size)


class _RowReader:
    """Reads the rows of one table, after its header was read."""

    def __init__(
        self,
        table: Table,
        columns_of: Callable[[Sequence[str]], TableColumns],
        definitions: Mapping[str, Definition],
        validate: Callable[[Draft], Draft],
    ) -> None:
        self._table = table
        self._columns_of = columns_of
        self._definitions = definitions
        self._validate = validate
        self._is_begun = False

    def read(self, rows: Sequence[TableRow], size: int) -> Iterator[Draft | JsonRow]:
        """Yield the entry row or the draft of each row of a block, or of a part of one."""
        if rows and not self._is_begun:
            self._is_begun = True
            yield self._draft(rows[0])  # its validation finds the unknown columns
            rows = rows[1:]
        found: Sequence[JsonRow | None] = [None] * len(rows)
        if len(rows) * _MIN_PART >= size and not self._columns.negates:
            found = self._plain_rows.recognise([row.line for row in rows], [row.cells for row in rows])
        for row, entry in zip(rows, found, strict=True):
            if entry is None:
                yield self._draft(row)
            else:
                yield _with_repeated_error(*entry) if self._columns.unknown else entry

    @cached_property
    def _columns(self) -> TableColumns:
        return self._columns_of([name for name in self._table.names if name])

    @cached_property
    def _plain_rows(self) -> PlainRows:
        return PlainRows([*map(self._known.get, self._table.names)], self._definitions, self._read_alone)

    @cached_property
    def _known(self) -> Mapping[str, str]:
        """The field of each column, without ignored and unknown columns."""
        unknown = self._columns.unknown
        return {column: field for column, field in self._columns.fields.items() if field not in unknown}

    def _draft(self, row: TableRow) -> Draft:
        draft = self._table.draft(row)
        self._columns.unfold(draft)
        return draft

    def _read_alone(self, cells: Cells) -> Draft:
        """Return the validated draft of a row with these cells, as if it were the only one. It has no locations."""
        values = {name: cell for name, cell in zip(self._table.names, cells, strict=True) if name}
        draft = Draft(Kind.LISTING, "", values=values, locate=self._locate)
        self._columns.unfold(draft)
        draft.values = {name: value for name, value in draft.values.items() if name not in self._columns.unknown}
        draft.unknown_columns = {}
        return self._validate(draft)

    def _locate(self) -> tuple[Locations, Locations]:
        locations: Locations = dict.fromkeys(self._table.names, ("", (1, 1)))
        return locations, dict(locations)


def _with_repeated_error(key: str, line: int, identities: Sequence[tuple[str, str]] = ()) -> JsonRow:
    """Return the entry row of a row with an unknown column, which the first row reports."""
    return [key, line, identities, None, [], [], [REPEATED]]
