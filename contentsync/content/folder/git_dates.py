"""Read from git when each article was first committed, for `dates = "git"` (docs/content.md 2)."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from ...errors import Problem, Refused, UsageError
from ...git import environ_with_literal_paths, git, git_read, working_tree
from ...model import Kind, PlainScalar
from ..config.collection_settings import ArticleSettings
from ..config.config import Config
from ..formats.draft import Draft

_UNCOMMITTED = ""  # in place of a path: all files that are in no commit
_TIMEOUT = 120  # seconds
# Settings of the user that would start other programs, or change which commits are listed.
_SETTINGS = ("-c", "log.showSignature=false", "-c", "log.follow=false")
_SETTING = "content.articles.dates"


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
    revision = ("--end-of-options", history.revision, "--", *(f"{prefix}{path}" for path in paths))
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
