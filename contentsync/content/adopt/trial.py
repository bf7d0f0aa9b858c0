"""Read a folder with a proposed config and proposed new files, which are not written yet."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ...model import FIELDABLE, Kind
from ..config import Config
from ..custom_field_names import declare_custom_fields
from ..entry_reader import EntryReader, ReadLog
from ..folder_reader import FolderReader
from ..load import gc_paused
from ..scan import scan
from ..source_file import ContentRoot
from ..translations import Unit
from ..validation_report import ValidationReport


class Trial(NamedTuple):
    """The report on the folder as it would be."""

    report: ValidationReport
    entries: Mapping[Kind, int]  # the number of entries, also of those with errors
    config: Config
    orphans: Mapping[Kind, Sequence[str]]  # the languages of the files that translate no entry


def try_files(folder: Path, proposed: Mapping[str, bytes]) -> Trial:
    """Read the folder as if it contained the proposed files (path and bytes), and return the result.

    The files are the config, and lists of categories, tags and custom fields. Writes nothing.
    """
    with gc_paused():
        reader = _TrialReader(folder, proposed)
        reader.read()
    return Trial(reader.report(), reader.entries_found(), reader.config, reader.orphans())


class _TrialReader(FolderReader):
    def __init__(self, folder: Path, proposed: Mapping[str, bytes]) -> None:
        super().__init__(folder, with_values=False)
        self._proposed = proposed

    def entries_found(self) -> Counter[Kind]:
        return self.counts + Counter(self._units[ref.unit].kind for ref in self._refs_with_errors)

    def orphans(self) -> dict[Kind, list[str]]:
        languages: dict[Kind, list[str]] = {}
        for orphan in self._grouped.orphans:
            languages.setdefault(orphan.file.kind, []).append(orphan.locale)
        return languages


def declared_fields(folder: Path, config: Config) -> Mapping[Kind, frozenset[str]]:
    """Return the names of the custom fields that the folder declares for each kind, also of those with errors."""
    reader = EntryReader(config)
    with ContentRoot(folder) as root:
        files = [file for file in scan(folder, config).files if file.kind is Kind.CUSTOM_FIELD]
        for file in files:
            declare_custom_fields(reader, reader.read_drafts(Unit(file.kind, (file,)), root, ReadLog()))
    return {kind: frozenset(reader.definitions[kind].keys() | reader.broken_fields[kind]) for kind in FIELDABLE}
