"""Read units into batches of results, which caches store; many documents in several processes."""

import gc
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import compress, groupby
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import orjson

from ..model import RECORDS, Kind
from ..model.entry import NO_NOTES
from .draft import Draft, UnreadableFile
from .entry_reader import EntryReader, ReadLog
from .entry_references import title_of
from .folder_signatures import usable_processors
from .identity import identities_of
from .source_file import ContentRoot, Proposed
from .translations import Unit
from .validation_report import REPEATED, JsonRow, problem_to_row

MIN_DOCUMENTS = 500  # with fewer documents, starting processes takes longer than it saves
_MIN_CHUNK, _MAX_CHUNK = 16, 512  # units
_CHUNKS_PER_WORKER = 16  # fewer have less overhead; with more, all workers finish at about the same time
_KEY_AND_LINE = 2  # length of a row that contains only key and line


def entry_row(draft: Draft, *, with_values: bool) -> JsonRow:
    """Return the values of a draft that the checks between entries need, without empty values at the end.

    They are the arguments of `FolderReader.add_entry`. With `with_values`, include the values of a valid draft.
    """
    identities = identities_of(draft) if draft.kind is Kind.LISTING else []  # of other kinds, the key is the identity
    if identities == [(RECORDS[Kind.LISTING].key_field, draft.key)]:
        identities = []  # the default of `add_entry`
    translations = draft.values.get("translations")
    problems: JsonRow = [problem_to_row(problem) for problem in draft.attributed_problems()] if draft.problems else []
    if draft.repeats_error:
        problems.append(REPEATED)
    row: JsonRow = [
        draft.key,
        draft.line,
        identities,
        title_of(draft) if draft.kind is Kind.ORGANIZER else None,
        [*translations] if isinstance(translations, dict) else [],
        draft.links,
        problems,
        draft.values if with_values and draft.is_sound else None,
        [*draft.notes] if draft.notes is not NO_NOTES else [],
        draft.pictures,
    ]
    while not row[-1]:  # the line is never empty
        del row[-1]
    return row


class UnitResults(NamedTuple):
    """A batch of results of units of one kind, in columns with one value per unit. Most results are only a key."""

    names: list[str]
    stamps: list[str]  # of the unit's files; empty if one of them could not be opened
    changed: list[int]  # nanoseconds: the latest time of modification or change of the files
    results: list[Any]  # the key of a document without problems, links etc.; or [entry rows, problem rows, incomplete]
    addresses: list[Any]  # [permalinks, former addresses] of the entry of a document; None without any

    @classmethod
    def empty(cls) -> "UnitResults":
        """Return a batch without units."""
        return cls([], [], [], [], [])

    @classmethod
    def from_json(cls, data: bytes) -> "UnitResults":
        """Return the batch from its JSON."""
        return cls(*orjson.loads(data))

    def to_json(self) -> bytes:
        """Return the batch as JSON on one line."""
        return orjson.dumps(tuple(self))

    def add(self, unit: Unit, rows: Sequence[JsonRow], log: ReadLog, addresses: JsonRow | None = None) -> None:
        """Add the result of a unit: the rows of its entries, and the complete log of reading it."""
        stamps = log.stamps if len(log.stamps) == len(unit.files) else ()
        self.names.append(unit.name)
        self.stamps.append("\n".join(map(str, stamps)))
        self.changed.append(max([max(stamp.mtime_ns, stamp.ctime_ns) for stamp in stamps], default=0))
        has_only_key = len(rows) == 1 and len(rows[0]) == _KEY_AND_LINE and rows[0][0] != ""
        if has_only_key and not log.problems and not log.incomplete:
            self.results.append(rows[0][0])
        else:
            self.results.append([rows, [problem_to_row(problem) for problem in log.problems], log.incomplete])
        self.addresses.append(addresses)

    def extend(self, other: "UnitResults") -> None:
        """Add the units of another batch."""
        self.names.extend(other.names)
        self.stamps.extend(other.stamps)
        self.changed.extend(other.changed)
        self.results.extend(other.results)
        self.addresses.extend(other.addresses)

    def split(self, size: int) -> Iterator["UnitResults"]:
        """Yield the same results in batches of at most `size` units."""
        for start in range(0, len(self.names), size):
            part = slice(start, start + size)
            yield UnitResults._make(column[part] for column in self)

    def select(self, selected: Sequence[bool]) -> "UnitResults":
        """Return a batch with the selected units; this object if all are selected."""
        if all(selected):
            return self
        return UnitResults._make(list(compress(column, selected)) for column in self)

    def select_settled(self, before: int) -> "UnitResults":
        """Return a batch with the units whose files were all opened, and last changed before a time in nanoseconds."""
        pairs = zip(self.changed, self.stamps, strict=True)
        return self.select([changed < before and stamps != "" for changed, stamps in pairs])

    def select_unchanged(self, units: Mapping[str, Unit], is_unchanged: Callable[[Unit, str], bool]) -> "UnitResults":
        """Return a batch with those `units` (by name) whose files are unchanged according to `is_unchanged`."""
        pairs = zip(self.names, self.stamps, strict=True)
        return self.select([name in units and is_unchanged(units[name], stamps) for name, stamps in pairs])


class _Task(NamedTuple):
    """What a worker process needs for all of its chunks."""

    folder: Path
    proposed: Proposed
    reader: EntryReader
    units: Sequence[Unit]
    with_values: bool


_task: _Task  # of this worker process


def read_documents(
    folder: Path,
    reader: EntryReader,
    units: Sequence[Unit],
    *,
    with_values: bool,
    single_process: bool = False,
    proposed: Proposed = MappingProxyType({}),
) -> Iterator[tuple[UnitResults, bytes | None]]:
    """Yield batches of the results of units in order, each with its JSON if it comes from a worker process, else None.

    With `with_values`, results include the values of entries. Units that no worker has read are read in this process.
    """
    chunks = list(_chunks(units))
    read_count = 0
    if not single_process and len(units) >= MIN_DOCUMENTS and usable_processors() > 1:
        task = _Task(folder, {**proposed}, reader, units, with_values)
        for batch_json in _pool_results(task, chunks):
            yield UnitResults.from_json(batch_json), batch_json
            read_count += 1
    with ContentRoot(folder, proposed=proposed) as root:
        for chunk in chunks[read_count:]:
            yield _read_units(reader, units[chunk], root, with_values), None


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
        log, rows, addresses = ReadLog(), list[JsonRow](), None
        for draft in reader.read_drafts(unit, root, log):
            rows.append(entry_row(draft, with_values=with_values))
            if draft.permalinks or draft.former_addresses:
                addresses = [draft.permalinks, draft.former_addresses]
        batch.add(unit, rows, log, addresses)
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
        with ContentRoot(_task.folder, proposed=_task.proposed) as root:
            return _read_units(_task.reader, units, root, _task.with_values).to_json()
    except UnreadableFile as error:  # the content folder was deleted
        batch = UnitResults.empty()
        for unit in units:
            batch.add(unit, [], ReadLog(list(error.problems), incomplete=True))
        return batch.to_json()
