"""Read units: many documents in several processes, and a unit again for the locations of its values.

The locations are not stored, because few entries need them.
"""

import gc
import signal
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from ..entry.identity import EntryRef
from ..files.file_text import UnreadableFile
from ..files.folder_signatures import usable_processors
from ..files.source_file import ContentRoot, FolderView
from ..formats.draft import Draft, Location, Locations
from .entry_reader import EntryReader
from .translations import Unit
from .unit_results import EntryRecord, ReadLog, UnitResults

MIN_DOCUMENTS = 500  # with fewer documents, starting processes takes longer than it saves
_MIN_CHUNK, _MAX_CHUNK = 16, 512  # units
_CHUNKS_PER_WORKER = 16  # fewer have less overhead; with more, all workers finish at about the same time

MAX_DRAFTS = 2_500  # that are cached while they are read; all entries of their files
_MAX_UNITS = 64  # whose drafts are cached after they were read again


class _Task(NamedTuple):
    """What a worker process needs for all of its chunks."""

    view: FolderView
    reader: EntryReader
    units: Sequence[Unit]
    with_values: bool


_task: _Task  # of this worker process


def read_documents(
    view: FolderView, reader: EntryReader, units: Sequence[Unit], *, with_values: bool, single_process: bool = False
) -> Iterator[UnitResults]:
    """Yield batches of the results of units in order.

    With `with_values`, results include the values of entries. Units that no worker has read are read in this process.
    """
    chunks = list(_chunks(units))
    read_count = 0
    if not single_process and len(units) >= MIN_DOCUMENTS and usable_processors() > 1:
        task = _Task(view, reader, units, with_values)
        for batch_json in _pool_results(task, chunks):
            yield UnitResults.from_json(batch_json)
            read_count += 1
    with view.open() as root:
        for chunk in chunks[read_count:]:
            yield _read_units(reader, units[chunk], root, with_values)


def _chunks(units: Sequence[Unit]) -> Iterator[slice]:
    """Yield slices of units of one kind, small enough that all workers finish at about the same time."""
    size = max(_MIN_CHUNK, min(_MAX_CHUNK, len(units) // (usable_processors() * _CHUNKS_PER_WORKER)))
    end = 0
    for _kind, group in groupby(units, attrgetter("kind")):
        start, end = end, end + len(list(group))
        yield from (slice(first, min(first + size, end)) for first in range(start, end, size))


def _read_units(reader: EntryReader, units: Sequence[Unit], root: ContentRoot, with_values: bool) -> UnitResults:
    """Return the results of units, which are read in this process."""
    batch = UnitResults.empty()
    for unit in units:
        log, records, addresses = ReadLog(), list[EntryRecord](), None
        for draft in reader.read_drafts(unit, root, log):
            records.append(EntryRecord.of_draft(draft, with_values=with_values))
            if draft.permalinks or draft.former_addresses:
                addresses = [draft.permalinks, draft.former_addresses]  # of a document, which has one entry
        batch.add(unit, records, log, addresses)
    return batch


def _pool_results(task: _Task, chunks: Sequence[slice]) -> Iterator[bytes]:
    """Yield the JSON of each chunk's batch, in order. If a worker process fails, stop: the caller reads the rest."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    try:
        # A forked worker has the task in its copy of the memory. Where forking is unsafe, each worker is sent it once.
        context: Any = get_context("fork" if sys.platform == "linux" else "spawn")
        pool = ProcessPoolExecutor(usable_processors(), context, initializer=_start_worker, initargs=(task,))
        batches = pool.map(_read_chunk, chunks)
    except (OSError, NotImplementedError):
        return
    try:
        yield from batches
    except BrokenProcessPool:
        return
    finally:
        pool.shutdown(cancel_futures=True)


def _start_worker(task: _Task) -> None:
    """Prepare a worker process: store the task that all of its chunks share."""
    global _task
    _task = task
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process stops the pool
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # and does so with this signal
    gc.disable()  # reading creates no cycles


def _read_chunk(chunk: slice) -> bytes:
    """Return the results of a chunk of the worker's units, as JSON."""
    units = _task.units[chunk]
    try:
        with _task.view.open() as root:
            return _read_units(_task.reader, units, root, _task.with_values).to_json()
    except UnreadableFile as error:  # the content folder was deleted
        batch = UnitResults.empty()
        for unit in units:  # the report shows equal problems once
            batch.add(unit, [], ReadLog(list(error.problems), incomplete=True))
        return batch.to_json()


def read_again(
    view: FolderView, reader: EntryReader, units: Sequence[Unit], number: int, wanted: Container[int] | None = None
) -> Iterator[Draft]:
    """Yield the entries of a unit that was read before; nothing if the content folder was deleted in the meantime.

    With `wanted`, yield only the entries with these numbers, which is faster. The digests of rows stay those of the
    first reading, because the file may have changed.
    """
    if reader.synced:
        reader = replace(reader, synced=reader.synced.without_notes())
    with suppress(UnreadableFile), view.open() as root:
        yield from reader.read_drafts(units[number], root, ReadLog(), wanted)


class LocatedDrafts:
    """The drafts of units without their values: they locate the values for problems (`Draft.value_locations`).

    A unit's number is its index among all units of the folder. `read` reads the drafts of the unit with a number again.
    """

    def __init__(self, read: Callable[[int], Iterable[Draft]]) -> None:
        self.read = read
        self._cached: dict[int, list[Draft]] = {}
        self._free_places = MAX_DRAFTS
        # Not a method: the object would refer to itself, and stay in memory until the next garbage collection.
        self._read_again = lru_cache(_MAX_UNITS)(partial(_read_without_values, read))

    def cache(self, unit_number: int, entries: Iterable[Draft | EntryRecord]) -> Iterator[Draft | EntryRecord]:
        """Yield the entries of a unit; after the last one, cache them if all are drafts and there is room for them.

        The values of a draft that may be cached are deleted when the caller asks for the next one.
        """
        drafts = list[Draft]()
        count = 0
        for entry in entries:
            yield entry
            count += 1
            if isinstance(entry, Draft) and len(drafts) < self._free_places:
                entry.values = {}
                drafts.append(entry)
        if len(drafts) == count:
            self._cached[unit_number] = drafts
            self._free_places -= count

    def of_unit(self, unit_number: int) -> list[Draft]:
        """Return the drafts of a unit; read them again if they are not cached."""
        return self._cached[unit_number] if unit_number in self._cached else self._read_again(unit_number)


def _read_without_values(read: Callable[[int], Iterable[Draft]], unit_number: int) -> list[Draft]:
    """Return the drafts of a unit, for the locations of their values: the values would use much memory in the cache."""
    drafts: list[Draft] = []
    for draft in read(unit_number):
        draft.values = {}
        drafts.append(draft)
    return drafts


class EntryLocations(Mapping[str, Location]):
    """The locations of one entry's values by dotted name, for `Source.locations`; empty if the entry was deleted.

    It also is the form of the entry, for `Source.form`. Both are read again, with the files of the entry.
    """

    __slots__ = ("_drafts", "_ref")

    def __init__(self, drafts: LocatedDrafts, ref: EntryRef) -> None:
        self._drafts = drafts
        self._ref = ref

    @property
    def emptied(self) -> frozenset[str]:
        draft = self._draft()
        return draft.emptied if draft else frozenset()

    @property
    def replaced_lines(self) -> Mapping[str, frozenset[int]]:
        draft = self._draft()
        return (draft.replaced_lines if draft else None) or {}

    def _draft(self) -> Draft | None:
        """Return the draft of the entry, without values; None if it no longer exists."""
        drafts = self._drafts.of_unit(self._ref.unit)
        return drafts[self._ref.entry] if self._ref.entry < len(drafts) else None

    def _locations(self) -> Locations:
        draft = self._draft()
        return draft.value_locations | draft.body_locations if draft else {}

    def __getitem__(self, name: str) -> Location:
        return self._locations()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._locations())

    def __len__(self) -> int:
        return len(self._locations())
