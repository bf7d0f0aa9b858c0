"""Rename entries in the files that refer to them: their keys and titles in references, and custom fields as keys.

Each name is replaced at its location, so quotes, comments, order and line ends stay.
"""

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from ...content.config.collection_settings import CollectionSettings
from ...content.entry.entry_references import NameIndex
from ...content.entry.key_mapping import mapping_for
from ...content.entry.validation import listing_key
from ...content.files.content_folder import CONFIG
from ...content.files.file_names import DOCUMENT_SUFFIXES
from ...content.files.file_text import line_starts
from ...content.files.source_file import ContentRoot
from ...content.folder.entry_reader import EntryReader
from ...content.folder.scan import ContentFile
from ...content.formats.draft import Draft, Location, value_at
from ...content.formats.front_matter import read_document
from ...content.formats.item_reader import read_tree
from ...content.formats.table_rows import TABLE_SUFFIXES
from ...model import RECORDS, REFERRED_KINDS, Entry, EntryKey, Kind
from ...model.references import references_in
from .config_names import rename_in_config
from .file_edits import RemoteChanges, WrittenFields
from .folder_index import FolderIndex
from .scalar_texts import ScalarTexts
from .table_file import TableFile, fits_list_cell
from .text_editor import SourceText, Splice, edited_bytes, misread_edit_error

_DISTINCT = "sync.distinct"  # the note that names other listings


class NamedReference(NamedTuple):
    """A value by which an entry refers to another one: its dotted name, such as `categories.0`, and both names."""

    field: str
    old: str
    new: str
    key: str  # the new key of the other entry, which is always possible in place of `new`


@dataclass(frozen=True, slots=True)
class NewNames:
    """The new names in files: of entries by kind and present name, and of custom fields by the kind with the values."""

    entries: Mapping[EntryKey, str]
    fields: Mapping[EntryKey, str] = field(default_factory=dict)
    keys: Mapping[EntryKey, str] = field(default_factory=dict)  # of those in `entries` whose new name is a title
    once: Collection[EntryKey] = ()  # new names of one entry, the first of which stays in each list of references

    def references(self, draft: Draft) -> Iterator[NamedReference]:
        """Yield the references of an entry that get a new name."""
        for name, kind in RECORDS[draft.kind].references.items():
            value = draft.values.get(name)
            is_list = isinstance(value, list)
            for number, item in enumerate(value if isinstance(value, list) else [value]):
                new = self.entries.get((kind, item)) if isinstance(item, str) else None
                if new is not None:
                    key = self.keys.get((kind, str(item)), new)
                    yield NamedReference(f"{name}.{number}" if is_list else name, str(item), new, key)
        distinct = value_at(draft.values, _DISTINCT.split(".")) if draft.kind is Kind.LISTING else None
        for number, item in enumerate(distinct if isinstance(distinct, list) else ()):
            if new := self.entries.get((draft.kind, listing_key(str(item)))):
                yield NamedReference(f"{_DISTINCT}.{number}", str(item), new, new)

    def without_repeated(self, kind: Kind, items: Sequence[Any]) -> list[Any]:
        """Return the items of a list of references, with their new names, without a second one of `once`."""
        remaining: list[Any] = []
        is_found = False
        for item in items:
            is_name = isinstance(item, str) and (kind, item.strip()) in self.once
            if not (is_name and is_found):
                remaining.append(item)
            is_found = is_found or is_name
        return remaining

    def custom_fields(self, draft: Draft) -> Iterator[tuple[str, str]]:
        """Yield the present and the new name of each custom field that an entry sets and that gets a new name."""
        for (kind, old), new in self.fields.items():
            if kind is draft.kind and old in draft.values:
                yield old, new


def refers_to(entry: Entry, others: Container[EntryKey]) -> bool:
    """Return whether a field or a note of an entry names one of the others by its key."""
    notes = ((entry.kind, key) for key in entry.notes.distinct)
    return any(key in others for key in chain(references_in(entry.kind, entry.fields), notes))


def find_new_names(entries: Iterable[Entry], changes: RemoteChanges) -> NewNames:
    """Return the new names that the folder's `entries` need to refer to the same entries after a pull.

    A reference by title keeps this form, unless the new title has another meaning.
    """
    entries = [*entries]
    names: dict[EntryKey, str] = {}
    keys: dict[EntryKey, str] = {}
    renamed = changes.renamed
    affected = {kind for kind, _key in changes.changes} | {entry.kind for entry in changes.new}
    for kind in REFERRED_KINDS & affected:
        for name, new_name, key in _names_of_kind(kind, [it for it in entries if it.kind is kind], changes, renamed):
            names[kind, name], keys[kind, name] = new_name, key
    fields: dict[EntryKey, str] = {}
    for entry in entries:
        if entry.kind is Kind.CUSTOM_FIELD and (new := renamed.get((entry.kind, entry.key))):
            kind = Kind(entry.fields.get("fieldable_type") or Kind.LISTING)
            fields[kind, entry.key] = new[1]
    return NewNames(names, fields, keys)


def _names_of_kind(
    kind: Kind, entries: Iterable[Entry], changes: RemoteChanges, renamed: Mapping[EntryKey, EntryKey]
) -> Iterator[tuple[str, str, str]]:
    """Yield each name that would mean nothing, several entries or another one after a pull, and what to use instead.

    That is a name, and the new key.
    """
    title_field = RECORDS[kind].title_field
    before: list[tuple[str, str]] = []  # key and title
    after: list[tuple[str, str]] = []
    for entry in entries:
        title = str(entry.fields.get(title_field) or "")
        new_title = changes.changes.get((kind, entry.key), {}).get(title_field, title)
        before.append((entry.key, title))
        after.append((renamed.get((kind, entry.key), (kind, entry.key))[1], str(new_title or "")))
    new = [(entry.key, str(entry.fields.get(title_field) or "")) for entry in changes.new if entry.kind is kind]
    old_index, new_index = NameIndex(kind, before, path=""), NameIndex(kind, [*after, *new], path="")
    for (key, title), (new_key, new_title) in zip(before, after, strict=True):
        for name in dict.fromkeys((key, title)):
            if name and old_index.find(name) == [key] and new_index.find(name) != [new_key]:
                has_title = name != key and new_index.find(new_title) == [new_key]
                yield name, new_title if has_title else new_key, new_key


def rename_in_files(index: FolderIndex, entries: Iterable[Entry], names: NewNames) -> dict[str, list[WrittenFields]]:
    """Write new names into the files of `entries`, all of the folder; `index.read_bytes` returns them from then on.

    A custom field that has another key in a file gets its new name in the config. Return the changed fields by the path
    of the file that is changed for them. Raise Refused for a name that is written in a way that cannot be replaced, and
    UnreadableFile.
    """
    if not names.entries and not names.fields:
        return {}
    by_path: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.source:
            by_path.setdefault(entry.source.path, []).append(entry)
    written: dict[str, list[WrittenFields]] = {}
    reader = EntryReader(index.config)  # the config with the present names, as the files have them
    if rename_in_config(index, names.fields, names.entries):
        written[CONFIG] = []
    with ContentRoot(index.folder) as root:
        for path, entries_of_file in sorted(by_path.items()):
            if not any(_may_change(entry, names) for entry in entries_of_file):
                continue
            file = index.files[path]
            drafts = [*reader.read_unvalidated(file, root)]
            changed = [_changed_fields(draft, names) for draft in drafts]
            if any(changed):
                data = index.read_bytes(path)
                renamed = _renamed_table if file.suffix in TABLE_SUFFIXES else _renamed_text
                after = renamed(index, file, data, drafts, names)
                if after != data:
                    index.replace_bytes(path, after)
                in_file_order = zip(sorted(entries_of_file, key=_position), changed, strict=True)
                written.setdefault(path if after != data else CONFIG, []).extend(
                    WrittenFields(entry.kind, entry.key, fields) for entry, fields in in_file_order if fields
                )
    return written


def _may_change(entry: Entry, names: NewNames) -> bool:
    """Return whether an entry refers to others, or has a value of a custom field that gets a new name."""
    has_references = any(entry.fields.get(name) for name in RECORDS[entry.kind].references)
    return has_references or any((entry.kind, name) in names.fields for name in entry.fields)


def _position(entry: Entry) -> tuple[int, int, int]:
    """Return where an entry begins in its file; several may begin on one line."""
    assert entry.source, "an entry of the folder"  # noqa: S101
    title = entry.source.where(RECORDS[entry.kind].title_field)
    return entry.source.line, title.line, title.column


def _changed_fields(draft: Draft, names: NewNames) -> tuple[str, ...]:
    """Return the fields of an entry in which a name changes, a custom field by its new name."""
    referring = (reference.field.partition(".")[0] for reference in names.references(draft))
    return tuple(dict.fromkeys([*referring, *(new for _old, new in names.custom_fields(draft))]))


def _renamed_text(
    index: FolderIndex, file: ContentFile, data: bytes, drafts: Iterable[Draft], names: NewNames
) -> bytes:
    """Return the bytes of a document or a list with the new names. Raise Refused."""
    source = SourceText(data)
    found = {*name_splices(source.text, file.path, drafts, names)}
    if not found:  # only custom fields that have another key in the file
        return data
    return bytes_with_new_texts(source, file, {each.splice for each in found}, {(each.old, each.new) for each in found})


def bytes_with_new_texts(
    source: SourceText, file: ContentFile, splices: Iterable[Splice], texts: Container[tuple[str, str]]
) -> bytes:
    """Return the bytes of a document or a list after splices that replace keys and texts by other ones.

    Raise Refused unless the file is then read as before, except for the `texts`, each with the old and the new one.
    """
    before = _read_values(source.text, file)

    def is_as_expected(text: str) -> bool:
        return _differ_only_by(texts, before, _read_values(text, file))

    return edited_bytes(source, file.path, splices, is_as_expected, expected=True)


def _read_values(text: str, file: ContentFile) -> Any:
    """Return all values of a document or a list."""
    if file.suffix in DOCUMENT_SUFFIXES:
        draft = read_document(text, file.kind, file.path)
        return [draft.values, draft.body]
    return read_tree(text, file.kind, file.path).root


def _differ_only_by(pairs: Container[tuple[Any, Any]], before: Any, after: Any) -> bool:
    """Return whether two values are equal, except for keys and texts that are in `pairs` as the old and the new one."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        before, after = [*chain(*before.items())], [*chain(*after.items())]
    if isinstance(before, list) and isinstance(after, list):
        return len(before) == len(after) and all(map(partial(_differ_only_by, pairs), before, after))
    return bool(before == after) or (isinstance(before, str) and (before, after) in pairs)


class NameSplice(NamedTuple):
    """The splice that replaces a name."""

    splice: Splice
    old: str
    new: str


def name_splices(text: str, path: str, drafts: Iterable[Draft], names: NewNames) -> Iterator[NameSplice]:
    """Yield the splices of new names in a document or a list; the same splice for each entry that inherits a value.

    Leave out custom fields that have another key in the file. Raise Refused for a reference whose location is not known
    or that cannot be replaced in place.
    """
    starts = line_starts(text)
    scalars = ScalarTexts(text, path)

    def replacement(location: Location | None, old: str, new: str) -> Splice | None:
        if location is None:
            raise misread_edit_error(path)
        _path, (line, column) = location
        return scalars.replacement(starts[line - 1] + column - 1, old, new)

    for draft in drafts:
        for name, old, new, _key in names.references(draft):
            splice = replacement(draft.value_locations.get(name), old, new)
            if splice is None:
                raise misread_edit_error(path)
            yield NameSplice(splice, old, new)
        for old, new in names.custom_fields(draft):
            if splice := replacement(draft.key_locations.get(old), old, new):
                yield NameSplice(splice, old, new)


def _renamed_table(
    index: FolderIndex, file: ContentFile, data: bytes, drafts: Iterable[Draft], names: NewNames
) -> bytes:
    """Return the bytes of a table with the new names. Raise Refused or UnreadableFile."""
    settings = index.config.content[file.kind]
    table = TableFile(data, file.kind, file.path, settings.table_format(file.path))
    cells: dict[int, dict[str, str]] = {}
    columns: dict[str, str] = {}
    for draft in drafts:
        columns.update(names.custom_fields(draft))
        cells[draft.line] = reference_cells(table, settings, draft, names, partial(table.cell, draft.line))
    return table.edited_bytes(cells, columns=columns)


def reference_cells(
    table: TableFile, settings: CollectionSettings, draft: Draft, names: NewNames, cell: Callable[[str], str]
) -> dict[str, str]:
    """Return the cells of a row in which a reference gets a new name, by column. `cell` returns the present text.

    A title that a cell cannot hold, or that a spreadsheet program would run, is replaced by the key.
    """
    separator = settings.table_format(draft.path).list_separator
    new_names: dict[str, dict[str, str]] = {}  # by field
    for name, old, new, key in names.references(draft):
        field = _DISTINCT if name.startswith(_DISTINCT) else name.partition(".")[0]
        new_names.setdefault(field, {})[old] = new if fits_list_cell(new, separator) else key
    cells: dict[str, str] = {}
    for name, new_by_old in new_names.items():
        mapping = mapping_for(settings, tuple(name.split(".")), table.has)
        column = ".".join(mapping.path) if mapping else name
        items = cell(column).split(separator)
        new_items = [
            item.replace(item.strip(), new_by_old.get(item.strip(), item.strip())) if item.strip() else item
            for item in items
        ]
        remaining = names.without_repeated(RECORDS[draft.kind].references.get(name, draft.kind), new_items)
        cells[column] = separator.join(remaining).strip()  # the last item may have been removed
    return cells
