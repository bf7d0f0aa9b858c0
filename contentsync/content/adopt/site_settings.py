"""Propose the settings of the site: its name, time zone and languages, and where its pictures are served."""

from collections import Counter, defaultdict
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
    name, timezone = site.title or default_name, site.text("timezone", "timeZone")
    # A site without a name is not valid.
    for key, settings in (("name", {"name": name}), ("timezone", {"name": default_name, "timezone": timezone})):
        try:
            SiteSettings.model_validate(settings)
        except ValidationError:
            continue
        yield ProposedSetting("site", key, settings[key])


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
    counts = _translated_files(files)
    default = site.language or next(iter([*site.languages, *in_folders]), "en")
    with_files = [locale for locale in site.languages if counts[locale]]
    if not with_files:
        with_files = [locale for locale, count in counts.items() if count >= _MIN_TRANSLATIONS]
    return [default, *sorted({*with_files, *in_folders} - {default})]


def _translated_files(files: Iterable[ContentFile]) -> Counter[str]:
    """Return the number of files of each language: of `about.fr.md`, if it is beside `about.md` or `about.de.md`."""
    locales_by_base: dict[str, list[str]] = defaultdict(list)
    for file in files:
        base = file.path.removesuffix(file.suffix)
        stem, _, ending = base.rpartition(".")
        if ending in LANGUAGES:
            locales_by_base[stem].append(ending)
        else:
            locales_by_base[base].append("")
    counts: Counter[str] = Counter()
    for locales in locales_by_base.values():
        if len(locales) > 1:
            counts.update(filter(None, locales))
    return counts


def propose_asset_base(
    site: Site, problems: Iterable[Problem], ask: Ask, pictures: int = 0
) -> Iterator[ProposedSetting]:
    """Yield the address of the repository's files, if texts link to them and the generator copies them unchanged.

    `pictures` is the number of paths of pictures that start at the repository's top folder.
    """
    links = sum(problem.code == "relative-link" for problem in problems) + pictures
    if not links or not site.address or site.generator not in (Generator.JEKYLL, Generator.PLAIN):
        return
    text = f"Texts link to {pluralize(links, 'file')} of this folder. Are its files served below {site.address}?"
    if confirm(ask, text):
        yield ProposedSetting("site", "asset_base_url", site.address)


def picture_note(tree: FileTree) -> Iterator[str]:
    """Yield a sentence that names the folder with the most pictures; nothing if no folder has any."""
    pictures = [file for file in tree.files if suffix_of(file) in PICTURE_TYPES and "/" in file]
    folders = Counter("/".join(file.split("/")[:-1][:2]) for file in pictures)  # the outer two folders
    for folder, count in folders.most_common(1):
        where = f"{folder} ({count:,} of {len(pictures):,})"
        yield f"pictures are in {where}, and no text or key names one by its path: [assets] would read them as files"
