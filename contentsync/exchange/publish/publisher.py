"""Publish the files of a plan that the asset store lacks, and find those in it that nothing names any more.

A file is published before the entries that name it (docs/content.md 13).
"""

import asyncio
import hashlib
import tempfile
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO, Any

from ...content.files.file_text import UnreadableFile
from ...content.files.source_file import ContentRoot
from ...content.pictures.published_names import (
    PublishedFile,
    StoredFile,
    digest_in,
    digests_in,
    is_published_name,
    published_name,
    published_names,
    texts_in,
)
from ...errors import Denied, RemoteError
from ...model import Entry, Kind
from ...sync.comparing.base import Base
from ...sync.comparing.change import Action, Change
from ...sync.comparing.fingerprint import fingerprint
from ...sync.planning.plan import Plan, Refusal
from ...sync.state.run_history import list_journals
from ...sync.state.state_dir import StateDir, unreadable_error
from .asset_store import AssetStore, KnownFiles

CONCURRENCY = 8  # files at a time
MAX_IN_MEMORY = 8 * 1024 * 1024  # bytes of a file; the rest of a larger one is on disk while it is published
MIN_AGE = timedelta(days=1)  # a younger file may belong to a sync that has not written its entry yet


class Publisher:
    """Publishes the files of one content folder in its asset store, which has the public address `base`.

    `files` are the files that entries of the folder name, by their names in the store. `known` are the files that the
    store is known to have. `failures` are the reasons why files could not be published, by name; `hint` helps to fix
    the last of them.
    """

    def __init__(
        self, store: AssetStore, known: KnownFiles, base: str, folder: Path, files: Mapping[str, PublishedFile]
    ) -> None:
        self.failures: dict[str, str] = {}
        self.hint = ""
        self._store = store
        self._known = known
        self._base = base
        self._folder = folder
        self._files = files
        self._confirmed: set[str] = set()  # the files that the store had when this run asked for them

    async def add_uploads(self, plan: Plan, desired: Iterable[Entry]) -> Plan:
        """Return the plan with an upload for each file that the store lacks, or a refusal if the folder lacks it too.

        `desired` are the selected entries of the folder. A file is refused if the plan writes its address and neither
        the store nor the folder has it. Files in written addresses are looked up in the store even if they are known.
        Raise RemoteError if the store cannot be read.
        """
        change_of = {name: change for change in plan.changes for name in self._files_named_by(change)}
        named = {name for entry in desired for name in published_names(entry.fields, self._base)}
        in_folder = named & self._files.keys()
        await self._look_up(change_of.keys() | {name for name in in_folder if not self._is_known(name)})
        missing = [name for name in sorted(change_of.keys() | in_folder) if not self._is_known(name)]
        uploads = tuple(self._files[name] for name in missing if name in self._files)
        nowhere = [name for name in missing if name not in self._files]  # each in the address that a change writes
        refusals = [_missing_file(change_of[name], name) for name in nowhere]
        return replace(plan, uploads=uploads, refusals=(*plan.refusals, *refusals))

    async def publish(self, plan: Plan) -> dict[tuple[Kind, str], str]:
        """Publish the uploads of a plan; return why changes cannot be written, by kind and key.

        If several files of a change could not be published, only the reason for the last of them is returned.
        """
        self.failures = {}
        queue = deque(plan.uploads)
        await asyncio.gather(*(self._publish_all(queue) for _ in range(min(CONCURRENCY, len(queue)))))
        reasons: dict[tuple[Kind, str], str] = {}
        if self.failures:
            for change in plan.changes:
                for name in self._files_named_by(change):
                    if name in self.failures:
                        reasons[change.kind, change.key] = self.failures[name]
        return reasons

    async def _look_up(self, names: Iterable[str]) -> None:
        """Ask the store for the sizes of files, cache the sizes of complete ones, and remove the others from the cache.

        A file is complete if it is as large as the folder's file. The size of a file that the folder does not have is
        unknown, so it counts as complete at any size. Files that this run has confirmed are not asked for again.
        """
        asked = [name for name in names if name not in self._confirmed]
        sizes = await self._store.sizes(asked)
        complete = {name: size for name, size in sizes.items() if self._is_complete(name, size)}
        self._known.remove(name for name in asked if name not in complete)
        self._known.add(complete)
        self._confirmed |= complete.keys()

    def _is_known(self, name: str) -> bool:
        """Return whether the store is known to have the complete file."""
        size = self._known.sizes.get(name)
        return size is not None and self._is_complete(name, size)

    def _is_complete(self, name: str, size: int) -> bool:
        return name not in self._files or size == self._files[name].size

    def _files_named_by(self, change: Change) -> Iterator[str]:
        """Yield the names, in the store, of the files whose addresses a change writes."""
        if change.action is Action.CREATE:
            yield from published_names(change.entry.fields, self._base)
        elif change.action is Action.UPDATE:
            yield from published_names([after for _before, after in change.fields.values()], self._base)

    async def _publish_all(self, queue: deque[PublishedFile]) -> None:
        """Publish files until the queue, which several such calls share, is empty. Record failures, and raise none."""
        while queue:
            file = queue.popleft()
            try:
                await self._publish(file)
            except UnreadableFile as error:
                self.failures[file.name] = f"{file.path} could not be published: {error.problems[0].message}"
            except RemoteError as error:
                self.failures[file.name] = f"{file.path} could not be published: {error.message}"
                self.hint = error.hint
                if isinstance(error, Denied):  # the store would refuse the other files too
                    self.failures |= {other.name: self.failures[file.name] for other in queue}
                    queue.clear()

    async def _publish(self, file: PublishedFile) -> None:
        """Publish a file from a copy, which no other program can change while it is sent. Raise RemoteError."""
        with tempfile.SpooledTemporaryFile(MAX_IN_MEMORY) as copy:
            digest = await asyncio.to_thread(self._copy, file, copy)
            if published_name(file.path, digest) != file.name:
                raise RemoteError("the file has changed since the plan was made")
            copy.seek(0)
            await self._store.put(file.name, copy)
        self._confirmed.add(file.name)
        self._known.add({file.name: file.size})

    def _copy(self, file: PublishedFile, copy: IO[bytes]) -> str:
        """Copy a file of the folder, and return the SHA-256 of the copy. Raise UnreadableFile."""
        digest = hashlib.sha256()
        with ContentRoot(self._folder) as root, root.open_bytes(file.location, file.path) as (blocks, _stamp):
            for block in blocks:
                digest.update(block)
                copy.write(block)
        return digest.hexdigest()


def _missing_file(change: Change, name: str) -> Refusal:
    message = f"{change.entry} would name the file {name}, which neither the asset store nor the folder has"
    return Refusal("missing-file", message)


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
    """Return the fingerprints of all values that a base contains, both sent and stored ones."""
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
