"""Propose the settings of the site: its name, time zone and languages, and where its pictures are served."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from pydantic import ValidationError

from ...errors import Problem, pluralize
from ..config import SiteSettings
from ..file_names import PICTURE_TYPES, suffix_of
from ..scan import ContentFile
from .config_merge import ProposedSetting
from .language_layout import LanguageLayout
from .questions import Ask, confirm
from .recognise import LANGUAGES, Generator, Site
from .repository_files import FileTree

_MIN_TRANSLATIONS = 2  # files of a language


def propose_site(site: Site, default_name: str) -> Iterator[ProposedSetting]:
    """Yield the name and the time zone that the generator's config says, if they are allowed."""
    settings = {"name": site.title or default_name, "timezone": site.text("timezone", "timeZone")}
    for key, value in settings.items():
        try:
            SiteSettings.model_validate({"name": default_name, key: value})  # a site without a name is not valid
        except ValidationError:
            continue
        yield ProposedSetting("site", key, value)


def propose_locales(
    site: Site, files: Iterable[ContentFile], layouts: Iterable[LanguageLayout] = ()
) -> Iterator[ProposedSetting]:
    """Yield the languages, unless English is the only one: those with folders, and those of translated files."""
    locales = _locales(site, files, [language for layout in layouts for language in layout.languages])
    if locales != ["en"]:
        yield from (ProposedSetting("site", "locales", locale, is_item=True) for locale in locales)


def _locales(site: Site, files: Iterable[ContentFile], in_folders: Sequence[str]) -> list[str]:
    """Return the languages of the config, or those of translated files such as `about.fr.md`; the default first."""
    found = _translated_files(files)
    default = site.language or next(iter(site.languages), "") or next(iter(in_folders), "en")
    listed = [locale for locale in site.languages if found[locale]] if found else []
    others = {*(listed or [locale for locale, count in found.items() if count >= _MIN_TRANSLATIONS]), *in_folders}
    return [default, *sorted(others - {default})]


def _translated_files(files: Iterable[ContentFile]) -> Counter[str]:
    """Return the number of files of each language, of those that end with it and are beside a file of another."""
    bases: dict[str, list[str]] = {}
    for file in files:
        stem, _, ending = file.path.removesuffix(file.suffix).rpartition(".")
        is_language = ending in LANGUAGES
        base = stem if is_language else file.path.removesuffix(file.suffix)
        bases.setdefault(base, []).append(ending if is_language else "")
    return Counter(locale for locales in bases.values() if len(locales) > 1 for locale in locales if locale)


def propose_asset_base(
    site: Site, problems: Iterable[Problem], ask: Ask, pictures: int = 0
) -> Iterator[ProposedSetting]:
    """Yield the address of the repository's files, if texts link to them and the generator copies them unchanged.

    `pictures` is the number of links to pictures that are read as files, from the repository's top folder on.
    """
    links = sum(problem.code == "relative-link" for problem in problems) + pictures
    if not links or not site.address or site.generator not in (Generator.JEKYLL, Generator.PLAIN):
        return
    text = f"Texts link to {pluralize(links, 'file')} of this folder. Are its files served below {site.address}?"
    if confirm(ask, text):
        yield ProposedSetting("site", "asset_base_url", site.address)


def picture_note(tree: FileTree) -> Iterator[str]:
    """Yield a sentence that names the folder of the pictures."""
    pictures = [file for file in tree.files if suffix_of(file) in PICTURE_TYPES and "/" in file]
    folders = Counter("/".join(file.split("/")[: min(2, file.count("/"))]) for file in pictures)
    if folders:
        folder, count = folders.most_common(1)[0]
        where = f"{folder} ({count:,} of {len(pictures):,})"
        yield f"pictures are in {where}, and no text or key names one by its path: [assets] would read them as files"
