"""Reading many units: over several processes where that pays."""

import gc
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from .files.source_file import Root
from .outline import Rest, Row, outline, rest_of
from .reading import Found, Reader
from .unit import Unit

PAYS_FROM = 500  # units; below it a process costs more than it saves
_CHUNK = 64  # units that a worker takes at a time

_task: tuple[Root, Reader, Sequence[Unit], bool]  # of this worker process


def read_units(folder: Path, reader: Reader, units: Sequence[Unit], *, whole: bool) -> Iterator[Row | Rest]:
    """The outlines of each unit's entries and then its rest, in the order of the units; `whole` gives values too."""
    workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    done = 0
    if len(units) >= PAYS_FROM and workers > 1:
        from concurrent.futures.process import BrokenProcessPool

        try:
            for rows, rest in _pooled(folder, reader, units, whole, workers):
                yield from rows
                yield Rest(*rest)
                done += 1
        except BrokenProcessPool:  # a worker was killed, as when memory is short: go on in this process
            pass
    with Root(folder) as root:
        for unit in units[done:]:
            found = Found()
            for draft in reader.drafts(unit, root, found):
                yield outline(draft, whole=whole)
            yield Rest(*rest_of(found))


def _pooled(
    folder: Path, reader: Reader, units: Sequence[Unit], whole: bool, workers: int
) -> Iterator[tuple[list[Row], Row]]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # Forked, a worker has the units already; where forking is unsafe it is sent them once.
    context: Any = get_context("fork" if sys.platform == "linux" else "spawn")
    with ProcessPoolExecutor(workers, context, _begin, (folder, reader, units, whole)) as pool:
        for answer in pool.map(_chunk, range(0, len(units), _CHUNK)):
            yield from orjson.loads(answer)


def _begin(folder: Path, reader: Reader, units: Sequence[Unit], whole: bool) -> None:
    global _task
    _task = Root(folder), reader, units, whole
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process stops the pool
    gc.disable()  # nothing that is read has cycles


def _chunk(start: int) -> bytes:
    root, reader, units, whole = _task
    read = []
    for unit in units[start : start + _CHUNK]:
        found = Found()
        read.append(([outline(draft, whole=whole) for draft in reader.drafts(unit, root, found)], rest_of(found)))
    return orjson.dumps(read)


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
