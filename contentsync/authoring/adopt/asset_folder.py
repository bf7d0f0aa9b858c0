"""Propose the folder of the pictures that texts and keys name by their paths, and its address (docs/content.md 13)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ...content.config.config import Config
from ...content.files.file_names import PICTURE_TYPES, suffix_of
from ...content.pictures.picture_fields import candidates
from ...errors import Problem, pluralize
from ...model import Kind
from .generators.generated_site import Site
from .key_survey import PictureUse, Survey
from .proposed_settings import Ask, ProposedSetting, Question, confirm
from .recognise import rules_of
from .repository_tree import RepositoryTree

_OTHERS = ("static", "public", "assets", "source", "src", "site", "")
_MAX_CHOICES = 4  # in a question, besides the best one
_MIN_SHARE = 0.5  # of the values of a key: so many are files, or the key is not read


class AssetChoice(NamedTuple):
    """The asset folder; None if no entry names a picture of the folder, and "" for the content folder itself."""

    folder: str | None
    keys: Mapping[Kind, frozenset[str]]  # by kind: keys whose values are mostly files
    pictures: int = 0  # that are named and exist


def choose_asset_folder(
    tree: RepositoryTree, site: Site, config: Config, surveys: Mapping[Kind, Survey], ask: Ask
) -> AssetChoice:
    """Return the config's folder of pictures; if it sets none, the folder at which most of the paths lead to files."""
    files = frozenset(tree.files)
    all_uses = [use for survey in surveys.values() for uses in survey.pictures.values() for use in uses]
    folder = config.assets.path if config.assets else _most_files(all_uses, _folders(tree, site), files, ask)
    if folder is None:
        return AssetChoice(folder=None, keys={})
    keys = {kind: frozenset(_keys_of_files(survey, folder, files)) for kind, survey in surveys.items()}
    return AssetChoice(folder, keys, _count(all_uses, folder, files))


def _keys_of_files(survey: Survey, folder: str, files: frozenset[str]) -> Iterator[str]:
    """Yield the keys of which many values are files, if the asset folder is `folder`."""
    for key, uses in survey.pictures.items():
        if key and _count(uses, folder, files) >= _MIN_SHARE * len(survey.keys[key].entries):  # "": those in texts
            yield key


def propose_assets(choice: AssetChoice, config: Config) -> Iterator[ProposedSetting]:
    """Yield the asset folder, unless the config has one."""
    if choice.folder is not None and config.assets is None:
        yield ProposedSetting("assets", "path", choice.folder) if choice.folder else ProposedSetting("assets")


def _folders(tree: RepositoryTree, site: Site) -> list[str]:
    """Return the folders that may be the asset folder, the most probable first."""
    rules = rules_of(site.generator)
    own = (*rules.asset_folders, site.text("input").strip("./"))
    names = (*rules.root_folders(site), *map(site.path, own), *_OTHERS)
    return [name for name in dict.fromkeys(names) if not name or tree.has_folder(name)]


def _most_files(uses: list[PictureUse], folders: list[str], files: frozenset[str], ask: Ask) -> str | None:
    """Return the folder in which most of the named pictures are; None if no folder has any of them.

    If paths with a slash at their start fit several folders, ask the user.
    """
    counts = Counter({folder: _count(uses, folder, files) for folder in folders})
    best = max(folders, key=counts.__getitem__)
    if not counts[best]:
        return None
    from_root = [use for use in uses if use.target.startswith("/")]
    others = [folder for folder in folders if folder != best and _count(from_root, folder, files)]
    if not others:
        return best
    example = from_root[0].target
    named = {folder or "this folder": folder for folder in (best, *others[:_MAX_CHOICES])}
    text = f"At which folder do the paths of pictures such as {example} start?"
    return named[ask(Question(text, tuple(named), best or "this folder"))]


def _count(uses: Iterable[PictureUse], folder: str, files: frozenset[str]) -> int:
    """Return how many of the named pictures exist if the asset folder is `folder`."""
    return sum(not files.isdisjoint(candidates(use.target, use.path, folder)) for use in uses)


def propose_asset_base(
    site: Site, problems: Iterable[Problem], assets: AssetChoice, ask: Ask
) -> Iterator[ProposedSetting]:
    """Yield the address of the repository's files, if texts link to them and the generator copies them unchanged."""
    links = sum(problem.code == "relative-link" for problem in problems)
    if assets.folder == "":  # the paths of pictures start at the top folder, so they are links to its files too
        links += assets.pictures
    if not links or not site.address or not rules_of(site.generator).serves_files_at_their_paths:
        return
    text = f"Texts link to {pluralize(links, 'file')} of this folder. Are its files served below {site.address}?"
    if confirm(ask, text):
        yield ProposedSetting("site", "asset_base_url", site.address)


def propose_asset_folder_address(
    site: Site, config: Config, assets: AssetChoice, ask: Ask
) -> Iterator[ProposedSetting]:
    """Yield the address of the asset folder, if the generator serves its files at the top of the site.

    `config` has the asset folder. If it says already where the files are, yield nothing.
    """
    rules = rules_of(site.generator)
    is_known = config.site.asset_base_url or config.publishes or config.assets is None or config.assets.base_url
    if is_known or not assets.pictures or assets.folder not in {*rules.root_folders(site)}:
        return
    address = rules.root_address(site)
    pictures = pluralize(assets.pictures, "picture")
    text = f"Texts and keys name {pictures}. Are the files of {assets.folder} served below {address}?"
    if address and confirm(ask, text):
        yield ProposedSetting("assets", "base_url", address)


def unnamed_pictures_note(tree: RepositoryTree) -> Iterator[str]:
    """Yield a sentence that names the folder with the most pictures; nothing if no folder has any.

    Call it only for a repository in which no entry names a picture by its path.
    """
    pictures = [file for file in tree.files if suffix_of(file) in PICTURE_TYPES and "/" in file]
    folders = Counter("/".join(file.split("/")[:-1][:2]) for file in pictures)  # the outer two folders
    for folder, count in folders.most_common(1):
        where = f"{folder} ({count:,} of {len(pictures):,})"
        yield f"pictures are in {where}, and no text or key names one by its path: [assets] would read them as files"
