"""Find the files in the asset store that nothing names any more (docs/content.md 13)."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

from ..content.pictures.published_names import StoredFile, digest_in, digests_in, is_published_name, texts_in
from ..model import Kind
from ..sync import Base
from ..sync.comparing.fingerprint import fingerprint
from ..sync.state.run_history import list_journals
from ..sync.state.state_dir import StateDir, unreadable_error

MIN_AGE = timedelta(days=1)  # a younger file may belong to a sync that has not written its entry yet


def find_unused_files(
    stored: Iterable[StoredFile], digests: Collection[str], fingerprints: Collection[str], base: str, now: datetime
) -> list[StoredFile]:
    """Return the published files that are not in use, sorted by name; never a file of another program.

    A file is in use if its digest is in `digests`, if it is younger than MIN_AGE, or if the fingerprint of its address
    (`base` and its name) is in `fingerprints`.
    """

    def is_used(name: str) -> bool:
        # The address of a picture has the same fingerprint in all fields of all kinds.
        address_fingerprint = fingerprint(Kind.ARTICLE, "thumbnail_url", f"{base}{name}")
        return digest_in(name) in digests or address_fingerprint in fingerprints

    old = (file for file in stored if is_published_name(file.name) and file.modified < now - MIN_AGE)
    return sorted(file for file in old if not is_used(file.name))


def fingerprints_in(applied: Base) -> set[str]:
    """Return the fingerprints of all values that a base contains, among them those of the addresses of pictures."""
    pairs = (pair for entry in applied.values() for pair in entry.fields.values())
    return {digest for pair in pairs for digest in pair.split("/")}  # SENT or SENT/STORED


def digests_in_values(values: Iterable[Any]) -> set[str]:
    """Return the digests of all published files that values of entries may name, at whatever address."""
    return {digest for text in texts_in([*values]) for digest in digests_in(text)}


def digests_in_journals(state_dir: StateDir) -> set[str]:
    """Return the digests in the journals of a target: `undo` may write the values that they store.

    Raise LocalFileError if a journal cannot be read.
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
