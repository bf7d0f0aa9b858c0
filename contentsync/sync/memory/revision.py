"""The folder as of a commit, read through git: no checkout, nothing is changed (cli.md, --base git:REF)."""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from ...content.folder import load
from ...errors import Refused, UsageError
from ...model import Entry
from ..comparing.base import Base, applied_of
from ..references import resolve

_LINK = b"120000"
_MODULE = b"160000"  # a commit of another repository
# What a hook is given is about the repository that it runs in, not about the folder's.
_OF_HOOKS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")
_NONE = frozenset("0")  # what git calls the commit before the first one


@dataclass(frozen=True, slots=True)
class Revision:
    """What the folder held at a commit, and which of its files have moved since."""

    entries: tuple[Entry, ...]
    moved: Mapping[str, str]  # new path, old path

    def base(self, actual: Sequence[Entry], user_ids: Mapping[str, int]) -> Base:
        """The base that the commit stands for; `actual` resolves names that the folder did not hold."""
        resolved, _ = resolve(self.entries, self.entries, actual, user_ids)
        return Base.of(applied_of(entry) for entry in resolved if not entry.notes.skip)


def revision(folder: Path, ref: str) -> Revision | None:
    """The folder as of `ref`; None for the commit of zeros that a hook gives for a new branch.

    Files that had errors then are left out: what is not known to be ours is not deleted. Raises UsageError where
    there is no repository or no such commit, and Refused where the clone is too shallow to hold it, or where it is
    on another branch, which nobody has synced from here.
    """
    if set(ref) == _NONE and len(ref) >= 40:
        return None
    commit = _commit(folder, ref)
    _require_ancestor(folder, commit, ref)
    with _extracted(folder, commit) as past:
        entries = load(past).entries
    return Revision(entries, dict(_moved(folder, commit)))


def _commit(folder: Path, ref: str) -> str:
    if ref.startswith("-"):
        raise UsageError(f"'{ref}' is no commit")
    if _git(folder, "rev-parse", "--is-inside-work-tree").returncode:
        raise UsageError(f"--base git:{ref} needs a git repository, and {folder} is in none")
    found = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    if not found.returncode:
        return found.stdout.decode().strip()
    if _is_shallow(folder):
        raise Refused(f"this clone is too shallow to hold {ref}", "git fetch --unshallow deepens it")
    raise UsageError(f"git knows no commit {ref}", "is it fetched? git fetch origin brings the commits of the server")


def _require_ancestor(folder: Path, commit: str, ref: str) -> None:
    if _git(folder, "rev-parse", "--verify", "--quiet", "HEAD").returncode:
        return  # nothing is committed on this branch yet
    if _git(folder, "merge-base", "--is-ancestor", commit, "HEAD").returncode:
        hint = f"name the last commit that both have: git merge-base HEAD {ref}"
        if _is_shallow(folder):
            hint = f"if it is, this clone is too shallow to show it: git fetch --unshallow; else {hint}"
        raise Refused(f"{ref} is no ancestor of what is checked out", hint)


def _is_shallow(folder: Path) -> bool:
    return _git(folder, "rev-parse", "--is-shallow-repository").stdout.strip() == b"true"


@contextmanager
def _extracted(folder: Path, commit: str) -> Iterator[Path]:
    """The folder's files at a commit, as they are stored there, in a temporary folder of the same name."""
    listed = _read(folder, "ls-tree", "-r", "-z", commit, ".")
    files = [_Listed.of(line) for line in listed.split(b"\0") if line and not line.startswith(_MODULE)]
    files.sort(key=lambda file: file.is_link)  # nothing is written through a link
    with TemporaryDirectory(prefix="contentsync-") as temporary:
        past = Path(temporary) / (folder.resolve().name or "site")
        past.mkdir()
        asked = b"".join(file.digest + b"\n" for file in files)
        stored = _read(folder, "cat-file", "--batch", stdin=asked)
        position = 0
        for file in files:
            end = stored.index(b"\n", position)
            size = int(stored[position:end].rsplit(b" ", 1)[1])
            file.write(past, stored[end + 1 : end + 1 + size])
            position = end + 1 + size + 1
        yield past


@dataclass(frozen=True, slots=True)
class _Listed:
    """A file of a commit."""

    path: str
    is_link: bool
    digest: bytes

    @classmethod
    def of(cls, line: bytes) -> "_Listed":
        facts, _, path = line.partition(b"\t")
        mode, _, digest = facts.split(b" ")
        return cls(os.fsdecode(path), mode == _LINK, digest)

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


def _moved(folder: Path, commit: str) -> Iterator[tuple[str, str]]:
    """The files that git takes for moved ones, by the likeness of what they hold: new path, old path."""
    words = iter(
        os.fsdecode(_read(folder, "diff", "--name-status", "-z", "--find-renames", "--relative", commit)).split("\0")
    )
    for status in words:
        if status.startswith("R"):
            old, new = next(words), next(words)
            yield new, old
        elif status:
            next(words)


def _read(folder: Path, *arguments: str, stdin: bytes | None = None) -> bytes:
    done = _git(folder, *arguments, stdin=stdin)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise Refused(f"git {arguments[0]} failed: {said[-1] if said else done.returncode}")
    return done.stdout


def _git(folder: Path, *arguments: str, stdin: bytes | None = None) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(  # noqa: S603  # a list of words, none of which git takes for an option
            ["git", "-C", str(folder), *arguments],  # noqa: S607  # the git that the user has
            input=stdin,
            stdin=None if stdin is not None else subprocess.DEVNULL,
            capture_output=True,
            check=False,
            env={name: value for name, value in os.environ.items() if name not in _OF_HOOKS},
        )
    except FileNotFoundError as error:
        raise UsageError("--base git:... needs git, and there is none") from error
