"""Read a content folder: first the entries that others refer to, then the others on all processors; and check them."""

import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path

from ...errors import Problem
from ...model import RECORDS, Entry, Kind, Source
from ..config.config import Config, ReadConfig, default_site_name, read_config
from ..config.config_tables import SiteSettings
from ..entry.entry_references import NameIndex, report_parent_cycles, resolve_references, title_of
from ..entry.identity import EntryRef, IdentityIndex
from ..files.completion_names import CompletionNames
from ..files.content_folder import CONFIG
from ..files.file_names import DOCUMENT_SUFFIXES, visible_names
from ..files.file_text import UnreadableFile
from ..files.folder_signatures import FolderDependencies, names_digest, with_parents
from ..files.source_file import ContentRoot, Proposed, folder_problem
from ..files.validation_report import ValidationReport, shown_problems
from ..formats.draft import Draft
from ..formats.table_rows import SyncedRows
from ..links.link_rewriting import LinkReplacement
from ..pictures.picture_checks import PictureChecks
from ..pictures.published_names import PublishedFile
from .entry_reader import EntryReader, ReadLog
from .entry_record import EntryRecord
from .folder_links import CollectedLinks, EntryDocuments, FolderLinks, RewrittenLinks
from .git_dates import GitHistory, needs_git_dates, read_git_dates
from .grouped_problems import GroupedProblems, find_orphans
from .misplaced import misplaced_problems
from .row_blocks import Blocks
from .scan import ContentFile, scan
from .translations import TranslationCoverage, Unit, duplicate_key_problems, group_files, read_translation_keys
from .unit_cache import MIN_FILES, DiskCache, InMemoryCache, UnitCache
from .unit_reader import MAX_DRAFTS, EntryLocations, LocatedDrafts, read_again, read_documents
from .unit_results import UnitResults

_VOCABULARY = (Kind.CATEGORY, Kind.TAG)  # other entries refer to them; they are few, and read in this process
_TEMPORARY = frozenset({"unreadable", "file-changed", "missing-submodule"})  # codes that may be gone in the next run


class FolderReader:
    """Reads a content folder.

    With `with_values`, `entries` contains all entries with their values, and unchanged files are taken from `cache`.
    Without `with_values`, unchanged files are taken from the cache on disk. The other parameters are those of
    `load.load_content`. With `unused_assets`, also report pictures that no entry names.
    """

    _proposed: Proposed = {}  # without a cache
    _moved_assets: Mapping[str, str] = {}  # new paths of other files that count as moved, with the old ones

    def __init__(
        self,
        folder: Path,
        *,
        with_values: bool,
        cache: InMemoryCache | None = None,
        single_process: bool = False,
        synced: SyncedRows | None = None,
        history: GitHistory | None = None,
        unused_assets: bool = False,
        read_config: ReadConfig = read_config,
    ) -> None:
        self.config = Config(SiteSettings(name=default_site_name(folder)))
        self.files = 0
        self.counts: Counter[Kind] = Counter(dict.fromkeys(Kind, 0))
        self.entries: dict[EntryRef, Entry] = {}
        self.names = CompletionNames()
        self._folder = folder
        self._with_values = with_values
        self._in_memory = cache
        self._read_documents = partial(read_documents, with_values=with_values, single_process=single_process)
        self._synced = synced
        self._history = history or GitHistory(folder)
        self._git_dates: Mapping[str, str] = {}  # of the first commits of articles, by path
        self._unused_assets = unused_assets
        self._read_config = read_config
        self._problems: list[Problem] = []
        self._units: list[Unit] = []
        self._identities = IdentityIndex()
        self._refs_with_errors: set[EntryRef] = set()
        self._document_keys: dict[int, str] = {}  # by unit number
        self._organizers: list[tuple[str, str | None]] = []  # keys and titles
        self.published: Mapping[str, PublishedFile] = {}  # the files that belong in the asset store, by name
        self.rewritten_links: RewrittenLinks = {}
        self.collected_links = CollectedLinks()
        self._top_names: list[str] = []  # visible names in the content folder itself
        self._looked_into: set[str] = set()  # folders whose file names affect the result
        self.dependencies: FolderDependencies | None = None  # None if signatures do not show all changes
        self._grouped = GroupedProblems()
        self._cache: UnitCache | None = None
        self._pictures: PictureChecks | None = None  # None if they are not read as files

    def read(self) -> "FolderReader":
        """Read the folder, and return this reader."""
        if problem := folder_problem(self._folder):
            self._problems.append(problem)
            return self
        began = time.monotonic_ns()
        self.config, self._problems = self._read_config(self._folder, self._proposed.get(CONFIG))
        if self.config.is_content_valid:
            self._git_dates, problems = read_git_dates(self._history, self.config)
            self._problems += problems
            self.config = replace(self.config, is_content_valid=not problems)
        if not self.config.is_content_valid:  # each file would have problems that follow from a wrong setting
            return self
        try:
            self._read(began)
        except UnreadableFile as error:  # the content folder itself cannot be opened
            self._problems += error.problems
        return self

    def report(self) -> ValidationReport:
        """Return the report on the whole folder."""
        shown = shown_problems((*self._problems, *self._grouped.combined()), self.config.ignored_warnings)
        counts = {kind.value: count for kind, count in self.counts.items()}
        return ValidationReport(self._folder, shown, self.files, counts)

    def report_on_files(self, paths: Collection[str]) -> tuple[ValidationReport, list[str]]:
        """Return the problems of some files and the number of their entries, and the paths that are not content.

        If the config has errors, return only its problems.
        """
        wanted = set(paths) if self.config.is_content_valid else {CONFIG}
        problems = [problem for problem in self._problems if problem.where.path in wanted]
        for path in wanted:
            problems += self._grouped.combined(path)
        counts = {str(kind): 0 for kind in Kind}
        number_by_path = {file.path: number for number, unit in enumerate(self._units) for file in unit.files}
        for number in {number_by_path[path] for path in paths if path in number_by_path}:
            drafts = [*self._read_again(number)]
            invalid_count = sum(ref.unit == number for ref in self._refs_with_errors)
            counts[str(self._units[number].kind)] += len(drafts) - invalid_count
        read_paths = {path for path in paths if path == CONFIG or path in number_by_path}
        with_problems = {problem.where.path for problem in problems}
        not_content = [path for path in paths if path not in read_paths and path not in with_problems]
        shown = shown_problems(problems, self.config.ignored_warnings)
        report = ValidationReport(self._folder, shown, len(read_paths), counts)
        return report, not_content if self.config.is_content_valid else []

    def _read(self, began: int) -> None:
        """Find the files, read and check their entries, and save the cache. `began` is in monotonic nanoseconds."""
        self._top_names = visible_names(self._folder)
        if self.config.assets and self.config.has_pictures:
            self._pictures = PictureChecks(self._folder, self.config, self._looked_into, began, self._moved_assets)
        scanned = scan(self._folder, self.config, self._proposed)
        self.files = len(scanned.files)
        self._problems += scanned.problems
        self._problems += misplaced_problems(self._folder, self._top_names, self.config, scanned, self._looked_into)
        self._coverage = TranslationCoverage(self.config.site.locales, self.config.layouts())
        self.entry_reader = EntryReader(
            self.config, incomplete=scanned.incomplete, synced=self._synced, dates=self._git_dates, folder=self._folder
        )
        self._read_again = partial(read_again, self._folder, self._proposed, self.entry_reader, self._units)
        self._located_drafts = LocatedDrafts(self._read_again)  # entries refer to it, and not to this object
        # The paths whose changes affect the report: the config, the read folders, and all collections.
        watched = sorted({CONFIG, *scanned.folders, *(path for kind in Kind for path in self.config.paths(kind))})
        if not scanned.has_links:
            with suppress(OSError):  # as on a read-only disk
                self._cache = self._open_cache(watched, elapsed=time.monotonic_ns() - began)
        units = self._group(scanned.files)
        self._read_custom_fields(units.pop(Kind.CUSTOM_FIELD))
        self._read_vocabulary({kind: units.pop(kind) for kind in _VOCABULARY})
        self._read_units(units.pop(Kind.ORGANIZER))
        organizers = NameIndex(Kind.ORGANIZER, self._organizers, self.config.paths(Kind.ORGANIZER)[0])
        self.entry_reader.names[Kind.ORGANIZER] = organizers
        self._read_units([unit for kind in Kind for unit in units.get(kind, ())])
        self._check_across_entries()
        names = names_digest(self._top_names)
        has_temporary = any(problem.code in _TEMPORARY for problem in self._problems)
        needs_history = needs_git_dates(self.config)  # whose changes no file shows: then only results are cached
        if not scanned.has_links and not has_temporary and not needs_history:
            paths = with_parents([*watched, *self._looked_into])
            self.dependencies = FolderDependencies(names, paths, self.files, began)
        if self._cache:
            document = {**self.report().as_document(), "names": names}
            self._cache.save(None if has_temporary else document, self._looked_into, with_report=not needs_history)
        if self._pictures and self._unused_assets:  # not a part of the cached report
            self._problems += self._pictures.unused(self.collected_links.links)

    def _open_cache(self, watched: Sequence[str], elapsed: int) -> UnitCache | None:
        """Return the cache of a run that began `elapsed` nanoseconds ago, on disk or in memory, or None without one."""
        if not self._with_values and not self._proposed and self.files >= MIN_FILES:
            return DiskCache(self._folder, watched, files=self.files, elapsed=elapsed)
        if self._in_memory and self._synced is None:
            return self._in_memory.begin(self._folder, elapsed)
        return None

    def _group(self, files: Sequence[ContentFile]) -> dict[Kind, list[Unit]]:
        """Return the units of each kind; report translations that belong to no entry."""
        keys = read_translation_keys(self._folder, self.config, files, self._proposed)
        self._problems += duplicate_key_problems(files, self.config, keys)
        units = group_files(files, self.config, keys)
        self._grouped.orphans = find_orphans(files, units, self.config)
        by_kind: dict[Kind, list[Unit]] = {kind: [] for kind in Kind}
        for unit in units:
            by_kind[unit.kind].append(unit)
        return by_kind

    def _read_custom_fields(self, units: Sequence[Unit]) -> None:
        """Read the custom fields, which the validation of other entries needs, and check the `rename` settings."""
        drafts = self._drafts(units)
        self.entry_reader.declare_custom_fields(draft for _ref, draft in drafts)
        self._add_drafts(drafts)
        self._problems += self.entry_reader.rename_problems()

    def _read_vocabulary(self, units: Mapping[Kind, Sequence[Unit]]) -> None:
        """Read the categories and tags, which other entries refer to. Categories also refer to each other."""
        reader = self.entry_reader
        drafts = {kind: self._drafts(units[kind]) for kind in _VOCABULARY}
        for kind in _VOCABULARY:
            entries = ((draft.key, title_of(draft)) for _ref, draft in drafts[kind])
            renamed = ((old, draft.key) for _ref, draft in drafts[kind] for old in draft.notes.previous)
            names = NameIndex(kind, entries, self.config.content[kind].path, renamed)
            for _ref, draft in drafts[kind]:
                resolve_references(draft, {kind: names}, reader.incomplete)
            reader.names[kind] = names
        report_parent_cycles([draft for _ref, draft in drafts[Kind.CATEGORY]])
        for kind in _VOCABULARY:
            self._add_drafts(drafts[kind])

    def _drafts(self, units: Sequence[Unit]) -> list[tuple[EntryRef, Draft]]:
        """Read units in this process, add them to `_units`, and return their drafts, whose references are names."""
        drafts: list[tuple[EntryRef, Draft]] = []
        with ContentRoot(self._folder, proposed=self._proposed) as root:
            for number, unit in enumerate(units, len(self._units)):
                log = ReadLog()
                for entry, draft in enumerate(self.entry_reader.read_drafts(unit, root, log)):
                    drafts.append((EntryRef(number, entry), draft))
                    log.incomplete = log.incomplete or not draft.key
                self._problems += log.problems
                if log.incomplete:
                    self.entry_reader.incomplete.add(unit.kind)
        self._units += units
        return drafts

    def _add_drafts(self, drafts: Iterable[tuple[EntryRef, Draft]]) -> None:
        for ref, draft in drafts:
            self.add_entry(ref, EntryRecord.of_draft(draft, with_values=self._with_values))

    def _read_units(self, units: Sequence[Unit]) -> None:
        """Read units: load cached results, then read documents in parallel, then tables and lists entry by entry."""
        numbers: Sequence[int] = range(len(self._units), len(self._units) + len(units))
        self._units += units
        kinds = {unit.kind for unit in units} if self._cache else ()
        contexts = {kind: self.entry_reader.context_digest(kind) for kind in kinds}
        if self._cache:
            numbers = self._load_cached(self._cache, contexts, numbers)
        documents = [number for number in numbers if self._units[number].files[0].suffix in DOCUMENT_SUFFIXES]
        document_units = [self._units[number] for number in documents]
        read_count = 0
        batches = self._read_documents(self._folder, self.entry_reader, document_units, proposed=self._proposed)
        for batch, batch_json in batches:
            kind = document_units[read_count].kind
            self._add_batch(kind, documents[read_count : read_count + len(batch.results)], batch)
            if self._cache:
                self._cache.store(contexts[kind], batch, batch_json)
            read_count += len(batch.results)
        tables = sorted({*numbers} - {*documents}) if len(documents) < len(numbers) else []
        with ContentRoot(self._folder, proposed=self._proposed) as root:
            for number in tables:
                self._read_table(number, root, contexts)

    def _load_cached(self, cache: UnitCache, contexts: Mapping[Kind, str], numbers: Sequence[int]) -> list[int]:
        """Add the cached results of units; return the numbers of the other units."""
        remaining: list[int] = []
        for kind, group in groupby(numbers, lambda number: self._units[number].kind):
            if not cache.has(contexts[kind]):
                remaining += group
                continue
            numbers_by_name = {self._units[number].name: number for number in group}
            units = {name: self._units[number] for name, number in numbers_by_name.items()}
            for batch in cache.load(contexts[kind], units):
                self._add_batch(kind, [numbers_by_name.pop(name) for name in batch.names], batch)
            remaining += numbers_by_name.values()
        return remaining

    def _read_table(self, number: int, root: ContentRoot, contexts: Mapping[Kind, str]) -> None:
        """Read a unit with any number of entries; cache it unless it has more than `max_entries` of the cache."""
        unit, log, records = self._units[number], ReadLog(), list[EntryRecord]()
        max_entries = self._cache.max_entries if self._cache else 0
        blocks = Blocks(first_plain=MAX_DRAFTS, with_values=True) if self._with_values else Blocks()
        entries: Iterable[Draft | EntryRecord] = self.entry_reader.read_entries(unit, root, log, blocks)
        if self._with_values:
            entries = self._located_drafts.cache(number, entries)  # for the locations of these entries
        for index, entry in enumerate(entries):
            record = EntryRecord.of_draft(entry, with_values=self._with_values) if isinstance(entry, Draft) else entry
            self.add_entry(EntryRef(number, index), record)
            if len(records) <= max_entries:  # one more shows that there are too many
                records.append(record)
        self._problems += log.problems
        if log.incomplete:
            self.entry_reader.incomplete.add(unit.kind)
        if self._cache and len(records) <= max_entries:
            batch = UnitResults.empty()
            batch.add(unit, records, log)
            self._cache.store(contexts[unit.kind], batch, data=None)

    def _add_batch(self, kind: Kind, numbers: Sequence[int], batch: UnitResults) -> None:
        """Add the results of the units with these numbers. The result of most documents is only a key."""
        results = [*zip(numbers, batch.results, strict=True)]
        keys = {number: result for number, result in results if isinstance(result, str)}
        self.counts[kind] += len(keys)
        self._document_keys |= keys
        if kind is Kind.ORGANIZER:
            self._organizers += ((key, None) for key in keys.values())
        self._identities.add_documents(kind, RECORDS[kind].key_field, keys)
        self.names.add(kind, keys.values())
        self._coverage.add_untranslated(kind, (self._units[number].files[0].path for number in keys))
        for (number, result), addresses in zip(results, batch.addresses, strict=True):
            if addresses:
                key = result if isinstance(result, str) else result.records[0].key  # of the document's only entry
                if key:
                    self.collected_links.addresses.append(((kind, key), self._units[number].files[0].path, *addresses))
        for number, result in results:
            if isinstance(result, str):
                continue
            for index, record in enumerate(result.records):
                self.add_entry(EntryRef(number, index), record)
            self._problems += result.problems
            if result.is_incomplete:
                self.entry_reader.incomplete.add(kind)

    def add_entry(self, ref: EntryRef, record: EntryRecord) -> None:
        """Add an entry from its record. An entry with values becomes an `Entry`."""
        unit, key, values = self._units[ref.unit], record.key, record.values
        if not key:
            self.entry_reader.incomplete.add(unit.kind)
        key_identity = [(RECORDS[unit.kind].key_field, key)] if key else []
        for name, value in record.identities or key_identity:
            self._identities.add(unit.kind, name, value, ref)
        self.names.add(unit.kind, [key])
        file = unit.files[0]
        if file.suffix in DOCUMENT_SUFFIXES:
            self._document_keys[ref.unit] = key
        if unit.kind is Kind.ORGANIZER:
            self._organizers.append((key, record.title))
        self.collected_links.links += record.links
        self._coverage.add(unit.kind, file.path, record.locales)
        own_problems = [*record.problems]
        file_links: Sequence[LinkReplacement] = ()
        if record.pictures and self._pictures:
            # It adds to `own_problems`.
            values, file_links = self._pictures.place(unit.kind, key, record.pictures, values, own_problems)
        self._problems += (problem for problem in own_problems if not self._grouped.add(problem))
        if record.has_error_elsewhere or any(problem.is_error for problem in own_problems):
            self._refs_with_errors.add(ref)
            return
        self.counts[unit.kind] += 1
        if values is not None:
            located = EntryLocations(self._located_drafts, ref)
            self.collected_links.add_replaceable(ref, record.links, file_links)
            source = Source(file.path, record.line, located, located)
            self.entries[ref] = Entry(unit.kind, key, values, source, record.notes)

    def _check_across_entries(self) -> None:
        """Report duplicate entries, missing translations and broken links."""
        for ref, problem in self._identities.find_duplicates(self._read_again, self.config.site.locales):
            self._problems.append(problem)
            if ref not in self._refs_with_errors:  # so that it was counted
                self.counts[self._units[ref.unit].kind] -= 1
            self._refs_with_errors.add(ref)
            self.entries.pop(ref, None)
        self._problems += self._coverage.problems()
        if self.collected_links:
            self._check_links()
        if self._pictures:
            self._problems += self._pictures.problems(save_cache=not self._proposed)
            self.published = self._pictures.published

    def _check_links(self) -> None:
        """Report broken links, and rewrite the links in `entries` to other entries and to published files."""
        collected, reader = self.collected_links, self.entry_reader
        documents = EntryDocuments(self._units, self._document_keys, self._read_again, self.config.layouts())
        addresses, categories = collected.addresses, reader.names[Kind.CATEGORY].keys
        checked = FolderLinks(self._folder, self.config, documents, categories, reader.incomplete, addresses)
        self._problems += checked.problems(collected.links)
        collected.replace_in(self.entries, checked)
        self.rewritten_links = checked.rewritten  # by `replace_in`
        self._looked_into |= checked.looked_into
