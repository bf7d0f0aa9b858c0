"""Choose the folders and files of each kind: by the rules of the generator, by names, and by samples of the files."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import NamedTuple

from ...content.config.unknown_keys import content_table
from ...content.files.file_names import MARKDOWN_SUFFIXES, PICTURE_TYPES, is_below, path_in, shown_path, suffix_of
from ...content.files.source_file import ContentRoot
from ...errors import join_first, pluralize
from ...model import RECORDS, Kind
from .adopted_folder import AdoptedFolder
from .excludes import is_about_repository, is_entry
from .generators.generated_site import Site
from .list_groups import ListGroup, list_groups, paths_to
from .proposed_settings import Ask, ProposedSetting, Question, confirm
from .recognise import rules_of
from .repository_tree import RepositoryTree
from .samples import Sampler
from .site_languages import LanguageLayout, find_layout, is_listed, separate_entries
from .table_formats import Formats, with_formats
from .usual_folders import containers, document_folders

_DOCUMENT_KINDS = (Kind.ARTICLE, Kind.PAGE, Kind.LISTING, Kind.ORGANIZER)
_MAX_QUESTIONS = 2  # about the kind of a folder
_MAX_CHOICES = 8  # in a question
_TOP = "."  # the path of the repository itself


class Candidate(NamedTuple):
    """Files that may be a collection: a folder of documents, or tables and lists with common keys."""

    kind: Kind
    paths: tuple[str, ...]  # of the collection
    files: tuple[str, ...]  # with its entries
    entries: int
    is_certain: bool = True  # False: the kind is a guess, not what the name or the generator says
    is_declared: bool = False  # True: the config of the generator declares it, or the generator always reads it
    has_front_matter: bool = True  # most of its documents
    is_mostly_text: bool = True  # most files of the folder are documents, and not only such as `README.md`
    is_loose: bool = False  # True: only the documents directly in the folder

    @property
    def is_list(self) -> bool:
        """Whether its entries are in tables or lists."""
        return not is_entry(self.files[0])


class ChosenCollection(NamedTuple):
    """The place of a kind's entries."""

    layouts: tuple[LanguageLayout, ...]  # of each path
    include: tuple[str, ...] = ()  # names directly in the only path, if the others there are not read
    lists: frozenset[str] = frozenset()  # the tables and lists that contain the entries, if any do

    @property
    def roots(self) -> tuple[str, ...]:
        """The folders and files that are read as a whole."""
        if self.include:
            return tuple(path_in(self._folder, name) for name in self.include if "*" not in name)
        return tuple(root for layout in self.layouts for root in layout.roots)

    @property
    def _folder(self) -> str:
        path = self.layouts[0].path
        return "" if path == _TOP else path

    def has(self, file: str) -> bool:
        """Return whether a file is read."""
        if not self.include:
            return _is_in(file, self.roots)
        name = file[len(self._folder) :].lstrip("/").partition("/")[0]
        return is_below(file, self._folder) and any(fnmatchcase(name, pattern) for pattern in self.include)


@dataclass(frozen=True)
class _Place:
    """The files of a repository around a collection."""

    tree: RepositoryTree
    hidden: frozenset[str]  # files that the generator does not publish, which the config excludes
    others: Sequence[str]  # the paths of other chosen collections
    reserved: frozenset[str]  # paths that another kind has or may get: no two kinds have the same path
    is_taken: Callable[[str], bool]  # whether a collection of the config before contains a file

    def has_only(self, folder: str, files: Collection[str]) -> bool:
        """Return whether all published documents of a folder are among the files, or in another collection."""
        documents = (file for file in self.tree.files_in(folder) if is_entry(file) and file not in self.hidden)
        return all(file in files or _is_in(file, self.others) or self.is_taken(file) for file in documents)


def propose_collections(collections: Mapping[Kind, ChosenCollection]) -> Iterator[ProposedSetting]:
    """Yield the paths of each kind, what is read of them, and the settings for folders of languages."""
    for kind, (layouts, include, _lists) in collections.items():
        table = content_table(kind)
        paths = [layout.path for layout in layouts]
        yield ProposedSetting(table, "path", paths if len(paths) > 1 else paths[0])
        yield from (ProposedSetting(table, "include", name, is_item=True) for name in include)
        if any(layout.is_below for layout in layouts):
            yield ProposedSetting(table, "locales", "folder")
        if any(layout.languages for layout in layouts) and not RECORDS[kind].translated:
            yield from separate_entries(kind)


class CollectionChoice(NamedTuple):
    """The chosen collections by kind, and sentences about candidates that were not chosen."""

    collections: Mapping[Kind, ChosenCollection]
    notes: Sequence[str]


def choose_collections(
    adopted: AdoptedFolder, formats: Formats = MappingProxyType({}), hidden: Collection[str] = ()
) -> CollectionChoice:
    """Return the collections to add to the config. Samples of tables are read in these formats.

    Nothing is chosen for a kind that has files at its paths, and no file that it contains. `hidden` are the files that
    the generator does not publish: a folder with no others is not chosen.
    """
    tree, site, config, ask = adopted.tree, adopted.site, adopted.config, adopted.ask
    # Without a config, a folder such as `pages` is only one of those that the generator reads.
    free = (Kind.ARTICLE, Kind.PAGE) if site.generator and not adopted.before else ()
    taken = {kind: config.paths(kind) for kind in Kind if kind not in free and adopted.has_files_of(kind)}

    def is_taken(file: str) -> bool:
        return not config.kinds_at(file).isdisjoint(taken)

    with ContentRoot(adopted.folder) as files:
        sampler = Sampler(replace(config, content=with_formats(config, formats)), files)
        documents = [*_documents(sampler, tree, site, hidden)]
        groups = list_groups(sampler, tree)
    groups = [group for group in groups if not all(map(is_taken, group.files))]
    data = [group for group in groups if documents and not group.has_addresses and not group.has_table]
    documents = [each for each in documents if not all(map(is_taken, each.files))]
    found = [*documents, *_lists((group for group in groups if group not in data), tree)]
    candidates = [*_confirmed(found, ask)]
    chosen: dict[Kind, ChosenCollection] = {}
    notes = [*_notes_on_data(data)]
    roots: list[str] = []  # of the chosen collections
    for kind in (Kind.ARTICLE, Kind.LISTING, Kind.ORGANIZER, Kind.PAGE):
        of_kind = [each for each in candidates if each.kind is kind and _is_free(each, roots)]
        if kind in taken:
            notes += [_left_note(candidate, [*map(shown_path, taken[kind])]) for candidate in of_kind]
        elif of_kind:
            paths = [layout.path for collection in chosen.values() for layout in collection.layouts]
            reserved = {*paths, *(each.paths[0] for each in candidates if each.is_loose and each.kind is not kind)}
            place = _Place(tree, frozenset(hidden), tuple(roots), frozenset(reserved), is_taken)
            chosen[kind] = collection = _collection(kind, _joined(kind, of_kind, ask), place, site, ask)
            others = [root for each in chosen.values() for root in each.roots]
            left = [
                each for each in of_kind if not all(collection.has(file) or _is_in(file, others) for file in each.files)
            ]
            notes += [_left_note(each, [layout.path for layout in collection.layouts]) for each in left]
            roots += collection.roots
    return CollectionChoice(chosen, notes)


def _is_free(candidate: Candidate, roots: Sequence[str]) -> bool:
    """Return whether a candidate has files outside of the chosen collections, or is a declared one inside of them."""
    is_inside = _is_in(candidate.paths[0], roots) and candidate.paths[0] not in roots
    return not all(_is_in(file, roots) for file in candidate.files) or (candidate.is_declared and is_inside)


def _documents(sampler: Sampler, tree: RepositoryTree, site: Site, hidden: Collection[str]) -> Iterator[Candidate]:
    """Yield the folders of documents, each once, then the folders with pages beside other folders.

    Where neither the generator nor the name determines the kind, the documents do.
    """
    seen: set[str] = set()
    for folder, named_kind, is_declared in document_folders(tree, site):
        documents = tuple(file for file in tree.files_in(folder) if is_entry(file) and file not in hidden)
        if folder in seen or not documents:
            continue
        seen.add(folder)
        sample = sampler.documents(documents)
        if not sample.has_front_matter and not any(file.endswith(MARKDOWN_SUFFIXES) for file in documents):
            continue  # HTML without front matter is made by a program, or for one
        kind = named_kind if named_kind is not Kind.LISTING or sample.kind is Kind.LISTING else None
        yield Candidate(
            kind or sample.kind, (folder,), documents, len(documents),
            is_certain=kind is not None or sample.is_clear, is_declared=is_declared,
            has_front_matter=sample.has_front_matter, is_mostly_text=_is_mostly_text(tree.files_in(folder)),
        )  # fmt: skip
    top = [site.base] if rules_of(site.generator).has_top_pages else []
    for folder in dict.fromkeys((*top, *containers(site))):
        directly = [file for file in tree.files_in(folder) if file.rpartition("/")[0] == folder]
        pages = tuple(
            file for file in directly if file.endswith(MARKDOWN_SUFFIXES) and is_entry(file) and file not in hidden
        )
        if pages and folder not in seen:
            has_front_matter = sampler.documents(pages).has_front_matter
            yield Candidate(
                Kind.PAGE, (shown_path(folder),), pages, len(pages), has_front_matter=has_front_matter, is_loose=True
            )  # fmt: skip


def _lists(groups: Iterable[ListGroup], tree: RepositoryTree) -> Iterator[Candidate]:
    for group in groups:
        yield Candidate(Kind.LISTING, paths_to(group.files, tree), group.files, group.entries)


def _notes_on_data(groups: Iterable[ListGroup]) -> Iterator[str]:
    """Yield a sentence for each group of lists that is left out as data of the site."""
    for group in groups:
        where = f"{join_first(group.files, 2)} ({group.entries:,} entries)"
        yield f"{where} {'is' if len(group.files) == 1 else 'are'} not read: lists without addresses beside documents"


def _confirmed(candidates: Sequence[Candidate], ask: Ask) -> Iterator[Candidate]:
    """Yield the candidates, the one with the most entries first. Ask the user for the kind if it is a guess.

    Ask at most `_MAX_QUESTIONS` times. Groups of lists keep their order, the most probable one first.
    """
    asked = 0
    for candidate in sorted(candidates, key=lambda candidate: -candidate.entries * (not candidate.is_list)):
        if candidate.is_certain or asked == _MAX_QUESTIONS:
            yield candidate
            continue
        asked += 1
        text = f"What are the entries of {candidate.paths[0]} ({pluralize(len(candidate.files), 'file')})?"
        answer = ask(Question(text, tuple(kind.value for kind in _DOCUMENT_KINDS), candidate.kind.value))
        yield candidate._replace(kind=Kind(answer))


def _joined(kind: Kind, candidates: Sequence[Candidate], ask: Ask) -> list[Candidate]:
    """Return the candidates that make a kind: the best one, and the folders that surely hold the same kind.

    The best one is declared, if any is; else it has the most entries. Another folder is read with it if its documents
    have front matter; if those of the best one have none, if it contains texts, and not programs with a few texts.
    """
    documents = [each for each in candidates if not each.is_list]
    lists = [each for each in candidates if each.is_list][:1]
    best = max((*documents, *lists), key=lambda each: (each.is_declared, not each.is_loose, each.entries))
    if documents and lists:
        named = {join_first(each.paths, 2): each for each in (best, *documents, *lists)}
        choices = tuple(named)[:_MAX_CHOICES]
        best = named[ask(Question(f"Which of these contains the {kind.plural}?", choices, choices[0]))]
    if best.is_list:
        return [best]
    return [each for each in documents if each is best or each.is_declared or _is_sure(each, best)]


def _is_sure(candidate: Candidate, best: Candidate) -> bool:
    is_text = candidate.has_front_matter or (candidate.is_mostly_text and not best.has_front_matter)
    return is_text and (candidate.is_certain or candidate.entries > 1)


def _is_mostly_text(files: Sequence[str]) -> bool:
    names = [file.rpartition("/")[2] for file in files if suffix_of(file) not in PICTURE_TYPES]
    texts = [name for name in names if name.endswith(MARKDOWN_SUFFIXES) and not is_about_repository(name)]
    return len(texts) * 2 > len(names)


def _collection(kind: Kind, joined: Sequence[Candidate], place: _Place, site: Site, ask: Ask) -> ChosenCollection:
    """Return where the entries of a kind are."""
    files = frozenset(file for candidate in joined for file in candidate.files)
    if joined[0].is_list:
        return ChosenCollection(tuple(map(LanguageLayout, joined[0].paths)), lists=files)
    whole = [path for each in joined for path in each.paths if not each.is_loose or _is_whole(path, files, place)]
    layouts: dict[str, LanguageLayout] = {}
    for path in _parents(_without_inner(whole), files, place):
        if not any(_is_in(path, layout.roots) for layout in layouts.values()):
            layout = _confirmed_layout(kind, path, place.tree, site, ask)
            layouts[layout.path] = layout
    collections = [_around(each, _without_inner(whole), files, place) for each in joined if each.is_loose]
    collections.insert(0, _with_equal_names(ChosenCollection(tuple(layouts.values())), files, place))
    return max(collections, key=lambda collection: sum(map(collection.has, files)))


def _with_equal_names(collection: ChosenCollection, files: Collection[str], place: _Place) -> ChosenCollection:
    """Return the parent of folders that contain files of equal names: their paths in it can tell their slugs apart."""
    paths = [layout.path for layout in collection.layouts]
    parents = {path.rpartition("/")[0] for path in paths}
    names = {file[len(path) :] for path in paths for file in files if is_below(file, path)}
    has_languages = any(layout.languages for layout in collection.layouts)
    parent = shown_path(min(parents, default=""))
    if len(paths) < 2 or len(parents) > 1 or len(names) == len(files) or has_languages or parent in place.reserved:
        return collection
    return ChosenCollection((LanguageLayout(parent),), include=tuple(path.rpartition("/")[2] for path in paths))


def _is_whole(path: str, files: Collection[str], place: _Place) -> bool:
    """Return whether the documents directly in a folder are all that is in it."""
    return path != _TOP and not place.tree.folders_in(path) and place.has_only(path, files)


def _around(outer: Candidate, paths: Sequence[str], files: Collection[str], place: _Place) -> ChosenCollection:
    """Return the collection of the pages directly in a folder, with the folders in it that hold pages, too."""
    folder = "" if outer.paths[0] == _TOP else outer.paths[0]
    suffixes = sorted({f"*{suffix_of(file)}" for file in outer.files})
    inside = {path[len(folder) :].lstrip("/").partition("/")[0] for path in paths if is_below(path, folder)}
    clean = sorted(name for name in inside if place.has_only(path_in(folder, name), files))
    return ChosenCollection((LanguageLayout(outer.paths[0]),), include=(*suffixes, *clean))


def _parents(paths: Sequence[str], files: Collection[str], place: _Place) -> Sequence[str]:
    """Return the paths, and in place of several in one folder this folder, if it holds nothing else."""
    found = {*paths}
    folders = {"/".join(path.split("/")[:depth]) for path in paths for depth in range(1, path.count("/") + 1)}
    for folder in sorted(folders, key=len):
        inside = {path for path in found if is_below(path, folder)}
        if len(inside) > 1 and place.has_only(folder, files):
            found = (found - inside) | {folder}
    return sorted(found)


def _without_inner(paths: Collection[str]) -> list[str]:
    """Return the sorted paths that are in none of the others."""
    return sorted(path for path in {*paths} if not any(path != other and is_below(path, other) for other in paths))


def _confirmed_layout(kind: Kind, path: str, tree: RepositoryTree, site: Site, ask: Ask) -> LanguageLayout:
    """Return the layout of a collection; ask the user about folders of languages that the site does not list."""
    layout = find_layout(path, tree, site) if kind is not Kind.LISTING else LanguageLayout(path)
    others = layout.languages[1:]  # without the default language
    if all(is_listed(language, site) for language in others):
        return layout
    names = ", ".join(f"'{language}'" for language in others)
    is_confirmed = confirm(ask, f"Are the files in {names} translations of {layout.path}?")
    return layout if is_confirmed else LanguageLayout(path)


def _left_note(candidate: Candidate, paths: Sequence[str]) -> str:
    files = pluralize(len(candidate.files), "file")
    where = join_first(candidate.paths, 2)
    return f"{where} ({files}) is not read: {candidate.kind.plural} are read from {join_first(paths, 2)}"


def _is_in(file: str, paths: Iterable[str]) -> bool:
    return any(is_below(file, path) for path in paths)
