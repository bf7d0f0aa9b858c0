"""Find the folders of languages: above the files of a collection, such as `fr/_posts`, or below, such as `posts/fr`."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ...errors import pluralize
from ...model import RECORDS, Kind
from ..collection_layout import LOCALE
from ..collection_settings import TranslatedSettings
from ..config import Config
from ..scan import DOCUMENT_SUFFIXES
from ..unknown_keys import content_table
from .config_merge import ProposedSetting
from .key_survey import Survey
from .questions import Ask, confirm
from .recognise import LANGUAGES, Site, language_folders
from .repository_files import FileTree
from .samples import normalized_key

_PAIRING_KEYS = frozenset({"translationkey", "translationid", "langref", "pageid", "ref", "i18nkey"})


class LanguageLayout(NamedTuple):
    """The path of a collection, perhaps with `{locale}`, whether languages have folders below it, and the languages.

    The languages are those with folders, the default one first; () without folders.
    """

    path: str
    is_below: bool = False
    languages: tuple[str, ...] = ()

    @property
    def roots(self) -> tuple[str, ...]:
        """The paths at which the collection has files."""
        if LOCALE not in self.path:
            return (self.path,)
        shared = "/".join(part for part in self.path.split("/") if part != LOCALE)
        return tuple(filter(None, (*(self.path.replace(LOCALE, language) for language in self.languages), shared)))


def find_layout(path: str, tree: FileTree, site: Site) -> LanguageLayout:
    """Return the layout of a collection at a path, which may be that of one language."""
    parts = path.split("/")
    for number, part in enumerate(parts):
        languages = language_folders(tree, "/".join(parts[:number])) if part in LANGUAGES else []
        pattern = "/".join([*parts[:number], LOCALE, *parts[number + 1 :]])
        found = [language for language in languages if _has_documents(pattern.replace(LOCALE, language), tree)]
        if len(found) > 1:
            return LanguageLayout(pattern, languages=_default_first(found, site))
    below = [name for name in tree.folders_in(path) if name in LANGUAGES and _has_documents(f"{path}/{name}", tree)]
    if len(below) > 1 or {*below} & {*site.languages}:
        return LanguageLayout(path, is_below=True, languages=_default_first(below, site, has_own=False))
    default = site.language or "en"
    for number in range(len(parts)):
        pattern = "/".join([*parts[:number], LOCALE, *parts[number:]])
        names = [name for name in tree.folders_in("/".join(parts[:number])) if name in LANGUAGES]
        found = [name for name in names if _has_documents(pattern.replace(LOCALE, name), tree)]
        if found and default not in found:
            return LanguageLayout(pattern, languages=(default, *found))
    return LanguageLayout(path)


def _default_first(languages: list[str], site: Site, *, has_own: bool = True) -> tuple[str, ...]:
    """Return the languages with the default one first; unless it `has_own` files, they may be in no folder."""
    default = site.language or "en"
    if default not in languages and has_own:
        default = languages[0]
    return (default, *(language for language in languages if language != default))


def _has_documents(folder: str, tree: FileTree) -> bool:
    return any(file.lower().endswith(DOCUMENT_SUFFIXES) for file in tree.files_in(folder))


def propose_layouts(layouts: Mapping[Kind, LanguageLayout]) -> Iterator[ProposedSetting]:
    """Yield the paths of collections, and the settings for folders of languages."""
    for kind, layout in layouts.items():
        table = content_table(kind)
        yield ProposedSetting(table, "path", layout.path)
        if layout.is_below:
            yield ProposedSetting(table, "locales", "folder")
        if layout.languages and not RECORDS[kind].translated:
            yield from _separate_entries(kind)


def propose_pairing(config: Config, surveys: Mapping[Kind, Survey]) -> Iterator[ProposedSetting]:
    """Yield the key that the files of an entry share in all languages."""
    locales = config.site.locales
    for kind, survey in surveys.items() if len(locales) > 1 else ():
        collection = config.content[kind]
        if not isinstance(collection, TranslatedSettings) or collection.translation_key:
            continue
        for key, use in survey.keys.items():
            counts = use.values.values()
            if normalized_key(key) in _PAIRING_KEYS and 1 < max(counts, default=0) <= len(locales):
                yield ProposedSetting(content_table(kind), "translation_key", key, comment=pluralize(use.texts, "file"))
                break


def propose_separate_entries(orphans: Mapping[Kind, Iterable[str]], ask: Ask) -> Iterator[ProposedSetting]:
    """Yield the setting by which files of translations without an entry are entries of their own.

    `orphans` are the languages of these files.
    """
    for kind, languages in orphans.items():
        counts = Counter(languages)
        names = ", ".join(f"'{language}'" for language, _ in counts.most_common())
        text = (
            f"{pluralize(counts.total(), 'file')} in {names} translate no entry. Are they {kind.plural} of their own?"
        )
        if confirm(ask, text):
            yield from _separate_entries(kind)


def _separate_entries(kind: Kind) -> Iterator[ProposedSetting]:
    """Yield the settings by which translations are entries of their own, with slugs of their own if need be."""
    yield ProposedSetting(content_table(kind), "orphan_translations", "entry")
    if not RECORDS[kind].translated:  # the entry in the default language has the same file name
        yield ProposedSetting(content_table(kind), "slug", "{path}")
