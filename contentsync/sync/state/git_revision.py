"""The folder as of a commit, as a checkout of the commit would have it (docs/ci.md)."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from ...content.config.config import Config
from ...content.files.content_folder import CONFIG
from ...content.files.file_names import is_below
from ...content.folder.git_facts import GitHistory
from ...content.folder.load import Content, load_content
from ...errors import Refused, UsageError
from ...git import (
    ATTEMPTS,
    NO_COMMIT,
    SYNCED,
    environ_without_hook,
    git,
    git_line,
    git_read,
    has_uncommitted_files,
    working_tree,
)
from ...git_checkout import CheckedOut, GitFiles, TreeFile
from ...model import Entry
from ..comparing.base import Base
from ..planning.consents import Trailer
from ..planning.plan import UnreadFile
from ..planning.prepare import resolve_selected
from .attempts import Attempt, Paths, merge_attempts
from .commit_trailers import read_trailers


class PastContent(NamedTuple):
    """The folder at a commit, and the files of which not every entry could be read there."""

    content: Content
    unread: tuple[UnreadFile, ...]


@dataclass(frozen=True, slots=True)
class Revision:
    """The folder at a commit, with the renames of its files since."""

    config: Config | None  # None for the commit of zeros, which has no files
    entries: tuple[Entry, ...]
    renamed_files: Paths
    attempts: tuple[Attempt, ...] = ()  # that began after this commit and did not succeed
    submodules: tuple[str, ...] = ()  # in or around the content folders: their files at the commit are unknown
    unread: tuple[UnreadFile, ...] = ()
    trailers: tuple[Trailer, ...] | None = None  # of the first-parent commits since; None for the commit of zeros

    @property
    def all_entries(self) -> Iterator[Entry]:
        """Yield the entries of this commit and of the attempts."""
        yield from self.entries
        for attempt in self.attempts:
            yield from attempt.entries

    @property
    def all_unread(self) -> Iterator[UnreadFile]:
        """Yield the unread files of this commit and of the attempts."""
        yield from self.unread
        for attempt in self.attempts:
            yield from attempt.unread

    def compute_base(self, actual: Sequence[Entry], user_ids: Mapping[str, int]) -> Base:
        """Return the base of the commit, with the changes of the attempts that the server's records `actual` confirm.

        References to entries that the commit lacks are resolved with `actual`.
        """

        def resolved(entries: Sequence[Entry]) -> list[Entry]:
            resolved_entries, _problems = resolve_selected(entries, entries, actual, user_ids)
            return resolved_entries

        attempts = [attempt._replace(entries=resolved(attempt.entries)) for attempt in self.attempts]
        return merge_attempts(resolved(self.entries), attempts, actual)


def read_revision(folder: Path, ref: str, attempts: Sequence[str] = ()) -> Revision | None:
    """Return the folder at the commit `ref`, and at the `attempts`: later commits that runs have begun to apply.

    For a new branch, a hook passes a commit of zeros: return None, unless there are attempts. If `ref` is the ref of a
    target, refs/contentsync/TARGET, add the attempts that are recorded for the target.

    Leave out entries that had errors at the commit, so that they are not deleted; their files are in `unread`. Raise
    UsageError if there is no repository or no such commit, and Refused if the clone is too shallow, if the commit is on
    another branch, or if the folder had no config at the commit, or one with errors.
    """
    is_zero = set(ref) == set(NO_COMMIT) and len(ref) >= len(NO_COMMIT)  # ids of SHA-256 are longer
    if is_zero and not attempts:
        return None
    top = working_tree(folder)
    if top is None:
        raise UsageError(f"--base git:{ref} needs a git repository, and {folder} is in none")
    repository = FolderRepository.around(folder, top)
    commit = None if is_zero else repository.resolve_commit(ref)
    if commit is not None:
        repository.require_ancestor(commit, ref)
        attempts = [*attempts, *repository.recorded_attempts(ref)]
    attempted = repository.order_attempts(commit, attempts)
    repository.fetch_missing([*([commit] if commit else []), *attempted])
    if commit is None:
        loaded = tuple(repository.load_attempts(base=None, commits=attempted))
        return Revision(config=None, entries=(), renamed_files={}, attempts=loaded)
    past = repository.load_content(commit)
    if past is None:
        raise Refused(
            f"{ref} holds no {CONFIG} in the folder {repository.inner}",
            f"if the folder was renamed since, start without a base: --base git:{NO_COMMIT}",
        )
    config = past.content.config
    return Revision(
        config,
        past.content.entries,
        repository.renamed_files(commit),
        attempts=tuple(repository.load_attempts(commit, attempted)),
        submodules=repository.submodules(commit, config.concerns),
        unread=past.unread,
        trailers=repository.deployed_trailers(commit),
    )


@dataclass(frozen=True, slots=True)
class FolderRepository:
    """The working tree around a content folder; commands run at its top."""

    top: Path
    inner: str  # the folder's path below `top`; `.` if it is `top` itself
    git_files: GitFiles

    @classmethod
    def around(cls, folder: Path, top: Path) -> "FolderRepository":
        """Return the repository of a folder in the working tree `top`.

        Raise Refused with git's message if git refuses to read it, such as one of another user.
        """
        git_dir = git_line("rev-parse", "--absolute-git-dir", folder=top, environ=environ_without_hook())
        return cls(top, folder.resolve().relative_to(top).as_posix(), GitFiles(Path(git_dir)))

    def resolve_attempt(self, ref: str) -> str:
        """Return the commit of an attempt. Raise Refused if it was not fetched: it may be on no branch any more."""
        try:
            return self.resolve_commit(ref)
        except (Refused, UsageError) as error:
            hint = f"git fetch origin '+{SYNCED}*:{SYNCED}*' brings the attempts of the server"
            raise Refused(f"the attempt {ref} is not known here, so its writes are unknown", hint) from error

    def resolve_commit(self, ref: str) -> str:
        """Return the id of a commit. Raise UsageError if there is none, or Refused if the clone is too shallow."""
        if ref.startswith("-"):
            raise UsageError(f"'{ref}' is no commit")
        if not self.succeeds("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}"):
            if self.is_shallow():
                raise Refused(f"this clone is too shallow to hold {ref}", "git fetch --unshallow deepens it")
            hint = "is it fetched? git fetch origin brings the commits of the server"
            raise UsageError(f"git knows no commit {ref}", hint)
        arguments = ("rev-parse", "--verify", "--end-of-options", f"{ref}^{{commit}}")
        return git_line(*arguments, folder=self.top, environ=environ_without_hook())

    def require_ancestor(self, commit: str, ref: str) -> None:
        """Raise Refused unless what is checked out builds on the commit; `ref` names the commit in the message."""
        if not self.succeeds("rev-parse", "--verify", "--quiet", "HEAD"):
            return  # this branch has no commit yet
        if not self.succeeds("merge-base", "--is-ancestor", commit, "HEAD"):
            hint = f"name the last commit that both have: git merge-base HEAD {ref}"
            if self.is_shallow():
                hint = f"if it is, this clone is too shallow to show it: git fetch --unshallow; else {hint}"
            raise Refused(f"{ref} is no ancestor of what is checked out", hint)

    def deployed_trailers(self, commit: str) -> tuple[Trailer, ...]:
        """Return the trailers of the first-parent commits since a commit; faulty ones if files are not committed."""
        if not self.succeeds("rev-parse", "--verify", "--quiet", "HEAD"):
            return ()  # this branch has no commit yet
        trailers = read_trailers(self.top, commit, first_parent=True)
        if trailers and has_uncommitted_files(self.top / self.inner):
            fault = "the folder has changes that are not committed"
            return tuple(replace(trailer, allowed={}, fault=trailer.fault or fault) for trailer in trailers)
        return trailers

    def recorded_attempts(self, ref: str) -> list[str]:
        """Return the refs of the commits that runs began to apply to a target (`ATTEMPTS`).

        `ref` is the ref of the target's last sync (`SYNCED` and its name). For any other ref, return an empty list.
        """
        target = ref.removeprefix(SYNCED)
        if target == ref or "/" in target:  # no name of a target has a slash; the ref of an attempt has
            return []
        listed = self.read("for-each-ref", "--format=%(refname)", f"{ATTEMPTS}{target}/")
        return os.fsdecode(listed).split()

    def order_attempts(self, base: str | None, attempts: Sequence[str]) -> list[str]:
        """Return the commits of the attempts, the oldest first, without those before the base, which includes them."""
        commits = {self.resolve_attempt(ref) for ref in attempts}
        if not commits:
            return []
        since = [f"^{base}"] if base else []
        listed = self.read("rev-list", "--topo-order", "--reverse", *sorted(commits), *since)
        return [commit for commit in os.fsdecode(listed).split() if commit in commits]

    def load_attempts(self, base: str | None, commits: Iterable[str]) -> Iterator[Attempt]:
        """Yield the folder at each attempt, in this order; leave out those in which the folder had another name.

        Renames are counted from the commit `base`; for None, from the first attempt.
        """
        first, last = base, None  # the base (else the first attempt), and the last attempt
        for commit in commits:
            past = self.load_content(commit)
            if past is not None:
                renamed_files = tuple(self.renamed_files(earlier, commit) for earlier in (first, last) if earlier)
                config, entries = past.content.config, past.content.entries
                yield Attempt(config, entries, renamed_files, self.renamed_files(commit), past.unread)
                first, last = (first, commit) if first else (commit, None)

    def submodules(self, commit: str, concerns: Callable[[str], bool]) -> tuple[str, ...]:
        """Return the paths, relative to the content folder, of those submodules in it that the caller wants."""
        paths = (self.relative_path(file.path) for file in self.list_files(commit) if file.is_submodule)
        return tuple(filter(concerns, paths))

    def load_content(self, commit: str) -> PastContent | None:
        """Return the folder's content at a commit; None if it had no config there.

        Raise Refused if the config has errors there, because no entry can be read without it.
        """
        with self.check_out(self.list_files(commit)) as (folder, failed):
            if CONFIG not in failed and not os.path.lexists(folder / CONFIG):
                return None
            if CONFIG in failed:
                raise Refused(f"{CONFIG} cannot be read at the commit {commit[:12]}: {failed[CONFIG]}")
            content = load_content(folder, history=GitHistory(self.top / self.inner, commit))
            for problem in content.errors:
                failed.setdefault(problem.where.path, f"{problem.code}: {problem.message}")
            if not content.config.is_content_valid:
                raise Refused(
                    f"{CONFIG} has errors at the commit {commit[:12]}: {failed[CONFIG]}",
                    f"to start without a base, which deletes nothing: --base git:{NO_COMMIT}",
                )
            kinds_at = content.config.kinds_at
            renamed_files = {old: new for new, old in self.renamed_files(commit).items()} if failed else {}
            unread = (
                UnreadFile(path, renamed_files.get(path, path), reason, kinds_at(path))
                for path, reason in sorted(failed.items())
            )
            # Other files affect only the entries that have an error because of them.
            return PastContent(content, tuple(file for file in unread if file.kinds or file.path == CONFIG))

    def list_files(self, commit: str, paths: Sequence[str] = ("",)) -> list[TreeFile]:
        """Return the files at or below some paths of the content folder at a commit, and their attributes."""
        return self.git_files.list_files(commit, [self.full_path(path) for path in paths])

    def fetch_missing(self, commits: Iterable[str], paths: Sequence[str] = ("",)) -> None:
        """Fetch the files at or below some paths that a partial clone lacks of some commits, with one request."""
        if self.git_files.is_partial:
            self.git_files.fetch_missing(file for commit in commits for file in self.list_files(commit, paths))

    @contextmanager
    def check_out(self, files: Sequence[TreeFile]) -> Iterator[CheckedOut]:
        """Yield the content folder with some of its files at a commit, from `list_files`."""
        with self.git_files.check_out(files, name=self.top.name) as checked_out:
            unread = {self.relative_path(path): reason for path, reason in checked_out.unread.items()}
            yield CheckedOut(checked_out.folder / self.inner, unread)

    def full_path(self, path: str) -> str:
        """Return a path in the content folder as a path in the repository; "" is the folder itself."""
        return "/".join(part for part in ("" if self.inner == "." else self.inner, path) if part)

    def contains(self, path: str) -> bool:
        """Return whether a path in the repository is in the content folder."""
        return self.inner == "." or is_below(path, self.inner)

    def relative_path(self, path: str) -> str:
        """Return a path in the repository relative to the content folder; itself if it is outside."""
        return path.removeprefix(f"{self.inner}/")

    @property
    def relative_option(self) -> str:
        """Return git's option to list the files of the content folder by relative paths; `./` would match no file."""
        return "--relative" if self.inner == "." else f"--relative={self.inner}/"

    def renamed_files(self, *commits: str) -> dict[str, str]:
        """Return the old path of each file that git detects as renamed, by its new path.

        Compare two commits, or one commit with the working tree.
        """
        listed = self.read("diff", "--name-status", "-z", "--find-renames", self.relative_option, *commits)
        output = iter(os.fsdecode(listed).split("\0"))
        renamed_files = {}
        for status in output:  # followed by one path or, for R, by the old and the new path
            if status.startswith("R"):
                old, new = next(output), next(output)
                renamed_files[new] = old
            elif status:
                next(output)
        return renamed_files

    def is_shallow(self) -> bool:
        answer = git("rev-parse", "--is-shallow-repository", folder=self.top, environ=environ_without_hook())
        return answer.stdout.strip() == b"true"

    def succeeds(self, *arguments: str) -> bool:
        return not git(*arguments, folder=self.top, environ=environ_without_hook()).returncode

    def read(self, *arguments: str, stdin: bytes | None = None) -> bytes:
        return git_read(*arguments, folder=self.top, environ=environ_without_hook(), stdin=stdin)
