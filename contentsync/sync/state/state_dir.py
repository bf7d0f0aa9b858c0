"""The directory of a target's state, and its lock: one run at a time may write there."""

import asyncio
import errno
import getpass
import hashlib
import os
import platform
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import orjson

from ...content.files.cache_file import read_sealed, write_sealed
from ...content.files.content_folder import make_private_root_of
from ...errors import LocalFileError, Refused, Unwritable
from ...file_writes import write_file
from ...lazy_pattern import lazy_pattern
from ...model.scalar import instant_text, parse_instant

if TYPE_CHECKING:
    from filelock import FileLock

_SAFE_NAME = lazy_pattern(r"[a-z0-9][a-z0-9_-]{0,63}\Z")  # a safe file name everywhere, also where case does not count
_PAUSE = 0.1  # seconds between two attempts to get the lock
_OWNER_FILE = "owner.json"  # in the folder of the lock
_FLAG = "--take-lock takes it over, once you know that nothing runs there"
_PERMISSIONS = "correct its permissions and those of the folders above it"
_NO_FOLDER = "it, or a folder above it, must be a folder: move away the file that is there"
_HINTS = {
    errno.EACCES: _PERMISSIONS,
    errno.EPERM: _PERMISSIONS,
    errno.ENOTDIR: _NO_FOLDER,
    errno.EEXIST: _NO_FOLDER,
    errno.EISDIR: "it must be a file: move away the folder that is there",
    errno.ELOOP: "remove the link that is there",
}


@dataclass(frozen=True, slots=True)
class StateDir:
    """The files of one target (docs/sync.md, Undo a run)."""

    root: Path
    name: str  # of the target, as a file name

    @classmethod
    def for_target(cls, folder: Path, target: str, root: Path | None = None) -> "StateDir":
        """Return the state directory of a target: in the folder's `.contentsync`, or outside of the folder in `root`.

        Content folders may share a `root`: each has a subfolder in it, named after the folder and a hash of its path.
        Raise Refused for a link in `.contentsync`: a commit may contain links that lead our writes elsewhere.
        """
        name = target if _SAFE_NAME.match(target) else f"target-{_short_hash(target)}"
        if root is None:
            state_dir = cls(folder / ".contentsync", name)
            state_dir.require_no_link()
            return state_dir
        resolved = folder.resolve()
        return cls(root / f"{resolved.name}-{_short_hash(str(resolved))}", name)

    @property
    def state(self) -> Path:
        """Return the path of the state file."""
        return self.root / "state" / f"{self.name}.jsonl"

    @property
    def journals(self) -> Path:
        """Return the path of the folder of the journals, one file per run."""
        return self.root / "journal" / self.name

    @property
    def lock(self) -> Path:
        return self.root / "lock" / self.name

    @property
    def cache(self) -> Path:
        """Return the path of the snapshot of the server, which is safe to delete."""
        return self.root / "cache" / "server" / self.name

    @property
    def plan_cache(self) -> Path:
        """Return the path of the cached empty plan, which is safe to delete."""
        return self.root / "cache" / "plan" / f"{self.name}.json"

    @property
    def synced_rows(self) -> Path:
        """Return the path of the rows that a plan may leave out, which is safe to delete."""
        return self.root / "cache" / "rows" / f"{self.name}.json"

    @property
    def synced_commit(self) -> Path:
        """Return the path of the note of the commit that was synced last, which is safe to delete."""
        return self.root / "cache" / "commit" / self.name

    def read_cache(self, file: Path) -> Any:
        """Return the JSON of a cache file of this folder; None unless this program has written it here."""
        document = read_sealed(self.root, file.relative_to(self.root).as_posix())
        return orjson.loads(document) if document else None

    def write_cache(self, file: Path, document: Mapping[str, Any]) -> None:
        """Replace a cache file of this folder by JSON; named tuples, sets and views are lists in it.

        Ignore a write error: it only makes the next command slower.
        """
        with suppress(OSError):
            make_private_root_of(file)
            file.parent.mkdir(parents=True, exist_ok=True)
            parts = [orjson.dumps(document, default=list)]
            write_sealed(self.root, file.relative_to(self.root).as_posix(), parts)

    def require_no_link(self) -> None:
        """Raise Refused if one of the paths is a link. Raise LocalFileError if a path cannot be checked."""
        caches = (self.cache, self.plan_cache, self.synced_rows, self.synced_commit)
        for path in (self.state, self.journals, self.lock, *caches):
            folders_to_root = path.parents[: len(path.relative_to(self.root).parts)]  # the root is the last one
            for part in (path, *folders_to_root):
                try:
                    is_link = part.is_symlink()
                except OSError as error:
                    raise unreadable_error(part, error) from error
                if is_link:
                    raise Refused(
                        f"{part} is a link, and the state is not written through links",
                        "remove the link, or name another folder with --state-dir",
                    )


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:8]


class Owner(NamedTuple):
    """The owner of a lock, identified by `run`, `host` and `pid`; the other values are for messages."""

    run: str
    host: str
    pid: int
    user: str
    since: str

    @classmethod
    def this_process(cls, run: str) -> "Owner":
        """Return this process as the owner."""
        try:
            user = getpass.getuser()
        except (KeyError, OSError):  # the user of a container may have no name
            user = str(os.getuid())
        return cls(run, platform.node(), os.getpid(), user, instant_text(datetime.now(UTC)))

    def __str__(self) -> str:
        return f"{self.user} on {self.host} (process {self.pid}, run {self.run}) since {self.since}{self._age()}"

    def _age(self) -> str:
        try:
            seconds = (datetime.now(UTC) - parse_instant(self.since, UTC)).total_seconds()
        except ValueError:
            return ""
        return f", {seconds / 60:,.0f} minutes ago" if seconds >= 60 else ""


def _read_owner(file: Path) -> Owner | bytes | None:
    """Return the owner in an owner file; None without a file, and its bytes if they do not name an owner."""
    try:
        text = file.read_bytes()
    except FileNotFoundError:
        return None
    try:
        document: dict[str, Any] = orjson.loads(text)
        return Owner(**document)
    except (ValueError, TypeError):
        return text


def running_owner(state_dir: StateDir) -> Owner | None:
    """Return the other process that has the lock of a target; None if there is none, or if it is not certain.

    The lock itself is not tried: a run that begins at this moment would be refused.
    """
    try:
        owner = _read_owner(state_dir.lock / _OWNER_FILE)
    except OSError:
        return None
    if not isinstance(owner, Owner) or (owner.host == platform.node() and not _is_alive(owner.pid)):
        return None
    is_this_process = (owner.host, owner.pid) == (platform.node(), os.getpid())
    return None if is_this_process else owner


def _is_alive(pid: int) -> bool:
    """Return whether a process of this machine exists."""
    try:
        os.kill(pid, 0)  # sends nothing
    except (ProcessLookupError, OverflowError, TypeError):
        return False
    except PermissionError:  # a process of another user
        return True
    return pid > 0


class TargetLock:
    """A target's lock, for `async with`.

    The operating system locks out other processes of this machine, and releases the lock of a dead one. A file that
    names the owner locks out other machines that share the folder. With `take`, take the lock over: the other run
    notices before its next write. Raise Refused if the lock is not free after `wait` seconds. Raise Unwritable if the
    files of the lock cannot be written.
    """

    def __init__(
        self,
        state_dir: StateDir,
        run: str,
        *,
        take: bool = False,
        wait: float = 0,
        on_wait: Callable[[str], None] = lambda reason: None,
    ) -> None:
        self._folder = state_dir.lock
        self._this_owner = Owner.this_process(run)
        self._take = take
        self._wait = wait
        self._on_wait = on_wait
        self._file_lock: FileLock | None = None

    async def __aenter__(self) -> Self:
        try:
            make_private_root_of(self._folder)
            self._folder.mkdir(parents=True, exist_ok=True)
            await self._acquire()
        except OSError as error:
            self._release()
            raise unwritable_error(self._folder, error) from error
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with suppress(OSError):  # a later run of this machine replaces a remaining owner file
            if self._is_mine():
                self._owner_file.unlink(missing_ok=True)
        self._release()

    def check(self) -> None:
        """Raise Refused if another run has taken the lock (docs/faults.md CO-12); call it before each write.

        Raise LocalFileError if the owner file cannot be read.
        """
        try:
            is_mine = self._is_mine()
        except OSError as error:
            raise unreadable_error(self._owner_file, error) from error
        if not is_mine:
            message = f"the lock of this run was taken over by {self._owner_text()}"
            raise Refused(message, "what was written is recorded; run again when the other run has ended")

    @property
    def _owner_file(self) -> Path:
        return self._folder / _OWNER_FILE

    async def _acquire(self) -> None:
        """Wait until the lock is free, or take it over, and write the owner file. Raise Refused after the wait."""
        deadline = monotonic() + self._wait
        reported = False
        while not self._try_acquire():
            if self._take:
                # The other run keeps the deleted file locked; the next attempt creates a new file.
                (self._folder / "lock").unlink(missing_ok=True)
            elif monotonic() >= deadline:
                raise Refused(
                    f"another run holds the lock of this target: {self._owner_text()}", f"wait for it; {_FLAG}"
                )
            else:
                if not reported:
                    self._on_wait(f"waiting for {self._owner_text()}")
                    reported = True
                await asyncio.sleep(_PAUSE)
        write_file(self._owner_file, orjson.dumps(self._this_owner._asdict()))

    def _try_acquire(self) -> bool:
        """Try once to get the lock; return False if a process here has it, or a run on another machine owns it."""
        from filelock import FileLock  # a plan takes no lock

        self._file_lock = FileLock(self._folder / "lock")
        try:
            self._file_lock.acquire(timeout=0)
        except TimeoutError:  # filelock's own is one
            self._file_lock = None
            return False
        if self._take or self._is_free_of_other_hosts():
            return True
        self._release()
        return False

    def _is_free_of_other_hosts(self) -> bool:
        """Return whether no run on another machine owns the lock; call it only with the file locked.

        An owner on this machine is dead then, because a running one would have the file locked. If the owner file is
        damaged, its run may be on another machine.
        """
        owner = self._owner()
        return owner is None or (isinstance(owner, Owner) and owner.host == self._this_owner.host)

    def _release(self) -> None:
        if self._file_lock is not None:
            self._file_lock.release()
            self._file_lock = None

    def _is_mine(self) -> bool:
        """Return whether the owner file names this run. Raise OSError if it cannot be read."""
        owner, own = self._owner(), self._this_owner
        return isinstance(owner, Owner) and (owner.run, owner.host, owner.pid) == (own.run, own.host, own.pid)

    def _owner_text(self) -> str:
        owner = self._owner()
        return str(owner) if isinstance(owner, Owner) else f"a process that {self._owner_file} does not name"

    def _owner(self) -> Owner | bytes | None:
        return _read_owner(self._owner_file)


def unreadable_error(file: Path, error: OSError) -> LocalFileError:
    """Return the error to raise for an existing file that cannot be read."""
    return LocalFileError(f"{file} cannot be read: {_reason(error)}", _hint(error, "correct its permissions"))


def unwritable_error(file: Path, error: OSError) -> Unwritable:
    """Return the error to raise for a file or folder that cannot be written (docs/faults.md FI-24, FI-25)."""
    hint = f"{_hint(error, 'make room')}, or name another place with --state-dir"
    return Unwritable(f"{file} cannot be written: {_reason(error)}", hint)


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)


def _hint(error: OSError, default: str) -> str:
    return default if error.errno is None else _HINTS.get(error.errno, default)
