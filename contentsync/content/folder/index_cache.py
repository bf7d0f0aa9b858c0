"""The results of units in the index of a content folder, so that no command reads an unchanged file again."""

import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from ..files.cache_file import write_sealed
from ..files.folder_signatures import SignatureJob, compute_signatures, settled_time, with_parents
from ..files.index_file import open_index, replacing_index
from ..files.validation_report import REPORT_FILE
from .result_context import ResultContext
from .translations import Unit
from .unit_cache import UnitCache
from .unit_results import UnitResult, UnitResults

_BATCH = 512  # units

_SELECT = "SELECT id, name, stamps, lookups, answers, result, checksum FROM units WHERE context = ? ORDER BY id"
_SELECT_WITH_VALUES = (
    "SELECT id, name, stamps, lookups, answers, result, units.checksum, data, unit_values.checksum"
    " FROM units JOIN unit_values USING (id) WHERE context = ? ORDER BY id"
)


class IndexCache(UnitCache):
    """The index during one run. It also stores the report of the run.

    Without `with_values`, results are loaded and stored without the values of entries. A run with values reads the
    files of such results again. If it `is_read_only`, nothing is stored.
    """

    max_entries = 2_500  # larger lists are read again, so that they are never in memory as a whole

    def __init__(
        self,
        folder: Path,
        paths: Sequence[str],
        *,
        files: int,
        elapsed: int,
        with_values: bool,
        is_read_only: bool = False,
    ) -> None:
        """Open the index for a run that depends on `paths`, has `files` files, and began `elapsed` nanoseconds ago.

        Creates the cache's folder, unless it `is_read_only`. Raises OSError if it cannot be written, as on a read-only
        disk, or if it is reached through a link, which a checkout may contain.
        """
        self._folder = folder
        self._with_values = with_values
        self._is_read_only = is_read_only
        # Creates the cache's folder. No file is older than 0, so no new result is stored.
        self._settled_before = 0 if is_read_only else settled_time(folder, elapsed)
        self._signing = SignatureJob(folder, with_parents(paths), files)  # of everything that the run reads
        self._stored_signatures: dict[str, str] = {}  # digests by path
        self._unused: set[int] = set()  # the ids of units that this run has not loaded
        # Of each unit that this run has read: the columns of its row after the id, and JSON of its values, if read.
        self._new: list[tuple[tuple[str | bytes | int, ...], bytes | None]] = []
        self._index = open_index(folder)
        if self._index:
            try:
                self._stored_signatures.update(self._index.execute("SELECT path, signature FROM folders"))
                self._unused = {id_ for (id_,) in self._index.execute("SELECT id FROM units")}
            except (sqlite3.Error, ValueError):
                self._discard()
        # Without stored signatures, there is nothing to compare, and only `save` waits for the new ones. A signature
        # may belong to a newer file than the run reads: `save` stores none of a path that changed during the run.
        signatures = self._signing.result() if self._stored_signatures else {}
        self._unchanged_paths = {
            path for path, signature in signatures.items() if self._stored_signatures.get(path) == signature.digest
        }

    def load(self, context: ResultContext, units: Mapping[str, Unit]) -> Iterator[UnitResults]:
        if not self._index:
            return
        try:
            rows = self._index.execute(_SELECT_WITH_VALUES if self._with_values else _SELECT, (context.digest,))
            while part := [*islice(rows, _BATCH)]:
                yield self._unchanged_results(context, part, units)
        except (sqlite3.Error, ValueError, TypeError):  # damaged: the other units are read from their files
            self._discard()

    def _unchanged_results(
        self, context: ResultContext, rows: Sequence[tuple[Any, ...]], units: Mapping[str, Unit]
    ) -> UnitResults:
        """Return the results of those `units` that are unchanged. Raise ValueError if a result is damaged."""
        batch = UnitResults.empty()
        for id_, name, stamps, lookups, answers, data, checksum, *values in rows:
            if name not in units or not self._is_unchanged(units[name], stamps):
                continue
            if not context.is_current(lookups, answers):
                continue
            result, addresses = _loads(data, checksum)
            if not isinstance(result, str):
                result = UnitResult.from_list(result)
            if values:
                result = _join(result, _loads(*values))
            self._unused.discard(id_)
            batch.names.append(name)
            batch.stamps.append(stamps)
            batch.changed.append(0)
            batch.results.append(result)
            batch.addresses.append(addresses)
            batch.lookups.append(lookups)
            batch.answers.append(answers)
        return batch

    def save(
        self, report: Mapping[str, Any] | None, looked_into: Set[str] = frozenset(), *, with_report: bool = True
    ) -> None:
        """Write the index if it changes, and the report if all signatures are settled: nothing changed during the run.

        If the report is None, write nothing. A run with values writes no report.
        """
        signatures = self._signing.result()  # also without a report: this ends the processes
        if report is not None and not self._is_read_only:
            # If one of these folders has changed during the run, its signature is not settled.
            added = [path for path in with_parents(looked_into) if path not in signatures]
            signatures = signatures | compute_signatures(self._folder, added, files=0)  # which starts no process
            settled = {
                path: signature.digest
                for path, signature in signatures.items()
                if signature.is_settled(self._settled_before)
            }
            with suppress(OSError, sqlite3.Error):  # a full disk only makes the next run slower
                if not self._index or self._new or self._unused or settled != self._stored_signatures:
                    self._write(settled)
                if with_report and not self._with_values and len(settled) == len(signatures):
                    document = {"signatures": settled, "survey": report}
                    write_sealed(self._folder, REPORT_FILE, [orjson.dumps(document)])
        if self._index:
            self._index.close()

    def _write(self, settled: Mapping[str, str]) -> None:
        """Replace the index. Raise OSError or sqlite3.Error."""
        with replacing_index(self._folder, self._index) as index:
            unused = [(id_,) for id_ in self._unused]
            index.executemany("DELETE FROM units WHERE id = ?", unused)
            index.executemany("DELETE FROM unit_values WHERE id = ?", unused)
            (last_id,) = index.execute("SELECT coalesce(max(id), 0) FROM units").fetchone()
            for id_, (columns, values) in enumerate(self._new, last_id + 1):
                index.execute("INSERT INTO units VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (id_, *columns))
                if values is not None:
                    index.execute("INSERT INTO unit_values VALUES (?, ?, ?)", (id_, values, zlib.crc32(values)))
            index.execute("DELETE FROM folders")
            index.executemany("INSERT INTO folders VALUES (?, ?)", settled.items())

    def _add(self, context: ResultContext, batch: UnitResults) -> None:
        for name, stamps, _changed, result, addresses, lookups, answers in zip(*batch, strict=True):
            stored, values = _split(result) if self._with_values else (result, None)
            compact = stored if isinstance(stored, str) else stored.to_list()
            data = _dumps((compact, addresses))
            columns = context.digest, name, stamps, lookups, answers, data, zlib.crc32(data)
            self._new.append((columns, values))

    def _is_unchanged(self, unit: Unit, stamps: str) -> bool:
        if all(file.location.rpartition("/")[0] in self._unchanged_paths for file in unit.files):
            return True  # their folders are unchanged, and so are all stamps in them
        return super()._is_unchanged(unit, stamps)

    def _discard(self) -> None:
        """Treat the index as missing, because it is damaged."""
        if self._index:
            self._index.close()
        self._index = None


def _split(result: str | UnitResult) -> tuple[str | UnitResult, bytes]:
    """Return a result without the values of its entries; and the JSON of these, with the lines, which a key lacks."""
    if isinstance(result, str):
        result = UnitResult.of_key(result)
    values = _dumps([(record.line, record.values) for record in result.records])
    return result._replace(records=[record._replace(values=None) for record in result.records]).compact(), values


def _join(result: str | UnitResult, values: Sequence[Any]) -> UnitResult:
    """Return a result with the values of its entries. Raise ValueError if their numbers differ."""
    if isinstance(result, str):
        result = UnitResult.of_key(result)
    pairs = zip(result.records, values, strict=True)
    return result._replace(records=[record._replace(line=line, values=own) for record, (line, own) in pairs])


def _dumps(value: Any) -> bytes:
    """Return the JSON of a value as a copy: what orjson returns keeps a buffer of 4 to 8 KB, even of 20 bytes."""
    return bytes(memoryview(orjson.dumps(value)))


def _loads(data: bytes, checksum: int) -> Any:
    """Return the value of JSON. Raise ValueError if it is damaged, as after a power failure."""
    if zlib.crc32(data) != checksum:
        raise ValueError("the index is damaged")
    return orjson.loads(data)
