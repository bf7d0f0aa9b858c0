"""Plan the file edits of a pull, and apply them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from ...errors import ContentError, Refused
from ...model import RECORDS, Entry, Kind
from ..draft import Unreadable
from ..file_writes import swap_files
from ..load import Content, load
from ..scan import DOCUMENT_SUFFIXES
from .collection_edits import TABLE_DELIMITERS, Fields, FileChanges, ListFile, edit_list, edit_table, split_by_size
from .document_edits import create_document, edit_document
from .field_values import Definitions, definitions_of, new_values
from .file_edits import EntryKey, FileEdit, RemoteChanges
from .folder_index import MAX_LIST_LENGTH, FolderIndex


def with_dependencies(content: Content, incoming: RemoteChanges, definitions: Definitions) -> list[Entry]:
    """The new entries, and those of the server that they or changed fields name and the folder lacks."""
    held = {(entry.kind, entry.key) for entry in content.entries}
    there = {(entry.kind, entry.key): entry for entry in incoming.actual}
    new = {(entry.kind, entry.key): entry for entry in incoming.new}
    named = [it for (kind, _), fields in incoming.changes.items() for it in _dependencies(kind, fields, definitions)]
    named += [it for entry in incoming.new for it in _dependencies(entry.kind, entry.fields, definitions)]
    while named:
        identity = named.pop()
        if identity in there and identity not in held and identity not in new:
            new[identity] = entry = there[identity]
            named += _dependencies(entry.kind, entry.fields, definitions)
    return list(new.values())


def _dependencies(kind: Kind, fields: Mapping[str, Any], definitions: Definitions) -> Iterator[EntryKey]:
    for name, referred in RECORDS[kind].references.items():
        value = fields.get(name)
        yield from ((referred, key) for key in _keys(value))
    for name in definitions.get(kind, ()):
        if fields.get(name) not in (None, "", [], {}):
            yield Kind.CUSTOM_FIELD, name


def _keys(value: Any) -> Iterable[str]:
    return value if isinstance(value, list) else [value] if value else []


_FILE_PER_ENTRY = (Kind.ORGANIZER, Kind.PAGE, Kind.ARTICLE)  # kinds of which each entry has a file of its own


def plan_edits(content: Content, incoming: RemoteChanges) -> tuple[FileEdit, ...]:
    """The files that a sound folder has after it, with nothing else in them changed.

    Entries of the folder are changed where they stand. New pages, articles and organizers get a file each, listings go
    to the end of `listings/pulled.yaml` (one list is read, moved and compared more easily than a thousand files, and a
    table could not hold their texts), the other kinds to the end of their own file. What they name comes along. Raises
    Refused where something cannot be written so that it is read as what it is, and ContentError if a file has gone.
    """
    shelves = FolderIndex(content.folder, content.config)
    definitions = definitions_of(content.entries, incoming.actual)
    new = with_dependencies(content, incoming, definitions)
    if nameless := next((entry for entry in new if not entry.key), None):
        hint = "give it one there, or leave its kind out with --only"
        raise Refused(f"a {nameless.kind} of the server has no {RECORDS[nameless.kind].key_field}", hint)
    try:
        return tuple(_edits(content, incoming, new, shelves, definitions))
    except Unreadable as error:
        raise ContentError(error.problems, content.folder) from error


def _edits(
    content: Content, incoming: RemoteChanges, new: Sequence[Entry], shelves: FolderIndex, definitions: Definitions
) -> Iterator[FileEdit]:
    batches: dict[str, FileChanges] = {}
    held: dict[str, list[Entry]] = {}  # of tables
    for entry in content.entries:
        path = entry.source.path if entry.source else ""
        fields = incoming.changes.get((entry.kind, entry.key))
        if _is_table(path):
            held.setdefault(path, []).append(entry)
        if fields and path.lower().endswith(DOCUMENT_SUFFIXES):
            yield from edit_document(shelves, entry, fields, incoming.there[entry.kind, entry.key])
        elif fields:
            batches.setdefault(path, FileChanges([], [])).changed.append((entry, fields))
    for kind in Kind:
        its = sorted((entry for entry in new if entry.kind is kind), key=lambda entry: entry.key)
        if kind in _FILE_PER_ENTRY:
            for entry in its:
                yield from create_document(shelves, entry, definitions)
        elif its:
            values: list[tuple[Entry, Fields]] = [
                (entry, new_values(entry, content.config, definitions)) for entry in its
            ]
            for path, portion in _assign_files(shelves, kind, values):
                batches.setdefault(path, FileChanges([], [])).new.extend(portion)
    for path, batch in sorted(batches.items()):
        if _is_table(path):
            yield edit_table(shelves, path, batch, held.get(path, []), incoming.there)
        else:
            yield edit_list(shelves, path, batch)


def _assign_files(
    shelves: FolderIndex, kind: Kind, new: list[tuple[Entry, Fields]]
) -> Iterator[tuple[str, list[tuple[Entry, Fields]]]]:
    """The new entries by the files that take them."""
    only = shelves.only_file(kind)
    if only:
        yield only, new
        return
    paths = shelves.lists(kind)
    for portion in split_by_size(new):
        yield next(path for path in paths if _takes_more(shelves, kind, path)), portion


def _takes_more(shelves: FolderIndex, kind: Kind, path: str) -> bool:
    return shelves.is_free(path) or ListFile(shelves.data(path), kind, path).takes_more(MAX_LIST_LENGTH)


def _is_table(path: str) -> bool:
    return PurePosixPath(path).suffix.lower() in TABLE_DELIMITERS


def apply_edits(folder: Path, edits: Sequence[FileEdit]) -> None:
    """Put the edits into the folder: all of them, or none.

    Raises Unwritable, and ContentError where the folder would have errors then.
    """
    if not edits:
        return
    swap_files(folder, {edit.location: (edit.before, edit.after) for edit in edits})
    content = load(folder)
    if content.errors:
        swap_files(folder, {edit.location: (edit.after, edit.before) for edit in edits})
        raise ContentError(content.errors)
