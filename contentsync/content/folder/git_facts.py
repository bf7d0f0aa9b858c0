"""What git knows of the content files.

When each article was first committed, for `dates = "git"` (docs/content.md 2); and which files it ignores, does not
track, or has not checked out (docs/targets.md).
"""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from ...errors import Problem, Refused, UsageError
from ...git import SUBMODULE_MODE, environ_with_literal_paths, git, git_read, working_tree
from ...model import Kind, PlainScalar
from ..config.collection_settings import ArticleSettings
from ..config.config import Config
from ..files.file_names import shown_path
from ..formats.draft import Draft
from .scan import scan

_UNCOMMITTED = ""  # in place of a path: all files that are in no commit
_TIMEOUT = 120  # seconds
# Settings of the user that would start other programs, or change which commits are listed.
_SETTINGS = ("-c", "log.showSignature=false", "-c", "log.follow=false")
_SETTING = "content.articles.dates"

_NOT_CHECKED_OUT = b"S"  # the letter of `git ls-files -t` for a file that a sparse checkout leaves out
_UNTRACKED = b"?"


class GitHistory(NamedTuple):
    """The commits in which a content folder was changed."""

    folder: Path  # the content folder in the working tree
    revision: str = "HEAD"
    uncommitted: str = ""  # the date of files that are in no commit yet; without it, they have none


def needs_git_dates(config: Config) -> bool:
    """Return whether the config says that articles have the dates of their first commits."""
    settings = config.content[Kind.ARTICLE]
    return isinstance(settings, ArticleSettings) and settings.dates == "git"


def read_git_dates(history: GitHistory, config: Config) -> tuple[dict[str, str], list[Problem]]:
    """Return the author date of the first commit that has each article, by path, if the config wants them.

    If the history cannot be read, return no dates and a problem. Files that are in no commit have the date
    `uncommitted` of the history, or none.
    """
    if not needs_git_dates(config):
        return {}, []
    where = config.source.where(_SETTING)
    try:
        dates = _first_commit_dates(history, config.paths(Kind.ARTICLE))
    except (Refused, UsageError) as error:
        hint = error.hint or 'set another value, such as dates = "file-name"'
        return {}, [Problem("no-history", f"{_SETTING} is 'git', but {error}", where, hint)]
    if history.uncommitted:
        dates[_UNCOMMITTED] = history.uncommitted
    return dates, []


def _first_commit_dates(history: GitHistory, paths: Sequence[str]) -> dict[str, str]:
    """Return the date of the first commit of each file at these paths. Raise Refused or UsageError if git cannot."""
    repository = working_tree(history.folder)
    if repository is None:
        raise UsageError("the content folder is not in a git repository")
    environ = environ_with_literal_paths()
    if git("rev-parse", "--is-shallow-repository", folder=repository, environ=environ).stdout.strip() == b"true":
        hint = "run git fetch --unshallow; for the GitHub action checkout, set fetch-depth: 0"
        raise Refused("this clone is shallow, so git does not know when a file was added", hint)
    verification = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{history.revision}^{{commit}}")
    if git(*verification, folder=repository, environ=environ).returncode != 0:
        # Raises Refused if git does not trust the owner of the repository.
        git_read("rev-parse", "--git-dir", folder=repository, environ=environ)
        return {}  # the branch has no commit yet
    folder_in_repository = history.folder.resolve().relative_to(repository).as_posix()
    prefix = "" if folder_in_repository == "." else f"{folder_in_repository}/"
    log_arguments = ("log", "-z", "--raw", "--diff-filter=A", "--no-renames", "--no-ext-diff", "--format=%aI")
    revision = ("--end-of-options", history.revision, "--", *(shown_path(f"{prefix}{path}") for path in paths))
    # The newest commits are first, so that the first commit with a path sets its date last.
    output = git_read(*_SETTINGS, *log_arguments, *revision, folder=repository, environ=environ, timeout=_TIMEOUT)
    return {normalize("NFC", path.removeprefix(prefix)): date for path, date in _added_files(output)}


def _added_files(output: bytes) -> Iterator[tuple[str, str]]:
    """Yield the path of each file that a commit added, and the commit's date, the newest first.

    The output has a date for each commit, and then a line of metadata and the path for each of its files.
    """
    date = ""
    parts = iter(output.split(b"\0"))
    for part in parts:
        if part.lstrip(b"\n").startswith(b":"):  # metadata
            yield os.fsdecode(next(parts, b"")), date
        else:
            date = part.decode("ascii", "replace").strip()


def add_git_date(draft: Draft, dates: Mapping[str, str]) -> None:
    """Set the date of an article without one to its date in `dates`, which are from `read_git_dates`."""
    date = dates.get(draft.path) or dates.get(_UNCOMMITTED)
    if date and draft.kind is Kind.ARTICLE and "published_at" not in draft.values.keys() | draft.failed_fields:
        draft.values["published_at"] = PlainScalar(date)


class UntrackedFiles(NamedTuple):
    """Content files that are not as a commit has them; all paths are relative to the content folder."""

    ignored: tuple[str, ...] = ()
    untracked: tuple[str, ...] = ()  # and not ignored
    left_out: tuple[str, ...] = ()  # by a sparse checkout: a commit has them, and the folder has not


def find_untracked(folder: Path, config: Config, kinds: Collection[Kind], others: Collection[str]) -> UntrackedFiles:
    """Return the untracked files of some kinds, and those among the `others`, such as pictures.

    One call of git finds all of them. Without a repository or git, return none. Files in submodules count as tracked.
    """
    top = working_tree(folder)
    if top is None:
        return UntrackedFiles()
    prefix = f"{folder.resolve().relative_to(top).as_posix()}/".removeprefix("./")
    words = ("-c", "core.fsmonitor=false", "ls-files", "-z", "-t", "--stage", "--cached", "--others")
    environ = environ_with_literal_paths()
    try:
        output = git_read(*words, "--exclude-standard", "--", prefix or ".", folder=top, environ=environ)
    except UsageError:  # git is not installed
        return UntrackedFiles()
    tracked, untracked, folders, left_out = set[str](), set[str](), list[str](), list[str]()
    for line in output.split(b"\0"):  # `TAG MODE ID STAGE`, a tab and the path; of an untracked file `? PATH`
        tag, _space, rest = line.partition(b" ")
        listed = rest if tag == _UNTRACKED else rest.partition(b"\t")[2]
        path = normalize("NFC", os.fsdecode(listed)).removeprefix(prefix)
        (untracked if tag == _UNTRACKED else tracked).add(path)
        if rest.startswith(SUBMODULE_MODE):
            folders.append(f"{path}/")
        elif tag == _NOT_CHECKED_OUT and not os.path.lexists(folder / path):
            left_out.append(path)
    nested = tuple(path for path in untracked if path.endswith("/"))  # other repositories
    files = {file.location for file in scan(folder, config).files if file.kind in kinds}
    missing = [path for path in sorted({normalize("NFC", path) for path in (*files, *others)}) if path not in tracked]
    missing = [path for path in missing if not path.startswith(tuple(folders))]

    def is_untracked(path: str) -> bool:
        return path in untracked or path.startswith(nested)

    return UntrackedFiles(
        ignored=tuple(path for path in missing if not is_untracked(path)),
        untracked=tuple(filter(is_untracked, missing)),
        left_out=tuple(sorted(path for path in left_out if config.kinds_at(path).intersection(kinds))),
    )
