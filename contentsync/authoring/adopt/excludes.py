"""Tell entries from other files by their names, propose what the collections leave out, explain what is not read."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from ...content.config.config import Config
from ...content.config.hiding_keys import normalized_key
from ...content.config.unknown_keys import UnknownKey, content_table
from ...content.files.file_names import DOCUMENT_SUFFIXES, SPREADSHEET_TYPES, suffix_of
from ...content.files.source_file import ContentRoot
from ...content.folder.entry_reader import EntryReader
from ...content.folder.scan import SUFFIXES, ContentFile, ScanResult
from ...content.folder.unit_results import ReadLog
from ...content.formats.draft import Draft
from ...content.formats.table_rows import TABLE_SUFFIXES
from ...errors import join_first, pluralize
from ...lazy_pattern import lazy_pattern
from ...model import Kind
from .generators.generator_rules import Hidden
from .language_codes import is_language
from .proposed_settings import ProposedSetting
from .repository_tree import RepositoryTree

LIST_SUFFIXES = tuple(suffix for suffix in SUFFIXES[Kind.LISTING] if suffix not in DOCUMENT_SUFFIXES)
# Folders of templates, and of files that test a program.
_PROGRAM_FOLDERS = """
    _drafts _layouts _includes _sass includes layouts partials templates themes archetypes test tests fixtures
"""
NEVER_CONTENT = frozenset(_PROGRAM_FOLDERS.split())

# Files that are settings of a site, or of the programs that make it.
_SETTINGS_FILES = lazy_pattern(
    r"(?:nav(?:igation|bar)?|menus?|authors?|settings|site|_?config|social|strings|i18n|ui[-_]text|locales?|theme|"
    r"metadata|sidebars?|footer|header|package(?:-lock)?|pnpm-.*|[jt]sconfig.*|docker-compose|mkdocs|hugo|"
    r".*\.config)\Z",
    re.IGNORECASE,
)
_REPOSITORY_FILES = lazy_pattern(
    r"(?:readme|changelog|contributing|licen[cs]e|security|code[_-]of[_-]conduct|support|governance|authors|todo)"
    r"(?:[._-].*)?\.(?:md|markdown)\Z",
    re.IGNORECASE,
)
_VOCABULARIES = frozenset({"categories", "category", "tags", "customfields"})  # names of lists of another kind
_MAX_LIST_DEPTH = 3  # folders

_GEOJSON = ".geojson"
_HAS_FEATURES = "is GeoJSON: write a list instead, in which each object has a name"
_SAMPLE = 24  # entries
_MIN_OBJECTS = 2  # in an object that may be a list


def is_entry(file: str) -> bool:
    """Return whether a file is Markdown or HTML, and is not about the repository, as `README.md` is at its top."""
    return file.lower().endswith(DOCUMENT_SUFFIXES) and not is_about_repository(file)


def is_about_repository(file: str) -> bool:
    """Return whether a file at the top of the repository has a name such as `README.md`; in a folder, it is content."""
    return "/" not in file and bool(_REPOSITORY_FILES.match(file))


def may_be_list(file: str) -> bool:
    """Return whether a file may contain listings, as its name and its folders show."""
    *folders, name = file.split("/")
    stem, dot, suffix = name.rpartition(".")
    if f"{dot}{suffix.lower()}" not in LIST_SUFFIXES or len(folders) > _MAX_LIST_DEPTH:
        return False
    if _SETTINGS_FILES.match(stem) or normalized_key(stem) in _VOCABULARIES:
        return False
    return NEVER_CONTENT.isdisjoint(folders)


def propose_excludes(
    config: Config, scanned: ScanResult, hidden: Mapping[str, Hidden], lists: Collection[str]
) -> Iterator[ProposedSetting]:
    """Yield patterns for the files that the scan of the folder found and that are not entries.

    `hidden` are the files that the generator does not publish, by their path. `lists` are the tables and lists that
    were chosen as listings; () if the config had listings before.
    """
    patterns: dict[Kind, Counter[str]] = defaultdict(Counter)  # how many files of a kind each pattern excludes
    for file in scanned.files:
        if pattern := _pattern(file, config, hidden.get(file.path)):
            patterns[file.kind][pattern] += 1
    for problem in scanned.problems:
        if problem.code == "ignored-file" and (kind := config.kind_at(problem.where.path)):
            patterns[kind][_suffix_pattern(problem.where.path)] += 1
    for file in scanned.files:
        if lists and file.kind is Kind.LISTING and file.suffix not in DOCUMENT_SUFFIXES and file.path not in lists:
            patterns[Kind.LISTING][_pattern_of_path(file.kind, file.path, config)] += 1
    for file in _translations_of_listings(scanned.files):
        patterns[Kind.LISTING][_pattern_of_path(file.kind, file.path, config)] += 1
    yield from _exclude_settings(patterns)


def _translations_of_listings(files: Iterable[ContentFile]) -> list[ContentFile]:
    """Return the listings in other languages, such as `club.fr.md` beside `club.md`: they would be listings too.

    A file without the other one, such as `socket.io.md`, is a listing.
    """
    documents = [file for file in files if file.kind is Kind.LISTING and file.suffix in DOCUMENT_SUFFIXES]
    bases = {file.path.removesuffix(file.suffix) for file in documents}
    found: list[ContentFile] = []
    for file in documents:
        base, _, ending = file.path.removesuffix(file.suffix).rpartition(".")
        if base in bases and is_language(ending):
            found.append(file)
    return found


def exclude_notes(scanned: ScanResult, hidden: Mapping[str, Hidden], generator: str) -> Iterator[str]:
    """Yield a sentence about the files that are excluded by their paths, because the pattern of others is unknown."""
    found = ((file, hidden[file.path]) for file in scanned.files if file.path in hidden)
    count = sum(not each.pattern and not _is_renamed(file, each) for file, each in found)
    if count:
        subject = f"{pluralize(count, 'file')} that {generator} does not publish {'is' if count == 1 else 'are'}"
        yield f"{subject} excluded by path: run adopt again if another file gets such a name or key"


def translation_notes(scanned: ScanResult) -> Iterator[str]:
    """Yield a sentence about the listings in other languages."""
    if count := len(_translations_of_listings(scanned.files)):
        verb = "is" if count == 1 else "are"
        files = pluralize(count, "file")
        yield f"{files} of listings in other languages {verb} excluded: only articles and organizers have translations"


def spreadsheet_notes(scanned: ScanResult) -> Iterator[str]:
    """Yield a sentence that names the spreadsheets of listings, whose rows are not read."""
    ignored = (problem.where.path for problem in scanned.problems if problem.code == "ignored-file")
    if paths := [path for path in ignored if suffix_of(path) in SPREADSHEET_TYPES]:
        yield f"not read: {join_first(paths, 3)}; save each as CSV in the spreadsheet program to read its rows"


def largest_unread_list(folder: Path, tree: RepositoryTree, config: Config) -> str:
    """Return a clause that names the largest table or list, and says why it is not read; "" without one.

    Call it if no file of the repository looks like content.
    """
    files = [file for file in tree.files if may_be_list(file) or file.lower().endswith(_GEOJSON)]
    if not files:
        return ""
    path = max(files, key=lambda file: (folder / file).lstat().st_size)
    return f"{path} {_reason(folder, path, config)}"


def _reason(folder: Path, path: str, config: Config) -> str:
    """Return the end of the clause about a file: why its entries are not read, such as "has no entries"."""
    if path.lower().endswith(_GEOJSON):
        return _HAS_FEATURES
    log = ReadLog()
    with ContentRoot(folder) as root:
        drafts = EntryReader(config).read_unvalidated(ContentFile.at(Kind.LISTING, path), root, log)
        entries = [*islice(drafts, _SAMPLE)]
    problem = next((problem for problem in log.problems if problem.is_error), None)
    if problem:
        line = f" in line {problem.where.line}" if problem.where.line else ""
        return f"has an error{line}: {problem.message}"
    return _reason_of_entries(entries, path)


def _reason_of_entries(entries: Sequence[Draft], path: str) -> str:
    """Return why a table or list without errors is no collection, by a sample of its entries."""
    if not entries:
        return "has no entries"
    values = entries[0].values
    if suffix_of(path) in TABLE_SUFFIXES and len(values) < 2:
        return "has only one column: add columns, such as name and url"
    if suffix_of(path) in TABLE_SUFFIXES:
        return f"has no column of names: its columns are {join_first([*values], 4)}"
    if len(entries) == 1:
        if values.get("type") == "FeatureCollection":
            return _HAS_FEATURES
        objects = sum(isinstance(value, dict) for value in values.values())
        if objects >= _MIN_OBJECTS and objects * 2 > len(values):
            return "is an object of objects: write a list instead, in which each object has a name"
    keys = join_first([*values], 4)
    return f"is not a list of three or more entries with a key such as name or title: its keys are {keys}"


def _exclude_settings(patterns: Mapping[Kind, Counter[str]]) -> Iterator[ProposedSetting]:
    """Yield the `exclude` settings, those for the most files first, each with the number of files as a comment."""
    for kind, counts in patterns.items():
        for pattern, count in counts.most_common():
            yield ProposedSetting(
                content_table(kind), "exclude", pattern, comment=pluralize(count, "file"), is_item=True
            )


def _pattern(file: ContentFile, config: Config, hidden: Hidden | None) -> str:
    """Return the pattern that excludes a file of a collection; "" if the file is an entry, or a key of it hides it."""
    layout, path = config.layout(file.kind), file.path
    if hidden is None or _is_renamed(file, hidden):
        if not is_about_repository(path):
            return ""
    elif hidden.pattern and hidden.pattern in layout.split(path)[1].split("/"):  # the name of the file or of a folder
        return hidden.pattern
    elif hidden.pattern and layout.split(hidden.pattern)[0] is not None:  # a folder in the collection
        path = hidden.pattern
    return _pattern_of_path(file.kind, path, config)


def _pattern_of_path(kind: Kind, path: str, config: Config) -> str:
    """Return the pattern that matches this file or folder of a collection, and not others of its name."""
    _, path_below = config.layout(kind).split(path)
    escaped = re.sub(r"[*?[]", r"[\g<0>]", path_below)
    return escaped if "/" in escaped else f"/{escaped}"  # with a slash, it is a path and not a name


def _is_renamed(file: ContentFile, hidden: Hidden) -> bool:
    """Return whether the key that hides a file is renamed to a field, so that the file is an unpublished entry."""
    return bool(UnknownKey(file.kind, hidden.key).intended_field)


def _suffix_pattern(path: str) -> str:
    name = path.rpartition("/")[2]
    return f"*{name[name.rfind('.') :]}" if "." in name else name
