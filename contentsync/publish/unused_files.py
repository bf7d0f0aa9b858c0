"""Find the files in the asset store that nothing names any more (docs/content.md 13)."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

from ..content.pictures.published_names import StoredFile, digest_in, digests_in, is_published_name, texts_in
from ..sync.state.run_history import list_journals
from ..sync.state.state_dir import StateDir, unreadable_error
from .asset_store import AssetStore

MIN_AGE = timedelta(days=1)  # a younger file may belong to a sync that has not written its entry yet


async def find_unused_files(store: AssetStore, used: Collection[str], now: datetime) -> list[StoredFile]:
    """Return the published files whose digests are not `used`, by name; files of other programs are never among them.

    Files younger than MIN_AGE are left out. Raise RemoteError.
    """
    return sorted(
        [
            file
            async for file in store.files()
            if is_published_name(file.name) and digest_in(file.name) not in used and file.modified < now - MIN_AGE
        ]
    )


def digests_in_values(values: Iterable[Any]) -> set[str]:
    """Return the digests of all published files that values of entries may name, at whatever address."""
    return {digest for text in texts_in([*values]) for digest in digests_in(text)}


def digests_in_journals(state_dir: StateDir) -> set[str]:
    """Return the digests in the journals of a target: `undo` may write the values that they store.

    Raise Unwritable for a journal that cannot be read.
    """
    found = set[str]()
    for journal in list_journals(state_dir):
        try:
            with journal.open(encoding="utf-8", errors="replace") as lines:
                for line in lines:
                    found |= digests_in(line)
        except OSError as error:
            raise unreadable_error(journal, error) from error
    return found
