"""Open and replace the index of a content folder (`.contentsync/cache/index.db`), a SQLite file that is safe to delete.

The file is never written in place: a run writes a new one, which replaces it, and then the seal, which has the stamp of
the new file (docs/decisions/0037). As the file never changes, reading it needs neither locks nor a journal, and a
journal that a checkout contains is ignored.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ...file_writes import replacing_path
from .cache_file import is_sealed, write_seal
from .content_folder import CACHE_FOLDER, make_private_folder

INDEX_FILE = f"{CACHE_FOLDER}/index.db"
COLUMNS_FILE = f"{CACHE_FOLDER}/columns.json"  # the values of a large folder (docs/decisions/0039)

# Nothing in the file is trusted but its rows. Without a journal, as the new file is deleted after an error.
_READING = "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON"
_WRITING = """
    PRAGMA page_size=16384;     -- bytes, as texts are long
    PRAGMA journal_mode=OFF;
    PRAGMA synchronous=OFF;
    PRAGMA secure_delete=ON;    -- overwrites the values of files that were deleted or changed
"""
_SCHEMA = """
    CREATE TABLE folders (path TEXT PRIMARY KEY, signature TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE units (
        id INTEGER PRIMARY KEY,
        context TEXT NOT NULL,      -- the digest of what all results of the kind depend on (ResultContext)
        name TEXT NOT NULL,         -- the paths of the unit's files
        stamps TEXT NOT NULL,       -- of its files
        lookups TEXT NOT NULL,      -- JSON: what its entries look up in other entries
        answers TEXT NOT NULL,      -- a digest of what these say, with which the result is valid
        result BLOB NOT NULL,       -- JSON, without the values of entries
        checksum INTEGER NOT NULL   -- of `result`
    );
    CREATE TABLE unit_values (
        id INTEGER PRIMARY KEY,     -- of the unit
        data BLOB NOT NULL,         -- JSON: the values of each entry
        checksum INTEGER NOT NULL   -- of `data`
    );
"""


def open_index(folder: Path) -> sqlite3.Connection | None:
    """Return a connection that reads the index; None unless this version of the program wrote it on this machine."""
    if not is_sealed(folder, INDEX_FILE):
        return None
    connection = None
    try:
        # Immutable: SQLite takes no locks, and ignores a journal.
        address = f"{(folder.absolute() / INDEX_FILE).as_uri()}?mode=ro&immutable=1"
        connection = sqlite3.connect(address, uri=True, isolation_level=None)
        connection.executescript(_READING)
    except sqlite3.Error:  # damaged, or deleted meanwhile
        if connection:
            connection.close()
        return None
    return connection


@contextmanager
def replacing_index(folder: Path, old: sqlite3.Connection | None) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a new index, which replaces the present one if the block ends without an error.

    The new index is a copy of `old`, which is closed, or empty. Raise OSError or sqlite3.Error.
    """
    home = make_private_folder(folder, CACHE_FOLDER)
    (folder / COLUMNS_FILE).unlink(missing_ok=True)  # something has changed: it may have values that were deleted
    for unfinished in home.glob(f".{Path(INDEX_FILE).name}.*"):  # of a run that was killed: it has values too
        unfinished.unlink(missing_ok=True)
    with (
        replacing_path(folder / INDEX_FILE) as temporary,
        closing(sqlite3.connect(temporary, isolation_level=None)) as new,
    ):
        new.executescript(_WRITING)
        if old:
            old.backup(new)
            old.close()
        else:
            new.executescript(_SCHEMA)
        new.execute("BEGIN")
        yield new
        new.execute("COMMIT")
    write_seal(folder, INDEX_FILE)


def delete_index(folder: Path) -> None:
    """Delete the index, as after a wrong result. Raise OSError."""
    (folder / INDEX_FILE).unlink(missing_ok=True)
