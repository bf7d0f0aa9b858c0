"""Read a content folder: first the entries that others refer to, then the others on all processors; and check them."""

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import groupby

from ...errors import Problem
from ...model import Kind
from ..config.config import Config, ReadConfig, read_config
from ..config.config_tables import SiteSettings
from ..entry.entry_references import NameIndex, report_parent_cycles, resolve_references, title_of
from ..entry.identity import EntryRef
from ..files.content_folder import CONFIG, default_site_name
from ..files.file_names import DOCUMENT_SUFFIXES, shown_path
from ..files.file_text import UnreadableFile
from ..files.folder_signatures import FolderDependencies, names_digest, with_parents
from ..files.index_file import INDEX_FILE
from ..files.source_file import ContentRoot, FolderView, folder_problem
from ..files.validation_report import ValidationReport, shown_problems
from ..formats.draft import Draft
from ..formats.table_rows import TABLE_SUFFIXES, SyncedRows
from ..pictures.picture_checks import PictureChecks
from .cross_checks import CrossChecks
from .entry_reader import EntryReader
from .folder_scan import FolderScan
from .git_facts import GitHistory, needs_git_dates, read_git_dates
from .index_cache import IndexCache
from .index_use import IndexUse, UnitRef
from .result_context import ResultContext
from .row_blocks import Blocks
from .translations import Unit
from .unit_cache import InMemoryCache, UnitCache
from .unit_reader import MAX_DRAFTS, read_documents
from .unit_results import EntryRecord, ReadLog, UnitResults

_VOCABULARY = (Kind.CATEGORY, Kind.TAG)  # other entries refer to them; they are few, and read in this process
_READ_FIRST = (*_VOCABULARY, Kind.CUSTOM_FIELD, Kind.ORGANIZER)
_TEMPORARY = frozenset({"unreadable", "file-changed", "missing-submodule"})  # codes that may be gone in the next run


class FolderReader:
    """Reads a content folder.

    With `with_values`, `checks.found.values` contains all entries with their values. Unchanged files are taken from
    `cache`, else from the index if `index` is not None. Proposed files are always read, and then neither is changed.
    `from_index` are the units that were taken from the index. The other parameters are those of `load.load_content`.
    """

    def __init__(
        self,
        view: FolderView,
        *,
        with_values: bool,
        cache: InMemoryCache | None = None,
        index: IndexUse | None = None,
        single_process: bool = False,
        synced: SyncedRows | None = None,
        history: GitHistory | None = None,
        read_config: ReadConfig = read_config,
    ) -> None:
        self.config = Config(SiteSettings(name=default_site_name(view.folder)))
        self.files = 0
        self.dependencies: FolderDependencies | None = None  # None if signatures do not show all changes
        self.entry_reader = EntryReader(self.config)
        self.checks = CrossChecks(view, self.entry_reader)
        self._view = view
        self._with_values = with_values
        self.from_index: set[UnitRef] = set()
        self._in_memory = cache
        self._index = index
        self._single_process = single_process
        self._read_documents = partial(read_documents, view, with_values=with_values, single_process=single_process)
        self._synced = synced
        self._history = history or GitHistory(view.folder)
        self._read_config = read_config
        self._problems: list[Problem] = []  # of the config, and in finding files
        self._cache: UnitCache | None = None
        self._needs_other_files = False  # True: a result depends on files that no stamp shows

    def read(self) -> "FolderReader":
        """Read the folder, and return this reader."""
        if problem := folder_problem(self._view.folder):
            self._problems.append(problem)
            return self
        began = time.monotonic_ns()
        self.config, self._problems = self._read_config(self._view.folder, self._view.proposed.get(CONFIG))
        dates: Mapping[str, str] = {}  # of the first commits of articles, by path
        if self.config.is_content_valid:
            dates, problems = read_git_dates(self._history, self.config)
            self._problems += problems
            self.config = replace(self.config, is_content_valid=not problems)
        if not self.config.is_content_valid:  # each file would have problems that follow from a wrong setting
            return self
        try:
            self._read(dates, began)
        except UnreadableFile as error:  # the content folder itself cannot be opened
            self._problems += error.problems
        return self

    def report(self) -> ValidationReport:
        """Return the report on the whole folder."""
        problems = (*self._problems, *self.checks.problems, *self.checks.grouped.combined())
        counts = {kind.value: count for kind, count in self.checks.found.counts.items()}
        return self._report(problems, self.files, counts)

    def report_on_files(self, paths: Collection[str]) -> tuple[ValidationReport, list[str]]:
        """Return the problems of some files and the number of their entries, and the paths that are not content.

        If the config has errors, return only its problems.
        """
        wanted = set(paths) if self.config.is_content_valid else {CONFIG}
        checks = self.checks
        problems = [problem for problem in (*self._problems, *checks.problems) if problem.where.path in wanted]
        for path in wanted:
            problems += checks.grouped.combined(path)
        counts = {str(kind): 0 for kind in Kind}
        number_by_path = {file.path: number for number, unit in enumerate(checks.units) for file in unit.files}
        for number in {number_by_path[path] for path in paths if path in number_by_path}:
            drafts = [*checks.located_drafts.read(number)]
            invalid_count = sum(ref.unit == number for ref in checks.found.with_errors)
            counts[str(checks.units[number].kind)] += len(drafts) - invalid_count
        read_paths = {path for path in paths if path == CONFIG or path in number_by_path}
        with_problems = {problem.where.path for problem in problems}
        not_content = [path for path in paths if path not in read_paths and path not in with_problems]
        report = self._report(problems, len(read_paths), counts)
        return report, not_content if self.config.is_content_valid else []

    def _report(self, problems: Iterable[Problem], files: int, counts: Mapping[str, int]) -> ValidationReport:
        judge = partial(self.config.warnings.judge, kind_at=self.config.kind_at)
        shown = shown_problems(problems, judge)
        return ValidationReport(self._view.folder, shown, files, counts)

    def _read(self, dates: Mapping[str, str], began: int) -> None:
        """Find the files, read and check their entries, and save the cache. `began` is in monotonic nanoseconds."""
        folder = self._view.folder
        found = FolderScan.of(self._view, self.config)
        self.files = found.files
        self._problems += found.problems
        pictures = None
        if self.config.assets and self.config.has_pictures:
            pictures = PictureChecks(folder, self.config, found.looked_into, began, self._view.moved_assets)
        self.entry_reader = EntryReader(
            self.config, incomplete_kinds=found.incomplete_kinds, synced=self._synced, dates=dates, folder=folder
        )
        self.checks = checks = CrossChecks(self._view, self.entry_reader, pictures)
        checks.grouped.orphans = found.orphans
        if not found.has_links:
            with suppress(OSError):  # as on a read-only disk
                self._cache = self._open_cache(found.watched, elapsed=time.monotonic_ns() - began)
        self._read_custom_fields(found.units[Kind.CUSTOM_FIELD])
        self._read_vocabulary(found.units)
        self._read_units(found.units[Kind.ORGANIZER])
        organizers = NameIndex(Kind.ORGANIZER, checks.organizers, shown_path(self.config.paths(Kind.ORGANIZER)[0]))
        self.entry_reader.names[Kind.ORGANIZER] = organizers
        self.checks.problems += self.entry_reader.house_rules.problems()
        self._read_units([unit for kind in Kind if kind not in _READ_FIRST for unit in found.units[kind]])
        checks.check(found.looked_into)
        names = names_digest(found.top_names)
        temporary = (problem.code in _TEMPORARY for problem in (*self._problems, *checks.problems))
        has_temporary = any(temporary)
        # On files that no stamp shows, or on the history of git: then only the results of the other files are cached.
        depends_on_more = self._needs_other_files or needs_git_dates(self.config)
        if not found.has_links and not has_temporary and not depends_on_more:
            paths = with_parents([*found.watched, *found.looked_into])
            self.dependencies = FolderDependencies(names, paths, self.files, began)
        if self._cache:
            document = {**self.report().as_document(), "names": names}
            self._cache.save(None if has_temporary else document, found.looked_into, with_report=not depends_on_more)

    def _open_cache(self, watched: Sequence[str], elapsed: int) -> UnitCache | None:
        """Return the cache of a run that began `elapsed` nanoseconds ago, in memory or on disk, or None without one."""
        folder = self._view.folder
        if self._in_memory and not self._view.proposed:
            return self._in_memory.begin(folder)
        if self._index is None:
            return None
        is_read_only = self._index.is_read_only or bool(self._view.proposed)
        if is_read_only and not (folder / INDEX_FILE).exists():
            return None
        return IndexCache(
            folder,
            watched,
            files=0 if self._single_process else self.files,
            elapsed=elapsed,
            with_values=self._with_values,
            is_read_only=is_read_only,
        )

    def _read_custom_fields(self, units: Sequence[Unit]) -> None:
        """Read the custom fields, which the validation of other entries needs, and check the `rename` settings."""
        drafts = self._drafts(units)
        self.entry_reader.declare_custom_fields(draft for _ref, draft in drafts)
        self._add_drafts(drafts)
        self.checks.problems += self.entry_reader.rename_problems()

    def _read_vocabulary(self, units: Mapping[Kind, Sequence[Unit]]) -> None:
        """Read the categories and tags, which other entries refer to. Categories also refer to each other."""
        reader = self.entry_reader
        drafts = {kind: self._drafts(units[kind]) for kind in _VOCABULARY}
        for kind in _VOCABULARY:
            entries = ((draft.key, title_of(draft)) for _ref, draft in drafts[kind])
            # The note `sync.previous` of an entry has its former keys, `sync.merged` those of entries merged into it.
            renamed = ((old, draft.key) for _ref, draft in drafts[kind] for old in draft.notes.previous)
            merged = ((old, draft.key) for _ref, draft in drafts[kind] for old in draft.notes.merged)
            names = NameIndex(kind, entries, shown_path(self.config.content[kind].paths[0]), renamed, merged)
            for _ref, draft in drafts[kind]:
                resolve_references(draft, {kind: names}, reader.incomplete_kinds)
            reader.names[kind] = names
        for _ref, draft in drafts[Kind.CATEGORY]:
            reader.house_rules.judge(draft)
        report_parent_cycles([draft for _ref, draft in drafts[Kind.CATEGORY]])
        for kind in _VOCABULARY:
            self._add_drafts(drafts[kind])

    def _drafts(self, units: Sequence[Unit]) -> list[tuple[EntryRef, Draft]]:
        """Read units in this process, add them to `checks`, and return their drafts, whose references are names."""
        drafts: list[tuple[EntryRef, Draft]] = []
        with self._view.open() as root:
            for number, unit in enumerate(units, len(self.checks.units)):
                log = ReadLog()
                for entry, draft in enumerate(self.entry_reader.read_drafts(unit, root, log)):
                    drafts.append((EntryRef(number, entry), draft))
                    log.incomplete = log.incomplete or not draft.key
                self.checks.problems += log.problems
                if log.incomplete:
                    self.entry_reader.incomplete_kinds.add(unit.kind)
        self.checks.units += units
        return drafts

    def _add_drafts(self, drafts: Iterable[tuple[EntryRef, Draft]]) -> None:
        for ref, draft in drafts:
            self.checks.add(ref, EntryRecord.of_draft(draft, with_values=self._with_values))

    def _read_units(self, units: Sequence[Unit]) -> None:
        """Read units: load cached results, then read documents in parallel, then tables and lists entry by entry."""
        numbers: Sequence[int] = range(len(self.checks.units), len(self.checks.units) + len(units))
        self.checks.units += units
        kinds = {unit.kind for unit in units} if self._cache else ()
        contexts = {kind: ResultContext.of(self.entry_reader, kind) for kind in kinds}
        if self._cache:
            numbers = self._load_cached(self._cache, contexts, numbers)
        documents = [number for number in numbers if self.checks.units[number].files[0].suffix in DOCUMENT_SUFFIXES]
        document_units = [self.checks.units[number] for number in documents]
        read_count = 0
        batches = self._read_documents(self.entry_reader, document_units)
        for batch in batches:
            kind = document_units[read_count].kind
            self.checks.add_batch(kind, documents[read_count : read_count + len(batch.results)], batch)
            self._needs_other_files |= "" in batch.stamps
            if self._cache:
                self._cache.store(contexts[kind], batch)
            read_count += len(batch.results)
        tables = sorted({*numbers} - {*documents}) if len(documents) < len(numbers) else []
        with self._view.open() as root:
            for number in tables:
                self._read_table(number, root, contexts)

    def _load_cached(
        self, cache: UnitCache, contexts: Mapping[Kind, ResultContext], numbers: Sequence[int]
    ) -> list[int]:
        """Add the cached results of units; return the numbers of the other units."""
        remaining: list[int] = []
        for kind, group in groupby(numbers, lambda number: self.checks.units[number].kind):
            numbers_by_name = {self.checks.units[number].name: number for number in group}
            units = {name: self.checks.units[number] for name, number in numbers_by_name.items()}
            if self._index:
                units = {name: unit for name, unit in units.items() if not self._index.doubts(unit)}
            if proposed := self._view.proposed:
                units = {
                    name: unit
                    for name, unit in units.items()
                    if not any(file.location in proposed for file in unit.files)
                }
            for batch in cache.load(contexts[kind], units):
                if self._index:
                    self.from_index.update(units[name].ref for name in batch.names)
                self.checks.add_batch(kind, [numbers_by_name.pop(name) for name in batch.names], batch)
            remaining += numbers_by_name.values()
        return remaining

    def _read_table(self, number: int, root: ContentRoot, contexts: Mapping[Kind, ResultContext]) -> None:
        """Read a unit with any number of entries; cache it unless it has more than `max_entries` of the cache."""
        unit, log, records = self.checks.units[number], ReadLog(), list[EntryRecord]()
        # The rows of listings are read for their digests (decision 18), of which a cache has none.
        needs_digests = self._index is not None or self._synced is not None
        has_digests = needs_digests and unit.kind is Kind.LISTING and unit.files[0].suffix in TABLE_SUFFIXES
        cache = None if has_digests else self._cache
        max_entries = cache.max_entries if cache else 0
        blocks = Blocks(first_plain=MAX_DRAFTS, with_values=True) if self._with_values else Blocks()
        entries: Iterable[Draft | EntryRecord] = self.entry_reader.read_entries(unit, root, log, blocks)
        if self._with_values:
            entries = self.checks.located_drafts.cache(number, entries)  # for the locations of these entries
        for index, entry in enumerate(entries):
            record = EntryRecord.of_draft(entry, with_values=self._with_values) if isinstance(entry, Draft) else entry
            self.checks.add(EntryRef(number, index), record)
            if len(records) <= max_entries:  # one more shows that there are too many
                records.append(record)
        self.checks.problems += log.problems
        self._needs_other_files |= log.needs_other_files
        if log.incomplete:
            self.entry_reader.incomplete_kinds.add(unit.kind)
        if cache and len(records) <= max_entries:
            batch = UnitResults.empty()
            batch.add(unit, records, log)
            cache.store(contexts[unit.kind], batch)
