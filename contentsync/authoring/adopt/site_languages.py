"""Find the languages of a site: by translated files, and by folders such as `fr/_posts` or `posts/fr`."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...content.config.collection_layout import LOCALE
from ...content.config.collection_settings import TranslatedSettings
from ...content.config.config import Config
from ...content.config.hiding_keys import normalized_key
from ...content.config.unknown_keys import content_table
from ...content.files.file_names import DOCUMENT_SUFFIXES
from ...content.folder.scan import ContentFile
from ...errors import pluralize
from ...model import RECORDS, Kind
from .generators.generated_site import Site
from .key_survey import Survey
from .language_codes import is_common, is_language, language_of
from .proposed_settings import Ask, ProposedSetting, confirm
from .repository_tree import RepositoryTree

_MIN_TRANSLATIONS = 2  # files of a language
_PAIRING_KEYS = frozenset({"translationkey", "translationid", "langref", "pageid", "ref", "i18nkey"})


class LanguageLayout(NamedTuple):
    """The path of a collection, and where the folders of languages are, if it has any.

    They are at `{locale}` in the path; or below the path, if `is_below` is True.
    """

    path: str
    is_below: bool = False
    languages: tuple[str, ...] = ()  # the default one first; () without folders of languages

    @property
    def roots(self) -> tuple[str, ...]:
        """The folders that may contain files of the collection."""
        if LOCALE not in self.path:
            return (self.path,)
        language_roots = [self.path.replace(LOCALE, language) for language in self.languages]
        without_language = "/".join(part for part in self.path.split("/") if part != LOCALE)
        return (*language_roots, without_language) if without_language else (*language_roots,)


def find_layout(path: str, tree: RepositoryTree, site: Site) -> LanguageLayout:
    """Return the layout of a collection at a path, which may be that of one language, such as `fr/_posts`."""
    parts = path.split("/")
    default = site.language or "en"
    # Each language has a folder above, such as en/posts and fr/posts.
    for index, part in enumerate(parts):
        if not is_language(part):
            continue
        languages = _languages_in("/".join(parts[:index]), tree)
        pattern = "/".join([*parts[:index], LOCALE, *parts[index + 1 :]])
        found = [language for language in languages if _has_documents(pattern.replace(LOCALE, language), tree)]
        if len(found) > 1:
            own = default_language(site, found) or default
            return LanguageLayout(pattern, languages=_with_first(own if own in found else found[0], found))
    # Languages have folders below, such as posts/fr. The files of the default language may be in posts itself. A single
    # folder counts only if the site lists its language.
    below = _languages_below(path, tree)
    if len(below) > 1 or any(is_listed(language, site) for language in below):
        own = default_language(site, below) or default
        return LanguageLayout(path, is_below=True, languages=_with_first(own, below))
    # Only the other languages have a folder above, such as fr/posts beside posts. If the default language has one too,
    # the language of the files in posts is unknown.
    for index in range(len(parts)):
        pattern = "/".join([*parts[:index], LOCALE, *parts[index:]])
        languages = _languages_in("/".join(parts[:index]), tree)
        found = [language for language in languages if _has_documents(pattern.replace(LOCALE, language), tree)]
        if found and default not in found:
            return LanguageLayout(pattern, languages=(default, *found))
    return LanguageLayout(path)


def default_language(site: Site, found: Sequence[str]) -> str:
    """Return the default language that the generator's config names, as `found` spells it; "" if it names none.

    Without a language of its region in `found`, it is that language, or the only one of `found` with another region.
    """
    for code in (site.language_tag, site.language):
        for name in found:
            if name.lower() == code.lower():
                return name
    alike = [name for name in found if name.partition("-")[0].lower() == site.language]
    return alike[0] if len(alike) == 1 else site.language


def is_listed(language: str, site: Site) -> bool:
    """Return whether the generator's config lists a language, perhaps without its region."""
    listed = {each.lower() for each in site.languages}
    return not {language.lower(), language.partition("-")[0].lower()}.isdisjoint(listed)


def language_folders(tree: RepositoryTree, base: str) -> list[str]:
    """Return the languages that have a folder of their own in a folder, such as `content/fr`; [] for fewer than two."""
    found = _languages_in(base, tree)
    return found if len(found) > 1 else []


def _languages_in(folder: str, tree: RepositoryTree) -> list[str]:
    """Return the names of the folders in a folder that are codes of languages; [] if all may mean something else."""
    found = [name for name in tree.folders_in(folder) if is_language(name)]
    return found if any(map(is_common, found)) else []


def _languages_below(path: str, tree: RepositoryTree) -> list[str]:
    """Return the languages, in their usual spelling, after which folders with documents are named, in any case."""
    folders = {name: language_of(name) for name in tree.folders_in(path)}
    found = [language for name, language in folders.items() if language and _has_documents(f"{path}/{name}", tree)]
    return found if any(map(is_common, filter(None, folders.values()))) else []


def _with_first(first: str, languages: list[str]) -> tuple[str, ...]:
    """Return the languages after `first`, which need not be one of them."""
    return (first, *(language for language in languages if language != first))


def _has_documents(folder: str, tree: RepositoryTree) -> bool:
    return any(file.lower().endswith(DOCUMENT_SUFFIXES) for file in tree.files_in(folder))


def propose_locales(
    site: Site, files: Iterable[ContentFile], layouts: Iterable[LanguageLayout] = ()
) -> Iterator[ProposedSetting]:
    """Yield the languages, unless English is the only one: those with folders, and those of translated files."""
    locales = _locales(site, files, [language for layout in layouts for language in layout.languages])
    if locales != ["en"]:
        yield from (ProposedSetting("site", "locales", locale, is_item=True) for locale in locales)


def _locales(site: Site, files: Iterable[ContentFile], in_folders: Sequence[str]) -> list[str]:
    """Return the languages of the site, the default one first.

    The others have folders (`in_folders`), or translated files such as `about.fr.md`. Of the latter, take those that
    the generator's config lists; if there are none, all with enough files.
    """
    found = [*site.languages, *in_folders]
    default = default_language(site, found) or next(iter(found), "en")
    counts = _translated_files(files, default)
    with_files = [locale for locale in counts if is_listed(locale, site)]
    if not with_files:
        with_files = [locale for locale, count in counts.items() if count >= _MIN_TRANSLATIONS]
    # Of two spellings, that of a folder counts: at `{locale}` in a path, it must be the same.
    others = {locale.lower(): locale for locale in (*with_files, *in_folders)}
    return [default, *sorted(locale for key, locale in others.items() if key != default.lower())]


def _translated_files(files: Iterable[ContentFile], default: str) -> Counter[str]:
    """Return the number of files of each language: of `about.fr.md`, if it is beside `about.md`.

    With the default language `de`, it may also be beside `about.de.md`.
    """
    locales_by_base: dict[str, list[str]] = defaultdict(list)
    for file in files:
        base = file.path.removesuffix(file.suffix)
        stem, _, ending = base.rpartition(".")
        if language := language_of(ending):
            locales_by_base[stem].append(language)
        else:
            locales_by_base[base].append("")
    counts: Counter[str] = Counter()
    for locales in locales_by_base.values():
        if not {"", default}.isdisjoint(locales):
            counts.update(filter(None, locales))
    return counts


def propose_pairing(config: Config, surveys: Mapping[Kind, Survey]) -> Iterator[ProposedSetting]:
    """Yield, for each kind, the key whose value is equal in the files of one entry, unless the config has a key."""
    locales = config.site.locales
    if len(locales) == 1:
        return
    for kind, survey in surveys.items():
        collection = config.content[kind]
        if not isinstance(collection, TranslatedSettings) or collection.translation_key:
            continue
        for key, use in survey.keys.items():
            most_files = max(use.values.values(), default=0)  # with the same value
            if normalized_key(key) in _PAIRING_KEYS and 1 < most_files <= len(locales):
                comment = pluralize(use.texts, "file")  # each file has at most one text
                yield ProposedSetting(content_table(kind), "translation_key", key, comment=comment)
                break


def propose_separate_entries(orphans: Mapping[Kind, Iterable[str]], ask: Ask) -> Iterator[ProposedSetting]:
    """Yield the setting by which files in another language that translate no entry are entries of their own.

    `orphans` has the language of each such file.
    """
    for kind, languages in orphans.items():
        counts = Counter(languages)
        names = ", ".join(f"'{language}'" for language, _ in counts.most_common())
        text = (
            f"{pluralize(counts.total(), 'file')} in {names} translate no entry. Are they {kind.plural} of their own?"
        )
        if confirm(ask, text):
            yield from separate_entries(kind)


def separate_entries(kind: Kind) -> Iterator[ProposedSetting]:
    """Yield the settings by which files in other languages are entries of their own, with a slug of their own."""
    yield ProposedSetting(content_table(kind), "orphan_translations", "entry")
    if not RECORDS[kind].translated:  # the entry in the default language has the same file name
        yield ProposedSetting(content_table(kind), "slug", "{path}")
