"""The folder as of a commit, read through git: no checkout, nothing is changed (cli.md, --base git:REF)."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from ...content.config import Config
from ...content.config_file import CONFIG
from ...content.folder import load
from ...errors import Refused, UsageError
from ...git import NOTHING, git, git_line, git_read, without_hook, working_tree
from ...model import Entry
from ..comparing.base import Base, applied_of
from ..references import resolve

_LINK = b"120000"
_MODULE = b"160000"  # a commit of another repository


@dataclass(frozen=True, slots=True)
class Revision:
    """What the folder held at a commit, and which of its files have moved since."""

    config: Config
    entries: tuple[Entry, ...]
    moved: Mapping[str, str]  # new path, old path

    def base(self, actual: Sequence[Entry], user_ids: Mapping[str, int]) -> Base:
        """The base that the commit stands for; `actual` resolves names that the folder did not hold."""
        resolved, _ = resolve(self.entries, self.entries, actual, user_ids)
        return Base.of(applied_of(entry) for entry in resolved if not entry.notes.skip)


def revision(folder: Path, ref: str) -> Revision | None:
    """The folder as of `ref`; None for the commit of zeros that a hook gives for a new branch.

    Files that had errors then are left out: what is not known to be ours is not deleted. Raises UsageError where
    there is no repository or no such commit, and Refused where the clone is too shallow to hold it, where it is
    on another branch, which nobody has synced from here, or where the folder was no content folder then.
    """
    if set(ref) == set(NOTHING) and len(ref) >= len(NOTHING):
        return None
    top = working_tree(folder)
    if top is None:
        raise UsageError(f"--base git:{ref} needs a git repository, and {folder} is in none")
    repository = _Repository(top, folder.resolve().relative_to(top).as_posix())
    repository.require_owner()
    commit = repository.commit(ref)
    repository.require_ancestor(commit, ref)
    with repository.extracted(commit) as past:
        if not os.path.lexists(past / CONFIG):
            raise Refused(
                f"{ref} holds no {CONFIG} in the folder {repository.inner}",
                f"where it had another name then, nothing of it is known here: --base git:{NOTHING} begins anew",
            )
        content = load(past)
    return Revision(content.config, content.entries, dict(repository.moved(commit)))


@dataclass(frozen=True, slots=True)
class _Repository:
    """The working tree around a content folder, asked from its top."""

    top: Path
    inner: str  # the folder from there; `.` if it is the top itself

    def require_owner(self) -> None:
        """Raises Refused with what git says where it does not want to look, such as at somebody else's files."""
        self._read("rev-parse", "--git-dir")

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

    @contextmanager
    def extracted(self, commit: str) -> Iterator[Path]:
        """The folder's files at a commit, as they are stored there, in a temporary folder of the same name."""
        listed = self._read("ls-tree", "-r", "-z", commit, "--", f"{self.inner}/")
        files = [_Listed.of(line, self.inner) for line in listed.split(b"\0") if line and not line.startswith(_MODULE)]
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

    def moved(self, commit: str) -> Iterator[tuple[str, str]]:
        """The files that git takes for moved ones, by the likeness of what they hold: new path, old path."""
        relative = "--relative" if self.inner == "." else f"--relative={self.inner}/"
        words = iter(
            os.fsdecode(self._read("diff", "--name-status", "-z", "--find-renames", relative, commit)).split("\0")
        )
        for status in words:
            if status.startswith("R"):
                old, new = next(words), next(words)
                yield new, old
            elif status:
                next(words)

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
        facts, _, path = line.partition(b"\t")
        mode, _, digest = facts.split(b" ")
        return cls(os.fsdecode(path).removeprefix(f"{folder}/"), mode == _LINK, digest)

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
