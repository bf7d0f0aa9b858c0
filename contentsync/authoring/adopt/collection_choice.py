"""Choose the folder or file of each kind: by the rules of the generator, by names, and by a sample of the files."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from os.path import commonpath
from pathlib import Path
from typing import NamedTuple

from ...content.config.config import Config
from ...content.config.hiding_keys import normalized_key
from ...content.files.source_file import ContentRoot
from ...errors import pluralize
from ...model import Kind
from .excludes import LIST_SUFFIXES, NEVER_CONTENT, is_entry, may_be_list
from .generators.generated_site import Generator, Site
from .proposed_settings import Ask, Question, confirm
from .recognise import rules_of
from .repository_tree import RepositoryTree
from .samples import Sampler
from .site_languages import LanguageLayout, find_layout, language_folders

# Common names of folders, as `normalized_key` writes them, without the plural.
_ARTICLES = ("article", "post", "blog", "new", "journal", "writing", "essay", "story", "stories", "release")
_PAGES = ("page", "doc", "documentation", "guide", "handbook", "wiki", "note", "help")
_LISTINGS = ("listing", "tool", "project", "place", "resource", "directory", "company", "companies", "product", "app")
_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(_ARTICLES, Kind.ARTICLE),
    **dict.fromkeys(_PAGES, Kind.PAGE),
    **dict.fromkeys(_LISTINGS, Kind.LISTING),
    **dict.fromkeys(("organizer", "organiser"), Kind.ORGANIZER),
}
_DOCUMENT_KINDS = (Kind.ARTICLE, Kind.PAGE, Kind.LISTING, Kind.ORGANIZER)
_MAX_CHOICES = 8  # in a question
_MAX_QUESTIONS = 2  # about the kind of a folder
_MIN_LISTINGS = 3  # in a folder: fewer are probably settings
_CONTAINERS = ("content", "src/content", "src/posts", "src/pages", "source", "src", "site", "data")


class Candidate(NamedTuple):
    """A folder or file that may be a collection."""

    kind: Kind
    path: str
    files: tuple[str, ...]
    is_certain: bool = True  # False: the kind is a guess, not what the name or the generator says


class CollectionChoice(NamedTuple):
    """The chosen layouts by kind, and sentences about candidates that were not chosen."""

    layouts: Mapping[Kind, LanguageLayout]
    notes: Sequence[str]


Paths = Mapping[Kind, Sequence[str]]


def choose_collections(
    root: Path,
    tree: RepositoryTree,
    site: Site,
    config: Config,
    taken: Paths,
    ask: Ask,
    hidden: Collection[str] = (),
) -> CollectionChoice:
    """Return the collections to add to a config. Samples of tables are read in the formats that the config sets.

    `taken` are the paths of the kinds that the folder has already; nothing in these paths is chosen. `hidden`
    are the files that the generator does not publish: a folder with no others is not chosen.
    """
    taken_paths = [path for paths in taken.values() for path in paths]
    with ContentRoot(root) as files:
        sampler = Sampler(config, files)
        candidates = [
            candidate
            for candidate in (*_documents(sampler, tree, site, hidden), *_lists(sampler, tree))
            if not any(_overlaps(candidate.path, path) for path in taken_paths)
        ]
    candidates = [*_confirmed(candidates, ask)]
    layouts: dict[Kind, LanguageLayout] = {}
    notes: list[str] = []
    chosen_paths: list[str] = []
    for kind in (Kind.ARTICLE, Kind.LISTING, Kind.ORGANIZER, Kind.PAGE):
        of_kind = _with_files_outside([each for each in candidates if each.kind is kind], chosen_paths)
        if kind in taken:
            notes += [_left_note(candidate, taken[kind][0]) for candidate in of_kind]
        elif of_kind:
            parent = _common_parent(of_kind, tree)
            if parent and parent not in chosen_paths:
                layout = _confirmed_layout(kind, parent, tree, site, ask)
            else:
                layout = _layout_of_chosen(kind, of_kind, tree, site, ask)
                left = _with_files_outside(of_kind, layout.roots)
                notes += [_left_note(candidate, layout.path) for candidate in left]
            layouts[kind] = layout
            chosen_paths += layout.roots
    notes += _top_notes(tree, site, [*chosen_paths, *taken_paths])
    return CollectionChoice(layouts, notes)


def _layout_of_chosen(
    kind: Kind, candidates: Sequence[Candidate], tree: RepositoryTree, site: Site, ask: Ask
) -> LanguageLayout:
    """Return the layout of the candidate that becomes the collection of a kind: the best one, or the user's choice.

    The best one has the most files, of those whose kind is certain if there are any. The user chooses if others have
    files outside of the best one's layout, and may have answered a question about its languages before.
    """
    best = max(candidates, key=lambda candidate: (candidate.is_certain, len(candidate.files)))
    layout = _confirmed_layout(kind, best.path, tree, site, ask)
    others = _with_files_outside(candidates, layout.roots)
    answer = _ask_which(kind, [best, *others], best, ask) if others else best
    return layout if answer is best else _confirmed_layout(kind, answer.path, tree, site, ask)


def _confirmed_layout(kind: Kind, path: str, tree: RepositoryTree, site: Site, ask: Ask) -> LanguageLayout:
    """Return the layout of a collection; ask the user about folders of languages that the site does not list."""
    layout = find_layout(path, tree, site) if kind is not Kind.LISTING else LanguageLayout(path)
    others = layout.languages[1:]  # without the default language
    if {*others} <= {*site.languages}:
        return layout
    names = ", ".join(f"'{language}'" for language in others)
    is_confirmed = confirm(ask, f"Are the files in {names} translations of {layout.path}?")
    return layout if is_confirmed else LanguageLayout(path)


def _documents(sampler: Sampler, tree: RepositoryTree, site: Site, hidden: Collection[str]) -> Iterator[Candidate]:
    """Yield the folders of Markdown files, each once.

    Where the generator does not determine the kind, the name or the files of the folder do.
    """
    seen: set[str] = set()
    for folder, kind in _folders(tree, site):
        documents = tuple(file for file in tree.files_in(folder) if is_entry(file) and file not in hidden)
        if folder in seen or not documents:
            continue
        seen.add(folder)
        certain_kind = kind or _kind_of_name(folder)
        kind = certain_kind or sampler.kind_of_documents(documents)
        yield Candidate(kind, folder, documents, is_certain=certain_kind is not None)


def _folders(tree: RepositoryTree, site: Site) -> Iterator[tuple[str, Kind | None]]:
    """Yield the folders that the generator reads, each with its kind if the generator determines it.

    If there are posts, the folders that generators usually read are pages.
    """
    rules = rules_of(site.generator)
    has_posts = False
    for path, kind, has_sections in rules.sources(site, tree):
        base = _in_default_language(path, tree, site) if has_sections else path
        sections = _subfolders(base, tree) if has_sections else []
        yield from ((section, section_kind) for section in sections if (section_kind := _kind_of_name(section)))
        yield base, kind
        has_posts = has_posts or (kind is Kind.ARTICLE and tree.has_folder(base))
    if rules.reads_other_folders:
        # Jekyll's folders with `_` are collections only if the config says so.
        is_jekyll = site.generator is Generator.JEKYLL
        usual = _usual_folders(tree, site)
        others = (folder for folder in usual if not (is_jekyll and folder.rpartition("/")[2].startswith("_")))
        yield from ((folder, Kind.PAGE if has_posts else None) for folder in others)


def _usual_folders(tree: RepositoryTree, site: Site) -> Iterator[str]:
    """Yield the folders that usually contain collections, or are one, then the other folders of the repository.

    A container is a folder such as `content`. It is yielded itself if it is named as a kind, or has only files.
    """
    containers = _containers(site)
    for folder in containers:
        container = _in_default_language(folder, tree, site)
        if _kind_of_name(container):
            yield container
            continue
        sections = [section for section in _subfolders(container, tree) if section not in containers]
        yield from sections
        inside = (file for file in tree.files_in(container) if file.count("/") == container.count("/") + 1)
        if not sections and any(is_entry(file) for file in inside):
            yield container
    top_containers = {site.path(container.removeprefix(f"{site.base}/").partition("/")[0]) for container in containers}
    top = _in_default_language(site.base, tree, site)  # or the folder of the default language
    folders = _subfolders(top, tree) or ([top] if top else [])
    yield from (folder for folder in folders if folder not in top_containers)


def _containers(site: Site) -> list[str]:
    """Return the folders of the site that usually contain folders with content, the one that the config names first."""
    named = site.text("input").strip("./")
    return [site.path(name) for name in (*([named] if named else []), *_CONTAINERS)]


def _subfolders(folder: str, tree: RepositoryTree) -> list[str]:
    """Return the sorted paths of the folders directly in a folder, without those that never contain content."""
    prefix = f"{folder}/" if folder else ""
    inner_paths = (file.removeprefix(prefix) for file in tree.files_in(folder))
    names = {path.partition("/")[0] for path in inner_paths if "/" in path}
    return [f"{prefix}{name}" for name in sorted(names) if name not in NEVER_CONTENT]


def _lists(sampler: Sampler, tree: RepositoryTree) -> Iterator[Candidate]:
    """Yield the tables and lists of listings: the file if a folder has one of them, else the folder."""
    by_folder: dict[str, list[str]] = {}
    for file in filter(may_be_list, tree.files):
        by_folder.setdefault(file.rpartition("/")[0], []).append(file)
    for folder, paths in by_folder.items():
        counts = {path: count for path in paths if (count := sampler.count_listings(path))}
        lists = tuple(counts)
        if sum(counts.values()) < _MIN_LISTINGS:
            continue
        if folder and len(lists) > 1:
            yield Candidate(Kind.LISTING, folder, lists, is_certain=len(lists) == len(paths))
        else:
            yield from (Candidate(Kind.LISTING, path, (path,), is_certain=True) for path in lists)


def _kind_of_name(path: str) -> Kind | None:
    name = normalized_key(path.rpartition("/")[2])
    return _KINDS.get(name.removesuffix("s")) or _KINDS.get(name)


def _with_files_outside(candidates: Iterable[Candidate], paths: Collection[str]) -> list[Candidate]:
    """Return the candidates with a file that is in none of the paths."""

    return [candidate for candidate in candidates if not all(_is_in(file, paths) for file in candidate.files)]


def _overlaps(path: str, outer: str) -> bool:
    return path == outer or path.startswith(f"{outer}/")


def _common_parent(candidates: Sequence[Candidate], tree: RepositoryTree) -> str:
    """Return the folder that contains all candidates; "" if it is not one of them and has other documents."""
    if len(candidates) < 2:
        return ""
    parent = commonpath([candidate.path for candidate in candidates])
    if not parent or any(candidate.path == parent for candidate in candidates):
        return parent
    candidate_files = {file for candidate in candidates for file in candidate.files}
    has_others = any(is_entry(file) and file not in candidate_files for file in tree.files_in(parent))
    return "" if has_others else parent


def _confirmed(candidates: Sequence[Candidate], ask: Ask) -> Iterator[Candidate]:
    """Yield the candidates, the one with the most files first. Ask the user for the kind if it is a guess.

    Ask at most `_MAX_QUESTIONS` times. Do not ask for tables and lists, which are listings.
    """
    asked = 0
    for candidate in sorted(candidates, key=lambda candidate: -len(candidate.files)):
        is_list = candidate.kind is Kind.LISTING and all(file.endswith(LIST_SUFFIXES) for file in candidate.files)
        if candidate.is_certain or is_list or asked == _MAX_QUESTIONS:
            yield candidate
            continue
        asked += 1
        text = f"What are the entries of {candidate.path} ({pluralize(len(candidate.files), 'file')})?"
        answer = ask(Question(text, tuple(kind.value for kind in _DOCUMENT_KINDS), candidate.kind.value))
        yield candidate._replace(kind=Kind(answer))


def _ask_which(kind: Kind, candidates: Sequence[Candidate], best: Candidate, ask: Ask) -> Candidate:
    by_path = {candidate.path: candidate for candidate in (best, *candidates[:_MAX_CHOICES])}
    return by_path[ask(Question(f"Which of these contains the {kind.plural}?", tuple(by_path), best.path))]


def _left_note(candidate: Candidate, path: str) -> str:
    files = pluralize(len(candidate.files), "file")
    return f"{candidate.path} ({files}) is not read: {candidate.kind.plural} are read from {path}"


def _in_default_language(folder: str, tree: RepositoryTree, site: Site) -> str:
    """Return a folder, or the one of the default language in it, if its languages have folders of their own."""
    languages = language_folders(tree, folder)
    if not languages:
        return folder
    default = next((language for language in (site.language, "en") if language in languages), languages[0])
    return f"{folder}/{default}".lstrip("/")


def _top_notes(tree: RepositoryTree, site: Site, paths: Sequence[str]) -> Iterator[str]:
    """Yield a sentence about the unread Markdown files in the repository itself, and one for each container."""
    if site.generator is Generator.HUGO:  # all files of its content folder are read
        return
    top = [site.base] if rules_of(site.generator).has_top_pages else []
    for folder in dict.fromkeys((*top, *_containers(site))):
        outside = (file for file in tree.files_in(folder) if file.rpartition("/")[0] == folder)
        documents = [file for file in outside if is_entry(file) and not _is_in(file, paths)]
        if documents:
            count = len(documents)
            verb = "is" if count == 1 else "are"
            more = "" if count == 1 else f" and {count - 1:,} more"
            where = folder or "the top folder"
            yield f"{documents[0]}{more} {verb} not read: move pages from {where} into a folder of their own"


def _is_in(file: str, paths: Iterable[str]) -> bool:
    return any(_overlaps(file, path) for path in paths)
