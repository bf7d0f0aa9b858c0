"""The rows of tables whose listings were equal to their records at the last plan.

A plan need not look at a synced row again while its text, all other files, the base and the record are unchanged.
"""

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

from .table_rows import TableRow


class SyncedRow(NamedTuple):
    """What other entries can collide with: the key of a row's listing, and the slug and the id of its record."""

    key: str
    slug: str
    id: int


class SyncedRows:
    """Synced rows by digest. While tables are read, `found` collects the digests of those that they still have."""

    def __init__(self, rows: Mapping[str, SyncedRow]) -> None:
        self._rows = rows
        self.found: list[str] = []

    def find(self, digest: str) -> bool:
        """Return whether a row with this digest is synced, and add it to `found`."""
        if digest not in self._rows:
            return False
        self.found.append(digest)
        return True

    def found_rows(self) -> list[SyncedRow]:
        """Return the found rows."""
        return [self._rows[digest] for digest in self.found]


def row_digest(path: str, delimiter: str, names: Sequence[str]) -> Callable[[TableRow], str]:
    """Return a function that returns the digest of a row of the table with this path, delimiter and column names.

    Rows with equal digests are in files of the same path, and have the same values.
    """
    of_table = blake2b(repr((path, delimiter, [*names])).encode("utf-8", "surrogatepass"), digest_size=12)

    def digest(row: TableRow) -> str:
        of_row = of_table.copy()
        of_row.update(row.text.encode("utf-8", "surrogatepass"))
        return of_row.hexdigest()

    return digest
