"""Recognise how tables are written: their delimiter, encoding and header row, and what separates items in a cell."""

import codecs
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from glob import escape
from itertools import islice
from pathlib import Path
from typing import Any

from ...content.config.collection_settings import ListingSettings, TableSettings
from ...content.config.config import Config
from ...content.config.unknown_keys import content_table
from ...content.entry.key_mapping import LIST_FIELDS, split_cell
from ...content.files.file_names import suffix_of
from ...content.files.file_text import UnreadableFile, normalize_newlines
from ...content.files.source_file import ContentRoot
from ...content.formats.table_rows import (
    DELIMITER_NAMES,
    LIST_SEPARATOR,
    TABLE_DELIMITERS,
    TABLE_SUFFIXES,
    TableFormat,
    TableRow,
    TableRows,
)
from ...model import Kind
from ...model.scalar import parse_number
from .key_survey import Survey
from .number_columns import number_style, sums_row
from .proposed_settings import Ask, ProposedSetting, Question, confirm

_MAX_TABLES = 500  # that are examined
_MAX_BYTES = 64 * 1024 * 1024  # of a table that is examined
_MAX_SAMPLE = 400_000  # characters
_ROWS = 60  # of a table
_MIN_SHARE = 0.6  # of the rows: so many must have the same number of cells
_MAX_FILLED_ABOVE = 1 / 3  # of the cells of a row above the header
_MIN_FILLED = 0.6  # of the cells of a header
_MIN_SHARE_OF_LISTS = 0.1  # of the cells of a list: so many contain the separator
_MIN_COUNT_OF_LISTS = 3  # cells that contain the separator, also in a short table
_LIST_SEPARATORS = ";,"  # characters that may separate the items of lists, the more probable one first
_MAX_EXAMPLE = 40  # characters
_ANY_TABLE = "*"  # the default of `path`
_BYTE_ORDER_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

Formats = Mapping[str, TableFormat]  # of the tables with an unusual format, by path


def find_formats(folder: Path, files: Iterable[str]) -> Formats:
    """Return the format of each table that cannot be read without one.

    Left out are tables that are too large or cannot be read, and all but the first `_MAX_TABLES`.
    """
    formats: dict[str, TableFormat] = {}
    tables = (file for file in files if file.lower().endswith(TABLE_SUFFIXES))
    with ContentRoot(folder) as root:
        for path in islice(tables, _MAX_TABLES):
            try:
                data, _stamp = root.read_bytes(location=path, path=path, limit=_MAX_BYTES)
                table = _format_of(data, path)
            except UnreadableFile:
                continue
            if table != TableFormat():
                formats[path] = table
    return formats


def with_formats(config: Config, formats: Formats) -> Mapping[Kind, Any]:
    """Return the collections of a config in which the listings have these formats, for any path in the folder."""
    tables = tuple(TableSettings(path=escape(path), **_settings_of(table)) for path, table in formats.items())
    return {**config.content, Kind.LISTING: ListingSettings(path="-", tables=tables)}


def propose_formats(config: Config, tables: Sequence[str], formats: Formats, ask: Ask) -> Iterator[ProposedSetting]:
    """Yield the `formats` of those `tables` of listings for which the config sets none.

    If all tables need the same format, yield it once, without a path.
    """
    collection = config.content[Kind.LISTING]
    assert isinstance(collection, ListingSettings)  # noqa: S101
    unset = [path for path in tables if path in formats and _is_unset(collection, path)]
    settings_by_path = {path: _confirmed_settings(path, formats[path], ask) for path in unset}
    distinct = {repr(settings) for settings in settings_by_path.values()}
    if len(distinct) == 1 and len(settings_by_path) == len(tables):
        values = [settings_by_path[unset[0]]]
    else:
        values = [
            {"path": escape(collection.path_below(path)), **settings}
            for path, settings in settings_by_path.items()
            if settings
        ]
    for value in filter(None, values):
        yield ProposedSetting(content_table(Kind.LISTING), "tables", value, is_item=True)


def propose_separator(
    config: Config, tables: Sequence[str], survey: Survey, fields: Mapping[str, str], ask: Ask
) -> Iterator[ProposedSetting]:
    """Yield the settings for what separates the items of lists in cells, if it is not the usual character.

    `fields` maps each column to its field.
    """
    separator = _separator(survey, fields, ask) if tables else LIST_SEPARATOR
    collection = config.content[Kind.LISTING]
    assert isinstance(collection, ListingSettings)  # noqa: S101
    if separator == LIST_SEPARATOR:
        return
    # A table has the settings of one pattern only, so each pattern of the config needs the separator too.
    patterns = [settings.path for settings in collection.tables]
    if any(_is_unset(collection, path) for path in tables):
        patterns.append(_ANY_TABLE)
    for pattern in dict.fromkeys(patterns):
        path_setting = {} if pattern == _ANY_TABLE else {"path": pattern}
        value = {**path_setting, "list_separator": separator}
        yield ProposedSetting(content_table(Kind.LISTING), "tables", value, is_item=True)


def _is_unset(collection: ListingSettings, path: str) -> bool:
    """Return whether the config sets no format for a table."""
    return collection.table_format(path) == TableFormat()


def _settings_of(table: TableFormat) -> dict[str, Any]:
    settings = table.model_dump(exclude_defaults=True)
    return {name: [*value] if isinstance(value, tuple) else value for name, value in settings.items()}


def _confirmed_settings(path: str, table: TableFormat, ask: Ask) -> dict[str, Any]:
    """Return the settings of a table; its guessed encoding is one of them only if the user confirms it."""
    settings = _settings_of(table)
    question = f"{path} is not UTF-8. Is it Windows-1252, as spreadsheets save it?"
    if "encoding" in settings and not confirm(ask, question):
        del settings["encoding"]
    return settings


def _format_of(data: bytes, path: str) -> TableFormat:
    """Return the format of a table, with only the settings that are not the default for its path."""
    encoding = _encoding_of(data)
    has_utf16_mark = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    codec = encoding or ("utf-16" if has_utf16_mark else "utf-8")
    text = normalize_newlines(data.decode(codec, "replace").removeprefix("\ufeff"))[:_MAX_SAMPLE]
    usual = TABLE_DELIMITERS[suffix_of(path)]
    rows_by_delimiter = {delimiter: _rows(text, delimiter, path) for delimiter in DELIMITER_NAMES}
    fits = {delimiter: _fit(rows) for delimiter, rows in rows_by_delimiter.items()}
    # If several fit equally, `max` returns the first one: the usual delimiter, also if a line `sep=;` declares another.
    delimiter = max((usual, *DELIMITER_NAMES), key=fits.__getitem__)
    _, width = fits[delimiter]
    header = _header_row(rows_by_delimiter[delimiter], width)
    declared = None if delimiter == usual else delimiter
    is_whole = len(text) < _MAX_SAMPLE
    rows = _rows(text, delimiter, path, limit=None)
    first = header or next((row.number for row in rows), 0)  # the header
    below = [row.cells for row in rows if row.number > first and len(row.cells) == width]
    numbers = number_style(below)
    sums = sums_row(below, numbers) if is_whole else None
    return TableFormat.from_values(
        {
            "delimiter": declared, "encoding": encoding, "header_row": header,
            "numbers": numbers, "skip_rows": [sums] if sums else [],
        }
    )  # fmt: skip


def _encoding_of(data: bytes) -> str | None:
    """Return "windows-1252" for a text that is probably in it; None for UTF-8 (also with some damage) and UTF-16."""
    if data.startswith(_BYTE_ORDER_MARKS) or b"\0" in data:
        return None
    text = data.decode("utf-8", "replace")
    damaged = text.count("\ufffd")
    if not damaged:
        return None
    intact = sum(not character.isascii() for character in text) - damaged  # letters such as é that were decoded
    if intact > damaged:
        return None
    try:
        data.decode("cp1252")
    except UnicodeDecodeError:
        return None
    return "windows-1252"


def _rows(text: str, delimiter: str, path: str, limit: int | None = _ROWS) -> list[TableRow]:
    """Return the first rows that are not empty, up to a syntax error; in place of the error, a row with an empty cell.

    So an error counts against the delimiter, but less than many good rows: the sample may cut off a quoted cell.
    """
    found: list[TableRow] = []
    try:
        rows = iter(TableRows([text], TableFormat(delimiter=delimiter), path))
        found.extend(islice((row for row in rows if any(row.cells)), limit))
    except UnreadableFile:
        found.append(TableRow(number=0, line=0, text="", cells=[None]))
    return found


def _fit(rows: Sequence[TableRow]) -> tuple[float, int]:
    """Return the share of the rows with the most frequent number of cells, and this number; (0, 0) for a bad fit."""
    ((width, count),) = Counter(len(row.cells) for row in rows).most_common(1) or [(0, 0)]
    share = count / max(1, len(rows))
    return (share, width) if width > 1 and share >= _MIN_SHARE else (0, 0)


def _header_row(rows: Sequence[TableRow], width: int) -> int | None:
    """Return the number of the header below rows with few cells; None if this is the first row or unclear."""
    for index, row in enumerate(rows):
        filled = [cell for cell in row.cells if cell]
        if len(row.cells) == width and len(filled) >= _MIN_FILLED * width:
            is_header = len({*filled}) == len(filled) and all(parse_number(cell) is None for cell in filled)
            return row.number if index > 0 and is_header else None
        if len(filled) > max(1, _MAX_FILLED_ABOVE * len(row.cells)):
            return None
    return None


def _separator(survey: Survey, fields: Mapping[str, str], ask: Ask) -> str:
    """Return the character between the items of lists in cells; LIST_SEPARATOR if no other one is confirmed."""
    for key, field in fields.items():
        if field not in LIST_FIELDS[Kind.LISTING]:
            continue
        cells = survey.keys[key].values
        for separator in _LIST_SEPARATORS:
            lists = {cell: count for cell, count in cells.items() if separator in cell}
            counts = Counter(item for cell in cells for item in {*split_cell(cell, separator)})
            is_rare = sum(lists.values()) < max(_MIN_COUNT_OF_LISTS, _MIN_SHARE_OF_LISTS * cells.total())
            has_common_tag = field == "tags" and any(
                counts[item] > 1 for cell in lists for item in {*split_cell(cell, separator)}
            )
            if is_rare and not has_common_tag:
                continue
            # The items of lists are used again, the parts of sentences are not.
            is_list = separator == ";" or field == "tags" or len(counts) <= len(cells)
            example = min(lists, key=len)[:_MAX_EXAMPLE]
            text = f"What separates the items in {key}, as in '{example}'?"
            default = separator if is_list else LIST_SEPARATOR
            answer = ask(Question(text, (separator, LIST_SEPARATOR), default))
            if answer != LIST_SEPARATOR:
                return answer
    return LIST_SEPARATOR
