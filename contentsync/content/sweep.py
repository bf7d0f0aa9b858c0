"""One pass over a content folder: what others refer to first, the rest over all processors, then all of it together."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..errors import Problem, Where
from ..model import FIELDABLE, Entry, Kind, Source
from .cache import PAYS_FROM, Cache
from .clashes import Clashes
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
from .unit import DOCUMENTS, Unit, units_of
from .workers import read_units

# What other entries name; they are few, and judged together, in this process.
_VOCABULARY = (Kind.CATEGORY, Kind.TAG)
_PASSING = frozenset({"unreadable", "file-changed"})  # problems that a second look may not find


class Sweep:
    """Reads a folder; with `whole` the entries keep their values, else the folder's cache saves reading."""

    def __init__(self, folder: Path, *, whole: bool) -> None:
        self.config = Config(Site(name=site_name(folder)))
        self.files = 0
        self.counts: Counter[Kind] = Counter(dict.fromkeys(Kind, 0))
        self.entries: dict[tuple[Kind, str], Entry] = {}
        self._folder = folder
        self._whole = whole
        self._problems: list[Problem] = []
        self._units: list[Unit] = []
        self._clashes = Clashes()
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
        self.config, self._problems = read_config(self._folder)
        try:
            self._read()
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

    def _read(self) -> None:
        found = scan(self._folder, self.config)
        self.files = len(found.files)
        self._problems += found.problems
        self._problems += suspicious_suffixes(found.files, self.config.site.locales)
        self._coverage = Coverage(self.config.site.locales)
        self._reader = Reader(self.config, incomplete=found.incomplete)
        self._rereading = Rereading(self._folder, self._reader, self._units)
        if not self._whole and not found.linked and self.files >= PAYS_FROM:
            self._cache = Cache.open(self._folder, self._watched(found.folders), self.files)

        units: dict[Kind, list[Unit]] = {kind: [] for kind in Kind}
        for unit in units_of(found.files, self.config.site.locales):
            units[unit.kind].append(unit)
        self._define(units.pop(Kind.CUSTOM_FIELD))
        self._name({kind: units.pop(kind) for kind in _VOCABULARY})
        organizers = self._take(units.pop(Kind.ORGANIZER))
        self._reader.names[Kind.ORGANIZER] = Names(Kind.ORGANIZER, organizers)
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
            if draft.is_sound:
                fieldable = Kind(draft.values.get("fieldable_type", "listing"))
                reader.definitions[fieldable].setdefault(draft.key, draft.values)
            else:
                reader.broken_fields.add(draft.key)
        self._enter(drafts)
        for kind in Kind:
            if kind not in FIELDABLE:
                self._problems += rename_problems(self.config, kind, ())
            elif Kind.CUSTOM_FIELD not in reader.incomplete:
                known = reader.broken_fields.union(reader.definitions[kind])
                self._problems += rename_problems(self.config, kind, known)

    def _name(self, units: Mapping[Kind, Sequence[Unit]]) -> None:
        """Make the categories and tags known to those that refer to them, which categories do themselves."""
        reader = self._reader
        drafts = {kind: self._drafts(units[kind]) for kind in _VOCABULARY}
        for kind in _VOCABULARY:
            names = Names(kind, ((draft.key, title_of(draft)) for _, draft in drafts[kind]))
            for _, draft in drafts[kind]:
                resolve_references(draft, {kind: names}, reader.incomplete)
            reader.names[kind] = names
        find_parent_cycles([draft for _, draft in drafts[Kind.CATEGORY]])
        for kind in _VOCABULARY:
            self._enter(drafts[kind])

    def _drafts(self, units: Sequence[Unit]) -> list[tuple[int, Draft]]:
        """The entries of units with the units' numbers."""
        drafts: list[tuple[int, Draft]] = []
        with Root(self._folder) as root:
            for number, unit in enumerate(units, len(self._units)):
                found = Found()
                for draft in self._reader.drafts(unit, root, found):
                    drafts.append((number, draft))
                    found.incomplete = found.incomplete or not draft.key
                self._problems += found.problems
                if found.incomplete:
                    self._reader.incomplete.add(unit.kind)
        self._units += units
        return drafts

    def _enter(self, drafts: Iterable[tuple[int, Draft]]) -> None:
        for number, draft in drafts:
            self._add(number, Outline(*outline(draft, whole=self._whole)))

    def _take(self, units: Sequence[Unit]) -> list[tuple[str, str | None]]:
        """Read units; gives the keys and titles of their entries."""
        names: list[tuple[str, str | None]] = []
        first = len(self._units)
        self._units += units
        for number, item in self._items(units):
            if isinstance(item, Rest):
                self._problems += map(problem_of, item.problems)
                if item.incomplete:
                    self._reader.incomplete.add(units[number].kind)
            else:
                entry = Outline(*item)
                self._add(first + number, entry)
                if entry.title is not None:
                    names.append((entry.key, entry.title))
        return names

    def _items(self, units: Sequence[Unit]) -> Iterator[tuple[int, Row | Rest]]:
        """What units hold, with their places among them: what the cache has, then what must be read."""
        knowledge = self._reader.knowledge() if self._cache else ""
        left: list[int] = []
        for number, unit in enumerate(units):
            kept = self._cache.unit(knowledge, unit) if self._cache else None
            if kept is None:
                left.append(number)
                continue
            yield from ((number, row) for row in kept[0])
            yield number, Rest(*kept[1])
        place = 0
        rows: list[Row] = []
        for item in read_units(self._folder, self._reader, [units[number] for number in left], whole=self._whole):
            yield left[place], item
            if self._cache and not isinstance(item, Rest):
                rows.append(item)
            if isinstance(item, Rest):
                if self._cache:
                    self._cache.keep(knowledge, units[left[place]], rows, item)
                rows = []
                place += 1

    def _add(self, number: int, entry: Outline) -> None:
        kind = self._units[number].kind
        if not entry.key:
            self._reader.incomplete.add(kind)
        for name, value in entry.identities or ([("", entry.key)] if entry.key else []):
            self._clashes.add(kind, name, value, number, entry.line)
        file = self._units[number].files[0]
        if file.suffix in DOCUMENTS:
            for each in self._units[number].files:
                self._documents[each.path] = kind, entry.key
        self._links += entry.links
        self._coverage.add(kind, file.path, entry.locales)
        if entry.problems:
            self._tell(map(problem_of, entry.problems))
            if not entry.is_sound:
                return
        self.counts[kind] += 1
        if entry.values is not None:
            source = Source(file.path, entry.line, Located(self._rereading, number, entry.line))
            notes = notes_of(entry.notes)
            self.entries.setdefault((kind, entry.key), Entry(kind, entry.key, entry.values, source, notes))

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
        for draft, problem in self._clashes.found(self._rereading.drafts_at):
            self._problems.append(problem)
            self.counts[draft.kind] -= draft.is_sound
            entry = self.entries.get((draft.kind, draft.key))
            if entry and entry.source and (entry.source.path, entry.source.line) == (draft.path, draft.line):
                del self.entries[draft.kind, draft.key]
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
