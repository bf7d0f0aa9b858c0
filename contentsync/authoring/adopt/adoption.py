"""Propose the config and the new files that make a repository a content folder, and try them."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Any

from ...content.config.config import Config
from ...content.files.content_folder import default_site_name
from ...content.files.source_file import ContentRoot
from ...content.files.validation_report import solving_settings
from ...content.formats.table_rows import LIST_SEPARATOR
from ...errors import Refused, join_first
from ...model import Kind
from .adopted_folder import AdoptedFolder, Trial
from .asset_folder import (
    AssetChoice,
    choose_asset_folder,
    propose_asset_base,
    propose_asset_folder_address,
    propose_assets,
    unnamed_pictures_note,
)
from .collection_choice import choose_collections, propose_collections
from .entry_addresses import propose_addresses
from .excludes import exclude_notes, largest_unread_list, propose_excludes, spreadsheet_notes, translation_notes
from .generators.generated_site import Site
from .generators.generator_rules import Hidden
from .key_settings import (
    KeyProposals,
    Undeclared,
    list_file,
    merged_definitions,
    propose_keys,
    used_names,
    vocabulary_entries,
)
from .key_survey import Survey, count_excluded, survey_keys
from .nested_items import propose_items
from .nested_keys import propose_nested_keys
from .proposed_settings import (
    Ask,
    ProposedSetting,
    confirm,
    proposed_setting,
)
from .recognise import propose_site, rules_of
from .repository_tree import MAX_FILES
from .samples import Sampler
from .site_languages import propose_locales, propose_pairing, propose_separate_entries
from .slug_choice import propose_slugs
from .syntax_choice import propose_replacements
from .table_formats import find_formats, propose_formats, propose_separator, with_formats
from .unread_documents import UnreadDocument, unread_documents
from .url_scheme_choice import propose_url_schemes

_SURVEYED = (Kind.ORGANIZER, Kind.LISTING, Kind.PAGE, Kind.ARTICLE)  # the files of other kinds are in our form already
_ROUNDS = 3  # a setting that solves a problem may reveal another problem


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
    adopted = AdoptedFolder(folder, ask, now, max_files)
    found = _hidden_files(adopted)
    hidden = {path: reason for path, (reason, _values) in found.items()}
    adopted.add(propose_site(adopted.site, default_site_name(folder)))
    _add_collections(adopted, hidden)
    adopted.add(propose_nested_keys(adopted))
    surveys = _surveys(adopted, {path: values for path, (_reason, values) in found.items()})
    assets = choose_asset_folder(adopted.tree, adopted.site, adopted.config, surveys, ask)
    adopted.add(propose_assets(assets, adopted.config))
    adopted.add(propose_addresses(adopted, surveys))
    adopted.add(propose_pairing(adopted.config, surveys))
    bodies = [body for survey in surveys.values() for body in survey.bodies]
    adopted.add(propose_replacements(adopted.site, bodies, adopted.config.replacements))
    _add_keys(adopted, surveys, assets.keys)
    trial = _solve_problems(adopted, assets)
    if trial.config.assets is None:
        adopted.notes += unnamed_pictures_note(adopted.tree)
    read = {file.path for file in adopted.scanned.files}
    with adopted.site_files() as files:
        unread = tuple(unread_documents(files, adopted.config, read, hidden))
    return Adoption(
        folder, adopted.site, adopted.before, adopted.config_bytes, tuple(adopted.settings),
        adopted.files, tuple(adopted.notes), trial, unread, adopted.tree.limit_note,
    )  # fmt: skip


def _hidden_files(adopted: AdoptedFolder) -> Mapping[str, tuple[Hidden, Mapping[str, Any]]]:
    """Return the files that the generator does not publish, by their path, each with its front matter.

    Add what the user must know of the generator's rules to the notes. Raise Refused if nothing of it can be read.
    """
    rules = rules_of(adopted.site.generator)
    with adopted.site_files() as files:
        if reason := rules.refusal(files):
            message = f"{adopted.folder} is a site of {adopted.site.generator}, which cannot be adopted: {reason}"
            raise Refused(message, "write the texts as Markdown files with front matter, then run adopt again")
        adopted.notes += rules.notes(files)
        return {hidden.path: (hidden, files.front_matter(hidden.path)) for hidden in rules.hidden(files)}


def _add_collections(adopted: AdoptedFolder, hidden: Mapping[str, Hidden]) -> None:
    """Add the paths of each kind without files at its path in the config, how they are read, and the languages."""
    folder, site = adopted.folder, adopted.site
    formats = find_formats(folder, adopted.tree.files)
    choice = choose_collections(adopted, formats, hidden)
    adopted.notes += choice.notes
    if not choice.collections and not any(map(adopted.has_files_of, Kind)):
        hint = "name a folder with Markdown files, tables or lists; contentsync init makes a new content folder"
        config_for_samples = replace(adopted.config, content=with_formats(adopted.config, formats))
        unread = largest_unread_list(folder, adopted.tree, config_for_samples) or next(iter(choice.notes), "")
        reason = f": {unread}" if unread else ""
        raise Refused(f"{folder} has no files that look like content{reason}", adopted.tree.limit_note or hint)
    layouts = [layout for chosen in choice.collections.values() for layout in chosen.layouts]
    if any(layout.languages for layout in layouts):  # a path with {locale} needs the languages
        adopted.add(propose_locales(site, files=(), layouts=layouts))
    adopted.add(propose_collections(choice.collections))
    adopted.add(propose_formats(adopted.config, adopted.tables(), formats, adopted.ask))
    if not adopted.config.content[Kind.LISTING].item_path:
        adopted.add(propose_items(_mappings(adopted)))
    chosen_lists = choice.collections[Kind.LISTING].lists if Kind.LISTING in choice.collections else frozenset()
    scanned = adopted.scanned
    adopted.notes += exclude_notes(scanned, hidden, site.generator)
    adopted.notes += translation_notes(scanned)
    adopted.notes += spreadsheet_notes(scanned)
    adopted.add(propose_excludes(adopted.config, scanned, hidden, chosen_lists))
    adopted.add(propose_locales(site, adopted.scanned.files, layouts))  # also those of translated files


def _mappings(adopted: AdoptedFolder) -> Iterator[Mapping[str, Any]]:
    """Yield the values of each list of listings that contains one mapping instead."""
    with ContentRoot(adopted.folder) as root:
        sampler = Sampler(adopted.config, root)
        lists = (file for file in adopted.scanned.files if file.kind is Kind.LISTING)
        yield from filter(None, map(sampler.only_mapping, lists))


def _surveys(adopted: AdoptedFolder, hidden_values: Mapping[str, Mapping[str, Any]]) -> dict[Kind, Survey]:
    """Return the keys of all entries by kind; those of the files that are left out count as uses that hide an entry."""
    surveys = survey_keys(adopted.config, adopted.drafts(*_SURVEYED), adopted.now)
    for path, values in hidden_values.items():
        for kind in adopted.config.kinds_at(path) & surveys.keys():
            count_excluded(surveys[kind], values)
    return surveys


def _add_keys(adopted: AdoptedFolder, surveys: Mapping[Kind, Survey], pictures: Mapping[Kind, Collection[str]]) -> None:
    """Add the names of keys, custom fields, categories and tags; `pictures` are the keys whose values are files."""
    config = adopted.config
    path, *_ = config.paths(Kind.CUSTOM_FIELD)
    declared = adopted.declared_fields()
    undeclared: Undeclared = "keep" if adopted.has_files_of(Kind.CUSTOM_FIELD) else "declare"
    proposals = _propose_all(surveys, config, declared, pictures, undeclared)
    definitions = merged_definitions(chain.from_iterable(found.definitions for found in proposals.values()))
    names = join_first([definition["name"] for definition in definitions], 4)
    if definitions and not confirm(adopted.ask, f"Declare {names} as custom fields, in {path}?"):
        proposals = _propose_all(surveys, config, declared, pictures, "ignore")
        definitions = []
    if definitions:
        heading = "Custom fields, with the types of the values that entries have."
        adopted.files[path] = list_file(definitions, heading)
    for found in proposals.values():
        adopted.notes += found.notes
        adopted.add(found.settings)
    if Kind.LISTING in proposals:
        survey, fields = surveys[Kind.LISTING], proposals[Kind.LISTING].fields
        adopted.add(propose_separator(config, adopted.tables(), survey, fields, adopted.ask))
        _add_vocabulary(adopted, survey, fields)


def _add_vocabulary(adopted: AdoptedFolder, survey: Survey, fields: Mapping[str, str]) -> None:
    """Add a file of the categories and one of the tags that listings use, unless the folder has one."""
    formats = [adopted.config.content[Kind.LISTING].table_format(path) for path in adopted.tables()]
    separators = {table.list_separator for table in formats} or {LIST_SEPARATOR}
    for kind, names in used_names(survey, fields, "".join(separators)).items():
        entries = vocabulary_entries(names)
        if entries and not adopted.has_files_of(kind):
            path, *_ = adopted.config.paths(kind)
            adopted.files[path] = list_file(entries, f"The {kind.plural} that listings use.")


def _solve_problems(adopted: AdoptedFolder, assets: AssetChoice) -> Trial:
    """Read the folder with the proposal; for a few rounds, add settings that solve problems, and read it again."""
    trial = adopted.try_out()
    settings = [*propose_asset_base(adopted.site, trial.report.problems, assets, adopted.ask)]
    settings += propose_asset_folder_address(adopted.site, adopted.config, assets, adopted.ask)
    settings += propose_slugs(adopted, trial)
    settings += propose_url_schemes(adopted, trial)
    settings += propose_separate_entries(trial.orphans, adopted.ask)
    for _ in range(_ROUNDS):
        solvable = (problem for problem in trial.report.problems if problem.code != "unknown-key")
        settings += [proposed_setting(*solving) for solving in solving_settings(solvable).most_common()]
        if not adopted.add(settings):
            break
        settings = []
        trial = adopted.try_out()
    return trial


def _propose_all(
    surveys: Mapping[Kind, Survey],
    config: Config,
    declared: Mapping[Kind, Collection[str]],
    pictures: Mapping[Kind, Collection[str]],
    undeclared: Undeclared,
) -> dict[Kind, KeyProposals]:
    """Return the proposals for the keys of each kind; `declared` are its custom fields, `pictures` keys of files."""
    return {
        kind: propose_keys(
            survey, config.content[kind], declared.get(kind, ()), pictures=pictures.get(kind, ()),
            undeclared=undeclared,
        )
        for kind, survey in surveys.items()
    }  # fmt: skip
