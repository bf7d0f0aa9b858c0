"""One pass over a content folder: what others refer to first, the rest over all processors, then all of it together."""

import os
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any
from unicodedata import normalize

from ..errors import Problem, Where
from ..model import FIELDABLE, RECORDS, Entry, Kind, Source
from .batch import Batch, Held
from .cache import PAYS_FROM, Cache
from .clashes import Clashes, Place
from .config import Config, Site, read_config, site_name
from .config_file import CONFIG
from .coverage import Coverage, suspicious_suffixes
from .draft import Draft, Reference, Unreadable
from .empty_articles import by_folder, is_without_text
from .files.file_names import names_in
from .files.scan import scan
from .files.source_file import Root
from .files.unread import Unread
from .kept import Kept
from .keys import rename_problems
from .located import Located, Rereading
from .outline import Outline, notes_of, outline
from .reading import Found, Reader
from .references import Names, find_parent_cycles, resolve_references, title_of
from .signatures import names_digest
from .survey import Row, Survey, problem_of, problem_row
from .text.addresses import Addresses
from .translations import orphan_problems
from .unit import DOCUMENTS, Unit, units_of
from .workers import read_documents

# What other entries name; they are few, and judged together, in this process.
_VOCABULARY = (Kind.CATEGORY, Kind.TAG)
_PASSING = frozenset({"unreadable", "file-changed", "missing-submodule"})  # problems that a second look may not find


class Sweep:
    """Reads a folder; with `whole` the entries keep their values, else the folder's cache saves reading.

    What was `kept` saves it of whole entries. `alone` has no other process help.
    """

    def __init__(self, folder: Path, *, whole: bool, kept: Kept | None = None, alone: bool = False) -> None:
        self.config = Config(Site(name=site_name(folder)))
        self.files = 0
        self.counts: Counter[Kind] = Counter(dict.fromkeys(Kind, 0))
        self.entries: dict[Place, Entry] = {}
        self._folder = folder
        self._whole = whole
        self._kept = kept
        self._alone = alone
        self._problems: list[Problem] = []
        self._units: list[Unit] = []
        self._clashes = Clashes()
        self._unsound: set[Place] = set()
        self._keys: dict[int, str] = {}  # of the entries of documents, by the numbers of their units
        self._organizers: list[tuple[str, str | None]] = []  # keys and titles
        self._links: list[Reference] = []
        self._names: list[str] = []  # in the folder itself
        self._looked_into: set[str] = set()  # folders of the files that links lead to
        self._unchecked: dict[str, Problem] = {}  # by message
        self._without_text: list[Problem] = []
        self._cache: Cache | Kept | None = None

    def run(self) -> "Sweep":
        """Read everything."""
        if not os.path.isdir(self._folder):  # noqa: PTH112  # Path.is_dir raises where it may not look
            message = f"there is no folder {self._folder}"
            self._problems.append(Problem("no-folder", message, Where("."), "pass the path of the content folder"))
            return self
        try:
            os.scandir(f"{self._folder}/.").close()  # the point: a folder that may be listed need not be searchable
        except OSError as error:  # said once, and not of each file that may be in it
            message = f"the folder cannot be read: {error.strerror}"
            self._problems.append(Problem("unreadable", message, Where("."), "check its permissions"))
            return self
        began = time.monotonic_ns()
        self.config, self._problems = read_config(self._folder)
        if not self.config.is_clear:  # what follows from a wrong setting would be reported for every file
            return self
        try:
            self._read(began)
        except Unreadable as error:  # the folder itself cannot be opened
            self._problems += error.problems
        return self

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong, by place, once for a column; without the warnings that the config ignores."""
        return self._shown((*self._problems, *self._unchecked.values(), *by_folder(self._without_text)))

    def _shown(self, problems: Iterable[Problem]) -> tuple[Problem, ...]:
        told: dict[tuple[Where, str, str], Problem] = {}
        for problem in problems:
            if problem.is_error or problem.code not in self.config.ignored_warnings:
                told.setdefault((problem.where, problem.code, problem.message), problem)
        return tuple(told[key] for key in sorted(told))

    def survey_of(self, path: str) -> Survey | None:
        """What is wrong in one file, and how many entries it has; None for a file that is no content."""
        told = [problem for problem in (*self._problems, *self._unchecked.values()) if problem.where.path == path]
        counts = {str(kind): 0 for kind in Kind}
        if not self.config.is_clear or path == CONFIG:
            told = [problem for problem in self._problems if problem.where.path == CONFIG]
            return Survey(self._folder, self._shown(told), int(path == CONFIG), counts)
        units = (number for number, unit in enumerate(self._units) if any(file.path == path for file in unit.files))
        number = next(units, None)
        if number is None:
            return Survey(self._folder, self._shown(told), 0, counts) if told else None
        told += by_folder(problem for problem in self._without_text if problem.where.path == path)
        unsound = sum(place.unit == number for place in self._unsound)
        counts[str(self._units[number].kind)] = sum(1 for _ in self._rereading.all_entries(number)) - unsound
        return Survey(self._folder, self._shown(told), 1, counts)

    def _read(self, began: int) -> None:
        self._names = names_in(self._folder)
        found = scan(self._folder, self.config)
        self.files = len(found.files)
        self._problems += found.problems
        unread = Unread(self._folder, self._names, self.config)
        self._problems += unread.problems(nothing_read=not found.files and not found.problems)
        self._looked_into |= unread.looked_into
        self._problems += suspicious_suffixes(found.files, self.config.site.locales)
        self._coverage = Coverage(self.config.site.locales)
        self._reader = Reader(self.config, incomplete=found.incomplete)
        self._rereading = Rereading(self._folder, self._reader, self._units)
        if not self._whole and not found.linked and self.files >= PAYS_FROM:
            paths, elapsed = self._watched(found.folders), time.monotonic_ns() - began
            self._cache = Cache.open(self._folder, paths, files=self.files, elapsed=elapsed)
        elif self._kept and not found.linked:
            with suppress(OSError):
                self._cache = self._kept.begin(self._folder, time.monotonic_ns() - began)

        units: dict[Kind, list[Unit]] = {kind: [] for kind in Kind}
        for unit in units_of(found.files, self.config.site.locales):
            units[unit.kind].append(unit)
        self._problems += orphan_problems(found.files, units, self.config.site.locales)
        self._define(units.pop(Kind.CUSTOM_FIELD))
        self._name({kind: units.pop(kind) for kind in _VOCABULARY})
        self._take(units.pop(Kind.ORGANIZER))
        path = self.config.content[Kind.ORGANIZER].path
        self._reader.names[Kind.ORGANIZER] = Names(Kind.ORGANIZER, self._organizers, path)
        self._take([unit for kind in Kind for unit in units.get(kind, ())])
        self._compare()
        if self._cache:
            passing = any(problem.code in _PASSING for problem in self._problems)
            self._cache.save(None if passing else self._survey(), self._looked_into)

    def _survey(self) -> dict[str, Any]:
        """What is told of the folder, as JSON."""
        problems = [problem_row(problem) for problem in self.problems]
        counts = {str(kind): count for kind, count in self.counts.items()}
        return {"problems": problems, "files": self.files, "counts": counts, "names": names_digest(self._names)}

    def _watched(self, folders: Iterable[str]) -> list[str]:
        """The folders, the config, and the places where files or folders of content may appear."""
        paths = [folder.path for folder in self.config.content.values()]
        paths += [path.removesuffix("yaml") + "yml" for path in paths if path.endswith(".yaml")]
        return sorted({CONFIG, *folders, *paths})

    def _define(self, units: Sequence[Unit]) -> None:
        """Make the custom fields known to the rules."""
        reader = self._reader
        drafts = self._drafts(units)
        for _, draft in drafts:
            given = draft.values.get("fieldable_type", Kind.LISTING)
            kinds = [kind for kind in FIELDABLE if kind == given] or list(FIELDABLE)
            if draft.is_sound:
                reader.definitions[kinds[0]].setdefault(draft.key, draft.values)
                continue
            for kind in kinds:  # a field of the service is judged all the same
                reader.broken_fields[kind] |= {draft.key} - RECORDS[kind].rules().keys() - {""}
        self._enter(drafts)
        for kind in Kind:
            if kind not in FIELDABLE:
                self._problems += rename_problems(self.config, kind, {})
            elif Kind.CUSTOM_FIELD not in reader.incomplete:
                flags = dict.fromkeys(reader.broken_fields[kind], True)
                flags |= {name: field["type"] == "checkbox" for name, field in reader.definitions[kind].items()}
                self._problems += rename_problems(self.config, kind, flags)

    def _name(self, units: Mapping[Kind, Sequence[Unit]]) -> None:
        """Make the categories and tags known to those that refer to them, which categories do themselves."""
        reader = self._reader
        drafts = {kind: self._drafts(units[kind]) for kind in _VOCABULARY}
        for kind in _VOCABULARY:
            entries = ((draft.key, title_of(draft)) for _, draft in drafts[kind])
            names = Names(kind, entries, self.config.content[kind].path)
            for _, draft in drafts[kind]:
                resolve_references(draft, {kind: names}, reader.incomplete)
            reader.names[kind] = names
        find_parent_cycles([draft for _, draft in drafts[Kind.CATEGORY]])
        for kind in _VOCABULARY:
            self._enter(drafts[kind])

    def _drafts(self, units: Sequence[Unit]) -> list[tuple[Place, Draft]]:
        """The entries of units with their places."""
        drafts: list[tuple[Place, Draft]] = []
        with Root(self._folder) as root:
            for number, unit in enumerate(units, len(self._units)):
                found = Found()
                for entry, draft in enumerate(self._reader.drafts(unit, root, found)):
                    drafts.append((Place(number, entry), draft))
                    found.incomplete = found.incomplete or not draft.key
                self._problems += found.problems
                if found.incomplete:
                    self._reader.incomplete.add(unit.kind)
        self._units += units
        return drafts

    def _enter(self, drafts: Iterable[tuple[Place, Draft]]) -> None:
        for place, draft in drafts:
            self._add(place, Outline(*outline(draft, whole=self._whole)))

    def _take(self, units: Sequence[Unit]) -> None:
        """Read units: what the cache has, then documents, many at once, then tables and lists entry by entry."""
        numbers: Sequence[int] = range(len(self._units), len(self._units) + len(units))
        self._units += units
        kinds = {unit.kind for unit in units} if self._cache else ()
        knowledge = {kind: self._reader.knowledge(kind) for kind in kinds}
        if self._cache and self._cache.remembers:
            numbers = self._take_kept(self._cache, knowledge, numbers)
        all_units = self._units
        documents = [number for number in numbers if all_units[number].files[0].suffix in DOCUMENTS]
        units = [all_units[number] for number in documents]
        done = 0
        answers = read_documents(self._folder, self._reader, units, whole=self._whole, alone=self._alone)
        for batch, data in answers:
            kind = units[done].kind
            self._add_batch(kind, documents[done : done + len(batch.held)], batch)
            if self._cache:
                self._cache.keep(knowledge[kind], kind, batch, data)
            done += len(batch.held)
        tables = sorted({*numbers} - {*documents}) if len(documents) < len(numbers) else []
        with Root(self._folder) as root:
            for number in tables:
                self._read_table(number, root, knowledge)

    def _take_kept(self, cache: Cache | Kept, knowledge: Mapping[Kind, str], numbers: Sequence[int]) -> list[int]:
        """What the cache has of units; gives the numbers of the others."""
        left: list[int] = []
        for kind, group in groupby(numbers, lambda number: self._units[number].kind):
            if not cache.knows(knowledge[kind], kind):
                left += group
                continue
            its = {self._units[number].name: number for number in group}
            units = {name: self._units[number] for name, number in its.items()}
            for batch in cache.batches(knowledge[kind], kind, units):
                self._add_batch(kind, [its.pop(name) for name in batch.names], batch)
            left += its.values()
        return left

    def _read_table(self, number: int, root: Root, knowledge: Mapping[Kind, str]) -> None:
        """Read a unit of any number of entries, of which only a few are kept."""
        unit, found = self._units[number], Found()
        most = self._cache.most if self._cache else 0
        rows: list[Row] = []
        for entry, draft in enumerate(self._reader.drafts(unit, root, found)):
            row = outline(draft, whole=self._whole)
            self._add(Place(number, entry), Outline(*row))
            if len(rows) <= most:
                rows.append(row)
        self._problems += found.problems
        if found.incomplete:
            self._reader.incomplete.add(unit.kind)
        if self._cache and len(rows) <= most:
            batch = Batch.empty()
            batch.add(unit, rows, found)
            self._cache.keep(knowledge[unit.kind], unit.kind, batch, None)

    def _add_batch(self, kind: Kind, numbers: Sequence[int], batch: Batch) -> None:
        keys = {number: held for number, held in zip(numbers, batch.held, strict=True) if isinstance(held, str)}
        self.counts[kind] += len(keys)
        self._keys |= keys
        if kind is Kind.ORGANIZER:
            self._organizers += ((key, None) for key in keys.values())
        self._clashes.add_documents(kind, RECORDS[kind].key_field, keys)
        self._coverage.add_untranslated(kind, (self._units[number].files[0].path for number in keys))
        if len(keys) == len(numbers):
            return
        for number, held in zip(numbers, batch.held, strict=True):
            if isinstance(held, str):
                continue
            rows, problems, incomplete = Held(*held)
            for entry, row in enumerate(rows):
                self._add(Place(number, entry), Outline(*row))
            self._problems += map(problem_of, problems)
            if incomplete:
                self._reader.incomplete.add(kind)

    def _add(self, place: Place, entry: Outline) -> None:
        unit = self._units[place.unit]
        if not entry.key:
            self._reader.incomplete.add(unit.kind)
        own = RECORDS[unit.kind].key_field, entry.key
        for name, value in entry.identities or ([own] if entry.key else []):
            self._clashes.add(unit.kind, name, value, place)
        file = unit.files[0]
        if file.suffix in DOCUMENTS:
            self._keys[place.unit] = entry.key
        if unit.kind is Kind.ORGANIZER:
            self._organizers.append((entry.key, entry.title))
        self._links += entry.links
        self._coverage.add(unit.kind, file.path, entry.locales)
        if entry.problems:
            self._tell(map(problem_of, entry.problems))
            if not entry.is_sound:
                self._unsound.add(place)
                return
        self.counts[unit.kind] += 1
        if entry.values is not None:
            source = Source(file.path, entry.line, Located(self._rereading, place))
            self.entries[place] = Entry(unit.kind, entry.key, entry.values, source, notes_of(entry.notes))

    def _tell(self, problems: Iterable[Problem]) -> None:
        """Remember what is wrong; of a name that cannot be checked the first place: a table may hold any number."""
        for problem in problems:
            if is_without_text(problem):
                self._without_text.append(problem)
                continue
            if problem.code != "unchecked-reference":
                self._problems.append(problem)
                continue
            first = self._unchecked.setdefault(problem.message, problem)
            if problem.where < first.where:
                self._unchecked[problem.message] = problem

    def _compare(self) -> None:
        """What entries have to do with each other."""
        for place, problem in self._clashes.found(self._rereading.entries):
            self._problems.append(problem)
            self.counts[self._units[place.unit].kind] -= place not in self._unsound
            self._unsound.add(place)
            self.entries.pop(place, None)
        self._problems += self._coverage.problems()
        addresses = Addresses(self.config.site, self._slugs, self._entry_at, self._exists)
        self._problems += addresses.problems(self._links)

    @cached_property
    def _documents(self) -> dict[str, tuple[Kind, str]]:
        """The kinds and keys of documents by the paths of their files."""
        units = ((self._units[number], key) for number, key in self._keys.items())
        return {file.path: (unit.kind, key) for unit, key in units for file in unit.files}

    def _entry_at(self, path: str) -> tuple[Kind, str] | None:
        kind, key = self._documents.get(path, (Kind.LISTING, ""))
        return None if kind is Kind.LISTING else (kind, key)

    def _exists(self, path: str) -> bool:
        """Whether a link leads to a file or folder, however the accents of its name are encoded."""
        if folder := path.rpartition("/")[0]:  # the names in the content folder itself are compared anyway
            self._looked_into.add(folder)
        spellings = {path, normalize("NFC", path), normalize("NFD", path)}
        return any(os.path.lexists(f"{self._folder}/{spelling}") for spelling in spellings)

    def _slugs(self, kind: Kind) -> set[str] | None:
        """The slugs of a kind, where the folder says all of them: the service makes those of listings."""
        if kind is Kind.LISTING or kind in self._reader.incomplete:
            return None
        return {slug for its, slug in self._documents.values() if its is kind}
