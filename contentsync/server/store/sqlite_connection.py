"""Connections to a SQLite file, the transactions on them, and the disk that the file is on."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Connection, Engine

from .caching import STATEMENT_CACHE, StatementCache

# Seconds for which SQLite itself waits for the lock of another process; other requests wait too.
BUSY_TIMEOUT = 0.01

MOUNTS = Path("/proc/self/mountinfo")  # exists only on Linux
# Machines that share a file on one of these do not see each other's locks in time.
NETWORK_FILESYSTEMS = frozenset(
    {"afs", "ceph", "cifs", "fuse.glusterfs", "fuse.sshfs", "lustre", "ncpfs", "nfs", "nfs4", "smb3"}
)


class Transactions:
    """Transactions on new connections; `begin` is the SQL that begins one (None: each statement commits itself).

    If `before_commit` raises, the transaction is rolled back.
    """

    def __init__(self, engine: Engine, begin: str | None, *, before_commit: Callable[[], None] | None = None) -> None:
        self._engine = engine
        self._begin = begin
        self._before_commit = before_commit

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """Yield a new connection in a transaction that ends with the block."""
        with self._engine.begin() as connection:
            # Begun here, because a listener on the engine's events slows down every statement.
            if self._begin is not None:
                connection.exec_driver_sql(self._begin)
            yield connection
            if self._before_commit is not None:
                self._before_commit()


class PersistentConnection:
    """A connection that stays open, with transactions run by the driver, which is faster than SQLAlchemy.

    It has a `StatementCache`, because SQLite's `data_version` shows whether another connection, in any process, has
    committed to the file; `versions.bump_version` updates the cache for its own changes. If `before_commit` raises, the
    transaction is rolled back.
    """

    def __init__(
        self, engine: Engine, begin: str, *, before_commit: Callable[[], None] | None = None, auto_commit: bool = True
    ) -> None:
        self._engine = engine
        self._begin = begin
        self._before_commit = before_commit
        self._auto_commit = auto_commit  # at the end of the block; False: the caller calls `commit`
        self._connection: Connection | None = None

    def begin(self) -> Self:
        """Return a context manager of the connection in a transaction; transactions cannot be nested."""
        return self

    def __enter__(self) -> Connection:
        """Begin a transaction, and drop cached results if another connection has committed."""
        connection = self._connection or self._connect()
        self._driver.execute(self._begin)
        try:
            # The first statement fixes the state that the transaction sees, so this is its version.
            self._cache.use_version(self._driver.execute("PRAGMA data_version").fetchone()[0])
            self._changes_before = self._driver.total_changes
        except sqlite3.Error:
            self._driver.rollback()
            raise
        return connection

    def __exit__(self, error_type: type[BaseException] | None, *_: object) -> None:
        if error_type is not None:
            self._roll_back()
        elif self._auto_commit:
            self.commit()

    @property
    def changes(self) -> int:
        """Return the number of rows that the transaction has written."""
        return int(self._driver.total_changes - self._changes_before)

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
            del self._connection.info[STATEMENT_CACHE]
            self._connection.close()
            self._connection = None

    def _connect(self) -> Connection:
        self._connection = self._engine.connect()
        self._driver: Any = self._connection.connection.driver_connection
        self._cache = self._connection.info[STATEMENT_CACHE] = StatementCache()
        return self._connection


def connect(path: Path) -> sqlite3.Connection:
    """Connect to an existing file; raise sqlite3.OperationalError if it does not exist."""
    file = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(file, uri=True, timeout=BUSY_TIMEOUT, check_same_thread=False)


def configure(dbapi: Any, _record: Any, *, durable: bool = True) -> None:
    """Set up a new connection of an engine. If it is not `durable`, the last commits may be lost in a power failure."""
    # The driver would begin a transaction only at the first write, so this module begins transactions itself.
    dbapi.isolation_level = None
    for pragma in (f"synchronous = {'FULL' if durable else 'NORMAL'}", "foreign_keys = ON"):
        dbapi.execute(f"PRAGMA {pragma}")


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
