"""Recognise the rows of a table that have no problem by its columns, many rows at once.

In most rows, each cell is a plain text, or one of a few texts that recur in its column. The fields of an entry do not
depend on each other, with a few exceptions, which are judged together. So if each cell is accepted in a row that has
no problem, the row that consists of these cells has no problem either.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ...model import RECORDS, Definition, Kind, Values
from ...model.custom_field import plain_value
from ...model.entry import NO_NOTES
from ...model.field_types import Plain
from ...model.named_fields import is_filled
from ..entry.house_rules import JudgeRow
from ..entry.identity import plain_identities
from ..entry.invisible_characters import may_confuse
from ..formats.draft import BODY_FIELDS, Draft
from .unit_results import EntryRecord

_SAMPLES = 8  # rows of a block that are read to find one without problems
_MAX_READ = 1000  # rows and cells that may be read alone in any case
_MAX_READ_SHARE = 0.25  # of the rows: if more than so many are read alone in addition, recognising takes longer
_MAX_VERDICTS = 10_000  # of a column, to limit the memory
_MAX_SHARED_KEYS = 29  # the attributes of the objects of a class that can share their keys
_MARKUP = "[<{"  # in a body that may contain a link or the syntax of a template

Cells = Sequence[Any]  # texts, None, and in lists tuples of texts


class PlainRows:
    """Recognises the plain rows of one table of listings, or of the entries of a list with the same keys.

    A row is plain if it certainly has no problem, and nothing but its identities is compared with other entries.
    `fields` contains the dotted field of each column, or None for a column without one. `read` returns the validated
    draft of a row with these cells.

    A quick test of a field accepts many cells at once, without reading them. Cells of fields without one are judged:
    they are plain if the sample, a plain row, is still plain with them in it.

    House rules may compare several fields, so `judge_row` judges the values of each row; a row with a problem is not
    plain. `read` does not judge by them: else, one rule could make a whole column doubtful.
    """

    def __init__(
        self,
        fields: Sequence[str | None],
        definitions: Mapping[str, Definition],
        read: Callable[[Cells], Draft],
        judge_row: JudgeRow | None = None,
    ) -> None:
        self._read = read
        self._judge_row = judge_row
        self._sample: Cells = ()  # the first plain row that was found; () until then
        self._row_count = 0
        self._read_count = 0  # the number of rows that were read alone, and of samples read to judge cells
        self._fields = fields
        self._value_names: Sequence[str] = ()  # of the values of an entry, in order; known with the sample
        # The attributes of an object are the values of a row, by name. Such objects share their keys (PEP 412), which
        # saves most of the memory of a dict.
        self._row_class = type("Row", (), {})
        tests = {column: _quick_test(field, definitions) for column, field in enumerate(fields) if field}
        # Columns whose cells are tested together, with their fields and tests.
        self._quick_tests = [(column, str(fields[column]), test) for column, test in tests.items() if test]
        # Groups of related columns, of which at least one has no quick test: each different combination is judged.
        self._judged_groups = [columns for columns in _related_columns(fields) if not all(map(tests.get, columns))]
        # By columns, and by the cells in them: the values of these cells, or None if they are not plain.
        self._verdicts: dict[tuple[int, ...], dict[Any, Values | None]] = {}
        # The columns of these fields; None for a field without one.
        self._identity_columns = [fields.index(name) if name in fields else None for name in ("url", "slug", "name")]
        rules = RECORDS[Kind.LISTING].rules()
        # Fields that get another value than nothing from an empty cell: house rules do not judge it.
        with_default = {name for name, rule in rules.items() if is_filled(rule.default)}
        self._default_columns = [(column, name) for column, name in enumerate(fields) if name in with_default]

    def recognise(
        self, lines: Sequence[int], rows: Sequence[Cells], *, with_values: bool = False
    ) -> list[EntryRecord | None]:
        """Return the record of each row that is certainly plain, and None for each other row.

        Return only None without a plain sample, or if too few rows were plain. The rows may share lists and objects, so
        do not change these.
        """
        max_read = _MAX_READ + _MAX_READ_SHARE * self._row_count
        if self._read_count > max_read or not self._has_sample(rows):
            return [None] * len(rows)
        self._row_count += len(rows)
        columns = [*zip(*rows, strict=True)]
        doubtful = self._doubtful_rows(columns)
        absent = (None,) * len(rows)
        urls, slugs, names = (absent if column is None else columns[column] for column in self._identity_columns)
        found = [
            None if number in doubtful else _record(line, *plain_identities(url, slug, str(name)))
            for number, (line, url, slug, name) in enumerate(zip(lines, urls, slugs, names, strict=True))
        ]
        if with_values or self._judge_row:
            plain = [(number, record) for number, record in enumerate(found) if record]
            all_values = self._values([rows[number] for number, _ in plain])
            for (number, record), values in zip(plain, all_values, strict=True):
                judged = self._judged(_with_values(record, values), rows[number])
                found[number] = judged if with_values or not judged else judged._replace(values=None)
        self._read_count += found.count(None)  # the caller reads these
        return found

    def _judged(self, record: EntryRecord, cells: Cells) -> EntryRecord | None:
        """Return the record of a row with its unique values; None if it has a problem by a house rule."""
        if not self._judge_row:
            return record
        values = record.values or {}
        emptied = {field for column, field in self._default_columns if not cells[column]}
        if emptied:
            values = {name: value for name, value in values.items() if name not in emptied}
        unique_values = self._judge_row(record.key, values)
        if unique_values is None:
            return None
        if not unique_values:
            return record
        identities = record.identities or [(RECORDS[Kind.LISTING].key_field, record.key)]
        return record._replace(identities=[*identities, *unique_values])

    def _doubtful_rows(self, columns: Sequence[Cells]) -> set[int]:
        """Return the numbers of the rows of these columns that are not certainly plain."""
        doubtful: set[int] = set()
        for column, field, test in self._quick_tests:
            doubtful.update(self._rows_with_doubtful_cell(columns[column], column, field, test))
        for group in self._judged_groups:
            cells = [*zip(*(columns[column] for column in group), strict=True)]
            refused = {row for row in {*cells} if self._values_in_sample(group, row) is None}
            if refused:
                doubtful.update(number for number, row in enumerate(cells) if row in refused)
        return doubtful

    def _values(self, rows: Sequence[Cells]) -> Iterator[Values]:
        """Yield the values of each plain row. The slug is the one in the row, or None: `_with_values` completes it."""
        columns = [*zip(*rows, strict=True)] or [()] * len(self._fields)
        by_name: dict[str, Sequence[Any]] = {}
        for group in self._judged_groups:
            cells = zip(*(columns[column] for column in group), strict=True)
            judged = [self._values_in_sample(group, row) or {} for row in cells]
            by_name |= {name: [values[name] for values in judged] for name in self._names_in(group)}
        for column, field, test in self._quick_tests:
            read, texts = test.value, columns[column]
            empty_cells = [text for text in {*texts} if not text]  # "" and None
            values_of_empty = {cell: self._values_in_sample((column,), (cell,)) or {} for cell in empty_cells}
            by_name[field] = [read(text) if text else values_of_empty[text].get(field) for text in texts]
        _key_column, slug_column, _name_column = self._identity_columns
        slugs = () if slug_column is None else columns[slug_column]
        by_name["slug"] = [text and str(text) for text in slugs] or [None] * len(rows)
        for values in zip(*map(by_name.__getitem__, self._value_names), strict=True):
            # The dict of an object shares its keys with those of other objects of the class, unless `update` sets them.
            row = vars(self._row_class()) if len(self._value_names) <= _MAX_SHARED_KEYS else {}
            for name, value in zip(self._value_names, values, strict=True):
                row[name] = value
            yield row

    def _has_sample(self, rows: Sequence[Cells]) -> bool:
        """Return whether a row without problems is known; if none is, look for one at the start of these rows."""
        if self._sample:
            return True
        for cells in rows[:_SAMPLES]:
            values = self._read_plain(cells)
            if values is not None:
                self._sample = cells
                self._value_names = [*dict.fromkeys(("name", "slug", *values))]  # in the order of the model
                return True
        return False

    def _rows_with_doubtful_cell(self, cells: Cells, column: int, field: str, test: Plain) -> Iterator[int]:
        """Yield the numbers of the rows whose cell in this column may not be plain."""
        texts = [text for text in cells if text]
        if len(texts) < len(cells):
            refused = [cell for cell in {*cells} if not cell and self._values_in_sample((column,), (cell,)) is None]
            if refused:
                yield from (number for number, cell in enumerate(cells) if cell in refused)
        if texts and not _are_plain(field, test, texts):
            yield from (number for number, text in enumerate(cells) if text and not _are_plain(field, test, [text]))

    def _values_in_sample(self, columns: tuple[int, ...], cells: Cells) -> Values | None:
        """Return the values of these cells as they are in the sample; None if the sample is not plain with them."""
        verdicts = self._verdicts.setdefault(columns, {})
        if cells not in verdicts:
            if len(verdicts) >= _MAX_VERDICTS:
                verdicts.clear()
            changed = dict(zip(columns, cells, strict=True))
            values = self._read_plain([changed.get(column, cell) for column, cell in enumerate(self._sample)])
            names = self._names_in(columns)
            verdicts[cells] = None if values is None else {name: values[name] for name in names if name in values}
        return verdicts[cells]

    def _names_in(self, columns: Sequence[int]) -> list[str]:
        """Return the names of the values that follow from these columns."""
        group = _group(str(self._fields[columns[0]]))
        return [name for name in self._value_names if name in group]

    def _read_plain(self, cells: Cells) -> Values | None:
        """Read a row alone, and return its values; None if it has problems, links, pictures or notes."""
        self._read_count += 1
        draft = self._read(cells)
        if draft.problems or draft.has_error_elsewhere:
            return None
        has_more_than_values = draft.links or draft.pictures or draft.notes is not NO_NOTES
        return None if has_more_than_values else draft.values


def _quick_test(field: str, definitions: Mapping[str, Definition]) -> Plain | None:
    """Return the test that accepts many values of a field at once; None if there is none for its type."""
    if field in definitions:
        return plain_value(definitions[field])
    rule = RECORDS[Kind.LISTING].rules().get(field)
    return rule.plain if rule else None


def _related_columns(fields: Sequence[str | None]) -> list[tuple[int, ...]]:
    """Return the columns in groups whose fields are judged together. A field that depends on no other is alone."""
    groups: dict[frozenset[str], tuple[int, ...]] = {}
    for column, field in enumerate(fields):
        if field:
            group = _group(field)
            groups[group] = (*groups.get(group, ()), column)
    return [*groups.values()]


def _group(field: str) -> frozenset[str]:
    """Return the fields that are judged together with a dotted field, which is among them."""
    name = field.partition(".")[0]
    return next((related for related in RECORDS[Kind.LISTING].related if name in related), frozenset({name}))


def _are_plain(field: str, test: Plain, cells: Cells) -> bool:
    """Return whether all cells are texts that are certainly valid, and have no links or confusing characters."""
    try:
        joined = "\n".join(cells)  # searching all texts at once is faster than one by one
    except TypeError:  # a cell is a tuple, the value of a list
        return False
    if not test.accepts(cells, joined):
        return False
    if field in BODY_FIELDS and any(mark in joined for mark in _MARKUP):
        return False
    return joined.isascii() or not may_confuse(joined, is_title=field == RECORDS[Kind.LISTING].title_field)


def _record(line: int, key: str, identities: Sequence[tuple[str, str]]) -> EntryRecord | None:
    return EntryRecord(key, line, identities) if key else None


def _with_values(record: EntryRecord, values: Values) -> EntryRecord:
    """Return a record with these values. Without a URL, set their slug to the key; else, remove an empty slug."""
    if not values.get("url"):
        values["slug"] = record.key
    elif not values["slug"]:
        del values["slug"]
    return EntryRecord(record.key, record.line, record.identities, values=values)  # faster than `_replace`
