"""One pass over a content folder: what others refer to first, the rest over all processors, then all of it together."""

import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..errors import Problem, Where
from ..model import FIELDABLE, RECORDS, Entry, Kind, Source
from .cache import MAX_ENTRIES, PAYS_FROM, Cache, config_digest
from .clashes import Clashes, Place
from .config import Config, Site, read_config, site_name
from .coverage import Coverage, suspicious_suffixes
from .draft import Draft, Reference, Unreadable
from .files.scan import scan
from .files.source_file import Root
from .keys import rename_problems
from .located import Located, Rereading
from .outline import Outline, Rest, Row, notes_of, outline, problem_of, problem_row
from .reading import Found, Reader
from .references import Names, find_parent_cycles, resolve_references, title_of
from .text.addresses import Addresses
from .translations import orphan_problems
from .unit import DOCUMENTS, Unit, units_of
from .workers import Item, read_units

# What other entries name; they are few, and judged together, in this process.
_VOCABULARY = (Kind.CATEGORY, Kind.TAG)
_PASSING = frozenset({"unreadable", "file-changed"})  # problems that a second look may not find


class Sweep:
    """Reads a folder; with `whole` the entries keep their values, else the folder's cache saves reading."""

    def __init__(self, folder: Path, *, whole: bool) -> None:
        self.config = Config(Site(name=site_name(folder)))
        self.files = 0
        self.counts: Counter[Kind] = Counter(dict.fromkeys(Kind, 0))
        self.entries: dict[Place, Entry] = {}
        self._folder = folder
        self._whole = whole
        self._problems: list[Problem] = []
        self._units: list[Unit] = []
        self._clashes = Clashes()
        self._unsound: set[Place] = set()
        self._documents: dict[str, tuple[Kind, str]] = {}  # files of one entry
        self._links: list[Reference] = []
        self._unchecked: dict[str, Problem] = {}  # by message
        self._cache: Cache | None = None

    def run(self) -> "Sweep":
        """Read everything."""
        if not os.path.isdir(self._folder):  # noqa: PTH112  # Path.is_dir raises where it may not look
            message = f"there is no folder {self._folder}"
            self._problems.append(Problem("no-folder", message, Where("."), "name the content folder"))
            return self
        began, digest = time.monotonic_ns(), config_digest(self._folder)
        self.config, self._problems = read_config(self._folder)
        try:
            self._read(began, digest)
        except Unreadable as error:  # the folder itself cannot be opened
            self._problems += error.problems
        return self

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong, by place; what is wrong with a column is told once, with its first row."""
        told: dict[tuple[Where, str, str], Problem] = {}
        for problem in (*self._problems, *self._unchecked.values()):
            told.setdefault((problem.where, problem.code, problem.message), problem)
        return tuple(told[key] for key in sorted(told))

    def _read(self, began: int, digest: str) -> None:
        found = scan(self._folder, self.config)
        self.files = len(found.files)
        self._problems += found.problems
        self._problems += suspicious_suffixes(found.files, self.config.site.locales)
        self._coverage = Coverage(self.config.site.locales)
        self._reader = Reader(self.config, incomplete=found.incomplete)
        self._rereading = Rereading(self._folder, self._reader, self._units)
        if not self._whole and not found.linked and self.files >= PAYS_FROM:
            paths, elapsed = self._watched(found.folders), time.monotonic_ns() - began
            self._cache = Cache.open(self._folder, paths, files=self.files, config=digest, elapsed=elapsed)

        units: dict[Kind, list[Unit]] = {kind: [] for kind in Kind}
        for unit in units_of(found.files, self.config.site.locales):
            units[unit.kind].append(unit)
        self._problems += orphan_problems(found.files, units, self.config.site.locales)
        self._define(units.pop(Kind.CUSTOM_FIELD))
        self._name({kind: units.pop(kind) for kind in _VOCABULARY})
        organizers: list[tuple[str, str | None]] = []
        self._take(units.pop(Kind.ORGANIZER), organizers)
        self._reader.names[Kind.ORGANIZER] = Names(Kind.ORGANIZER, organizers, self.config.content[Kind.ORGANIZER].path)
        self._take([unit for kind in Kind for unit in units.get(kind, ())])
        self._compare()
        if self._cache and not any(problem.code in _PASSING for problem in self._problems):
            problems = [problem_row(problem) for problem in self.problems]
            self._cache.save(
                {
                    "problems": problems,
                    "files": self.files,
                    "counts": {str(kind): count for kind, count in self.counts.items()},
                }
            )

    def _watched(self, folders: Iterable[str]) -> list[str]:
        """The folders, and the places where files or folders of content may appear."""
        paths = [folder.path for folder in self.config.content.values()]
        paths += [path.removesuffix("yaml") + "yml" for path in paths if path.endswith(".yaml")]
        return sorted({*folders, *paths})

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

    def _take(self, units: Sequence[Unit], names: list[tuple[str, str | None]] | None = None) -> None:
        """Read units, and note the keys and titles of their entries."""
        first = len(self._units)
        self._units += units
        entries = 0
        for number, item in self._items(units):
            if isinstance(item, Rest):
                entries = 0
                self._problems += map(problem_of, item.problems)
                if item.incomplete:
                    self._reader.incomplete.add(units[number].kind)
                continue
            entry = Outline(*item)
            self._add(Place(first + number, entries), entry)
            entries += 1
            if names is not None:
                names.append((entry.key, entry.title))

    def _items(self, units: Sequence[Unit]) -> Iterator[Item]:
        """What units hold, with their numbers: what the cache has, then what must be read."""
        if not self._cache:
            yield from read_units(self._folder, self._reader, units, whole=self._whole)
            return
        knowledge = self._reader.knowledge()
        left: list[int] = []
        for number, unit in enumerate(units):
            kept = self._cache.unit(knowledge, unit)
            if kept is None:
                left.append(number)
                continue
            yield from ((number, row) for row in kept[0])
            yield number, Rest(*kept[1])
        rows: list[Row] = []
        for place, item in read_units(self._folder, self._reader, [units[number] for number in left], whole=False):
            yield left[place], item
            if isinstance(item, Rest):
                self._cache.keep(knowledge, units[left[place]], rows, item)
                rows = []
            elif len(rows) <= MAX_ENTRIES:
                rows.append(item)

    def _add(self, place: Place, entry: Outline) -> None:
        unit = self._units[place.unit]
        if not entry.key:
            self._reader.incomplete.add(unit.kind)
        for name, value in entry.identities or ([("", entry.key)] if entry.key else []):
            self._clashes.add(unit.kind, name, value, place)
        file = unit.files[0]
        if file.suffix in DOCUMENTS:
            for each in unit.files:
                self._documents[each.path] = unit.kind, entry.key
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
            self.entries.pop(place, None)
        self._problems += self._coverage.problems()
        self._problems += Addresses(self.config.site, self._slugs, self._entry_at).problems(self._links)

    def _entry_at(self, path: str) -> tuple[Kind, str] | None:
        kind, key = self._documents.get(path, (Kind.LISTING, ""))
        return None if kind is Kind.LISTING else (kind, key)

    def _slugs(self, kind: Kind) -> set[str] | None:
        """The slugs of a kind, where the folder says all of them: the service makes those of listings."""
        if kind is Kind.LISTING or kind in self._reader.incomplete:
            return None
        return {slug for its, slug in self._documents.values() if its is kind}
