"""Reading many documents: over several processes where that pays."""

import gc
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from .batch import Batch
from .draft import Unreadable
from .files.source_file import Root
from .outline import outline
from .processors import processors
from .reading import Found, Reader
from .unit import Unit

PAYS_FROM = 500  # documents; below it processes cost more than they save
_CHUNK_FROM, _CHUNK_TO = 16, 512  # units that a worker takes at a time
_TURNS = 16  # in which a worker takes units: fewer cost less, with more all come to an end together

_task: tuple[Path, Reader, Sequence[Unit], bool]  # of this worker process


def read_documents(
    folder: Path, reader: Reader, units: Sequence[Unit], *, whole: bool, alone: bool = False
) -> Iterator[tuple[Batch, bytes | None]]:
    """What units of one entry hold, in their order; a batch from another process with its JSON.

    With `whole` the entries have their values. What no other process answers is read in this one, `alone` all of it.
    """
    chunks = list(_chunks(units))
    done = 0
    if not alone and len(units) >= PAYS_FROM and processors() > 1:
        for answer in _answers(folder, reader, units, whole, chunks):
            yield Batch.of(answer), answer
            done += 1
    with Root(folder) as root:
        for chunk in chunks[done:]:
            batch = Batch.empty()
            for unit in units[chunk]:
                _read(reader, unit, root, whole, batch)
            yield batch, None


def _chunks(units: Sequence[Unit]) -> Iterator[slice]:
    """Parts of the units, each of one kind and small enough that the last ones are read at about the same time."""
    size = max(_CHUNK_FROM, min(_CHUNK_TO, len(units) // (processors() * _TURNS)))
    end = 0
    for _, group in groupby(units, attrgetter("kind")):
        start, end = end, end + len(list(group))
        yield from (slice(at, min(at + size, end)) for at in range(start, end, size))


def _read(reader: Reader, unit: Unit, root: Root, whole: bool, batch: Batch) -> None:
    found = Found()
    rows = [outline(draft, whole=whole) for draft in reader.drafts(unit, root, found)]
    batch.add(unit, rows, found)


def _answers(
    folder: Path, reader: Reader, units: Sequence[Unit], whole: bool, chunks: Sequence[slice]
) -> Iterator[bytes]:
    """The batch of each chunk, as far as processes could be had: a worker may be killed, as when memory is short."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    try:
        # Forked, a worker has the units already; where forking is unsafe it is sent them once.
        context: Any = get_context("fork" if sys.platform == "linux" else "spawn")
        pool = ProcessPoolExecutor(processors(), context, _begin, (folder, reader, units, whole))
        answers = pool.map(_answer, chunks)
    except (OSError, NotImplementedError):
        return
    try:
        yield from answers
    except BrokenProcessPool:
        return
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(*task: Any) -> None:
    global _task
    _task = task
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process stops the pool
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # like this
    gc.disable()  # nothing that is read has cycles


def _answer(chunk: slice) -> bytes:
    folder, reader, all_units, whole = _task
    units = all_units[chunk]
    batch = Batch.empty()
    try:
        with Root(folder) as root:
            for unit in units:
                _read(reader, unit, root, whole, batch)
    except Unreadable as error:  # the folder itself has gone
        for unit in units[len(batch.names) :]:
            batch.add(unit, [], Found(list(error.problems), incomplete=True))
    return batch.dumps()


@contextmanager
def without_collector() -> Iterator[None]:
    """Pauses the garbage collector: reading makes many objects and hardly a cycle."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
