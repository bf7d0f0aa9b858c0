"""The rows of tables whose listings were equal to their records at the last plan.

A plan need not look at a synced row again while its text, all other files, the base and the record are unchanged.
"""

from collections.abc import Callable, Collection, Sequence
from hashlib import blake2b

from .table_format import LIST_SEPARATOR
from .table_rows import TableRow


class SyncedRows:
    """The digests of synced rows. While tables are read, `found` collects the digests of the rows still in them."""

    def __init__(self, digests: Collection[str]) -> None:
        self._digests = digests
        self.found: list[str] = []

    def find(self, digest: str) -> bool:
        """Return whether a row with this digest is synced, and add it to `found`."""
        is_synced = digest in self._digests
        if is_synced:
            self.found.append(digest)
        return is_synced


def row_digest(
    path: str, delimiter: str, names: Sequence[str], list_separator: str = LIST_SEPARATOR
) -> Callable[[TableRow], str]:
    """Return the function that makes the digests of a table's rows; `names` are its columns.

    Rows with equal digests are in files of the same path, and have the same values.
    """
    table_hash = blake2b(
        repr((path, delimiter, [*names], list_separator)).encode("utf-8", "surrogatepass"), digest_size=12
    )

    def digest(row: TableRow) -> str:
        row_hash = table_hash.copy()
        row_hash.update(row.text.encode("utf-8", "surrogatepass"))
        return row_hash.hexdigest()

    return digest
