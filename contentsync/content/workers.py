"""Read many documents, in several processes if that is faster."""

import gc
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from .draft import UnreadableFile
from .entry_reader import EntryReader, ReadLog
from .folder_signatures import usable_processors
from .source_file import ContentRoot
from .translations import Unit
from .unit_result import UnitResults, entry_row

MIN_DOCUMENTS = 500  # with fewer documents, starting processes takes longer than it saves
_MIN_CHUNK, _MAX_CHUNK = 16, 512  # units
_CHUNKS_PER_WORKER = 16  # fewer have less overhead; with more, all workers finish at about the same time

_task: tuple[Path, EntryReader, Sequence[Unit], bool]  # of this worker process


def read_documents(
    folder: Path, reader: EntryReader, units: Sequence[Unit], *, whole: bool, single_process: bool = False
) -> Iterator[tuple[UnitResults, bytes | None]]:
    """Yield batches of the results of units in order, each with its JSON if it comes from a worker process, else None.

    With `whole`, results include the values of entries. Units that no worker process has read are read in this process.
    """
    chunks = list(_chunks(units))
    read_count = 0
    if not single_process and len(units) >= MIN_DOCUMENTS and usable_processors() > 1:
        for answer in _pool_results(folder, reader, units, whole, chunks):
            yield UnitResults.from_json(answer), answer
            read_count += 1
    with ContentRoot(folder) as root:
        for chunk in chunks[read_count:]:
            yield _read_units(reader, units[chunk], root, whole), None


def _chunks(units: Sequence[Unit]) -> Iterator[slice]:
    """Yield slices of units of one kind, small enough that all workers finish at about the same time."""
    size = max(_MIN_CHUNK, min(_MAX_CHUNK, len(units) // (usable_processors() * _CHUNKS_PER_WORKER)))
    end = 0
    for _, group in groupby(units, attrgetter("kind")):
        start, end = end, end + len(list(group))
        yield from (slice(at, min(at + size, end)) for at in range(start, end, size))


def _read_units(reader: EntryReader, units: Sequence[Unit], root: ContentRoot, whole: bool) -> UnitResults:
    batch = UnitResults.empty()
    for unit in units:
        log = ReadLog()
        batch.add(unit, [entry_row(draft, whole=whole) for draft in reader.read_drafts(unit, root, log)], log)
    return batch


def _pool_results(
    folder: Path, reader: EntryReader, units: Sequence[Unit], whole: bool, chunks: Sequence[slice]
) -> Iterator[bytes]:
    """Yield the JSON of each chunk's batch; stop if a worker process fails, for example because memory is short."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    try:
        # A forked worker already has the units; where forking is unsafe, they are sent once.
        context: Any = get_context("fork" if sys.platform == "linux" else "spawn")
        pool = ProcessPoolExecutor(usable_processors(), context, _start_worker, (folder, reader, units, whole))
        answers = pool.map(_read_chunk, chunks)
    except (OSError, NotImplementedError):
        return
    try:
        yield from answers
    except BrokenProcessPool:
        return
    finally:
        pool.shutdown(cancel_futures=True)


def _start_worker(*task: Any) -> None:
    global _task
    _task = task
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process stops the pool
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # and does so with this signal
    gc.disable()  # reading creates no cycles


def _read_chunk(chunk: slice) -> bytes:
    folder, reader, all_units, whole = _task
    try:
        with ContentRoot(folder) as root:
            return _read_units(reader, all_units[chunk], root, whole).to_json()
    except UnreadableFile as error:  # the content folder was deleted
        batch = UnitResults.empty()
        for unit in all_units[chunk]:
            batch.add(unit, [], ReadLog(list(error.problems), incomplete=True))
        return batch.to_json()


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the garbage collector, because reading creates many objects and hardly any reference cycles."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
