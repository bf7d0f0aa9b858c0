"""Recognise the rows of a table that have no problem by its columns, many rows at once.

In most rows, each cell is a plain text, or one of a few texts that recur in its column. The fields of an entry do not
depend on each other, with a few exceptions, which are judged together. So if each cell is accepted in a row that has
no problem, the row that consists of these cells has no problem either.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..model import RECORDS, Definition, Kind
from ..model.custom_field import plain_value
from ..model.entry import NO_NOTES
from ..model.field_types import Plain
from .draft import BODY_FIELDS, Draft
from .identity import plain_identities
from .invisible_characters import may_confuse
from .validation_report import JsonRow

_SAMPLES = 8  # rows of a block that are read to find one without problems
_MAX_READ = 1000  # rows and cells that are read alone before their number is compared with that of the rows
_MAX_VERDICTS = 10_000  # of a column, to limit the memory
_MARKUP = "[<{"  # in a body that may contain a link or the syntax of a template

Cells = Sequence[Any]  # texts, None, and in lists tuples of texts


class PlainRows:
    """Recognises the plain rows of one table of listings, or the entries of a list with the same keys.

    `fields` contains the dotted field of each column, or None for a column without one. `read` returns the validated
    draft of a row with these cells.
    """

    def __init__(
        self, fields: Sequence[str | None], definitions: Mapping[str, Definition], read: Callable[[Cells], Draft]
    ) -> None:
        self._read = read
        self._sample: Cells = ()  # a row without problems
        self._rows = self._read_alone = 0
        tests = {column: _quick_test(field, definitions) for column, field in enumerate(fields) if field}
        self._tests = [(column, str(fields[column]), test) for column, test in tests.items() if test]
        self._judged = [columns for columns in _related_columns(fields) if not all(map(tests.get, columns))]
        self._verdicts: dict[tuple[int, ...], dict[Any, bool]] = {}  # by columns, and by their cells
        self._identity = [fields.index(name) if name in fields else None for name in ("url", "slug", "name")]

    def recognise(self, lines: Sequence[int], rows: Sequence[Cells]) -> list[JsonRow | None]:
        """Return the entry row (`entry_row`) of each row that is certainly plain, and None for each other row."""
        if self._read_alone > _MAX_READ + self._rows / 4 or not self._has_sample(rows):
            return [None] * len(rows)
        self._rows += len(rows)
        columns = [*zip(*rows, strict=True)]
        others: set[int] = set()
        for column, field, test in self._tests:
            others.update(self._others(columns[column], column, field, test))
        for group in self._judged:
            cells = [*zip(*(columns[column] for column in group), strict=True)]
            refused = {row for row in {*cells} if not self._is_accepted(group, row)}
            others.update(number for number, row in enumerate(cells) if refused and row in refused)
        absent = (None,) * len(rows)
        urls, slugs, names = (absent if column is None else columns[column] for column in self._identity)
        found = [
            None if number in others else _entry_row(line, *plain_identities(url, slug, str(name)))
            for number, (line, url, slug, name) in enumerate(zip(lines, urls, slugs, names, strict=True))
        ]
        self._read_alone += found.count(None)
        return found

    def _has_sample(self, rows: Sequence[Cells]) -> bool:
        for cells in () if self._sample else rows[:_SAMPLES]:
            if self._is_plain(cells):
                self._sample = cells
                break
        return bool(self._sample)

    def _others(self, cells: Cells, column: int, field: str, test: Plain) -> Iterator[int]:
        """Yield the numbers of the rows whose cell may not be plain."""
        texts = [text for text in cells if text]
        if len(texts) < len(cells):
            refused = [
                cell for cell in {cell for cell in cells if not cell} if not self._is_accepted((column,), (cell,))
            ]
            yield from (number for number, cell in enumerate(cells) if refused and cell in refused)
        if texts and not _are_plain(field, test, texts):
            yield from (number for number, text in enumerate(cells) if text and not _are_plain(field, test, [text]))

    def _is_accepted(self, columns: tuple[int, ...], cells: Cells) -> bool:
        """Return whether the sample is plain with these cells in these columns."""
        verdicts = self._verdicts.setdefault(columns, {})
        if cells not in verdicts:
            if len(verdicts) >= _MAX_VERDICTS:
                verdicts.clear()
            changed = dict(zip(columns, cells, strict=True))
            verdicts[cells] = self._is_plain([changed.get(column, cell) for column, cell in enumerate(self._sample)])
        return verdicts[cells]

    def _is_plain(self, cells: Cells) -> bool:
        """Return whether a row has no problem, and nothing else that other entries or files must be compared with."""
        self._read_alone += 1
        draft = self._read(cells)
        has_none = not (draft.problems or draft.repeats_error or draft.links or draft.pictures)
        return has_none and draft.notes is NO_NOTES


def _quick_test(field: str, definitions: Mapping[str, Definition]) -> Plain | None:
    if field in definitions:
        return plain_value(definitions[field])
    rule = RECORDS[Kind.LISTING].rules().get(field)
    return rule.plain if rule else None


def _related_columns(fields: Sequence[str | None]) -> list[tuple[int, ...]]:
    """Return the columns in groups whose fields are judged together. A field that depends on no other is alone."""
    groups: dict[object, tuple[int, ...]] = {}
    for column, field in enumerate(fields):
        if field:
            name = field.partition(".")[0]
            group = next((related for related in RECORDS[Kind.LISTING].related if name in related), name)
            groups[group] = (*groups.get(group, ()), column)
    return [*groups.values()]


def _are_plain(field: str, test: Plain, texts: Sequence[str]) -> bool:
    try:
        joined = "\n".join(texts)
    except TypeError:  # one of them is a list
        return False
    if not test.accepts(texts, joined) or (field in BODY_FIELDS and any(mark in joined for mark in _MARKUP)):
        return False
    return joined.isascii() or not may_confuse(joined, is_title=field == RECORDS[Kind.LISTING].title_field)


def _entry_row(line: int, key: str, identities: Sequence[tuple[str, str]]) -> JsonRow | None:
    if not key:
        return None
    return [key, line, identities] if identities else [key, line]
