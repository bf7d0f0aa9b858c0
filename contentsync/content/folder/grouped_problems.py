"""Problems of many entries that a report combines into few, among them those of translations without an entry."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ...errors import Problem, Setting, Where, join_first
from ...model import RECORDS, Kind
from ..config.config import Config
from ..config.unknown_keys import content_table
from ..files.content_folder import CONFIG
from ..files.file_names import parse_file_name
from .scan import ContentFile
from .translations import MAX_PATHS_SHOWN, Unit, document_name, untranslatable_problem

MAX_FILES = 3  # with the same kind of syntax; more are reported together
_SKIP = Setting(content_table(Kind.ARTICLE), "skip_empty")
_EMPTY_HINT = f"write the text below the front matter, or set skip_empty = true under [{_SKIP.table}] in {CONFIG}"


class Orphan(NamedTuple):
    """A file in another language that translates no entry."""

    file: ContentFile
    locale: str
    original: str  # the path of the missing file
    new_name: str = ""  # the name that would make it the translation of an entry whose file name has a date


def find_orphans(files: Sequence[ContentFile], units: Iterable[Unit], config: Config) -> list[Orphan]:
    """Return the files in other languages that translate no entry. `files` are all files of the folder."""
    orphans = [file for unit in units if unit.is_orphaned for file in unit.files]
    if not orphans:
        return []
    layouts = config.layouts()
    roots = {layouts[file.kind].split(file.path)[0] for file in files if file.kind in layouts}
    all_names = {file: document_name(file, layouts) for file in files}
    names = {file: name for file, name in all_names.items() if name}
    # The entries whose file names have a date, by their names without it.
    dated = {(file.kind, name.undated): name for file, name in names.items() if name.date and not name.locale}
    result = []
    for file in orphans:
        name = names[file]
        dated_name = dated.get((file.kind, name.base))
        new_name = f"{dated_name.base.rpartition('/')[2]}.{name.locale}{file.suffix}" if dated_name else ""
        original = layouts[file.kind].original_path(file.path, roots)
        result.append(Orphan(file, name.locale or "", original, new_name))
    return result


class GroupedProblems:
    """Collects references that cannot be checked, articles without a text, template syntax, and orphan translations."""

    def __init__(self) -> None:
        self.orphans: list[Orphan] = []
        self._unchecked: dict[str, Problem] = {}  # by message; a table may contain many of one reference
        self._empty_articles: list[Problem] = []
        self._syntax: list[Problem] = []

    def add(self, problem: Problem) -> bool:
        """Add a problem of an entry and return True if reports combine such problems; otherwise return False."""
        if _is_empty_article(problem):
            self._empty_articles.append(problem)
        elif problem.code == "template-syntax":
            self._syntax.append(problem)
        elif problem.code == "unchecked-reference":
            first = self._unchecked.setdefault(problem.message, problem)
            if problem.where < first.where:
                self._unchecked[problem.message] = problem
        else:
            return False
        return True

    def combined(self, path: str | None = None) -> Iterator[Problem]:
        """Yield the combined problems: of the file at `path`, or of all files if it is None."""

        def selected(problems: Iterable[Problem]) -> Iterator[Problem]:
            return (problem for problem in problems if path is None or problem.where.path == path)

        yield from selected(self._unchecked.values())
        yield from _group_by_folder(selected(self._empty_articles))
        yield from _group_by_syntax(selected(self._syntax))
        yield from _orphan_problems(orphan for orphan in self.orphans if path is None or orphan.file.path == path)


def _is_empty_article(problem: Problem) -> bool:
    """Return whether the problem is that an article has no text."""
    return problem.code == "required-without" and problem.kind == Kind.ARTICLE


def _group_by_folder(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Combine the errors of articles without a text: yield one per folder, at the location of the first."""
    folders: dict[str, list[Problem]] = {}
    for problem in sorted(problems, key=lambda problem: problem.where):
        folders.setdefault(problem.where.path.rpartition("/")[0], []).append(problem)
    for folder, (first, *others) in folders.items():
        if others:
            message = f"{1 + len(others):,} articles in {folder}/ have no text (neither markdown nor content)"
            yield replace(first, message=message, hint=_EMPTY_HINT, key=None, setting=_SKIP)
        else:
            yield replace(first, hint=_EMPTY_HINT, setting=_SKIP)


def _group_by_syntax(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Combine the warnings of a kind of syntax (`subject`) into one, at the first file, if many files have them."""
    kinds: dict[str, list[Problem]] = {}
    for problem in sorted(problems, key=lambda problem: problem.where):
        kinds.setdefault(problem.subject, []).append(problem)
    for noun, warnings in kinds.items():
        files = {problem.where.path for problem in warnings}
        if len(files) <= MAX_FILES:
            yield from (replace(problem, subject="") for problem in warnings)
        else:
            message = f"{len(files):,} files contain {noun}, which the site does not process; this is the first one"
            yield replace(warnings[0], message=message, kind=None, key=None, subject="")


def _orphan_problems(orphans: Iterable[Orphan]) -> Iterator[Problem]:
    """Yield the problems of files that translate no entry: one for each kind, language and proposed new name."""
    groups: dict[tuple[Kind, str, str], list[Orphan]] = {}
    for orphan in orphans:
        groups.setdefault((orphan.file.kind, orphan.locale, orphan.new_name), []).append(orphan)
    for group in groups.values():
        yield _problem_of_many(group) if len(group) > 1 else _problem_of_one(group[0])


def _problem_of_many(orphans: Sequence[Orphan]) -> Problem:
    """Return the problem of several files of one kind and language that translate no entry."""
    first, paths = orphans[0], sorted(orphan.file.path for orphan in orphans)
    kind, setting = first.file.kind, _orphan_setting(first.file.kind)
    reason, hint = "translate entries that do not exist", f"add these entries, or set {setting}"
    if not RECORDS[kind].translated:
        reason, hint = f"are {kind.plural}, which cannot be translated", f"exclude them, or set {setting}"
    message = f"{len(paths):,} files in '{first.locale}' {reason}: {join_first(paths, MAX_PATHS_SHOWN)}"
    # Of the kinds whose file names have a language, only pages cannot be translated.
    code = "orphan-translation" if RECORDS[kind].translated else "page-translation"
    return Problem(code, message, Where(first.file.path), hint, kind=kind.value)


def _problem_of_one(orphan: Orphan) -> Problem:
    """Return the problem of a file that translates no entry."""
    file, locale, original, new_name = orphan
    kind, setting = file.kind, _orphan_setting(file.kind)
    has_suffix = parse_file_name(file.path, [locale]).locale is not None  # not only a folder names the language
    if RECORDS[kind].translated:
        message = f"this is a translation of {original}, which does not exist"
        hint = "add that file, or remove the language from the file name"
        if new_name:
            hint = f"rename it to {new_name}"
        elif not has_suffix:
            hint = f"add that file, or set {setting}"
        return Problem("orphan-translation", message, Where(file.path), hint, kind=kind.value)
    if has_suffix:
        return untranslatable_problem(file, locale)
    message = f"{kind.plural} cannot be translated, but the file is in the folder of '{locale}'"
    return Problem("page-translation", message, Where(file.path), f"exclude it, or set {setting}", kind=kind.value)


def _orphan_setting(kind: Kind) -> str:
    return f'orphan_translations = "entry" under [{content_table(kind)}] in {CONFIG}'
