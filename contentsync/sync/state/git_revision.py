"""The folder as of a commit, read through git without a checkout (docs/ci.md)."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from ...content.config.config import Config
from ...content.files.content_folder import CONFIG
from ...content.folder.git_dates import GitHistory
from ...content.folder.load import Content, load_content
from ...errors import Refused, UsageError
from ...git import ATTEMPTS, NO_COMMIT, SYNCED, environ_without_hook, git, git_line, git_read, working_tree
from ...model import Entry
from ..comparing.base import Base
from ..planning.prepare import resolve_selected
from .attempts import Attempt, Paths, merge_attempts

_LINK_MODE = b"120000"
_SUBMODULE_MODE = b"160000"  # of a commit of another repository


@dataclass(frozen=True, slots=True)
class Revision:
    """The folder at a commit, with the renames of its files since."""

    config: Config | None  # None for the commit of zeros, which has no files
    entries: tuple[Entry, ...]
    renamed_files: Paths
    attempts: tuple[Attempt, ...] = ()  # that began after this commit and did not succeed
    submodules: tuple[str, ...] = ()  # in or around the content folders: their files at the commit are unknown

    @property
    def all_entries(self) -> Iterator[Entry]:
        """Yield the entries of this commit and of the attempts."""
        yield from self.entries
        for attempt in self.attempts:
            yield from attempt.entries

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

    Leave out files that had errors at the commit, so that their entries are not deleted. Raise UsageError if there is
    no repository or no such commit, and Refused if the clone is too shallow, if the commit is on another branch, or if
    the folder had no config at the commit.
    """
    is_zero = set(ref) == set(NO_COMMIT) and len(ref) >= len(NO_COMMIT)  # ids of SHA-256 are longer
    if is_zero and not attempts:
        return None
    top = working_tree(folder)
    if top is None:
        raise UsageError(f"--base git:{ref} needs a git repository, and {folder} is in none")
    repository = FolderRepository.around(folder, top)
    if is_zero:
        attempted_commits = tuple(repository.attempted_commits(base=None, attempts=attempts))
        return Revision(config=None, entries=(), renamed_files={}, attempts=attempted_commits)
    commit = repository.resolve_commit(ref)
    repository.require_ancestor(commit, ref)
    content = repository.load_content(commit)
    if content is None:
        raise Refused(
            f"{ref} holds no {CONFIG} in the folder {repository.inner}",
            f"if the folder was renamed since, start without a base: --base git:{NO_COMMIT}",
        )
    attempted_commits = tuple(repository.attempted_commits(commit, [*attempts, *repository.recorded_attempts(ref)]))
    config = content.config
    modules = repository.submodules(commit, [path for kind in config.content for path in config.paths(kind)])
    return Revision(config, content.entries, repository.renamed_files(commit), attempted_commits, modules)


@dataclass(frozen=True, slots=True)
class FolderRepository:
    """The working tree around a content folder; commands run at its top."""

    top: Path
    inner: str  # the folder's path below `top`; `.` if it is `top` itself

    @classmethod
    def around(cls, folder: Path, top: Path) -> "FolderRepository":
        """Return the repository of a folder in the working tree `top`. Raise Refused if git refuses to read it."""
        repository = cls(top, folder.resolve().relative_to(top).as_posix())
        repository.require_owner()
        return repository

    def require_owner(self) -> None:
        """Raise Refused with git's message if git refuses to read the repository, such as one of another user."""
        self.read("rev-parse", "--git-dir")

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

    def recorded_attempts(self, ref: str) -> list[str]:
        """Return the refs of the attempts recorded for a target; empty if `ref` is not the ref of a target."""
        target = ref.removeprefix(SYNCED)
        if target == ref or "/" in target:
            return []
        listed = self.read("for-each-ref", "--format=%(refname)", f"{ATTEMPTS}{target}/")
        return os.fsdecode(listed).split()

    def attempted_commits(self, base: str | None, attempts: Sequence[str]) -> Iterator[Attempt]:
        """Yield the folder at each attempt, the oldest first.

        Leave out attempts before the base, which includes them, and those in which the folder had another name.
        """
        commits = {self.resolve_attempt(ref) for ref in attempts}
        if not commits:
            return
        since = [f"^{base}"] if base else []
        listed = self.read("rev-list", "--topo-order", "--reverse", *sorted(commits), *since)
        first, last = base, None  # the base (else the first attempt), and the last attempt
        for commit in os.fsdecode(listed).split():
            content = self.load_content(commit) if commit in commits else None
            if content is not None:
                renamed_files = tuple(self.renamed_files(earlier, commit) for earlier in (first, last) if earlier)
                yield Attempt(content.config, content.entries, renamed_files, self.renamed_files(commit))
                first, last = (first, commit) if first else (commit, None)

    def submodules(self, commit: str, folders: Sequence[str]) -> tuple[str, ...]:
        """Return the paths, relative to the content folder, of the submodules in or around some of its folders."""
        listed = self._listed(commit)
        paths = [_listed_path(line, self.inner) for line in listed if line.startswith(_SUBMODULE_MODE)]

        def concerns(path: str, folder: str) -> bool:
            is_inside = f"{path}/".startswith(f"{folder}/")
            is_around = folder.startswith(f"{path}/")
            return is_inside or is_around

        return tuple(path for path in paths if any(concerns(path, folder) for folder in folders))

    def load_content(self, commit: str) -> Content | None:
        """Return the folder's content at a commit; None if it had no config there."""
        with self.extract(commit) as extracted_folder:
            if not os.path.lexists(extracted_folder / CONFIG):
                return None
            return load_content(extracted_folder, history=GitHistory(self.top / self.inner, commit))

    def extract(self, commit: str) -> AbstractContextManager[Path]:
        """Yield the folder's files at a commit, in a temporary folder of the same name."""
        return self.extract_files(self.list_files(commit))

    def list_files(self, commit: str, paths: Sequence[str] = ("",)) -> list["ListedFile"]:
        """Return the files below some paths of the content folder at a commit; those of submodules are unknown."""
        listed = self._listed(commit, paths)
        return [ListedFile.parse(line, self.inner) for line in listed if not line.startswith(_SUBMODULE_MODE)]

    @contextmanager
    def extract_files(self, files: Sequence["ListedFile"]) -> Iterator[Path]:
        """Yield these files in a temporary folder with the name of the content folder."""
        files = sorted(files, key=lambda file: file.is_link)  # links last, so that no file is written through a link
        with TemporaryDirectory(prefix="contentsync-") as temporary:
            extracted_folder = Path(temporary) / (self.top.joinpath(self.inner).name or "site")
            extracted_folder.mkdir()
            object_ids = b"".join(file.object_id + b"\n" for file in files)
            objects = self.read("cat-file", "--batch", stdin=object_ids)
            position = 0
            for file in files:  # of each: a line ID TYPE SIZE, so many bytes, and a line end
                end_of_line = objects.index(b"\n", position)
                size = int(objects[position:end_of_line].rsplit(b" ", 1)[1])
                start = end_of_line + 1
                file.write(extracted_folder, objects[start : start + size])
                position = start + size + 1
            yield extracted_folder

    def _listed(self, commit: str, paths: Sequence[str] = ("",)) -> list[bytes]:
        """Return the lines of `git ls-tree` for the files below some paths of the content folder."""
        listed = self.read("ls-tree", "-r", "-z", commit, "--", *(f"{self.inner}/{path}" for path in paths))
        return [line for line in listed.split(b"\0") if line]

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


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file of a commit."""

    path: str  # relative to the folder
    is_link: bool
    object_id: bytes

    @classmethod
    def parse(cls, line: bytes, folder: str) -> "ListedFile":
        """Return the file of a line of `git ls-tree`: `MODE TYPE ID`, a tab, and the path."""
        mode, _type, object_id = line.partition(b"\t")[0].split(b" ")
        return cls(_listed_path(line, folder), mode == _LINK_MODE, object_id)

    def write(self, folder: Path, data: bytes) -> None:
        """Write the file or the link below a folder; ignore a path that leads out of the folder.

        Write all files before the first link, or a path could lead through a link.
        """
        parts = PurePosixPath(self.path).parts
        if not parts or self.path.startswith("/") or ".." in parts:
            return  # git does not write such a path, but other programs may
        target = folder.joinpath(*parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        if self.is_link:
            target.symlink_to(os.fsdecode(data))
        else:
            target.write_bytes(data)


def _listed_path(line: bytes, folder: str) -> str:
    """Return the path in a line of `git ls-tree`, relative to `folder`."""
    return os.fsdecode(line.partition(b"\t")[2]).removeprefix(f"{folder}/")
