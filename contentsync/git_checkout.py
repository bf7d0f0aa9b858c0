"""Read the files of a commit or a tree as a checkout writes them; no other module reads the content of git.

Git itself writes the files, from an index and into a folder that are both temporary. So line ends, encodings, filters
(such as LFS) and links are as in any checkout, and the programs of filters are only those that the user has configured.
"""

import os
import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import NamedTuple

from .errors import Refused, pluralize
from .git import (
    SUBMODULE_MODE,
    GitResult,
    environ_with_literal_paths,
    environ_without_hook,
    git,
    git_read,
    working_tree,
)

_ATTRIBUTES = ".gitattributes"
MAX_LINKS = 10  # one after the other, before the file
MAX_RUNS = 100  # of git, to find the files that it cannot write
_LINK = b"120000"
# The temporary index has all files, needs no program that watches files, and runs no hooks.
_SETTINGS = (
    *("-c", "core.sparseCheckout=false", "-c", "core.splitIndex=false", "-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
)


class TreeFile(NamedTuple):
    """A file, a link or a submodule of a commit or a tree."""

    path: str  # relative to the top of the repository, with forward slashes
    mode: bytes
    object_id: bytes

    @property
    def is_link(self) -> bool:
        return self.mode == _LINK

    @property
    def is_attributes(self) -> bool:
        """Return whether the file says how a checkout writes other files."""
        return posixpath.basename(self.path) == _ATTRIBUTES

    @property
    def is_submodule(self) -> bool:
        """Return whether the path is a submodule, whose files are in another repository."""
        return self.mode == SUBMODULE_MODE


class CheckedOut(NamedTuple):
    """A temporary folder with files of a commit."""

    folder: Path
    unread: dict[str, str]  # the files that git could not write, with its message, such as that of a filter

    def require_all(self) -> Path:
        """Return the folder. Raise Refused if git could not write a file."""
        for path, reason in self.unread.items():
            raise Refused(f"git cannot check out {path}: {reason}")
        return self.folder


class GitFiles:
    """The files in the commits and trees of a repository."""

    def __init__(self, git_dir: Path) -> None:
        """Read a repository that git does not refuse, which the caller has checked: a named one is never refused."""
        self._git_dir = git_dir

    def list_files(self, tree: str, paths: Sequence[str] = ("",)) -> list[TreeFile]:
        """Return the files at or below some paths of a commit or a tree; "" is the top.

        Include the attributes (`.gitattributes`) in the folders above, which say how a checkout writes the files.
        """
        above = {f"{parent}/{_ATTRIBUTES}" for path in paths for parent in PurePosixPath(path).parents}
        limits = ["--", *paths, *sorted(above)] if all(paths) else []
        lines = self._read("ls-tree", "-r", "-z", "--full-tree", tree, *limits).split(b"\0")
        return [_parse(line) for line in lines if line]

    def follow_links(self, tree: str, files: Iterable[TreeFile]) -> list[TreeFile]:
        """Return the files, and the files of the commit or the tree to which links among them lead."""
        found = {file.path: file for file in files}
        links = [file for file in found.values() if file.is_link]
        for _ in range(MAX_LINKS):
            if not links:
                break
            with self.check_out(links, "links") as (top, _unread):
                targets = {_link_target(top, link.path) for link in links} - found.keys() - {""}
            listed = self.list_files(tree, sorted(targets)) if targets else []
            added = [file for file in listed if file.path in targets or file.is_attributes]
            found = {file.path: file for file in added} | found
            links = [file for file in added if file.is_link]
        return [*found.values()]

    def fetch_missing(self, files: Iterable[TreeFile]) -> None:
        """Fetch the files that a partial clone lacks, all with one request. Raise Refused with git's message.

        Git would fetch each file with a request of its own.
        """
        if not self.is_partial:
            return
        wanted = {file.object_id for file in files if not file.is_submodule}
        words = ("rev-list", "--objects", "--no-object-names", "--no-walk", "--missing=print", "--ignore-missing")
        present = self._read(*words, "--stdin", stdin=b"\n".join([*wanted, b""])).split(b"\n")
        if not (missing := sorted(wanted.difference(present))):
            return
        # As git does it itself. All that the refs of the clone have is known to be there, so nothing is negotiated.
        options = ("--no-tags", "--no-write-fetch-head", "--recurse-submodules=no", "--filter=blob:none", "--stdin")
        for remote in self._promisor_remotes:
            fetch = ("-c", "fetch.negotiationAlgorithm=noop", "fetch", "--quiet", remote, *options)
            result = git(*fetch, environ=self._environ(), stdin=b"\n".join([*missing, b""]))
            if not result.returncode:
                return
        message = (
            f"this partial clone lacks {pluralize(len(missing), 'file')}, and git cannot fetch them: {_reason(result)}"
        )
        raise Refused(message, "check the connection, or clone without --filter")

    @contextmanager
    def check_out(self, files: Sequence[TreeFile], name: str) -> Iterator[CheckedOut]:
        """Yield a temporary folder with some files of a commit or a tree; `name` is the name of the folder.

        The files must include the attributes that `list_files` adds. Raise Refused if git refuses a path.
        """
        self.fetch_missing(files)
        with TemporaryDirectory(prefix="contentsync-") as temporary:
            top = Path(temporary, name or "site")  # the file system's root has no name
            top.mkdir()
            environ = {
                **self._environ(),
                "GIT_WORK_TREE": str(top),
                "GIT_INDEX_FILE": str(Path(temporary, "index")),
            }
            lines = b"".join(b"%b %b\t%b\0" % (file.mode, file.object_id, os.fsencode(file.path)) for file in files)
            git_read(*_SETTINGS, "update-index", "-z", "--index-info", folder=top, environ=environ, stdin=lines)

            def write(paths: Sequence[str]) -> GitResult:
                # Unlike `checkout`, it does not write the index: git would then run filters on what they have written.
                stdin = b"".join(os.fsencode(path) + b"\0" for path in paths)
                words = ("checkout-index", "--quiet", "--force", "-z", "--stdin")
                return git(*_SETTINGS, *words, folder=top, environ=environ, stdin=stdin)

            unread = _write([file.path for file in files], write)
            for path in unread:
                Path(top, path).unlink(missing_ok=True)  # git may have written a part of it
            yield CheckedOut(top, unread)

    @property
    def is_partial(self) -> bool:
        """Return whether the repository is a partial clone: git fetches its missing objects when it needs them."""
        return bool(self._promisor_remotes)

    @cached_property
    def _promisor_remotes(self) -> list[str]:
        words = ("config", "--null", "--name-only", "--get-regexp", r"^remote\..*\.promisor$")
        names = os.fsdecode(git(*words, environ=self._environ()).stdout).split("\0")
        return [name.removeprefix("remote.").removesuffix(".promisor") for name in names if name]

    def _environ(self) -> dict[str, str]:
        return {**environ_with_literal_paths(), "GIT_DIR": str(self._git_dir)}

    def _read(self, *words: str, stdin: bytes | None = None) -> bytes:
        return git_read(*words, environ=self._environ(), stdin=stdin)


def uncommitted_files(folder: Path, paths: Collection[str]) -> set[str]:
    """Return those of the files, by path in a folder, that a checkout of the present commit could not restore.

    These are all of them outside of a working tree. A file is compared as git would store it, so the flags of the
    index, such as `assume-unchanged`, hide no change.
    """
    top = working_tree(folder)
    if not paths or top is None:
        return {*paths}
    # Git reads names on standard input relative to the top, also when it runs in another folder.
    names = {os.path.relpath(folder.resolve() / path, top).replace(os.sep, "/"): path for path in paths}
    stdin = b"".join(os.fsencode(name) + b"\n" for name in names)
    environ = environ_without_hook()
    listed = git("ls-tree", "-r", "-z", "--full-tree", "HEAD", folder=top, environ=environ)
    hashed = git("hash-object", "--stdin-paths", folder=top, environ=environ, stdin=stdin)
    ids = hashed.stdout.split()
    if listed.returncode or hashed.returncode or len(ids) != len(names):
        return {*paths}
    committed = {file.path: file.object_id for file in map(_parse, filter(None, listed.stdout.split(b"\0")))}
    return {path for (name, path), id_ in zip(names.items(), ids, strict=True) if committed.get(name) != id_}


def _write(paths: list[str], write: Callable[[Sequence[str]], GitResult]) -> dict[str, str]:
    """Write files; return those that git cannot write, with its message.

    Git stops at the first of them, so each half of the files is then written by itself.
    """
    unread: dict[str, str] = {}
    groups = [paths]
    for _ in range(MAX_RUNS):
        if not groups:
            break
        group = groups.pop()
        result = write(group)
        if result.returncode and len(group) == 1:
            unread[group[0]] = _reason(result)
        elif result.returncode:
            half = len(group) // 2
            groups += [group[half:], group[:half]]
    return unread | {path: "too many other files could not be read" for group in groups for path in group}


def _link_target(top: Path, path: str) -> str:
    """Return the path to which a link leads, relative to the folder `top`; "" if it is outside, or no link."""
    try:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), str(Path(top, path).readlink())))
    except OSError:  # a system without links has a file with the path
        return ""
    return "" if target.startswith(("..", "/")) else target


def _parse(line: bytes) -> TreeFile:
    """Return the file of a line of `git ls-tree`."""
    attributes, _tab, path = line.partition(b"\t")
    mode, _type, object_id = attributes.split(b" ")
    return TreeFile(os.fsdecode(path), mode, object_id)


def _reason(result: GitResult) -> str:
    """Return the last line that git has printed about a failure."""
    lines = result.stderr.decode(errors="replace").strip().splitlines() or [f"exit code {result.returncode}"]
    return lines[-1].removeprefix("fatal: ").removeprefix("error: ")
