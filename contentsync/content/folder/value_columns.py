"""The values of a large folder's entries in a cache file, a line for each column, so that `list` reads few of them.

They are used while nothing has changed, as the report of `validate` is (docs/decisions/0039).
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from ...model import Entry, Kind, Source
from ..files.cache_file import read_sealed, write_sealed
from ..files.folder_signatures import STAMP_MARGIN, FolderVersion
from ..files.index_file import COLUMNS_FILE
from .load import Content, gc_paused

MIN_ENTRIES = 5_000  # of a folder: fewer are read in less than half a second


class _KindColumns(NamedTuple):
    """The entries of a kind: key, path and line, then the value of each field; as lines of JSON."""

    names: Sequence[str]  # of the fields
    lines: Sequence[bytes]

    @staticmethod
    def of(entries: Sequence[Entry]) -> "_KindColumns":
        names = [*dict.fromkeys(name for entry in entries for name in entry.fields)]
        sources = [entry.source for entry in entries]
        places = [[entry.key for entry in entries], [each and each.path for each in sources]]
        places.append([each and each.line for each in sources])
        values = ([entry.fields.get(name) for entry in entries] for name in names)
        return _KindColumns(names, [orjson.dumps(column) for column in (*places, *values)])

    def entries(self, kind: Kind, wanted: Container[str] | None) -> list[Entry]:
        keys, paths, lines, *columns = (
            orjson.loads(line)
            for name, line in zip((None, None, None, *self.names), self.lines, strict=True)
            if name is None or wanted is None or name in wanted
        )
        names = [name for name in self.names if wanted is None or name in wanted]
        rows: Iterator[Sequence[Any]] = zip(*columns, strict=True) if names else repeat(())
        return [
            Entry(kind, key, {name: value for name, value in zip(names, row, strict=True) if value is not None}, source)
            for key, source, row in zip(keys, map(Source, paths, lines, repeat({})), rows, strict=bool(names))
        ]


class ValueColumns:
    """The entries of a folder without errors, of which nothing has changed since their values were stored."""

    def __init__(self, by_kind: Mapping[Kind, _KindColumns]) -> None:
        self._by_kind = by_kind

    def entries(self, kind: Kind, wanted: Container[str] | None = None) -> list[Entry]:
        """Return the entries of a kind, by key, with their file and line, and without notes and locations.

        They have only the `wanted` fields, by their names before the first dot (None: all), and of these only those
        with a value.
        """
        columns = self._by_kind.get(kind)
        with gc_paused():
            return columns.entries(kind, wanted) if columns else []


def read_columns(folder: Path) -> ValueColumns | None:
    """Return the stored values of a folder; None without any, or if something that they depend on has changed."""
    head, *lines = read_sealed(folder, COLUMNS_FILE).split(b"\n")
    if not head:
        return None
    stored = orjson.loads(head)
    if not FolderVersion(*stored["folder"]).is_current(folder):
        return None
    by_kind: dict[Kind, _KindColumns] = {}
    for kind, names in stored["kinds"].items():
        count = len(names) + 3
        by_kind[Kind(kind)] = _KindColumns(names, lines[:count])
        lines = lines[count:]
    return ValueColumns(by_kind)


def store_columns(content: Content, min_entries: int = MIN_ENTRIES, margin: int = STAMP_MARGIN) -> None:
    """Store the values of a large folder without errors. Ignore a write error: the next run then reads the folder.

    Files that have changed within `margin` nanoseconds before the run could change again with the same stamp.
    """
    if len(content.entries) < min_entries or content.dependencies is None:
        return
    version = content.dependencies.version(content.folder, margin)
    if version is None:  # something changed during the run, or shortly before
        return
    grouped = {kind: [entry for entry in content.entries if entry.kind is kind] for kind in Kind}
    by_kind = {kind: _KindColumns.of(entries) for kind, entries in grouped.items() if entries}
    kinds = {kind.value: columns.names for kind, columns in by_kind.items()}
    head = orjson.dumps({"folder": [*version], "kinds": kinds})
    lines = [head, *(line for columns in by_kind.values() for line in columns.lines)]
    with suppress(OSError):
        write_sealed(content.folder, COLUMNS_FILE, [b"\n".join(lines)])
