"""Read texts as values of entries, as the cells of a table are read: those of a spreadsheet, or of a command."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from ...content.config.collection_settings import CollectionSettings
from ...content.entry.entry_references import NameIndex
from ...content.entry.key_mapping import unfold_cells
from ...content.files.file_names import shown_path
from ...content.folder.entry_reader import EntryReader
from ...content.folder.load import Content
from ...content.folder.unit_results import ReadLog
from ...content.formats.draft import Draft, Locations
from ...model import REFERRED_KINDS, Kind
from ...model.custom_field import definitions_of
from ...model.entry import value_at, with_value
from ...model.markdown_budget import StepBudget

Row = tuple[int, Mapping[str, str]]  # its number, and its texts by field; an empty text clears the field


def entry_reader_of(content: Content) -> EntryReader:
    """Return a reader of entries that knows the custom fields of a folder without errors, and the names in it."""
    paths = {kind: shown_path(content.config.content[kind].paths[0]) for kind in REFERRED_KINDS}
    names = {kind: NameIndex.of(kind, content.entries, path) for kind, path in paths.items()}
    definitions = {kind: {**named} for kind, named in definitions_of(content.entries).items()}
    return EntryReader(content.config, definitions, names=names, folder=content.folder)


def read_rows(
    reader: EntryReader, kind: Kind, path: str, rows: Iterable[Row], others: Mapping[str, Any] = MappingProxyType({})
) -> Iterator[Draft]:
    """Yield the validated entry of each row. All rows have the same fields.

    `path` names the source of the rows in problems. `others` are values that each entry has besides those of its row.
    """
    rows = [*rows]
    drafts = (
        Draft(
            kind,
            path,
            line=number,
            values={name: text or None for name, text in texts.items()},
            locate=partial(_locate_row, path, number, texts),
        )
        for number, texts in rows
    )
    names = [*rows[0][1]] if others and rows else []
    lists, custom_lists = reader.list_fields(kind)
    for item in unfold_cells(drafts, CollectionSettings(path=path), lists, custom_lists):
        if isinstance(item, Draft):  # `unfold_cells` passes problems on, and `drafts` has none
            values = {**(others or item.values)}
            for name in names:
                values = with_value(values, name, value_at(item.values, name))
            item.values = values
            # A budget is for the texts of one file, and each of these entries may be in another file.
            yield reader.validate(item, ReadLog(), name=None, step_budget=StepBudget())


def _locate_row(path: str, number: int, texts: Iterable[str]) -> tuple[Locations, Locations]:
    """Return the locations of a row's values, and of their keys: its number as the line."""
    locations: Locations = dict.fromkeys(texts, (path, (number, 1)))
    return locations, locations
