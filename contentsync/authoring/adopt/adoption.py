"""Propose the config and the new files that make a repository a content folder, and try them."""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from ...content.config.config import Config, default_site_name, read_config
from ...content.config.unknown_keys import content_table
from ...content.files.content_folder import CONFIG
from ...content.files.source_file import ContentRoot, FolderView
from ...content.files.validation_report import ValidationReport, solving_settings
from ...content.folder.entry_reader import EntryReader
from ...content.folder.folder_reader import FolderReader
from ...content.folder.load import gc_paused
from ...content.folder.scan import scan
from ...content.folder.translations import Unit
from ...content.folder.unit_results import ReadLog
from ...content.formats.table_rows import LIST_SEPARATOR, TABLE_SUFFIXES
from ...errors import ContentError, Refused, join_first
from ...model import FIELDABLE, Definition, Kind
from .asset_folder import AssetChoice, choose_asset_folder, propose_asset_base, propose_assets, unnamed_pictures_note
from .collection_choice import choose_collections
from .entry_addresses import propose_addresses, propose_slugs
from .excludes import exclude_notes, largest_unread_list, propose_excludes, spreadsheet_notes
from .generators.generated_site import Site
from .generators.generator_rules import Hidden, SiteFiles
from .key_settings import KeyProposals, list_file, merged_definitions, propose_keys, used_names, vocabulary_entries
from .key_survey import Survey, count_excluded, survey_keys
from .listing_slugs import propose_listing_slug
from .nested_items import propose_items
from .nested_keys import propose_nested_keys
from .proposed_settings import (
    Ask,
    ProposedSetting,
    config_bytes,
    confirm,
    merged_config,
    proposed_setting,
)
from .recognise import propose_site, recognise, rules_of
from .repository_tree import MAX_FILES, RepositoryTree, list_files
from .samples import Sampler
from .site_languages import LanguageLayout, propose_layouts, propose_locales, propose_pairing, propose_separate_entries
from .syntax_choice import propose_replacements
from .table_formats import find_formats, propose_formats, propose_separator, with_formats
from .unread_documents import UnreadDocument, unread_documents
from .url_scheme_choice import propose_url_schemes

_NOT_SURVEYED = (Kind.CATEGORY, Kind.TAG, Kind.CUSTOM_FIELD)  # their files are in our form already
_ROUNDS = 3  # a setting that solves a problem may reveal another problem


class Trial(NamedTuple):
    """The report on the folder as it would be."""

    report: ValidationReport
    entries: Mapping[Kind, int]  # the number of entries, also of those with errors
    config: Config
    orphans: Mapping[Kind, Sequence[str]]  # the languages of the files that translate no entry
    definitions: Mapping[Kind, Mapping[str, Definition]] = MappingProxyType({})  # the custom fields, by their names


@dataclass(frozen=True, slots=True)
class Adoption:
    """The proposal for a repository: nothing of it is written yet."""

    folder: Path
    site: Site
    before: bytes | None  # the config that the folder has
    config: bytes  # the config that it gets, with the same line ends
    settings: tuple[ProposedSetting, ...]  # the settings that the config gets
    files: Mapping[str, bytes]  # new files besides the config
    notes: tuple[str, ...]
    trial: Trial
    unread: tuple[UnreadDocument, ...]  # the files with front matter that are not read
    limit_note: str  # about files beyond the limit, which were not examined; "" without any

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to write."""
        return not self.changes_config and not self.files

    @property
    def changes_config(self) -> bool:
        """Whether the config is new, or gets settings."""
        return self.before is None or bool(self.settings)


def propose_adoption(folder: Path, ask: Ask, now: datetime, *, max_files: int = MAX_FILES) -> Adoption:
    """Return the proposal for a folder, with the result of reading the folder with it. Nothing is written.

    An existing config is kept, and gets only the settings that it lacks. Dates of publication are compared with `now`,
    which has a time zone. Raises ContentError if the existing config has errors, and Refused if the folder has no
    content.
    """
    adopter = _Adopter(folder, ask, now, list_files(folder, max_files))
    adopter.add_site()
    adopter.add_collections()
    adopter.add_locales()
    adopter.add_keys()
    return adopter.try_proposal()


@dataclass
class _Adopter:
    """The state of one proposal; its steps are called in the order in which they are listed."""

    folder: Path
    ask: Ask
    now: datetime
    tree: RepositoryTree
    site: Site = field(init=False)
    config: bytes = field(init=False)  # with the settings that were added so far
    settings: list[ProposedSetting] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    layouts: list[LanguageLayout] = field(default_factory=list)  # of the collections that are new in the config
    assets: AssetChoice = field(init=False)
    hidden: Mapping[str, Hidden] = field(init=False)  # the files that the generator does not publish, by their path
    hidden_values: Mapping[str, Mapping[str, Any]] = field(init=False)  # their front matter

    def __post_init__(self) -> None:
        self.before = config_bytes(self.folder)
        self.config = self.before or b""
        self.site = recognise(self.folder, self.tree)
        rules = rules_of(self.site.generator)
        with ContentRoot(self.folder) as root:
            files = SiteFiles(self.site, self.tree, root, self.now)
            if reason := rules.refusal(files):
                message = f"{self.folder} is a site of {self.site.generator}, which cannot be adopted: {reason}"
                raise Refused(message, "write the texts as Markdown files with front matter, then run adopt again")
            self.hidden = {hidden.path: hidden for hidden in rules.hidden(files)}
            self.hidden_values = {path: files.front_matter(path) for path in self.hidden}
            self.notes += rules.notes(files)

    def add_site(self) -> None:
        """Add the name and the time zone of the site."""
        self._add_to_config(propose_site(self.site, default_site_name(self.folder)))

    def add_collections(self) -> None:
        """Add the paths of each kind without files at its path in the config, and what each collection leaves out."""
        config = self._config_so_far()
        formats = find_formats(self.folder, self.tree.files)
        taken = {kind: config.paths(kind) for kind in Kind if self._exists(kind, config)}
        # Samples of tables are read with these formats. `propose_formats` adds those that the listings need below.
        config_for_samples = replace(config, content=with_formats(config, formats))
        choice = choose_collections(self.folder, self.tree, self.site, config_for_samples, taken, self.ask, self.hidden)
        self.notes += choice.notes
        if not choice.collections and not taken:
            hint = "name a folder with Markdown files, tables or lists; contentsync init makes a new content folder"
            unread = largest_unread_list(self.folder, self.tree, config_for_samples) or next(iter(choice.notes), "")
            reason = f": {unread}" if unread else ""
            raise Refused(f"{self.folder} has no files that look like content{reason}", self.tree.limit_note or hint)
        self.layouts = [layout for chosen in choice.collections.values() for layout in chosen.layouts]
        if any(layout.languages for layout in self.layouts):  # a path with {locale} needs the languages
            self._add_to_config(propose_locales(self.site, files=(), layouts=self.layouts))
        for kind, chosen in choice.collections.items():
            self._add_to_config(propose_layouts(kind, chosen.layouts))
            table = content_table(kind)
            self._add_to_config(ProposedSetting(table, "include", name, is_item=True) for name in chosen.include)
        self._add_to_config(propose_formats(self._config_so_far(), self._tables(), formats, self.ask))
        config = self._config_so_far()
        scanned = scan(self.folder, config)
        if not config.content[Kind.LISTING].item_path:
            with ContentRoot(self.folder) as root:
                sampler = Sampler(config, root)
                lists = (file for file in scanned.files if file.kind is Kind.LISTING)
                self._add_to_config(propose_items(filter(None, map(sampler.only_mapping, lists))))
        chosen_lists = choice.collections[Kind.LISTING].lists if Kind.LISTING in choice.collections else frozenset()
        self._add_to_config(propose_excludes(config, scanned, self.hidden, chosen_lists))
        self.notes += exclude_notes(scanned, self.hidden, self.site.generator)
        self.notes += spreadsheet_notes(scanned)

    def add_locales(self) -> None:
        """Add the languages of the site, also those of translated files."""
        self._add_to_config(propose_locales(self.site, scan(self.folder, self._config_so_far()).files, self.layouts))

    def add_keys(self) -> None:
        """Add what depends on the keys and texts of all entries: pictures, names of keys, syntax, and new files.

        The new files are those of the custom fields, categories and tags that are used.
        """
        config = self._config_so_far()
        files, nested_keys = scan(self.folder, config).files, rules_of(self.site.generator).nested_keys
        self._add_to_config(propose_nested_keys(self.folder, config, files, nested_keys))
        config = self._config_so_far()
        surveys = survey_keys(self.folder, config, scan(self.folder, config).files, self.now)
        surveys = {kind: survey for kind, survey in surveys.items() if kind not in _NOT_SURVEYED}
        for path, values in self.hidden_values.items():
            for kind in config.kinds_at(path) & surveys.keys():
                count_excluded(surveys[kind], values)
        self.assets = choose_asset_folder(self.tree, self.site, config, surveys, self.ask)
        self._add_to_config(propose_assets(self.assets, config))
        self._add_to_config(propose_addresses(self.site, config, surveys))
        self._add_to_config(propose_pairing(config, surveys))
        bodies = [body for survey in surveys.values() for body in survey.bodies]
        self._add_to_config(propose_replacements(self.site, bodies, config.replacements))
        config = self._config_so_far()  # with the settings added above
        path, *_ = config.paths(Kind.CUSTOM_FIELD)
        declared = declared_fields(self.folder, config)
        pictures = self.assets.keys
        may_declare = not self._exists(Kind.CUSTOM_FIELD, config)
        proposals = _propose_all(surveys, config, declared, pictures, may_declare=may_declare)
        definitions = merged_definitions(chain.from_iterable(proposal.definitions for proposal in proposals.values()))
        if definitions and not self._confirm_custom_fields(definitions, path):
            proposals = _propose_all(surveys, config, declared, pictures, may_declare=False)
            definitions = []
        if definitions:
            heading = "Custom fields, with the types of the values that entries have."
            self.files[path] = list_file(definitions, heading)
        for proposal in proposals.values():
            self.notes += proposal.notes
            self._add_to_config(proposal.settings)
        if Kind.LISTING in proposals:
            survey = surveys[Kind.LISTING]
            fields = proposals[Kind.LISTING].fields
            self._add_to_config(propose_separator(config, self._tables(), survey, fields, self.ask))
            self._add_vocabulary(survey, proposals[Kind.LISTING])

    def try_proposal(self) -> Adoption:
        """Read the folder with the proposal; for a few rounds, add settings that solve problems, and read it again."""
        trial = self._try()
        problems, config = trial.report.problems, trial.config
        extra = [*propose_asset_base(self.site, problems, self.assets, self.ask)]
        extra += propose_slugs(self.folder, config, scan(self.folder, config).files, problems, self.ask)
        files, definitions = scan(self.folder, config).files, trial.definitions
        extra += propose_listing_slug(self.folder, config, files, problems, definitions[Kind.LISTING], self.ask)
        extra += propose_url_schemes(self.folder, config, files, problems, definitions)
        extra += propose_separate_entries(trial.orphans, self.ask)
        for _ in range(_ROUNDS):
            solvable = (problem for problem in trial.report.problems if problem.code != "unknown-key")
            extra += [proposed_setting(*solving) for solving in solving_settings(solvable).most_common()]
            if not self._add_to_config(extra):
                break
            extra = []
            trial = self._try()
        if trial.config.assets is None:
            self.notes += unnamed_pictures_note(self.tree)
        return Adoption(
            self.folder, self.site, self.before, self.config, tuple(self.settings),
            self.files, tuple(self.notes), trial, self._unread(), self.tree.limit_note,
        )  # fmt: skip

    def _unread(self) -> tuple[UnreadDocument, ...]:
        config = self._config_so_far()
        read = {file.path for file in scan(self.folder, config).files}
        with ContentRoot(self.folder) as root:
            files = SiteFiles(self.site, self.tree, root, self.now)
            return tuple(unread_documents(files, config, read, self.hidden))

    def _confirm_custom_fields(self, definitions: Sequence[Mapping[str, Any]], path: str) -> bool:
        names = join_first([definition["name"] for definition in definitions], 4)
        return confirm(self.ask, f"Declare {names} as custom fields, in {path}?")

    def _add_vocabulary(self, survey: Survey, proposal: KeyProposals) -> None:
        """Add a file of the categories and one of the tags that listings use, unless the folder has one."""
        config = self._config_so_far()
        formats = [config.content[Kind.LISTING].table_format(path) for path in self._tables()]
        separators = {table.list_separator for table in formats} or {LIST_SEPARATOR}
        for kind, names in used_names(survey, proposal.fields, "".join(separators)).items():
            entries = vocabulary_entries(names)
            if entries and not self._exists(kind, config):
                heading = f"The {kind.plural} that listings use."
                path, *_ = config.paths(kind)
                self.files[path] = list_file(entries, heading)

    def _tables(self) -> list[str]:
        """Return the paths of the tables of listings."""
        files = scan(self.folder, self._config_so_far()).files
        return [file.path for file in files if file.kind is Kind.LISTING and file.suffix in TABLE_SUFFIXES]

    def _exists(self, kind: Kind, config: Config) -> bool:
        return any(os.path.lexists(self.folder / path) for path in config.paths(kind))

    def _config_so_far(self) -> Config:
        """Return the config with all settings that were added so far. Raise ContentError if it has errors."""
        config, problems = read_config(self.folder, self.config)
        if any(problem.is_error for problem in problems):
            raise ContentError(problems, self.folder)
        return config

    def _add_to_config(self, settings: Iterable[ProposedSetting]) -> bool:
        """Add settings to the config; return False if it had all of them."""
        self.config, added = merged_config(self.config, settings)
        self.settings += added
        return bool(added)

    def _try(self) -> Trial:
        return try_files(self.folder, {CONFIG: self.config, **self.files})


def _propose_all(
    surveys: Mapping[Kind, Survey],
    config: Config,
    declared: Mapping[Kind, Collection[str]],
    pictures: Mapping[Kind, Collection[str]],
    *,
    may_declare: bool,
) -> dict[Kind, KeyProposals]:
    """Return the proposals for the keys of each kind; `declared` are its custom fields, `pictures` keys of files."""
    return {
        kind: propose_keys(
            survey, config.content[kind], declared.get(kind, ()), pictures=pictures.get(kind, ()),
            may_declare=may_declare,
        )
        for kind, survey in surveys.items()
    }  # fmt: skip


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


def declared_fields(folder: Path, config: Config) -> Mapping[Kind, frozenset[str]]:
    """Return the names of the custom fields that the folder declares for each kind, also of those with errors."""
    reader = EntryReader(config)
    with ContentRoot(folder) as root:
        files = [file for file in scan(folder, config).files if file.kind is Kind.CUSTOM_FIELD]
        for file in files:
            reader.declare_custom_fields(reader.read_drafts(Unit(file.kind, (file,)), root, ReadLog()))
    return {kind: frozenset(reader.definitions[kind].keys() | reader.broken_fields[kind]) for kind in FIELDABLE}
