"""Reading a whole content folder: every file, every problem."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import Problem, Severity, Where
from ..model import FIELDABLE, RECORDS, Context, Definition, Entry, Kind
from .bodies import check_bodies
from .config import Config, Folder, Site, read_config, site_name
from .draft import Draft, Unreadable
from .front_matter import read_document
from .identity import FileName, find_duplicates, identify, read_file_name
from .judge import judge, take_notes, tell_clock_changes
from .keys import apply_keys, rename_problems, unfold_cells
from .references import Names, find_parent_cycles, resolve_references
from .scan import ContentFile, Scan, scan
from .source_file import read_text
from .table import read_table
from .translations import merge_translation
from .yaml_events import read_mappings

_ORDER = {kind: place for place, kind in enumerate(Kind)}
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_DOCUMENTS = (".md", ".html")
_TRANSLATED = frozenset(kind for kind, record in RECORDS.items() if record.translated)


@dataclass(frozen=True, slots=True)
class Content:
    """What a content folder says. `entries` holds those without errors, in the order of kinds and keys."""

    folder: Path
    config: Config
    entries: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()  # by path, line and column
    files: int = 0  # that were read for entries

    @property
    def errors(self) -> list[Problem]:
        """The problems that are errors."""
        return [problem for problem in self.problems if problem.is_error]


def load(folder: Path) -> Content:
    """Everything in a content folder. Never raises for bad content: the problems say what is wrong, and where."""
    if not os.path.isdir(folder):  # noqa: PTH112  # Path.is_dir raises where it may not look
        problem = Problem("no-folder", f"there is no folder {folder}", Where("."), "name the content folder")
        return Content(folder, Config(Site(name=site_name(folder))), problems=(problem,))
    config, problems = read_config(folder)
    found = scan(folder, config)
    drafts = _Reading(config, found).drafts()
    problems += found.problems
    for draft in drafts:
        problems += draft.told()
    return Content(folder, config, _entries(drafts), _sorted(problems), len(found.files))


class _Reading:
    """One pass over the files: read, identify, judge; then what entries have to do with each other."""

    def __init__(self, config: Config, found: Scan) -> None:
        self._config = config
        self._found = found
        self._definitions: dict[Kind, dict[str, Definition]] = {kind: {} for kind in FIELDABLE}

    def drafts(self) -> list[Draft]:
        """Every entry, as far as it could be read."""
        fields = [file for file in self._found.files if file.kind is Kind.CUSTOM_FIELD]
        others = [file for file in self._found.files if file.kind is not Kind.CUSTOM_FIELD]
        drafts = self._judged(fields)
        broken = self._define(drafts)
        self._check_renames(broken)
        drafts += self._judged(others, broken)

        by_kind: dict[Kind, list[Draft]] = {kind: [] for kind in Kind}
        for draft in sorted(drafts, key=lambda draft: (draft.path, draft.line)):
            by_kind[draft.kind].append(draft)
            if not draft.key:
                self._found.incomplete.add(draft.kind)
        names = {kind: Names(kind, by_kind[kind]) for kind in Kind}
        resolve_references(drafts, names, self._found.incomplete)
        find_parent_cycles(by_kind[Kind.CATEGORY])
        for kind in Kind:
            find_duplicates(by_kind[kind])
        return drafts

    def _define(self, drafts: Iterable[Draft]) -> set[str]:
        """Make the custom fields known to the rules; gives the names of those that are broken."""
        broken: set[str] = set()
        for draft in drafts:
            if draft.is_sound:
                fieldable = draft.values.get("fieldable_type", "listing")
                self._definitions[Kind(fieldable)].setdefault(draft.key, draft.values)
            else:
                broken.add(draft.key)
        return broken

    def _check_renames(self, broken: set[str]) -> None:
        for kind in Kind:
            if kind not in FIELDABLE:
                self._found.problems += rename_problems(self._config, kind, ())
            elif Kind.CUSTOM_FIELD not in self._found.incomplete:
                self._found.problems += rename_problems(self._config, kind, broken.union(self._definitions[kind]))

    def _judged(self, files: Iterable[ContentFile], broken: Iterable[str] = ()) -> list[Draft]:
        site = self._config.site
        context = Context(authored=True, locales=site.locales, timezone=site.zone, custom_fields=self._definitions)
        drafts: list[Draft] = []
        for draft, name in self._read(files):
            if draft.kind in FIELDABLE:
                draft.failed.update(broken)
            take_notes(draft)
            identify(draft, name)
            tell_clock_changes(draft, site.zone)
            judge(draft, context, fields_known=Kind.CUSTOM_FIELD not in self._found.incomplete)
            check_bodies(draft, site.asset_base_url)
            drafts.append(draft)
        return drafts

    def _read(self, files: Iterable[ContentFile]) -> list[tuple[Draft, FileName | None]]:
        """The drafts of files, translated ones merged into theirs."""
        drafts: list[tuple[Draft, FileName | None]] = []
        documents: dict[tuple[Kind, str], Draft | None] = {}
        translations: list[tuple[ContentFile, FileName]] = []
        for file in files:
            name = self._name(file)
            if name and name.locale and name.locale != self._config.site.locales[0]:
                translations.append((file, name))
                continue
            found = self._drafts_of(file)
            drafts += [(draft, name) for draft in found]
            if name:
                documents.setdefault((file.kind, name.base), found[0] if found else None)
        for file, name in translations:
            self._translate(file, name, documents)
        return drafts

    def _name(self, file: ContentFile) -> FileName | None:
        if file.suffix not in _DOCUMENTS or file.kind is Kind.LISTING:
            return None
        name = read_file_name(file.path, self._config.site.locales)
        if name.locale and file.kind not in _TRANSLATED:
            self._problem(
                file,
                "page-translation",
                f"{file.kind.plural} have no translations, and '{name.locale}' is a language of the site",
                f"make a {file.kind.value} of its own, with another name",
            )
        return name

    def _translate(self, file: ContentFile, name: FileName, documents: Mapping[tuple[Kind, str], Draft | None]) -> None:
        siblings = self._drafts_of(file)
        draft = documents.get((file.kind, name.base)) if file.kind in _TRANSLATED else None
        if file.kind in _TRANSLATED and (file.kind, name.base) not in documents:
            message = f"there is no {name.base}{file.suffix} that this could be a translation of"
            self._problem(file, "orphan-translation", message, "add it, or take the language out of the file's name")
        for sibling in siblings:
            if draft is None:
                self._found.problems += sibling.told()
            else:
                merge_translation(draft, sibling, name.locale or "", self._definitions.get(file.kind, {}))

    def _drafts_of(self, file: ContentFile) -> list[Draft]:
        try:
            text = read_text(file.location, file.path)
            return self._parsed(file, text, self._config.content[file.kind])
        except Unreadable as error:
            self._found.problems += error.problems
            self._found.incomplete.add(file.kind)
            return []

    def _parsed(self, file: ContentFile, text: str, folder: Folder) -> list[Draft]:
        if file.suffix in _DOCUMENTS:
            return [_document(file, text, folder)]
        delimiter = _DELIMITERS.get(file.suffix)
        if delimiter:
            drafts, problems = read_table(text, file.kind, file.path, delimiter)
        else:
            drafts, problems = read_mappings(text, file.kind, file.path)
        lists = self._list_columns(file.kind)
        for draft in drafts:
            apply_keys(draft, folder)
            if delimiter:
                unfold_cells(draft, lists)
        if not drafts and not problems:
            problems = [Problem("empty-file", "holds no entries", Where(file.path), severity=Severity.WARNING)]
        self._found.problems += problems
        if any(problem.is_error for problem in problems):
            self._found.incomplete.add(file.kind)
        return drafts

    def _list_columns(self, kind: Kind) -> set[str]:
        lists = {name for name, rule in RECORDS[kind].rules().items() if rule.default == []} | {"sync.previous"}
        definitions = self._definitions.get(kind, {})
        return lists | {name for name, field in definitions.items() if field["type"] in ("list", "multi_select")}

    def _problem(self, file: ContentFile, code: str, message: str, hint: str) -> None:
        self._found.problems.append(Problem(code, message, Where(file.path), hint, kind=file.kind.value))


def _document(file: ContentFile, text: str, folder: Folder) -> Draft:
    draft, body, line = read_document(text, file.kind, file.path)
    apply_keys(draft, folder)
    if not body:
        return draft
    field = "markdown" if file.kind is Kind.PAGE or (file.kind is Kind.ARTICLE and file.suffix == ".md") else "content"
    if field in draft.values:
        message = f"{field} stands in the front matter, but the text below is the {field} already"
        draft.error("body-twice", message, draft.where_key(field), "keep one of them")
        return draft
    draft.values[field] = body
    draft.bodies[field] = (file.path, (line, 1))
    return draft


def _entries(drafts: Iterable[Draft]) -> tuple[Entry, ...]:
    entries = [
        Entry(draft.kind, draft.key, draft.values, draft.source, draft.notes) for draft in drafts if draft.is_sound
    ]
    return tuple(sorted(entries, key=lambda entry: (_ORDER[entry.kind], entry.key)))


def _sorted(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """By place; what is wrong with a column is told once, with its first row."""
    told: dict[tuple[Where, str, str], Problem] = {}
    for problem in problems:
        told.setdefault((problem.where, problem.code, problem.message), problem)
    return tuple(told[key] for key in sorted(told))
