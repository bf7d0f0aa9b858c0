"""Entries in YAML lists and in tables: changed where they stand, and added."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...errors import Refused
from ...model import RECORDS, Entry, Kind
from .bodies import BODIES, is_html, relinked
from .changes import GONE, Path, built, get, tree_of
from .incoming import FileEdit, Identity, Written
from .list_file import ListFile
from .shelves import MAX_LIST, Shelves
from .spelling import Spelled, spelled
from .table_file import TableFile, Untellable
from .values import written

DELIMITERS = {".csv": ",", ".tsv": "\t"}

Fields = Mapping[str, Any]  # by dotted name


class Batch(NamedTuple):
    """What is to be written into one file: fields of its entries, and new entries."""

    changed: list[tuple[Entry, Fields]]
    new: list[tuple[Entry, Fields]]

    @property
    def kind(self) -> Kind:
        return next(entry.kind for entry, _ in (*self.changed, *self.new))

    @property
    def written(self) -> tuple[Written, ...]:
        changed = (Written(entry.kind, entry.key, tuple(fields)) for entry, fields in self.changed)
        return (*changed, *(Written(entry.kind, entry.key) for entry, _ in self.new))


def edit_list(shelves: Shelves, path: str, batch: Batch) -> FileEdit:
    """A YAML file with changes in its entries and new ones behind them. Raises Refused."""
    before = None if shelves.is_free(path) else shelves.data(path)
    file = ListFile(before or b"", batch.kind, path)
    changes: dict[int, dict[Path, Any]] = {}
    for entry, fields in batch.changed:
        assert entry.source, "an entry of the folder"  # noqa: S101
        number = file.number(entry.source, RECORDS[entry.kind].title_field)
        changes[number] = _by_key(shelves, entry.kind, path, fields, file.values(number))
    new = [built(tree_of(_by_key(shelves, entry.kind, path, fields, {}))) for entry, fields in batch.new]
    return FileEdit(path, shelves.location(path), before, file.edited(changes, new), batch.written)


def edit_table(
    shelves: Shelves, path: str, batch: Batch, held: Sequence[Entry], there: Mapping[Identity, Entry]
) -> FileEdit:
    """A table with changes in its cells and new rows. Raises Refused.

    A column says something about every row: `held` are all entries of the table, and into a new column goes what
    the server has for each.
    """
    before = shelves.data(path)
    table = TableFile(before, batch.kind, path, DELIMITERS[path[path.rfind(".") :].lower()])
    cells: dict[int, dict[str, str]] = {}
    added: dict[str, None] = {}  # fields that need another column
    for entry, fields in batch.changed:
        row = cells.setdefault(_line(entry), {})
        for name, value in fields.items():
            row |= _cells(shelves, table, entry, name, value, path, added)
    rows: list[dict[str, str]] = []
    for entry, fields in batch.new:
        rows.append({})
        for name, value in fields.items():
            rows[-1] |= _cells(shelves, table, entry, name, value, path, added)
    for entry in held if added else ():
        actual = there.get((entry.kind, entry.key))
        row = cells.setdefault(_line(entry), {})
        for name in added if actual else ():
            its = _cells(shelves, table, entry, name, actual.fields.get(name) if actual else None, path, {})
            for column in its.keys() - {*table.columns}:
                row.setdefault(column, its[column])
    return FileEdit(path, shelves.location(path), before, table.edited(cells, rows), batch.written)


def portions(new: list[tuple[Entry, Fields]], limit: int = MAX_LIST) -> Iterator[list[tuple[Entry, Fields]]]:
    """The new entries in as many parts as a file of a list holds each."""
    start = size = 0
    for end, (_, fields) in enumerate(new):
        length = len(repr(fields))
        if size and size + length > limit:
            yield new[start:end]
            start, size = end, 0
        size += length
    yield new[start:]


def _by_key(shelves: Shelves, kind: Kind, path: str, fields: Fields, there: Mapping[str, Any]) -> dict[Path, Any]:
    """Values under the keys of a file, for an entry that says there so much already."""
    found: dict[Path, Any] = {}
    for name, value in fields.items():
        way = _way(shelves, kind, name, there.__contains__)
        if way:
            before = get(there, way.path)
            found[way.path] = way.said(_value(shelves, kind, path, name, value, before))
    category = _way(shelves, kind, "category_id", there.__contains__) if "categories" in fields else None
    if category and get(there, category.path) not in (None, GONE):  # which is another way to write a first category
        found[category.path] = GONE
    return found


def _cells(
    shelves: Shelves, table: TableFile, entry: Entry, name: str, value: Any, path: str, added: dict[str, None]
) -> dict[str, str]:
    way = _way(shelves, entry.kind, name, table.has)
    if way is None:
        return {}
    try:
        said = way.said(_value(shelves, entry.kind, path, name, value, ""))
        found = table.cells(way.path, said, custom=name not in RECORDS[entry.kind].rules())
    except Untellable as error:
        hint = "keep it in a file of its own, or leave it out with --only"
        raise Refused(f"{path}: no cell can hold the {name} of {entry}", hint) from error
    if not found.keys() <= {*table.columns}:
        added[name] = None
    category = _way(shelves, entry.kind, "category_id", table.has) if name == "categories" else None
    if category and table.has(".".join(category.path)):
        found[".".join(category.path)] = ""
    return found


def _way(shelves: Shelves, kind: Kind, name: str, has: Callable[[str], bool]) -> Spelled | None:
    return spelled(shelves.config.content[kind], tuple(name.split(".")), has)


def _value(shelves: Shelves, kind: Kind, path: str, name: str, value: Any, before: Any) -> Any:
    base = shelves.config.site.asset_base_url
    if name not in BODIES or not base or not isinstance(value, str):
        return written(name, value)
    before = before if isinstance(before, str) else ""
    return relinked(value, before, path, base, shelves.folder, html=is_html(kind, name))


def _line(entry: Entry) -> int:
    assert entry.source, "an entry of the folder"  # noqa: S101
    return entry.source.line
