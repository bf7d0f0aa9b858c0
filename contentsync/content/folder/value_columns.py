"""The values of a large folder's entries in a cache file, a line for each column, so that `list` reads few of them.

They are used while nothing has changed, as the report of `validate` is (docs/decisions/0039).
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby, islice, repeat
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from ...model import Entry, Kind, Source
from ..files.cache_file import read_sealed, write_sealed
from ..files.folder_signatures import STAMP_MARGIN, FolderVersion
from ..files.index_file import COLUMNS_FILE
from .load import Content, gc_paused

MIN_ENTRIES = 5_000  # of a folder: fewer are read in less than half a second

_PLACES = ("", "", "")  # in place of the names of fields, for the columns of keys, paths and lines


class ValueColumns(NamedTuple):
    """The entries of a folder without errors, of which nothing has changed since their values were stored."""

    names: Mapping[Kind, Sequence[str]]  # of the fields
    lines: Mapping[Kind, Sequence[bytes]]  # JSON: keys, paths and lines of the entries, then the values of each field

    def entries(self, kind: Kind, wanted: Container[str] | None = None) -> list[Entry]:
        """Return the entries of a kind, by key, with their file and line, and without notes and locations.

        They have only the `wanted` fields, by their names before the first dot (None: all), and of these only those
        with a value.
        """
        if kind not in self.names:
            return []
        names = [name for name in self.names[kind] if wanted is None or name in wanted]
        with gc_paused():
            keys, paths, lines, *columns = (
                orjson.loads(line)
                for name, line in zip((*_PLACES, *self.names[kind]), self.lines[kind], strict=True)
                if name in _PLACES or name in names
            )
            rows: Iterator[Sequence[Any]] = zip(*columns, strict=True) if names else repeat(())
            sources = map(Source, paths, lines, repeat({}))
            return [
                Entry(kind, key, {name: it for name, it in zip(names, row, strict=True) if it is not None}, source)
                for key, source, row in zip(keys, sources, rows, strict=bool(names))
            ]


def _columns_of(entries: Sequence[Entry], names: Sequence[str]) -> list[bytes]:
    sources = [entry.source for entry in entries]
    places = [[entry.key for entry in entries], [it and it.path for it in sources], [it and it.line for it in sources]]
    values = ([entry.fields.get(name) for entry in entries] for name in names)
    return [orjson.dumps(column) for column in (*places, *values)]


def read_columns(folder: Path) -> ValueColumns | None:
    """Return the stored values of a folder; None without any, or if something that they depend on has changed."""
    head, *lines = read_sealed(folder, COLUMNS_FILE).split(b"\n")
    if not head:
        return None
    stored = orjson.loads(head)
    if not FolderVersion(*stored["folder"]).is_current(folder):
        return None
    names = {Kind(kind): names for kind, names in stored["kinds"].items()}
    rest = iter(lines)
    return ValueColumns(names, {kind: [*islice(rest, len(_PLACES) + len(each))] for kind, each in names.items()})


def store_columns(content: Content, min_entries: int = MIN_ENTRIES, margin: int = STAMP_MARGIN) -> None:
    """Store the values of a large folder without errors. Ignore a write error: the next run then reads the folder.

    Files that have changed within `margin` nanoseconds before the run could change again with the same stamp.
    """
    if len(content.entries) < min_entries or content.dependencies is None:
        return
    version = content.dependencies.version(content.folder, margin)
    if version is None:  # something changed during the run, or shortly before
        return
    kinds: dict[str, list[str]] = {}
    lines: list[bytes] = []
    for kind, group in groupby(content.entries, key=lambda entry: entry.kind.value):
        entries = [*group]
        kinds[kind] = [*dict.fromkeys(name for entry in entries for name in entry.fields)]
        lines += _columns_of(entries, kinds[kind])
    head = orjson.dumps({"folder": [*version], "kinds": kinds})
    with suppress(OSError):
        write_sealed(content.folder, COLUMNS_FILE, [b"\n".join((head, *lines))])
