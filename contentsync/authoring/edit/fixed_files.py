"""Make the fixes of problems in one file: each replaces a key, a value, or a part of a text, and nothing else."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from ...content.config.config import Config
from ...content.files.file_text import line_starts
from ...content.folder.scan import ContentFile
from ...content.formats.table_rows import TABLE_SUFFIXES
from ...errors import Fix, Refused
from ...model import PlainScalar
from .new_names import bytes_with_new_texts
from .scalar_texts import ScalarTexts
from .table_file import TableFile
from .text_editor import SourceText, Splice, misread_edit_error


def fixed_bytes(data: bytes, file: ContentFile, fixes: Iterable[Fix], config: Config) -> bytes:
    """Return the bytes of a file after fixes. Raise Refused or UnreadableFile if one of them cannot be made.

    That is so if the old text is not there, or if another key or value of the file would change too.
    """
    make = _fixed_table if file.suffix in TABLE_SUFFIXES else _fixed_text
    return make(data, file, [*dict.fromkeys(fixes)], config)


def _fixed_text(data: bytes, file: ContentFile, fixes: Sequence[Fix], _config: Config) -> bytes:
    source = SourceText(data)
    starts = line_starts(source.text)
    scalars = ScalarTexts(source.text, file.path)
    splices = [
        _splice(source.text, scalars, starts[where.line - 1] + where.column - 1, old, new, file.path)
        for where, old, new in fixes
    ]
    return bytes_with_new_texts(source, file, splices, _FixedTexts(fixes))


def _splice(text: str, scalars: ScalarTexts, offset: int, old: str, new: str, path: str) -> Splice:
    """Return the splice of a whole scalar, or of the target of a link in a text."""
    try:
        # Without quotes in the file, a date or a number needs none.
        splice = None if scalars.is_body(offset) else scalars.replacement(offset, old, PlainScalar(new))
    except (Refused, ValueError):  # no scalar starts there
        splice = None
    if splice is None and not _whole(old).match(text, offset):
        raise misread_edit_error(path)
    return splice or Splice(offset, offset + len(old), new)


class _FixedTexts:
    """The pairs of texts that differ by fixes only: whole ones, and those that have a fixed part."""

    def __init__(self, fixes: Sequence[Fix]) -> None:
        self._whole = {(fix.old, fix.new) for fix in fixes}
        parts = sorted({text for pair in self._whole for text in pair}, key=len, reverse=True)
        self._parts = re.compile("|".join(map(re.escape, parts)))

    def __contains__(self, pair: Any) -> bool:
        before, after = pair
        if not isinstance(after, str):
            return False
        return pair in self._whole or self._parts.sub("\0", before) == self._parts.sub("\0", after)


def _fixed_table(data: bytes, file: ContentFile, fixes: Sequence[Fix], config: Config) -> bytes:
    format_ = config.content[file.kind].table_format(file.path)
    table = TableFile(data, file.kind, file.path, format_)
    columns: dict[str, str] = {}
    cells: dict[int, dict[str, str]] = {}
    for where, old, new in fixes:
        line, name = table.cell_at(where.line, where.column)
        if line is None:
            parts = [new if part == old else part for part in name.split(".")]  # such as `seo.titel`
            columns[name] = new if name == old else ".".join(parts)
            if columns[name] == name:
                raise misread_edit_error(file.path)
        else:
            row = cells.setdefault(line, {})
            text = row.get(name, table.cell(line, name))
            row[name] = _fixed_cell(text, old, new, format_.list_separator, file.path)
    return table.edited_bytes(cells, columns=columns)


def _fixed_cell(text: str, old: str, new: str, separator: str, path: str) -> str:
    """Return the text of a cell with the whole text, an item of a list, or a part that occurs once replaced."""
    if text == old:
        return new
    items = text.split(separator)
    numbers = [number for number, item in enumerate(items) if item.strip() == old]
    if len(numbers) == 1:
        number = numbers[0]
        items[number] = items[number].replace(old, new)
        return separator.join(items)
    found = [*_whole(old).finditer(text)]
    if len(found) != 1:
        raise misread_edit_error(path)
    return f"{text[: found[0].start()]}{new}{text[found[0].end() :]}"


def _whole(text: str) -> re.Pattern[str]:
    """Return the pattern of a text that is not a part of a longer word."""
    return re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")
