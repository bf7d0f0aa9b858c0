"""TODO."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from ...content.config import Config
from ...content.config_file import CONFIG
from ...content.folder import Content, load
from ...errors import Refused, UsageError
from ...git import ATTEMPTS, NOTHING, SYNCED, git, git_line, git_read, without_hook, working_tree
from ...model import Entry
from ..comparing.base import Base
from ..prepare import resolve
from .attempts import Attempt, Paths, with_attempts

_LINK = b"120000"


_MODULE = b"160000"  # a commit of another repository


@dataclass(frozen=True, slots=True)
class Begun:
    """What the folder held at a commit that a run has begun to apply, and which of its files have moved."""

    config: Config
    entries: tuple[Entry, ...]
    moved: tuple[Paths, ...]  # since the base, and since the commit that was begun before
    moved_after: Paths  # from here to what is checked out


@dataclass(frozen=True, slots=True)
class Revision:
    """What the folder held at a commit, and which of its files have moved since."""

    config: Config | None  # None of the commit of zeros, which held nothing
    entries: tuple[Entry, ...]
    moved: Paths
    attempts: tuple[Begun, ...] = ()  # runs began to apply them after this one, and none of these has succeeded
    submodules: tuple[str, ...] = ()  # of the folders of content: what they held is not known

    @property
    def all_entries(self) -> Iterator[Entry]:
        """What this commit held, and what the attempts did."""
        yield from self.entries
        for attempt in self.attempts:
            yield from attempt.entries

    def base(self, actual: Sequence[Entry], user_ids: Mapping[str, int]) -> Base:
        """The base that the commit stands for, with what the server, which has `actual`, has of the attempts.

        `actual` also resolves names that the folder did not hold.
        """

        def resolved(entries: Sequence[Entry]) -> list[Entry]:
            return resolve(entries, entries, actual, user_ids)[0]

        attempts = [Attempt(resolved(one.entries), one.moved, one.moved_after) for one in self.attempts]
        return with_attempts(resolved(self.entries), attempts, actual)


def revision(folder: Path, ref: str, attempts: Sequence[str] = ()) -> Revision | None:
    """The folder as of `ref`, with the commits that runs have begun to apply since then (`attempts`).

    None for the commit of zeros that a hook gives for a new branch, unless something was begun. If `ref` is the one
    of a target, refs/contentsync/TARGET, the attempts that are remembered beside it count too.

    Files that had errors then are left out: what is not known to be ours is not deleted. Raises UsageError where
    there is no repository or no such commit, and Refused where the clone is too shallow to hold it, where it is
    on another branch, which nobody has synced from here, or where the folder was no content folder then.
    """
    is_nothing = set(ref) == set(NOTHING) and len(ref) >= len(NOTHING)
    if is_nothing and not attempts:
        return None
    top = working_tree(folder)
    if top is None:
        raise UsageError(f"--base git:{ref} needs a git repository, and {folder} is in none")
    repository = _Repository(top, folder.resolve().relative_to(top).as_posix())
    repository.require_owner()
    if is_nothing:
        return Revision(None, (), {}, tuple(repository.begun(None, attempts)))
    commit = repository.commit(ref)
    repository.require_ancestor(commit, ref)
    content = repository.content(commit)
    if content is None:
        raise Refused(
            f"{ref} holds no {CONFIG} in the folder {repository.inner}",
            f"where it had another name then, nothing of it is known here: --base git:{NOTHING} begins anew",
        )
    begun = tuple(repository.begun(commit, [*attempts, *repository.attempts_beside(ref)]))
    modules = repository.submodules(commit, [folder.path for folder in content.config.content.values()])
    return Revision(content.config, content.entries, repository.moved(commit), begun, modules)


@dataclass(frozen=True, slots=True)
class _Repository:
    """The working tree around a content folder, asked from its top."""

    top: Path
    inner: str  # the folder from there; `.` if it is the top itself

    def require_owner(self) -> None:
        """Raises Refused with what git says where it does not want to look, such as at somebody else's files."""
        self._read("rev-parse", "--git-dir")

    def attempt(self, ref: str) -> str:
        """The commit that was begun. It may be on no branch any more, so that only its ref brings it."""
        try:
            return self.commit(ref)
        except (Refused, UsageError) as error:
            hint = f"git fetch origin '+{SYNCED}*:{SYNCED}*' brings the attempts of the server"
            raise Refused(f"the attempt {ref} is not known here, so what it has written is not either", hint) from error

    def commit(self, ref: str) -> str:
        if ref.startswith("-"):
            raise UsageError(f"'{ref}' is no commit")
        if not self._is("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}"):
            if self._is_shallow():
                raise Refused(f"this clone is too shallow to hold {ref}", "git fetch --unshallow deepens it")
            hint = "is it fetched? git fetch origin brings the commits of the server"
            raise UsageError(f"git knows no commit {ref}", hint)
        words = ("rev-parse", "--verify", "--end-of-options", f"{ref}^{{commit}}")
        return git_line(*words, at=self.top, environ=without_hook())

    def require_ancestor(self, commit: str, ref: str) -> None:
        if not self._is("rev-parse", "--verify", "--quiet", "HEAD"):
            return  # nothing is committed on this branch yet
        if not self._is("merge-base", "--is-ancestor", commit, "HEAD"):
            hint = f"name the last commit that both have: git merge-base HEAD {ref}"
            if self._is_shallow():
                hint = f"if it is, this clone is too shallow to show it: git fetch --unshallow; else {hint}"
            raise Refused(f"{ref} is no ancestor of what is checked out", hint)

    def attempts_beside(self, ref: str) -> list[str]:
        """The attempts that are remembered for a target; none where `ref` is no target's."""
        target = ref.removeprefix(SYNCED)
        if target == ref or "/" in target:
            return []
        listed = self._read("for-each-ref", "--format=%(refname)", f"{ATTEMPTS}{target}/")
        return os.fsdecode(listed).split()

    def begun(self, base: str | None, attempts: Sequence[str]) -> Iterator[Begun]:
        """What the attempts held, the oldest first.

        Left out are those before the base, as all of them is in it, and those in which the folder had another name.
        """
        commits = {self.attempt(ref) for ref in attempts}
        if not commits:
            return
        since = [f"^{base}"] if base else []
        in_order = os.fsdecode(self._read("rev-list", "--topo-order", "--reverse", *sorted(commits), *since)).split()
        before = [base] if base else []
        for commit in filter(commits.__contains__, in_order):
            content = self.content(commit)
            if content is not None:
                moved = tuple(self.moved(earlier, commit) for earlier in before)
                yield Begun(content.config, content.entries, moved, self.moved(commit))
                before = [*before[:1], commit]

    def submodules(self, commit: str, folders: Sequence[str]) -> tuple[str, ...]:
        """The submodules in some folders, or around them, relative to the content folder."""
        listed = self._listed(commit)
        paths = [_path(line, self.inner) for line in listed if line.startswith(_MODULE)]
        return tuple(
            path
            for path in paths
            if any(f"{path}/".startswith(f"{folder}/") or folder.startswith(f"{path}/") for folder in folders)
        )

    def content(self, commit: str) -> Content | None:
        """The folder at a commit; None where it was no content folder."""
        with self.extracted(commit) as past:
            return load(past) if os.path.lexists(past / CONFIG) else None

    @contextmanager
    def extracted(self, commit: str) -> Iterator[Path]:
        """The folder's files at a commit, as they are stored there, in a temporary folder of the same name."""
        files = [_Listed.of(line, self.inner) for line in self._listed(commit) if not line.startswith(_MODULE)]
        files.sort(key=lambda file: file.is_link)  # nothing is written through a link
        with TemporaryDirectory(prefix="contentsync-") as temporary:
            past = Path(temporary) / (self.top.joinpath(self.inner).name or "site")
            past.mkdir()
            asked = b"".join(file.digest + b"\n" for file in files)
            stored = self._read("cat-file", "--batch", stdin=asked)
            position = 0
            for file in files:
                end = stored.index(b"\n", position)
                size = int(stored[position:end].rsplit(b" ", 1)[1])
                file.write(past, stored[end + 1 : end + 1 + size])
                position = end + 1 + size + 1
            yield past

    def _listed(self, commit: str) -> list[bytes]:
        listed = self._read("ls-tree", "-r", "-z", commit, "--", f"{self.inner}/")
        return [line for line in listed.split(b"\0") if line]

    def moved(self, *commits: str) -> dict[str, str]:
        """The files that git takes for moved ones, by the likeness of what they hold: new path, old path.

        Between two commits, or from one to the working tree.
        """
        relative = "--relative" if self.inner == "." else f"--relative={self.inner}/"
        words = iter(
            os.fsdecode(self._read("diff", "--name-status", "-z", "--find-renames", relative, *commits)).split("\0")
        )
        moved = {}
        for status in words:
            if status.startswith("R"):
                old, new = next(words), next(words)
                moved[new] = old
            elif status:
                next(words)
        return moved

    def _is_shallow(self) -> bool:
        return (
            git("rev-parse", "--is-shallow-repository", at=self.top, environ=without_hook()).stdout.strip() == b"true"
        )

    def _is(self, *words: str) -> bool:
        return not git(*words, at=self.top, environ=without_hook()).returncode

    def _read(self, *words: str, stdin: bytes | None = None) -> bytes:
        return git_read(*words, at=self.top, environ=without_hook(), stdin=stdin)


@dataclass(frozen=True, slots=True)
class _Listed:
    """A file of a commit."""

    path: str  # in the folder
    is_link: bool
    digest: bytes

    @classmethod
    def of(cls, line: bytes, folder: str) -> "_Listed":
        mode, _, digest = line.partition(b"\t")[0].split(b" ")
        return cls(_path(line, folder), mode == _LINK, digest)

    def write(self, folder: Path, data: bytes) -> None:
        parts = PurePosixPath(self.path).parts
        if not parts or self.path.startswith("/") or ".." in parts:  # no git makes such a commit, but one could be made
            return
        place = folder.joinpath(*parts)
        place.parent.mkdir(parents=True, exist_ok=True)
        if self.is_link:
            place.symlink_to(os.fsdecode(data))
        else:
            place.write_bytes(data)


def _path(line: bytes, folder: str) -> str:
    """The path that a line of `git ls-tree` is about, relative to a folder."""
    return os.fsdecode(line.partition(b"\t")[2]).removeprefix(f"{folder}/")
