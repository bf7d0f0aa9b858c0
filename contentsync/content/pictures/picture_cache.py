"""Cache the facts about pictures by the stamps of their files, so that an unchanged picture is not opened."""

import hashlib
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from ..files.cache_file import read_sealed, write_sealed
from ..files.content_folder import CACHE_FOLDER, FileStamp
from ..files.file_text import UnreadableFile
from ..files.folder_signatures import settled_time
from ..files.source_file import ContentRoot, unreadable_problem
from .picture_facts import MAX_HEAD, PictureFacts, SvgFault, picture_facts

FACTS_FILE = f"{CACHE_FOLDER}/pictures.json"

_FIRST_READ = 1024 * 1024  # bytes; enough for the properties of a JPEG, which are at its start
_JPEG = b"\xff\xd8\xff"


class PictureCache:
    """The facts about the pictures of a content folder, during one run.

    `save` stores the facts on disk for the next run, except those about files that may have changed after the run
    `began`, a time of `time.monotonic_ns`.
    """

    def __init__(self, folder: Path, began: int) -> None:
        """Load the facts that the last run stored."""
        self.read_count = 0  # pictures that were opened in this run
        self._folder = folder
        self._began = began
        # By location of a file: what the last run stored, and what this run needed.
        self._stored, self._stored_digests = _stored_facts(folder)
        self._current: dict[str, tuple[FileStamp, PictureFacts]] = {}
        self._digests: dict[str, tuple[FileStamp, str]] = {}

    def facts(self, location: str, path: str) -> PictureFacts:
        """Return the facts about the file at a location; problems name it `path`. Raises UnreadableFile."""
        stamp = self._stamp(location, path)
        stored_stamp, row = self._stored.get(location, ("", None))
        facts = _facts_from_row(row) if stored_stamp == str(stamp) else self._read(location, path, stamp)
        self._current[location] = stamp, facts
        return facts

    def digest(self, location: str, path: str) -> tuple[str, int]:
        """Return the SHA-256 and the size of the file at a location; problems name it `path`. Raises UnreadableFile."""
        stamp = self._stamp(location, path)
        stored_stamp, digest = self._stored_digests.get(location, ("", ""))
        if stored_stamp != str(stamp):
            self.read_count += 1
            with ContentRoot(self._folder) as root, root.open_bytes(location, path) as (blocks, stamp):
                hashed = hashlib.sha256()
                for block in blocks:
                    hashed.update(block)
            digest = hashed.hexdigest()
        self._digests[location] = stamp, digest
        return digest, stamp.size

    def save(self) -> None:
        """Store the facts and digests for the next run, without those of files that changed just before or in this run.

        If such a file changes once more, its stamp may stay the same. Errors of the disk are ignored. Write nothing if
        no file was read in this run, and no picture is gone.
        """
        if not self.read_count and len(self._current) == len(self._stored):
            return
        with suppress(OSError):  # as on a read-only disk
            before = settled_time(self._folder, elapsed=time.monotonic_ns() - self._began)
            rows = {
                location: (str(stamp), _facts_to_row(facts))
                for location, (stamp, facts) in self._current.items()
                if max(stamp.mtime_ns, stamp.ctime_ns) < before
            }
            # A run that needs no digests retains those of the pictures whose facts it needed.
            digests = {location: row for location, row in self._stored_digests.items() if location in self._current}
            for location, (stamp, digest) in self._digests.items():
                digests.pop(location, None)
                if max(stamp.mtime_ns, stamp.ctime_ns) < before:
                    digests[location] = str(stamp), digest
            write_sealed(self._folder, FACTS_FILE, [orjson.dumps({"pictures": rows, "digests": digests})])

    def _stamp(self, location: str, path: str) -> FileStamp:
        """Return the stamp of the file at a location. Raise UnreadableFile, which names it `path`."""
        try:
            return FileStamp.from_status(os.lstat(self._folder / location))
        except OSError as error:
            raise UnreadableFile(unreadable_problem(path, error)) from error

    def _read(self, location: str, path: str, stamp: FileStamp) -> PictureFacts:
        """Return the facts about a picture, from its first MAX_HEAD bytes; of a JPEG, read fewer."""
        self.read_count += 1
        with ContentRoot(self._folder) as root:
            data = root.read_head(location, path, _FIRST_READ)
            if len(data) < stamp.size and not data.startswith(_JPEG):
                data = root.read_head(location, path, MAX_HEAD)
        return picture_facts(data, stamp.size)


_Stored = dict[str, tuple[str, Any]]  # stamps and values, by location


def _stored_facts(folder: Path) -> tuple[_Stored, _Stored]:
    """Return the facts and the digests of the last run; empty if another release stored them, or they are damaged."""
    document = read_sealed(folder, FACTS_FILE)
    if not document:
        return {}, {}
    stored = orjson.loads(document)
    return stored["pictures"], stored["digests"]


def _facts_to_row(facts: PictureFacts) -> list[Any]:
    *values, faults, reason = facts
    return [*values, [[*fault] for fault in faults], reason]  # orjson does not write named tuples


def _facts_from_row(row: Any) -> PictureFacts:
    facts = PictureFacts(*row)
    return facts._replace(faults=tuple(SvgFault(*fault) for fault in facts.faults))
