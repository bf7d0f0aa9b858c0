"""What `adopt` proposes so far for a repository: a config, new files and notes, and how the folder reads with them."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from ...content.config.config import Config, read_config
from ...content.files.content_folder import CONFIG
from ...content.files.source_file import ContentRoot, FolderView
from ...content.files.validation_report import ValidationReport
from ...content.folder.entry_reader import EntryReader
from ...content.folder.folder_reader import FolderReader
from ...content.folder.load import gc_paused
from ...content.folder.scan import ScanResult, scan
from ...content.folder.translations import Unit
from ...content.folder.unit_results import ReadLog
from ...content.formats.draft import Draft
from ...content.formats.table_rows import TABLE_SUFFIXES
from ...errors import ContentError
from ...model import FIELDABLE, Definition, Kind
from .generators.generator_rules import SiteFiles
from .proposed_settings import Ask, ProposedSetting, config_bytes, merged_config
from .recognise import recognise
from .repository_tree import list_files


class Trial(NamedTuple):
    """The report on the folder as it would be."""

    report: ValidationReport
    entries: Mapping[Kind, int]  # the number of entries, also of those with errors
    config: Config
    orphans: Mapping[Kind, Sequence[str]]  # the languages of the files that translate no entry
    definitions: Mapping[Kind, Mapping[str, Definition]]  # the custom fields, by their names


class AdoptedFolder:
    """The config of a repository with the settings that were added so far, new files, and notes for the user.

    `config` and `scanned` are those of the settings so far. Raises ContentError if the existing config has errors.
    """

    def __init__(self, folder: Path, ask: Ask, now: datetime, max_files: int) -> None:
        self.folder = folder
        self.ask = ask
        self.now = now
        self.tree = list_files(folder, max_files)
        self.site = recognise(folder, self.tree)
        self.before = config_bytes(folder)  # the config that the folder has
        self.config_bytes = self.before or b""
        self.settings: list[ProposedSetting] = []  # that the config gets
        self.files: dict[str, bytes] = {}  # new files besides the config
        self.notes: list[str] = []

    def add(self, settings: Iterable[ProposedSetting]) -> bool:
        """Add settings to the config; return False if it had all of them."""
        self.config_bytes, added = merged_config(self.config_bytes, settings)
        self.settings += added
        if added:
            vars(self).pop("config", None)
            vars(self).pop("scanned", None)
        return bool(added)

    @cached_property
    def config(self) -> Config:
        config, problems = read_config(self.folder, self.config_bytes)
        if any(problem.is_error for problem in problems):
            raise ContentError(problems, self.folder)
        return config

    @cached_property
    def scanned(self) -> ScanResult:
        return scan(self.folder, self.config)

    def drafts(self, *kinds: Kind) -> Iterator[Draft]:
        """Yield the entries of these kinds as their files have them, with renamed keys; files with faults end early."""
        reader = EntryReader(self.config)
        with ContentRoot(self.folder) as root:
            for file in self.scanned.files:
                if file.kind in kinds:
                    yield from reader.read_unvalidated(file, root)

    @contextmanager
    def site_files(self) -> Iterator[SiteFiles]:
        """Yield the files of the site, which are read until the context ends."""
        with ContentRoot(self.folder) as root:
            yield SiteFiles(self.site, self.tree, root, self.now)

    def tables(self) -> list[str]:
        """Return the paths of the tables of listings."""
        files = self.scanned.files
        return [file.path for file in files if file.kind is Kind.LISTING and file.suffix in TABLE_SUFFIXES]

    def has_files_of(self, kind: Kind) -> bool:
        """Return whether the folder has something at a path of a kind."""
        return any(os.path.lexists(self.folder / path) for path in self.config.paths(kind))

    def declared_fields(self) -> Mapping[Kind, frozenset[str]]:
        """Return the names of the custom fields that the folder declares for each kind, also of those with errors."""
        reader = EntryReader(self.config)
        with ContentRoot(self.folder) as root:
            for file in self.scanned.files:
                if file.kind is Kind.CUSTOM_FIELD:
                    reader.declare_custom_fields(reader.read_drafts(Unit(file.kind, (file,)), root, ReadLog()))
        return {kind: frozenset(reader.definitions[kind].keys() | reader.broken_fields[kind]) for kind in FIELDABLE}

    def try_out(self) -> Trial:
        """Read the folder as it would be."""
        return try_files(self.folder, {CONFIG: self.config_bytes, **self.files})


def try_files(folder: Path, proposed: Mapping[str, bytes]) -> Trial:
    """Read the folder as if it contained the proposed files (path and bytes), and return the result.

    The files are the config, and lists of categories, tags and custom fields. Writes nothing.
    """
    with gc_paused():
        reader = FolderReader(FolderView(folder, proposed), with_values=False).read()
    orphans: dict[Kind, list[str]] = {}
    for orphan in reader.checks.grouped.orphans:
        orphans.setdefault(orphan.file.kind, []).append(orphan.locale)
    definitions = reader.entry_reader.definitions
    return Trial(reader.report(), reader.checks.found.count_all(), reader.config, orphans, definitions)
