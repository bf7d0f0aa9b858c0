"""Read content files into validated drafts, with all problems that can be found in one entry."""

import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from ...errors import Problem, Severity, Where
from ...model import FIELDABLE, RECORDS, Context, Definition, Kind
from ...model.custom_field import LIST_TYPES, NUMBER_TYPES
from ...model.markdown_budget import StepBudget
from ..config.collection_settings import ArticleSettings, DocumentSettings
from ..config.config import Config
from ..config.permalinks import expand_addresses, take_former_addresses
from ..config.replacement import replace_in_bodies
from ..entry.entry_references import NameIndex, named_entries, resolve_references
from ..entry.house_rules import HouseRules
from ..entry.identity import identify
from ..entry.invisible_characters import warn_of_confusing_characters
from ..entry.key_mapping import (
    LIST_FIELDS,
    TableColumns,
    apply_keys,
    entry_of_list,
    ignore_in_translation,
    rename_problems,
    slug_pattern_problems,
    unfold_cells,
    unknown_targets,
)
from ..entry.template_syntax import warn_of_template_syntax
from ..entry.title_heading import suggest_heading, take_title, take_title_of_file
from ..entry.url_schemes import UrlNames, add_schemes, url_names
from ..entry.validation import (
    add_coordinate_hints,
    add_separator_hints,
    extract_notes,
    join_keywords,
    read_plain_dates,
    skip_empty_article,
    validate_draft,
    warn_of_clock_changes,
    warn_of_doubled_schemes,
    wrap_single_values,
)
from ..files.file_addresses import FileAddresses
from ..files.file_names import DOCUMENT_SUFFIXES, FileName, parse_file_name
from ..files.file_text import UnreadableFile
from ..files.source_file import MAX_BYTES, ContentRoot
from ..formats.draft import Draft, set_body_field
from ..formats.file_tree import is_yaml
from ..formats.table_rows import TABLE_SUFFIXES, SyncedRows
from ..links.fragments import warn_of_broken_fragments
from ..links.link_rewriting import collect_links
from ..links.parsed_body import parsed_bodies
from ..pictures.picture_fields import PICTURE_NAMES, collect_pictures, picture_paths, refuse_picture_paths
from .git_facts import add_git_date
from .row_blocks import Blocks, ListReader, RowReader, in_blocks
from .scan import ContentFile
from .translations import Layouts, Unit, document_name, merge_translation, untranslatable_problem
from .unit_results import EntryRecord, ReadLog

_COORDINATES = ("latitude", "longitude")
MAX_LIST_BYTES = 64 * 1024 * 1024  # of a YAML file that is a plain list


@dataclass(slots=True)
class EntryReader:
    """Reads the entries of units.

    The caller declares the custom fields, and sets `names` and `incomplete_kinds` (of which an entry could not be
    read), before it reads entries that need them. Worker processes get a pickled copy, and do not change it.
    """

    config: Config
    definitions: dict[Kind, dict[str, Definition]] = field(default_factory=lambda: {kind: {} for kind in FIELDABLE})
    # names of the custom fields whose definition has errors
    unknown_targets: dict[Kind, set[str]] = field(default_factory=dict)  # of `rename`: names that are not fields
    broken_fields: dict[Kind, set[str]] = field(default_factory=lambda: {kind: set() for kind in FIELDABLE})
    names: dict[Kind, NameIndex] = field(default_factory=dict)  # of the kinds already read
    incomplete_kinds: set[Kind] = field(default_factory=set)  # kinds with entries that could not be read
    synced: SyncedRows | None = None  # rows of tables of listings that are left out
    dates: Mapping[str, str] = field(default_factory=dict)  # of articles, by path, from `read_git_dates`
    folder: Path | None = None  # the content folder; None if its files do not matter
    house_rules: HouseRules = field(init=False)
    _context: Context = field(init=False)
    _layouts: Layouts = field(init=False)
    _may_be_former: bool = field(init=False)  # an address of the site may be the former address of an entry
    _file_addresses: FileAddresses = field(init=False)

    def __post_init__(self) -> None:
        site = self.config.site
        self._layouts = self.config.layouts()
        self._file_addresses = self.config.file_addresses
        self._context = Context(authored=True, locales=site.locales, timezone=site.zone, custom_fields=self.definitions)
        self._may_be_former = self.config.has_former_addresses
        known = self.definitions, self.broken_fields, self.names, self.incomplete_kinds
        self.house_rules = HouseRules(self.config, *known)

    def _exists(self, path: str) -> bool:
        """Return whether the content folder has a file at a path."""
        return self.folder is not None and os.path.isfile(self.folder / path)  # noqa: PTH113  # a Path raises for some texts

    def declare_custom_fields(self, drafts: Iterable[Draft]) -> None:
        """Add custom fields to `definitions`; of a draft with errors, add only its name, to `broken_fields`."""
        for draft in drafts:
            fieldable_type = draft.values.get("fieldable_type", Kind.LISTING)
            kinds = [kind for kind in FIELDABLE if kind == fieldable_type] or list(FIELDABLE)  # all, if it is unknown
            if draft.is_sound:
                self.definitions[kinds[0]].setdefault(draft.key, draft.values)
                continue
            for kind in kinds:
                is_built_in = draft.key in RECORDS[kind].rules()
                if draft.key and not is_built_in:
                    self.broken_fields[kind].add(draft.key)

    def rename_problems(self) -> Iterator[Problem]:
        """Yield the problems of all `rename` settings; call it after all custom fields are declared."""
        for kind in Kind:
            may_be_flag: dict[str, bool] = {}
            if kind in FIELDABLE:
                if Kind.CUSTOM_FIELD in self.incomplete_kinds:  # `rename` may name a field that was not read
                    continue
                may_be_flag = dict.fromkeys(self.broken_fields[kind], True)
                may_be_flag |= {name: field["type"] == "checkbox" for name, field in self.definitions[kind].items()}
            self.unknown_targets[kind] = unknown_targets(self.config.content[kind], kind, may_be_flag)
            yield from rename_problems(self.config, kind, may_be_flag)
            yield from slug_pattern_problems(self.config, kind, may_be_flag)

    def read_drafts(
        self, unit: Unit, root: ContentRoot, log: ReadLog, wanted: Container[int] | None = None
    ) -> Iterator[Draft]:
        """Yield the validated entries of a unit, one in memory at a time; add other problems and stamps to `log`.

        With `wanted`, validate and yield only the entries with these numbers in the unit.
        """
        entries = self.read_entries(unit, root, log, None, wanted)
        return (entry for entry in entries if isinstance(entry, Draft))

    def read_entries(
        self,
        unit: Unit,
        root: ContentRoot,
        log: ReadLog,
        row_blocks: Blocks | None,
        wanted: Container[int] | None = None,
    ) -> Iterator[Draft | EntryRecord]:
        """Yield the entries as `read_drafts` does; with `row_blocks`, yield plain rows as records, to be faster."""
        file = None if unit.is_orphaned else unit.files[0]
        translations = unit.files if unit.is_orphaned else unit.files[1:]
        name = document_name(file, self._layouts) if file else None
        # A second dot: the name may end with a language.
        if file and name and file.path.count(".") > 1 and not RECORDS[unit.kind].translated:
            log.problems += self._language_problems(file)
        step_budget = StepBudget()
        has_entry = False
        for number, entry in enumerate(self._read(file, root, log, row_blocks) if file else ()):
            has_entry = True
            if wanted is not None and number not in wanted:
                continue
            if not isinstance(entry, Draft):
                yield entry
                continue
            for translation in translations:
                self._translate(translation, entry, root, log)
            yield self._judge(self.validate(entry, log, name, step_budget))
        if not has_entry:  # the problems of the translations belong to no entry
            for translation in translations:
                for sibling in self.read_unvalidated(translation, root, log):
                    log.problems += sibling.attributed_problems()

    def read_unvalidated(self, file: ContentFile, root: ContentRoot, log: ReadLog | None = None) -> Iterator[Draft]:
        """Yield the entries of a file with renamed keys, up to a part that cannot be read.

        Add problems that concern no entry, and the stamp, to `log`.
        """
        entries = self._read(file, root, log or ReadLog(), row_blocks=None)
        return (entry for entry in entries if isinstance(entry, Draft))

    def validate(self, draft: Draft, log: ReadLog, name: FileName | None, step_budget: StepBudget) -> Draft:
        """Complete a draft in place (key, date, links, references), validate it, and return it with its problems.

        `name` is the name of the file if the file is a document. `step_budget` limits the work for all texts of one
        file. If the order of the steps matters, the docstring of the step says so.
        """
        site = self.config.site
        log.lookups.add_keys(draft.values)
        if draft.kind in FIELDABLE:
            draft.failed_fields.update(self.broken_fields[draft.kind])
        if renamed := self.unknown_targets.get(draft.kind, set()) & draft.values.keys():
            draft.failed_fields.update(renamed)
            draft.has_error_elsewhere = True  # in the config
        extract_notes(draft)
        wrap_single_values(draft)
        join_keywords(draft)
        read_plain_dates(draft, self._custom_fields(draft.kind, ("date",)))
        if self.dates and name and not name.date:
            add_git_date(draft, self.dates)
        collection = self.config.content[draft.kind]
        if collection.url_scheme:
            add_schemes(draft, collection.url_scheme, self.url_names(draft.kind))
        identify(draft, name, collection.slug_pattern)
        replace_in_bodies(draft, self.config.replacements)
        warn_of_clock_changes(draft, site.zone)
        if isinstance(collection, ArticleSettings) and collection.skip_empty:
            skip_empty_article(draft)
        assets = self.config.assets
        if assets:
            collect_pictures(draft, self._file_addresses, self.config.store_base)
        refused_paths = [] if assets else picture_paths(draft)
        validate_draft(draft, self._context, fields_known=Kind.CUSTOM_FIELD not in self.incomplete_kinds)
        refuse_picture_paths(draft, refused_paths, self._exists)
        log.needs_other_files = log.needs_other_files or bool(refused_paths)
        add_coordinate_hints(draft)
        warn_of_doubled_schemes(draft)
        suggest_heading(draft, collection)
        warn_of_confusing_characters(draft)
        bodies = parsed_bodies(draft, step_budget)
        warn_of_template_syntax(draft, bodies)
        warn_of_broken_fragments(draft, bodies)
        may_be_former, published = self._may_be_former, self.config.publishes
        collect_links(draft, bodies, self._file_addresses, may_be_former=may_be_former, published=published)
        if name and isinstance(collection, DocumentSettings) and (draft.former_addresses or collection.permalink):
            root, _inner = self._layouts[draft.kind].split(draft.path)
            expand_addresses(draft, collection.permalink, name, root or "", site.zone, collection.slug)
        if self.names:
            log.lookups.names.update(named_entries(draft))
            resolve_references(draft, self.names, self.incomplete_kinds)
        add_separator_hints(draft, collection)
        return draft

    def _judge(self, draft: Draft) -> Draft:
        """Judge a valid draft by the house rules; return it. One whose references are not resolved is judged later."""
        if self.names or not RECORDS[draft.kind].references:
            self.house_rules.judge(draft)
        return draft

    def _translate(self, file: ContentFile, draft: Draft, root: ContentRoot, log: ReadLog) -> None:
        """Merge the texts of a file in another language into the draft of the entry."""
        name = document_name(file, self._layouts)
        locale = name.locale if name and name.locale else ""
        custom_fields = self.definitions.get(draft.kind, {})
        for sibling in self.read_unvalidated(file, root, log):  # one, or none if the file cannot be read
            log.lookups.inner_keys.update(sibling.values)
            draft.former_addresses += sibling.former_addresses
            ignore_in_translation(sibling, self.config.content[draft.kind])
            merge_translation(draft, sibling, locale, custom_fields)

    def _language_problems(self, file: ContentFile) -> Iterator[Problem]:
        """Yield the problem that the name of an untranslatable file ends with the default language."""
        locale = parse_file_name(file.path, self.config.site.locales).locale
        if locale and not self._layouts[file.kind].reads_orphans_as_entries:
            yield untranslatable_problem(file, locale)

    def _read(
        self, file: ContentFile, root: ContentRoot, log: ReadLog, row_blocks: Blocks | None
    ) -> Iterator[Draft | EntryRecord]:
        """Yield the entries as `read_unvalidated` does; with `row_blocks`, yield plain rows as records."""
        try:
            if file.suffix in DOCUMENT_SUFFIXES:
                yield self._document(file, root, log)
                return
            is_empty = True
            synced_before = self._synced_row_count
            collection = self.config.content[file.kind]
            can_be_plain = collection.takes_values_as_written(file.path) and not self.config.replacements
            read_file = self._table_items if file.suffix in TABLE_SUFFIXES else self._list_items
            for item in read_file(file, root, log, row_blocks if can_be_plain else None):
                is_empty = False
                if isinstance(item, Problem):
                    log.problems.append(item)
                    log.incomplete = log.incomplete or item.is_error
                else:
                    yield item
            if is_empty and self._synced_row_count == synced_before:  # without synced rows, which are left out
                message, hint = "the file contains no entries", "add entries, or delete the file"
                log.problems.append(Problem("empty-file", message, Where(file.path), hint, Severity.WARNING))
        except UnreadableFile as error:
            log.problems += error.problems
            log.incomplete = True

    @property
    def _synced_row_count(self) -> int:
        """The number of rows that have been left out."""
        return len(self.synced.found) if self.synced else 0

    def _document(self, file: ContentFile, root: ContentRoot, log: ReadLog) -> Draft:
        """Return the draft of a file with front matter; add the file's stamp to `log`. Raise UnreadableFile."""
        # Formats are imported where a file has one: unchanged files are not read, and few folders have every format.
        from ..formats.front_matter import read_document

        text, stamp = root.read_text(file.location, file.path)
        log.stamps.append(stamp)
        draft = read_document(text, file.kind, file.path)
        collection = self.config.content[file.kind]
        apply_keys(draft, collection)
        if isinstance(collection, DocumentSettings) and collection.address_keys:
            take_former_addresses(draft, collection.address_keys)
        if draft.body and collection.title_in_heading:
            take_title(draft, collection)
        if isinstance(collection, DocumentSettings) and collection.title == "file-name":
            name = document_name(file, self._layouts)
            if name and (not name.locale or self._layouts[file.kind].reads_orphans_as_entries):  # not a translation
                take_title_of_file(draft, name)
        set_body_field(draft)
        return draft

    def _list_items(
        self, file: ContentFile, root: ContentRoot, log: ReadLog, row_blocks: Blocks | None
    ) -> Iterator[Draft | EntryRecord | Problem]:
        """Yield the entries and problems of a list; add the file's stamp to `log`. Raise UnreadableFile.

        With `row_blocks`, plain entries are yielded as records; with None, all as drafts.
        """
        from ..formats.item_reader import read_list
        from ..formats.yaml_reader import read_items

        collection = self.config.content[file.kind]
        is_plain_list = collection.item_path is None and is_yaml(file.path)
        text, stamp = root.read_text(file.location, file.path, MAX_LIST_BYTES if is_plain_list else MAX_BYTES)
        log.stamps.append(stamp)
        items: Iterator[Any]
        if row_blocks and is_plain_list and not (collection.rename or collection.ignored_keys):
            items = read_items(text, file.kind, file.path)  # drafts, and plain items, which are faster to make
        else:
            items = (
                item if isinstance(item, Problem) else entry_of_list(item, collection)
                for item in read_list(text, file.kind, file.path, collection.item_path)
            )
        judge_row = self.house_rules.row_judge(file.kind, file.path)
        read_block = ListReader(self.definitions.get(file.kind, {}), self._file_validator(log), judge_row).read
        entries: Iterator[Any] = in_blocks(items, row_blocks, read_block) if row_blocks else items
        yield from entries

    def _table_items(
        self, file: ContentFile, root: ContentRoot, log: ReadLog, row_blocks: Blocks | None
    ) -> Iterator[Draft | EntryRecord | Problem]:
        """Yield the entries and problems of a table; add the file's stamp to `log`. Raise UnreadableFile.

        With `row_blocks`, plain rows are yielded as records; with None, all as drafts.
        """
        from ..formats.table_reader import Table, read_table

        collection = self.config.content[file.kind]
        table = collection.table_format(file.path)
        lists, custom_lists = self.list_fields(file.kind)
        # The rows to leave out: none if the text of a row does not show whether its listing has links.
        adds_links = any("[" in each.replace or "<" in each.replace for each in self.config.replacements)
        synced = self.synced if file.kind is Kind.LISTING and not adds_links else None
        with root.open_blocks(file.location, file.path, table.encoding) as (blocks, stamp):
            log.stamps.append(stamp)
            if row_blocks is None:
                numbers = {*_COORDINATES, *self._custom_fields(file.kind, NUMBER_TYPES)}
                drafts = read_table(blocks, file.kind, file.path, table, synced)
                yield from unfold_cells(drafts, collection, lists, custom_lists, table, numbers)
                return
            rows = Table(blocks, file.kind, file.path, table, synced)
            reader = RowReader(
                rows,
                lambda names: TableColumns(names, collection, lists, custom_lists, table),
                self.definitions.get(file.kind, {}),
                self._file_validator(log),
                self.house_rules.row_judge(file.kind, file.path),
            )
            yield from in_blocks(rows, row_blocks, reader.read)

    def _file_validator(self, log: ReadLog) -> Callable[[Draft], Draft]:
        """Return `validate` for the entries of one list or table, which share its budget."""
        return partial(self.validate, log=log, name=None, step_budget=StepBudget())

    def list_fields(self, kind: Kind) -> tuple[set[str], set[str]]:
        """Return the fields whose cells are lists, and the custom fields whose cells are lists."""
        custom_fields: Mapping[str, Definition] = self.definitions.get(kind, {})
        custom_lists = {name for name, definition in custom_fields.items() if definition["type"] in LIST_TYPES}
        return {*LIST_FIELDS[kind], "sync.previous", "sync.distinct", "sync.merged"}, custom_lists

    def _custom_fields(self, kind: Kind, types: Container[str]) -> list[str]:
        """Return the names of the custom fields of a kind that have one of these types."""
        return [name for name, definition in self.definitions.get(kind, {}).items() if definition["type"] in types]

    def url_names(self, kind: Kind) -> UrlNames:
        """Return the names of the fields of a kind with addresses."""
        return url_names(kind, self.definitions.get(kind, {}), PICTURE_NAMES)
