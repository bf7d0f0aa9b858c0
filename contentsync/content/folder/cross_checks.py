"""The checks between the entries of a folder: duplicates, translations, links and pictures."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from ...errors import Problem, Severity
from ...model import RECORDS, Entry, Kind, Source
from ..config.config import Config
from ..entry.identity import EntryRef, IdentityIndex
from ..files.completion_names import CompletionNames
from ..files.file_names import DOCUMENT_SUFFIXES
from ..files.source_file import FolderView
from ..links.link_rewriting import LinkReplacement
from ..pictures.picture_checks import PictureChecks
from ..pictures.published_names import PublishedFile
from .entry_reader import EntryReader
from .folder_links import CollectedLinks, EntryDocuments, FolderLinks
from .grouped_problems import GroupedProblems
from .translations import TranslationCoverage, Unit
from .unit_reader import EntryLocations, LocatedDrafts, read_again
from .unit_results import EntryRecord, UnitResults


class FoundEntries:
    """The entries of a folder: those with errors, the number of the others by kind, and their values if known."""

    def __init__(self) -> None:
        self.counts: Counter[Kind] = Counter(dict.fromkeys(Kind, 0))  # of the entries without errors
        self.with_errors: dict[EntryRef, Kind] = {}
        self.values: dict[EntryRef, Entry] = {}  # also of those whose only errors are broken house rules

    def withdraw(self, ref: EntryRef, kind: Kind, *, breaks_rule: bool) -> None:
        """Move an entry that was added to those with errors; one that breaks a house rule keeps its values."""
        if ref not in self.with_errors:  # so that it was counted
            self.counts[kind] -= 1
        self.with_errors[ref] = kind
        if not breaks_rule:
            self.values.pop(ref, None)

    def entries(self, *, may_break_rules: bool) -> list[Entry]:
        """Return the entries with values, without those that break a house rule unless `may_break_rules`."""
        return [entry for ref, entry in self.values.items() if may_break_rules or ref not in self.with_errors]

    def count_all(self) -> Counter[Kind]:
        """Return the number of entries, also of those with errors."""
        return self.counts + Counter(self.with_errors.values())


class CrossChecks:
    """Collects the entries of a folder, and checks them once all are known.

    Append each unit to `units`, add its entries, and then call `check`. `pictures` is None if pictures are not read as
    files. The checks add the kinds with an entry without a key to `reader.incomplete_kinds`.
    """

    def __init__(self, view: FolderView, reader: EntryReader, pictures: PictureChecks | None = None) -> None:
        self.units: list[Unit] = []
        self.problems: list[Problem] = []
        self.grouped = GroupedProblems()
        self.found = FoundEntries()
        self.names = CompletionNames()
        self.organizers: list[tuple[str, str | None]] = []  # keys and titles
        self.links = CollectedLinks()
        # Entries refer to it, and not to this object.
        self._read_again = partial(read_again, view, reader, self.units)
        self.located_drafts = LocatedDrafts(self._read_again)
        self._view = view
        self._reader = reader
        self._pictures = pictures
        self._identities = IdentityIndex()
        self._coverage = TranslationCoverage(reader.config.site.locales, reader.config.layouts())
        self._document_keys: dict[int, str] = {}  # by unit number
        self._merged: list[tuple[EntryRef, str, str]] = []  # key of an entry, and a key in its note `sync.merged`

    @property
    def published(self) -> Mapping[str, PublishedFile]:
        """The files that belong in the asset store, by name."""
        return self._pictures.published if self._pictures else {}

    def add_batch(self, kind: Kind, numbers: Sequence[int], batch: UnitResults) -> None:
        """Add the results of the units with these numbers. The result of most documents is only a key."""
        results = [*zip(numbers, batch.results, strict=True)]
        keys = {number: result for number, result in results if isinstance(result, str)}
        self.found.counts[kind] += len(keys)
        self._document_keys |= keys
        if kind is Kind.ORGANIZER:
            self.organizers += ((key, None) for key in keys.values())
        self._identities.add_documents(kind, RECORDS[kind].key_field, keys)
        self.names.add(kind, keys.values())
        self._coverage.add_untranslated(kind, (self.units[number].files[0].path for number in keys))
        for (number, result), addresses in zip(results, batch.addresses, strict=True):
            if addresses:
                key = result if isinstance(result, str) else result.records[0].key  # of the document's only entry
                if key:
                    self.links.addresses.append(((kind, key), self.units[number].files[0].path, *addresses))
        for number, result in results:
            if isinstance(result, str):
                continue
            for index, record in enumerate(result.records):
                self.add(EntryRef(number, index), record)
            self.problems += result.problems
            if result.is_incomplete:
                self._reader.incomplete_kinds.add(kind)

    def add(self, ref: EntryRef, record: EntryRecord) -> None:
        """Add an entry. One with values becomes an `Entry`. This must be fast: a table may have a million rows."""
        unit, key, values = self.units[ref.unit], record.key, record.values
        if not key:
            self._reader.incomplete_kinds.add(unit.kind)
        for name, value in record.identities or ([(RECORDS[unit.kind].key_field, key)] if key else ()):
            self._identities.add(unit.kind, name, value, ref)
        if record.notes.distinct:
            self._identities.add_noted(ref)
        self.names.add(unit.kind, [key])
        self._merged += ((ref, key, old) for old in record.notes.merged)
        file = unit.files[0]
        if file.suffix in DOCUMENT_SUFFIXES:
            self._document_keys[ref.unit] = key
        if unit.kind is Kind.ORGANIZER:
            self.organizers.append((key, record.title))
        self.links.links += record.links
        for previous in record.notes.previous if key else ():
            is_contested = self.links.renamed.setdefault((unit.kind, previous), key) != key
            if is_contested:  # several entries note it
                self.links.renamed[unit.kind, previous] = ""
        self._coverage.add(unit.kind, file.path, record.locales)
        problems: Sequence[Problem] = record.problems
        replacements: Sequence[LinkReplacement] = ()
        if record.pictures and self._pictures:
            problems = [*problems]  # `place` adds to it
            values, replacements = self._pictures.place(unit.kind, key, record.pictures, values, problems)
        if problems:
            self.problems += (problem for problem in problems if not self.grouped.add(problem))
        if record.has_error_elsewhere or (problems and any(problem.is_error for problem in problems)):
            self.found.with_errors[ref] = unit.kind
        else:
            self.found.counts[unit.kind] += 1
        if values is not None and not any(problem.breaks_contract for problem in problems):
            located = EntryLocations(self.located_drafts, ref)
            self.links.add_replaceable(ref, record.links, replacements)
            source = Source(file.path, record.line, located, located)
            self.found.values[ref] = Entry(unit.kind, key, values, source, record.notes)

    def check(self, looked_into: set[str]) -> None:
        """Report duplicate entries, missing translations, and broken links and pictures.

        Add the folders whose file names affect the result to `looked_into`.
        """
        config = self._reader.config
        for ref, problem in self._identities.find_duplicates(self._read_again, config.site.locales):
            self.problems.append(problem)
            if problem.is_error:
                self.found.withdraw(ref, self.units[ref.unit].kind, breaks_rule=problem.breaks_rule)
        unknown = self._reader.incomplete_kinds.union(self.found.with_errors.values())
        self.problems += self._identities.near_duplicates.problems(all_known=Kind.LISTING not in unknown)
        self.problems += self._coverage.problems()
        self.problems += self._merged_problems()
        if self.links:
            self._check_links(config, looked_into)
        if self._pictures:
            self.problems += self._pictures.problems(save_cache=not self._view.proposed)

    def _check_links(self, config: Config, looked_into: set[str]) -> None:
        """Report broken links, and rewrite the links in entries to other entries and to published files."""
        categories = self._reader.names[Kind.CATEGORY].keys
        checked = FolderLinks(
            self._view.folder,
            config,
            self.documents(),
            categories,
            self._reader.incomplete_kinds,
            self.links.addresses,
            self._listing_path,
            self.links.renamed,
        )
        self.problems += checked.problems(self.links.links)
        self.links.replace_in(self.found.values, checked)
        looked_into |= checked.looked_into

    def _merged_problems(self) -> Iterator[Problem]:
        """Yield a warning for each slug in `sync.merged` that an entry of the folder still has, or has again."""
        for ref, key, old in self._merged:
            kind = self.units[ref.unit].kind
            unit = self._identities.unit_of(kind, RECORDS[kind].key_field, old)
            if unit is not None:
                found = self.units[unit].files[0].path
                where = self.located_drafts.of_unit(ref.unit)[ref.entry].where("sync.merged")
                message = f"sync.merged names '{old}', but {found} has a {kind.replace('_', ' ')} with this key"
                hint = "its address leads to that entry: delete the entry, or remove its key from sync.merged"
                yield Problem("merged-exists", message, where, hint, Severity.WARNING, kind.value, key or None)

    def _listing_path(self, slug: str) -> str | None:
        """Return the path of the file with the listing that has a slug, else None."""
        unit = self._identities.unit_of(Kind.LISTING, RECORDS[Kind.LISTING].key_field, slug)
        return None if unit is None else self.units[unit].files[0].path

    def find_unused_pictures(self) -> None:
        """Report the pictures that no entry names. Call it after `check`."""
        if self._pictures:
            self.problems += self._pictures.unused(self.links.links)

    def documents(self) -> EntryDocuments:
        """Return the entries in documents, without listings, with their files."""
        return EntryDocuments(self.units, self._document_keys, self.located_drafts.read, self._reader.config.layouts())
