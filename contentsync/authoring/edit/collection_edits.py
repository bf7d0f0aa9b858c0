"""Edit entries of lists and tables in place, and add new entries at the end of the file."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ...content.entry.key_mapping import KeyMapping, mapping_for, mapping_in, split_cell
from ...content.formats.draft import ABSENT, FieldPath, value_at
from ...errors import Refused
from ...model import RECORDS, Entry, EntryKey, Kind
from ...model.slug import make_slug
from .file_edits import FileEdit, Refusals, WrittenFields
from .folder_index import MAX_LIST_LENGTH, FolderIndex
from .list_file import ListFile
from .table_file import TableFile, UnrepresentableValue, is_formula
from .text_editor import build_tree, tree_values

Fields = Mapping[str, Any]  # values by dotted name
_JSON_TEXTS = frozenset({"schema"})  # objects that are read from a text, too


class FileChanges(NamedTuple):
    """The changes to one file: entries with the fields to set, new entries with all their fields, and removed ones."""

    changed: list[tuple[Entry, Fields]]
    new: list[tuple[Entry, Fields]]
    removed: list[Entry]

    @property
    def kind(self) -> Kind:
        return next(entry.kind for entry in (*(entry for entry, _ in (*self.changed, *self.new)), *self.removed))

    @property
    def written(self) -> tuple[WrittenFields, ...]:
        changed = (WrittenFields(entry.kind, entry.key, tuple(fields)) for entry, fields in self.changed)
        new = (WrittenFields(entry.kind, entry.key) for entry, _ in self.new)
        return (*changed, *new, *(WrittenFields(entry.kind, entry.key, is_removed=True) for entry in self.removed))


class ImpliedSlugs:
    """The slugs that listings have without a value for `slug`, because the server makes the same ones from the names.

    A new listing in a table does not need its slug then. `listings` are all of the folder and of the server.
    """

    def __init__(self, listings: Iterable[Entry], *, has_pattern: bool = False) -> None:
        """Store the listings; one of the folder and its record, with the same key, count as one.

        With a pattern of the config, whose slugs depend on more than the name, no slug counts as implied.
        """
        self._listings = listings
        self._has_pattern = has_pattern

    def is_implied(self, listing: Entry) -> bool:
        """Return whether a listing without its slug would get the same one, also on an empty server.

        Return False if another listing could get the slug first.
        """
        slug = listing.fields.get("slug")
        return not self._has_pattern and slug == _made_slug(listing) and self._claims[slug] <= 1

    @cached_property
    def _claims(self) -> Counter[str]:
        """How many listings have a slug, or would get it from their name."""
        claims = {
            (slug, listing.key)
            for listing in self._listings
            for slug in (str(listing.fields.get("slug") or ""), _made_slug(listing))
        }
        return Counter(slug for slug, _key in claims)


def _made_slug(listing: Entry) -> str:
    return make_slug(str(listing.fields.get("name") or ""))


def edit_list(index: FolderIndex, path: str, file_changes: FileChanges, refusals: Refusals) -> FileEdit:
    """Return the edit of a YAML, JSON or TOML list that changes and removes entries of it and adds the new ones.

    The file is created if there is none, and deleted if nothing is left in it, also no comment. Entries that cannot be
    written are added to `refusals`. Raise Refused if the file would be read with other values.
    """
    before = None if index.is_free(path) else index.read_bytes(path)
    kind = file_changes.kind
    items = index.config.content[kind].item_path
    file = original = ListFile(before or b"", kind, path, items)
    if path in index.replaced:  # the locations of entries are those on disk
        original = ListFile(index.original_bytes(path), kind, path, items)

    def number_of(entry: Entry) -> int:
        assert entry.source, "an entry of the folder"  # noqa: S101
        return original.number(entry.source, any_field=RECORDS[entry.kind].title_field)

    for entry, fields in file_changes.changed:
        with refusals.of(entry):
            number = number_of(entry)
            file.edit(number, _by_file_key(index, entry.kind, path, fields, file.values(number)))
    new: list[dict[str, Any]] = []
    for entry, fields in file_changes.new:
        with refusals.of(entry):
            new.append(tree_values(build_tree(_by_file_key(index, entry.kind, path, fields, current={}))))
    if new:
        with refusals.of(*(entry for entry, _ in file_changes.new)):
            file.append(new)
    after: bytes | None = file.edited_bytes()
    if after is not None and file_changes.removed:  # the changes have not moved any entry to another number
        with refusals.of(*file_changes.removed):
            after = ListFile(after, kind, path, items).without({number_of(entry) for entry in file_changes.removed})
        if not (after or b"").strip() and not index.must_exist(kind, path):
            after = None
    return FileEdit(path, index.location(path), before, after, file_changes.written)


def edit_table(
    index: FolderIndex,
    path: str,
    file_changes: FileChanges,
    entries: Sequence[Entry],
    server_entries: Mapping[EntryKey, Entry],
    slugs: ImpliedSlugs,
    refusals: Refusals,
) -> FileEdit:
    """Return the edit that changes cells of a table, removes rows and adds some for the new entries. Raises Refused.

    `entries` are all entries of the table, and `server_entries` those of the server. In a new column, each row gets the
    server's value. If the slugs of all new entries are implied, no column is added for them. Entries that cannot be
    written are added to `refusals`.
    """
    before = None if index.is_free(path) else index.read_bytes(path)
    kind = file_changes.kind
    table = _TableCells(index, kind, path, before)
    cells: dict[int, dict[str, str]] = {}  # by the first line of the row, and by column
    # `table.cells` adds each field that needs a new column to `table.fields_without_column`.
    for entry, fields in file_changes.changed:
        row = cells.setdefault(_line(entry), {})
        with refusals.of(entry):
            for name, value in fields.items():
                row |= table.cells(entry, name, value)
            table.require_encoding(row)
    leaves_out_slugs = table.needs_column("slug") and all(slugs.is_implied(entry) for entry, _ in file_changes.new)
    new_rows: list[dict[str, str]] = []
    columns: dict[str, list[str]] = {}  # by field of the new entries
    for entry, fields in file_changes.new:
        new_row: dict[str, str] = {}
        new_rows.append(new_row)
        with refusals.of(entry):
            for name, value in fields.items():
                if name == "slug" and leaves_out_slugs:
                    continue
                new_cells = table.cells(entry, name, value)
                new_row |= new_cells
                columns.setdefault(name, []).extend(new_cells)
            table.require_encoding(new_row)
    if not table.columns:  # the order of the cells in the first row becomes that of the columns: it follows the model
        names = [*(name for name in RECORDS[kind].rules() if name in columns), *columns]
        ordered_columns = (column for name in names for column in columns[name])
        new_rows[0] = dict.fromkeys(ordered_columns, "") | new_rows[0]
    for name in table.fields_without_column:
        with refusals.of(*(entry for entry, fields in (*file_changes.changed, *file_changes.new) if name in fields)):
            for entry in entries:
                row = cells.setdefault(_line(entry), {})
                actual = server_entries.get((entry.kind, entry.key))
                new_cells = table.cells_of_new_columns(entry, name, actual) if actual else {}
                table.require_encoding(new_cells)
                row.update((column, text) for column, text in new_cells.items() if column not in row)
    removed = {_line(entry) for entry in file_changes.removed}
    after = table.edited_bytes(cells, new_rows, removed=removed)
    has_formula = any(is_formula(text) for row in (*cells.values(), *new_rows) for text in row.values())
    keys = {_line(entry): refusals.new_key(entry)[1] for entry in entries}
    new_keys = [entry.key for entry, _ in file_changes.new]
    warnings = tuple(table.formula_warnings(after, keys, new_keys, removed)) if has_formula else ()
    added = [name for row in (*cells.values(), *new_rows) for name in row if name not in table.columns]
    added_columns = tuple(dict.fromkeys(added)) if table.columns else ()
    return FileEdit(path, index.location(path), before, after, file_changes.written, warnings, added_columns)


def split_by_table(
    index: FolderIndex, kind: Kind, path: str, new: list[tuple[Entry, Fields]]
) -> tuple[list[tuple[Entry, Fields]], list[tuple[Entry, Fields]]]:
    """Return the new entries that a table can contain, and those of which a value does not fit into a cell."""
    table = _TableCells(index, kind, path, None if index.is_free(path) else index.read_bytes(path))
    fitting: list[tuple[Entry, Fields]] = []
    others: list[tuple[Entry, Fields]] = []
    for entry, fields in new:
        try:
            for name, value in fields.items():
                table.cells(entry, name, value)
        except Refused:
            others.append((entry, fields))
        else:
            fitting.append((entry, fields))
    return fitting, others


def split_by_size(
    new: list[tuple[Entry, Fields]], limit: int = MAX_LIST_LENGTH
) -> Iterator[list[tuple[Entry, Fields]]]:
    """Yield lists of new entries, each of about `limit` characters at most, or with one longer entry."""
    start = size = 0
    for end, (_, fields) in enumerate(new):
        length = len(repr(fields))
        if size and size + length > limit:
            yield new[start:end]
            start, size = end, 0
        size += length
    yield new[start:]


def _by_file_key(
    index: FolderIndex, kind: Kind, path: str, fields: Fields, current: Mapping[str, Any]
) -> dict[FieldPath, Any]:
    """Return the values to write into a file, by key path. `current` are the entry's values in the file so far."""
    changes: dict[FieldPath, Any] = {}
    for name, value in fields.items():
        mapping = mapping_in(index.config.content[kind], tuple(name.split(".")), current)
        if mapping:
            last_name = name.rpartition(".")[2]
            old_value = value_at(current, mapping.path)
            if value is not ABSENT:
                changes[mapping.path] = mapping.to_file(index.written_value(kind, path, last_name, value, old_value))
            elif old_value is not ABSENT:
                changes[mapping.path] = ABSENT
    has_categories = "categories" in fields
    category = mapping_in(index.config.content[kind], ("category_id",), current) if has_categories else None
    if category and value_at(current, category.path) not in (None, ABSENT):  # `categories` replaces `category_id`
        changes[category.path] = ABSENT
    return changes


class _TableCells(TableFile):
    """A table with the cells of entries' fields; `fields_without_column` collects those that need a new column."""

    def __init__(self, index: FolderIndex, kind: Kind, path: str, data: bytes | None) -> None:
        """Read the table at a path; without data, it is new."""
        super().__init__(data or b"", kind, path, index.config.content[kind].table_format(path))
        self._index = index
        self.fields_without_column: list[str] = []

    def cells(self, entry: Entry, name: str, value: Any) -> dict[str, str]:
        """Return the cells to write for one field of an entry, by column. Raise Refused if no cell can contain it.

        ABSENT empties a cell.
        """
        value = None if value is ABSENT else value
        mapping = _mapping(self._index, entry.kind, name, has_key=self.has)
        if mapping is None:
            return {}
        last_name = name.rpartition(".")[2]
        old_text = self.cell(entry.source.line, ".".join(mapping.path)) if entry.source else ""
        old_value = split_cell(old_text, self._format.list_separator) if isinstance(value, list) else old_text
        written = self._index.written_value(entry.kind, self._path, last_name, value, old_value)
        try:
            file_value = mapping.to_file(written)
            is_custom, is_json = name not in RECORDS[entry.kind].rules(), name in _JSON_TEXTS
            cells = self.cell_texts(mapping.path, file_value, custom=is_custom, is_json=is_json)
        except UnrepresentableValue as error:
            hint = "keep it in a file of its own"
            raise Refused(f"{self._path}: no cell can hold the {name} of {entry}", hint) from error
        has_columns = cells.keys() <= {*self.columns}
        if not has_columns and name not in self.fields_without_column:
            self.fields_without_column.append(name)
        category = _mapping(self._index, entry.kind, "category_id", has_key=self.has) if name == "categories" else None
        if category and self.has(".".join(category.path)):  # `categories` replaces `category_id`
            cells[".".join(category.path)] = ""
        return cells

    def needs_column(self, name: str) -> bool:
        """Return whether the table has columns, and a value of this field of an entry would need another one."""
        mapping = _mapping(self._index, self._kind, name, has_key=self.has)
        return bool(self.columns) and mapping is not None and not self.has(".".join(mapping.path))

    def cells_of_new_columns(self, entry: Entry, name: str, actual: Entry) -> dict[str, str]:
        """Return the cells of a field in the columns that the table lacks, with the value of the `actual` record.

        Omit empty cells: an empty object would get a column of its own beside those of its keys.
        """
        cells = self.cells(entry, name, actual.fields.get(name))
        return {column: cell for column, cell in cells.items() if cell and column not in self.columns}


def _mapping(index: FolderIndex, kind: Kind, name: str, has_key: Callable[[str], bool]) -> KeyMapping | None:
    return mapping_for(index.config.content[kind], tuple(name.split(".")), has_key)


def _line(entry: Entry) -> int:
    assert entry.source, "an entry of the folder"  # noqa: S101
    return entry.source.line
