"""From files to judged drafts: all that can be said of an entry without looking at the others."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from ..errors import Problem, Severity, Where
from ..model import FIELDABLE, RECORDS, Context, Definition, Kind
from ..model.custom_field import LISTS
from ..model.markdown_budget import StepBudget
from .config import ArticleFolder, Config
from .draft import Draft, Unreadable
from .empty_articles import skip_without_text
from .files.scan import ContentFile
from .files.source_file import Root, Stamp
from .formats.front_matter import read_document
from .formats.table import read_table
from .formats.yaml_text import read_mappings
from .identity import FileName, identify
from .judge import judge, take_notes, tell_clock_changes
from .keys import apply_keys, unfold_cells
from .references import Names, resolve_references
from .single_values import LIST_FIELDS, list_single_values
from .suspicion import suspect, suspect_separator
from .text.bodies import check_bodies
from .text.letters import check_letters
from .translations import merge_translation
from .unit import DOCUMENTS, Unit, is_translated, name_of

MAX_LIST_BYTES = 64 * 1024 * 1024  # of a YAML file of many entries

_DELIMITERS = {".csv": ",", ".tsv": "\t"}


@dataclass(slots=True)
class Found:
    """What reading a unit met besides entries; complete when all its drafts have been taken."""

    problems: list[Problem] = field(default_factory=list)
    incomplete: bool = False  # something of it could not be read, so entries may be missing
    stamps: list[Stamp] = field(default_factory=list)  # of the unit's files, in their order


@dataclass(slots=True)
class Reader:
    """Reads units of a content folder; what it knows of the folder as a whole is set before entries that need it.

    It goes to worker processes by pickling, and is not changed there.
    """

    config: Config
    definitions: dict[Kind, dict[str, Definition]] = field(default_factory=lambda: {kind: {} for kind in FIELDABLE})
    # the custom fields whose definition has errors
    broken_fields: dict[Kind, set[str]] = field(default_factory=lambda: {kind: set() for kind in FIELDABLE})
    names: dict[Kind, Names] = field(default_factory=dict)  # of the kinds that are read already
    incomplete: set[Kind] = field(default_factory=set)  # kinds of which not all entries are known
    _context: Context = field(init=False)

    def __post_init__(self) -> None:
        site = self.config.site
        self._context = Context(True, site.locales, site.zone, self.definitions)

    def knowledge(self, kind: Kind) -> str:
        """A digest of all that the meaning of a unit of the kind depends on besides its files."""
        referred = set(RECORDS[kind].references.values())
        parts = [
            repr(self.config),
            repr({kind: sorted(fields.items()) for kind, fields in self.definitions.items()}),
            repr([sorted(fields) for fields in self.broken_fields.values()]),
            repr(sorted(self.incomplete & {Kind.CUSTOM_FIELD, *referred})),
            *("\0".join((other, *names)) for other, names in self.names.items() if other in referred),
        ]
        return blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()

    def drafts(self, unit: Unit, root: Root, found: Found) -> Iterator[Draft]:
        """The judged entries of a unit, one at a time, so that a table is never in memory as a whole."""
        locales = self.config.site.locales
        file, translations = (None, unit.files) if unit.orphaned else (unit.files[0], unit.files[1:])
        name = name_of(file, locales) if file else None
        if file and name and name.locale and not is_translated(unit.kind):
            found.problems.append(self._page_translation(file, name.locale))
            if name.locale != locales[0]:
                file, translations = None, unit.files
        allowance = StepBudget()
        read = False
        for draft in self._read(file, root, found) if file else ():
            for translation in translations:
                self._translate(translation, draft, root, found)
            read = True
            yield self._judged(draft, name, allowance)
        if not read:
            for translation in translations:
                for sibling in self._read(translation, root, found):
                    found.problems += sibling.told()

    def _judged(self, draft: Draft, name: FileName | None, allowance: StepBudget) -> Draft:
        site = self.config.site
        if draft.kind in FIELDABLE:
            draft.failed.update(self.broken_fields[draft.kind])
        take_notes(draft)
        list_single_values(draft)
        identify(draft, name)
        tell_clock_changes(draft, site.zone)
        folder = self.config.content[draft.kind]
        if isinstance(folder, ArticleFolder) and folder.skip_empty:
            skip_without_text(draft)
        judge(draft, self._context, fields_known=Kind.CUSTOM_FIELD not in self.incomplete)
        suspect(draft)
        check_letters(draft)
        check_bodies(draft, site.asset_base_url, allowance)
        if self.names:
            resolve_references(draft, self.names, self.incomplete)
        suspect_separator(draft)
        return draft

    def _translate(self, file: ContentFile, draft: Draft, root: Root, found: Found) -> None:
        name = name_of(file, self.config.site.locales)
        for sibling in self._read(file, root, found):
            custom_fields = self.definitions.get(draft.kind, {})
            merge_translation(draft, sibling, name.locale or "" if name else "", custom_fields)

    def _page_translation(self, file: ContentFile, locale: str) -> Problem:
        message = (
            f"{file.kind.plural} cannot be translated, but the file name ends with '{locale}', a language of the site"
        )
        hint = f"make a {file.kind.value} of its own, under another name"
        return Problem("page-translation", message, Where(file.path), hint, kind=file.kind.value)

    def _read(self, file: ContentFile, root: Root, found: Found) -> Iterator[Draft]:
        try:
            if file.suffix in DOCUMENTS:
                yield self._document(file, root, found)
                return
            empty = True
            for item in self._items(file, root, found):
                empty = False
                if isinstance(item, Problem):
                    found.problems.append(item)
                    found.incomplete = found.incomplete or item.is_error
                else:
                    yield item
            if empty:
                warning = Problem(
                    "empty-file",
                    "the file contains no entries",
                    Where(file.path),
                    "add entries, or delete the file",
                    Severity.WARNING,
                )
                found.problems.append(warning)
        except Unreadable as error:
            found.problems += error.problems
            found.incomplete = True

    def _document(self, file: ContentFile, root: Root, found: Found) -> Draft:
        text, stamp = root.text(file.location, file.path)
        found.stamps.append(stamp)
        draft, body, line = read_document(text, file.kind, file.path)
        apply_keys(draft, self.config.content[file.kind])
        if body:
            _add_body(draft, file, body, line)
        return draft

    def _items(self, file: ContentFile, root: Root, found: Found) -> Iterator[Draft | Problem]:
        folder = self.config.content[file.kind]
        delimiter = _DELIMITERS.get(file.suffix)
        if delimiter is None:
            text, stamp = root.text(file.location, file.path, MAX_LIST_BYTES)
            found.stamps.append(stamp)
            for item in read_mappings(text, file.kind, file.path):
                if isinstance(item, Draft):
                    apply_keys(item, folder)
                yield item
            return
        with root.blocks(file.location, file.path) as (blocks, stamp):
            found.stamps.append(stamp)
            rows = read_table(blocks, file.kind, file.path, delimiter)
            yield from unfold_cells(
                rows, folder, {*LIST_FIELDS[file.kind], "sync.previous"}, self._custom_lists(file.kind)
            )

    def _custom_lists(self, kind: Kind) -> set[str]:
        definitions: Mapping[str, Definition] = self.definitions.get(kind, {})
        return {name for name, field in definitions.items() if field["type"] in LISTS}


def _add_body(draft: Draft, file: ContentFile, body: str, line: int) -> None:
    """The text below the front matter is a field."""
    field = (
        "markdown" if file.kind is Kind.PAGE or (file.kind is Kind.ARTICLE and file.suffix != ".html") else "content"
    )
    if field in draft.values:
        message = f"the front matter sets {field}, but the text below it is also the {field}"
        draft.error("body-twice", message, draft.where_key(field), "keep one of them")
        return
    draft.values[field] = body
    draft.bodies[field] = (file.path, (line, 1))
