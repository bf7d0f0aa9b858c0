"""Name the folders of a repository that may be collections of documents: by the generator, and by usual names."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...content.config.hiding_keys import normalized_key
from ...model import Kind
from .excludes import NEVER_CONTENT, is_entry
from .generators.generated_site import Generator, Site
from .recognise import rules_of
from .repository_tree import RepositoryTree
from .site_languages import default_language, language_folders

# Common names of folders, as `normalized_key` writes them, without the plural.
_ARTICLES = ("article", "post", "blog", "new", "journal", "writing", "essay", "story", "stories", "release")
_PAGES = ("page", "doc", "documentation", "guide", "handbook", "wiki", "help")
_LISTINGS = ("listing", "tool", "project", "place", "resource", "directory", "company", "companies", "product", "app")
_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(_ARTICLES, Kind.ARTICLE),
    **dict.fromkeys(_PAGES, Kind.PAGE),
    **dict.fromkeys(_LISTINGS, Kind.LISTING),
    **dict.fromkeys(("organizer", "organiser"), Kind.ORGANIZER),
}
_CONTAINERS = ("content", "src/content", "src/posts", "src/pages", "source", "src", "site", "data")
_MIN_SECTION = 3  # files of a folder in a folder of pages: with fewer, and an unusual name, they are pages too


class DocumentFolder(NamedTuple):
    """A folder that may contain documents."""

    path: str
    kind: Kind | None  # None: only its documents can show it
    is_declared: bool = False  # True: the generator reads it, or its config declares it


def document_folders(tree: RepositoryTree, site: Site) -> Iterator[DocumentFolder]:
    """Yield the folders that the generator reads, then those that usually contain documents; some twice.

    If there are posts, the folders that generators usually read are pages.
    """
    rules = rules_of(site.generator)
    has_posts = False
    for path, kind, has_sections in rules.sources(site, tree):
        base = _in_default_language(path, tree, site) if has_sections else path
        if has_sections:
            sections = (DocumentFolder(section, kind_of_name(section)) for section in _subfolders(base, tree))
            yield from (each for each in sections if each.kind or len(tree.files_in(each.path)) >= _MIN_SECTION)
        yield DocumentFolder(base, kind or kind_of_name(base), is_declared=True)
        has_posts = has_posts or (kind is Kind.ARTICLE and tree.has_folder(base))
    if rules.reads_other_folders:
        # Jekyll's folders with `_` are collections only if the config says so.
        is_jekyll = site.generator is Generator.JEKYLL
        usual = (folder for folder in _usual_folders(tree, site) if not (is_jekyll and _name(folder).startswith("_")))
        yield from (DocumentFolder(folder, Kind.PAGE if has_posts else kind_of_name(folder)) for folder in usual)


def kind_of_name(path: str) -> Kind | None:
    """Return the kind of the entries that a folder of such a name usually contains; None for another name."""
    name = normalized_key(_name(path))
    return _KINDS.get(name.removesuffix("s")) or _KINDS.get(name)


def containers(site: Site) -> list[str]:
    """Return the folders of the site that usually contain folders with content, the one that the config names first."""
    named = site.text("input").strip("./")
    return [site.path(name) for name in (*([named] if named else []), *_CONTAINERS)]


def _usual_folders(tree: RepositoryTree, site: Site) -> Iterator[str]:
    """Yield the folders that usually contain collections, or are one, then the other folders of the repository.

    A container is a folder such as `content`. It is yielded itself if it is named as a kind, or has only files.
    """
    usual = containers(site)
    for folder in usual:
        container = _in_default_language(folder, tree, site)
        if kind_of_name(container):
            yield container
            continue
        sections = [section for section in _subfolders(container, tree) if section not in usual]
        yield from sections
        if not sections and _has_documents(container, tree):
            yield container
    top_containers = {site.path(container.removeprefix(f"{site.base}/").partition("/")[0]) for container in usual}
    top = _in_default_language(site.base, tree, site)  # or the folder of the default language
    folders = _subfolders(top, tree) or ([top] if top else [])
    for folder in folders:
        if folder not in top_containers:
            sections = _subfolders(folder, tree)
            is_container = any(map(kind_of_name, sections)) and not kind_of_name(folder)
            yield from sections if is_container and not _has_documents(folder, tree) else [folder]


def _has_documents(folder: str, tree: RepositoryTree) -> bool:
    """Return whether there are documents directly in a folder."""
    return any(is_entry(file) and file.rpartition("/")[0] == folder for file in tree.files_in(folder))


def _in_default_language(folder: str, tree: RepositoryTree, site: Site) -> str:
    """Return a folder, or the one of the default language in it, if its languages have folders of their own."""
    languages = language_folders(tree, folder)
    if not languages:
        return folder
    default = next(
        (language for language in (default_language(site, languages), "en") if language in languages), languages[0]
    )
    return f"{folder}/{default}".lstrip("/")


def _subfolders(folder: str, tree: RepositoryTree) -> list[str]:
    """Return the sorted paths of the folders directly in a folder, without those that never contain content."""
    names = (name for name in tree.folders_in(folder) if name not in NEVER_CONTENT)
    return [f"{folder}/{name}" if folder else name for name in names]


def _name(path: str) -> str:
    return path.rpartition("/")[2]
