"""Connections to a SQLite file, the transactions on them, and the disk that the file is on."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from .caching import STATEMENT_CACHE, StatementCache
from .sql import Connection, FreeConnections

# Seconds for which SQLite itself waits for the lock of another process; other requests wait too.
BUSY_TIMEOUT = 0.01

MOUNTS = Path("/proc/self/mountinfo")  # exists only on Linux
# Machines that share a file on one of these do not see each other's locks in time.
NETWORK_FILESYSTEMS = frozenset(
    {"afs", "ceph", "cifs", "fuse.glusterfs", "fuse.sshfs", "lustre", "ncpfs", "nfs", "nfs4", "smb3"}
)


class FileTransactions:
    """FileTransactions on connections of their own.

    `begin` is the SQL that begins one; None: each statement commits itself. If `before_commit` raises, the transaction
    is rolled back.
    """

    def __init__(
        self, connections: FreeConnections, begin: str | None, *, before_commit: Callable[[], None] | None = None
    ) -> None:
        self._connections = connections
        self._begin = begin
        self._before_commit = before_commit

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """Yield a connection in a transaction that ends with the block."""
        with self._connections.use() as connection:
            if self._begin is not None:
                connection.driver.execute(self._begin)
            try:
                yield connection
                if self._before_commit is not None:
                    self._before_commit()
                connection.driver.commit()
            except BaseException:
                connection.driver.rollback()
                raise


class PersistentConnection:
    """A connection that stays open, with a `StatementCache`.

    SQLite's `data_version` shows whether another connection, in any process, has committed to the file;
    `versions.bump_version` updates the cache for its own changes. If `before_commit` raises, the transaction is rolled
    back.
    """

    def __init__(
        self,
        connect: Callable[[], Connection],
        begin: str,
        *,
        before_commit: Callable[[], None] | None = None,
        auto_commit: bool = True,
    ) -> None:
        self._connect = connect
        self._begin = begin
        self._before_commit = before_commit
        self._auto_commit = auto_commit  # at the end of the block; False: the caller calls `commit`
        self._connection: Connection | None = None

    def begin(self) -> Self:
        """Return a context manager of the connection in a transaction; transactions cannot be nested."""
        return self

    def __enter__(self) -> Connection:
        """Begin a transaction, and drop cached results if another connection has committed."""
        if self._connection is None:
            self._connection = self._connect()
            self._driver: sqlite3.Connection = self._connection.driver
            self._cache = self._connection.info[STATEMENT_CACHE] = StatementCache()
        self._driver.execute(self._begin)
        try:
            # The first statement fixes the state that the transaction sees, so this is its version.
            self._cache.use_version(self._driver.execute("PRAGMA data_version").fetchone()[0])
            self._changes_before = self._driver.total_changes
        except sqlite3.Error:
            self._driver.rollback()
            raise
        return self._connection

    def __exit__(self, error_type: type[BaseException] | None, *_: object) -> None:
        if error_type is not None:
            self._roll_back()
        elif self._auto_commit:
            self.commit()

    @property
    def changes(self) -> int:
        """Return the number of rows that the transaction has written."""
        return self._driver.total_changes - self._changes_before

    def commit(self) -> None:
        """Commit the transaction; if that fails, roll back and raise the error of the driver or of `before_commit`."""
        try:
            if self._before_commit is not None:
                self._before_commit()
            self._driver.commit()
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        self._cache.clear()  # it may contain results that depend on the transaction's changes
        self._driver.rollback()

    def close(self) -> None:
        """Close the connection and drop its cache."""
        if self._connection is not None:
            self._driver.close()
            self._connection = None


def open_file(path: Path, *, durable: bool) -> sqlite3.Connection:
    """Connect to an existing file; raise sqlite3.OperationalError if it does not exist.

    If the connection is not `durable`, its last commits may be lost in a power failure.
    """
    file = f"{path.absolute().as_uri()}?mode=rw"
    driver = sqlite3.connect(file, uri=True, timeout=BUSY_TIMEOUT, check_same_thread=False)
    # The driver would begin a transaction only at the first write, so this module begins transactions itself.
    driver.isolation_level = None
    for pragma in (f"synchronous = {'FULL' if durable else 'NORMAL'}", "foreign_keys = ON"):
        driver.execute(f"PRAGMA {pragma}")
    return driver


def create_if_missing(path: Path) -> None:
    """Create a missing file that only its user may read; SQLite creates its `-wal` file with the same mode."""
    if not path.exists():  # opening and closing a file that this process has open would release its locks
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


def file_identity(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of a file; None if there is no such file."""
    try:
        stat = os.stat(path)  # noqa: PTH116  # called for every commit; twice as fast as Path.stat
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def network_filesystem(path: Path, mounts: Path = MOUNTS) -> str | None:
    """Return the type of the network file system that the file is on; None if it is on a local disk or unknown."""
    if not mounts.is_file():
        return None
    # The fields of a line: mount id, parent, device, root, mount point, ..., "-", type, ... (proc(5))
    lines = [line.split(" ") for line in mounts.read_text(encoding="utf-8", errors="replace").splitlines()]
    types = {_unescape(fields[4]): fields[fields.index("-") + 1] for fields in lines}  # by mount point
    resolved = path.resolve()
    for folder in (resolved, *resolved.parents):
        filesystem = types.get(str(folder))
        if filesystem is not None:  # the folder is the file's mount point
            return filesystem if filesystem in NETWORK_FILESYSTEMS else None
    return None


def is_read_only(path: Path) -> bool:
    """Return whether the file system of the file is read-only; False if that is unknown."""
    try:
        return hasattr(os, "statvfs") and bool(os.statvfs(path.parent).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def _unescape(mount_point: str) -> str:
    for code, letter in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        mount_point = mount_point.replace(code, letter)
    return mount_point
