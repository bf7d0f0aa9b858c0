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

from .draft import Unreadable
from .files.source_file import Root
from .outline import Rest, Row, outline, rest_of
from .reading import Found, Reader
from .unit import DOCUMENTS, Unit

PAYS_FROM = 500  # units of one entry; below it processes cost more than they save
_CHUNK = 64  # units that a worker takes at a time

Item = tuple[int, Row | Rest]

_task: tuple[Path, Reader, Sequence[Unit], bool]  # of this worker process


def read_units(folder: Path, reader: Reader, units: Sequence[Unit], *, whole: bool) -> Iterator[Item]:
    """The outlines of each unit's entries and then its rest, each with the unit's place; `whole` gives values too.

    Documents are read by several processes; tables and lists, of any size, here and entry by entry.
    """
    documents = [place for place, unit in enumerate(units) if unit.files[0].suffix in DOCUMENTS]
    left = list(range(len(units)))
    if len(documents) >= PAYS_FROM and processors() > 1:
        done = 0
        for rows, rest in _pooled(folder, reader, [units[place] for place in documents], whole):
            yield from ((documents[done], row) for row in rows)
            yield documents[done], rest
            done += 1
        left = sorted({*left} - {*documents[:done]})
    with Root(folder) as root:
        for place in left:
            found = Found()
            for row in _rows(reader, units[place], root, found, whole):
                yield place, row
            yield place, rest_of(found)


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _rows(reader: Reader, unit: Unit, root: Root, found: Found, whole: bool) -> Iterator[Row]:
    return (outline(draft, whole=whole) for draft in reader.drafts(unit, root, found))


def _pooled(folder: Path, reader: Reader, units: Sequence[Unit], whole: bool) -> Iterator[tuple[list[Row], Rest]]:
    """What each unit holds, as far as processes could be had: a worker may be killed, as when memory is short."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    try:
        # Forked, a worker has the units already; where forking is unsafe it is sent them once.
        context: Any = get_context("fork" if sys.platform == "linux" else "spawn")
        pool = ProcessPoolExecutor(processors(), context, _begin, (folder, reader, units, whole))
        answers = pool.map(_chunk, range(0, len(units), _CHUNK))
    except (OSError, NotImplementedError):
        return
    try:
        for answer in answers:
            yield from ((rows, Rest(*rest)) for rows, rest in orjson.loads(answer))
    except BrokenProcessPool:
        return
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(*task: Any) -> None:
    global _task
    _task = task
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process stops the pool
    gc.disable()  # nothing that is read has cycles


def _chunk(start: int) -> bytes:
    folder, reader, all_units, whole = _task
    units = all_units[start : start + _CHUNK]
    read: list[tuple[list[Row], list[Any]]] = []
    try:
        with Root(folder) as root:
            for unit in units:
                found = Found()
                read.append((list(_rows(reader, unit, root, found, whole)), list(rest_of(found))))
    except Unreadable as error:  # the folder itself has gone
        found = Found(list(error.problems), incomplete=True)
        read += [([], list(rest_of(found))) for _ in units[len(read) :]]
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
