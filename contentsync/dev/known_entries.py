"""What the database of `dev` has of the folder, so that neither a save nor the next start compares everything again.

It is stored with the stamp of the database after this was closed. So after a run that was killed, or if anything else
has written the database, this is compared as a whole.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from ..content.files.cache_file import read_stamp
from ..model import Entry, EntryKey, Kind
from ..remote.fetched_list import FetchedList
from ..remote.record_reader import DirectoryVersion
from ..sync.comparing.fingerprint import digest_entry
from ..sync.state.state_dir import StateDir
from ..sync.state.synced_entries import StoredEntries

_DATABASE = "site.db"
_BESIDE = ("-wal", "-shm", "-journal")  # what SQLite leaves beside a database that was not closed


class KnownEntries(NamedTuple):
    """The entries that the database has in common with the folder, after a sync without a failure."""

    rows: StoredEntries  # the listings of which are left out; the digests of the server and the state are empty
    others: Mapping[EntryKey, Entry | str]  # the other entries; if they were read from disk, the digest of each
    listing_ids: Collection[int] = ()  # of all listings; only if it was read from disk
    stamp: str = ""  # of the database; only if it was read from disk

    @property
    def row_ids(self) -> set[int]:
        """The ids of the listings that are left out."""
        return {row.id for row in self.rows.rows.values()}


def is_same(known: Entry | str | None, entry: Entry) -> bool:
    """Return whether an entry is the known one, or has its digest; None is no entry."""
    if isinstance(known, str):
        return digest_entry(entry) == known
    # The values of files that were not read again are the same objects, which are compared fast.
    return known is not None and (known.fields, known.notes) == (entry.fields, entry.notes)


def read_known(state_dir: StateDir) -> KnownEntries | None:
    """Return what the database has; None if the run that wrote it last did not end, or if it is another one."""
    stored = state_dir.read_cache(state_dir.synced_rows)
    if stored is None or stored["stamp"] != database_stamp(state_dir):
        return None
    others = {(Kind(kind), key): digest for kind, key, digest in stored["others"]}
    return KnownEntries(StoredEntries.from_document(stored["rows"]), others, stored["listing_ids"], stored["stamp"])


def write_known(state_dir: StateDir, known: KnownEntries, listings: FetchedList) -> None:
    """Store what the database has, which is closed. Ignore a write error: the next start then compares everything."""
    if stamp := database_stamp(state_dir):
        directory = DirectoryVersion((), {Kind.LISTING: listings.record_list})
        document = {
            "stamp": stamp,
            "rows": known.rows._replace(directory=directory).to_document(),
            "others": [
                (*identity, each if isinstance(each, str) else digest_entry(each))
                for identity, each in known.others.items()
            ],
            "listing_ids": listings.ids,
        }
        state_dir.write_cache(state_dir.synced_rows, document)


def database_stamp(state_dir: StateDir) -> str:
    """Return the stamp of the database; "" if there is none, or if it was not closed."""
    if any((state_dir.root / f"{_DATABASE}{suffix}").exists() for suffix in _BESIDE):
        return ""
    return read_stamp(state_dir.root, _DATABASE).decode()
