"""Read tables and lists of listings in blocks: plain rows become records of entries, the others drafts."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from types import NoneType
from typing import Any, NamedTuple, TypeVar

from ...errors import Problem
from ...model import Definition, Kind
from ..entry.house_rules import JudgeRow
from ..entry.key_mapping import TableColumns
from ..files.file_text import UnreadableFile
from ..formats.draft import Draft, Locations
from ..formats.table_reader import Table
from ..formats.table_rows import TableRow
from ..formats.yaml_reader import PlainItem
from .plain_rows import Cells, PlainRows
from .unit_results import EntryRecord

MAX_CHARACTERS = 4_000_000  # of the rows of a table before the last of a block, to limit the memory
Item = TypeVar("Item")
_CELL_TYPES = (str, tuple, NoneType)
_MIN_SHARE = 0.25  # of the rows of a block: recognising fewer together takes longer than reading them one by one


class Blocks(NamedTuple):
    """How a file is read in blocks: consecutive rows, or items of a list, whose plain ones are recognised together."""

    size: int = 512  # rows or items
    first_plain: int = (
        0  # the first row that may be plain; the drafts of a file with fewer rows can be cached with their locations
    )
    with_values: bool = False  # whether records contain the values of their entries


def in_blocks(
    items: Iterable[Item | Problem],
    blocks: Blocks,
    read: Callable[[Sequence[Item], Blocks], Iterator[Draft | EntryRecord]],
) -> Iterator[Draft | EntryRecord | Problem]:
    """Pass the items to `read` in blocks, and yield its results in order, and the problems among the items.

    Each item before `Blocks.first_plain` is a block of its own, and a block of very long rows has fewer items. If
    the items raise UnreadableFile, yield the results of those before, and raise it.
    """
    block: list[Item] = []
    characters = 0
    try:
        for number, item in enumerate(items):
            if isinstance(item, Problem):
                yield item
                continue
            block.append(item)
            characters += len(item.text) if isinstance(item, TableRow) else 0
            if len(block) == blocks.size or number < blocks.first_plain or characters >= MAX_CHARACTERS:
                yield from read(block, blocks)
                block, characters = [], 0
    except UnreadableFile:
        yield from read(block, blocks)
        raise
    yield from read(block, blocks)


class RowReader:
    """Reads the rows of one table.

    `columns_of` gets the names of its columns, `validate` validates a draft, and `judge_row` judges by house rules.
    """

    def __init__(
        self,
        table: Table,
        columns_of: Callable[[Sequence[str]], TableColumns],
        definitions: Mapping[str, Definition],
        validate: Callable[[Draft], Draft],
        judge_row: JudgeRow | None = None,
    ) -> None:
        self._table = table
        self._columns_of = columns_of
        self._definitions = definitions
        self._validate = validate
        self._judge_row = judge_row
        self._has_read_first_row = False

    def read(self, rows: Sequence[TableRow], blocks: Blocks) -> Iterator[Draft | EntryRecord]:
        """Yield the results of a block in order: the record of each plain row, and the draft of each other row."""
        if rows and not self._has_read_first_row:
            self._has_read_first_row = True
            yield self._draft(rows[0])  # its validation finds the unknown columns
            rows = rows[1:]
        found: Sequence[EntryRecord | None] = [None] * len(rows)
        # `PlainRows` takes values as the cells have them, so it cannot read the opposite of a flag.
        if len(rows) >= _MIN_SHARE * blocks.size and not self._columns.negates:
            with_values = blocks.with_values and not self._columns.unknown  # a row with an error needs none
            cells = [row.cells for row in rows]
            found = self._plain_rows.recognise([row.line for row in rows], cells, with_values=with_values)
        for row, entry in zip(rows, found, strict=True):
            if entry is None:
                yield self._draft(row)
            else:
                # The first row of the table reports its unknown columns.
                yield entry._replace(has_error_elsewhere=True) if self._columns.unknown else entry

    @cached_property
    def _columns(self) -> TableColumns:
        return self._columns_of([name for name in self._table.names if name])

    @cached_property
    def _plain_rows(self) -> PlainRows:
        fields = [self._field_by_column.get(name) for name in self._table.names]
        judge_row = None if self._columns.unknown else self._judge_row  # an entry with an error is not judged
        return PlainRows(fields, self._definitions, self._read_alone, judge_row)

    @cached_property
    def _field_by_column(self) -> Mapping[str, str]:
        """The field of each column, without ignored and unknown columns. The first row must have been read."""
        unknown = self._columns.unknown
        return {column: field for column, field in self._columns.fields.items() if field not in unknown}

    def _draft(self, row: TableRow) -> Draft:
        draft = self._table.draft(row)
        self._columns.unfold(draft)
        return draft

    def _read_alone(self, cells: Cells) -> Draft:
        """Return the validated draft of a row with these cells, without unknown columns, to see if it has problems."""
        values = {name: cell for name, cell in zip(self._table.names, cells, strict=True) if name}
        draft = Draft(Kind.LISTING, path="", values=values, locate=self._placeholder_locations)
        self._columns.unfold(draft)
        draft.values = {name: value for name, value in draft.values.items() if name not in self._columns.unknown}
        draft.unknown_columns = {}
        return self._validate(draft)

    def _placeholder_locations(self) -> tuple[Locations, Locations]:
        """Return the same location for each column: the problems of a row that is read alone are never shown."""
        locations: Locations = dict.fromkeys(self._table.names, ("", (1, 1)))
        return locations, dict(locations)


class ListReader:
    """Reads the entries of one list. `validate` validates a draft, and `judge_row` judges by house rules."""

    def __init__(
        self,
        definitions: Mapping[str, Definition],
        validate: Callable[[Draft], Draft],
        judge_row: JudgeRow | None = None,
    ) -> None:
        self._definitions = definitions
        self._validate = validate
        self._judge_row = judge_row
        self._by_names: dict[tuple[str, ...], PlainRows] = {}

    def read(self, items: Sequence[Draft | PlainItem], blocks: Blocks) -> Iterator[Draft | EntryRecord]:
        """Yield the results of a block in order: the record of each plain item, and the draft of each other item.

        Items with the same keys are recognised together.
        """
        entries: list[EntryRecord | None] = [None] * len(items)
        for names, cells_by_number in _group_by_names(items).items():
            if len(cells_by_number) >= _MIN_SHARE * blocks.size:
                lines = [items[number].line for number in cells_by_number]
                rows = [*cells_by_number.values()]
                found = self._plain_rows(names).recognise(lines, rows, with_values=blocks.with_values)
                for number, entry in zip(cells_by_number, found, strict=True):
                    entries[number] = entry
        for item, entry in zip(items, entries, strict=True):
            yield entry or (item.draft() if isinstance(item, PlainItem) else item)

    def _plain_rows(self, names: tuple[str, ...]) -> PlainRows:
        if names not in self._by_names:
            read = partial(self._read_alone, names)
            self._by_names[names] = PlainRows(names, self._definitions, read, self._judge_row)
        return self._by_names[names]

    def _read_alone(self, names: Sequence[str], cells: Cells) -> Draft:
        values = {name: _value(cell) for name, cell in zip(names, cells, strict=True)}
        return self._validate(Draft(Kind.LISTING, path="", values=values))


def _group_by_names(items: Sequence[Draft | PlainItem]) -> dict[tuple[str, ...], dict[int, Cells]]:
    """Return the cells of the items that may be plain: by the names of their keys, and by the number of the item.

    Their values are not judged yet: a PlainItem is plain only in its syntax.
    """
    groups: dict[tuple[str, ...], dict[int, Cells]] = {}
    for number, item in enumerate(items):
        if isinstance(item, PlainItem):
            groups.setdefault(item.names, {})[number] = item.cells
        elif not (item.problems or item.failed_fields):
            cells = _cells(item.values.values())
            if cells:  # an item without values, or with an object, is not plain
                groups.setdefault(tuple(item.values), {})[number] = cells
    return groups


def _cells(values: Iterable[Any]) -> Cells:
    """Return values as cells, which can be looked up: lists of texts as tuples. Return () if there are others."""
    cells = [tuple(value) if isinstance(value, list) else value for value in values]
    items = chain.from_iterable(cell for cell in cells if isinstance(cell, tuple))
    return cells if all(isinstance(cell, _CELL_TYPES) for cell in chain(cells, items)) else ()


def _value(cell: Any) -> Any:
    return list(cell) if isinstance(cell, tuple) else cell
