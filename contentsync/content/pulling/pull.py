"""What the server has, put into the files of a folder: as values, before anything is written."""

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from ...errors import ContentError, Refused
from ...model import RECORDS, Entry, Kind
from ..draft import Unreadable
from ..folder import Content
from ..unit import DOCUMENTS
from . import documents
from .companions import with_companions
from .incoming import FileEdit, Incoming
from .list_file import ListFile
from .lists import DELIMITERS, Batch, Fields, edit_list, edit_table, portions
from .shelves import MAX_LIST, Shelves
from .values import Definitions, definitions_of, new_values

_DOCUMENTS = (Kind.ORGANIZER, Kind.PAGE, Kind.ARTICLE)  # kinds of which each entry has a file of its own


def pull(content: Content, incoming: Incoming) -> tuple[FileEdit, ...]:
    """The files that a sound folder has after it, with nothing else in them changed.

    Entries of the folder are changed where they stand. New pages, articles and organizers get a file each, listings go
    to the end of `listings/pulled.yaml` (one list is read, moved and compared more easily than a thousand files, and a
    table could not hold their texts), the other kinds to the end of their own file. What they name comes along. Raises
    Refused where something cannot be written so that it is read as what it is, and ContentError if a file has gone.
    """
    shelves = Shelves(content.folder, content.config)
    definitions = definitions_of(content.entries, incoming.actual)
    new = with_companions(content, incoming, definitions)
    if nameless := next((entry for entry in new if not entry.key), None):
        hint = "give it one there, or leave its kind out with --only"
        raise Refused(f"a {nameless.kind} of the server has no {RECORDS[nameless.kind].key_field}", hint)
    try:
        return tuple(_edits(content, incoming, new, shelves, definitions))
    except Unreadable as error:
        raise ContentError(error.problems, content.folder) from error


def _edits(
    content: Content, incoming: Incoming, new: Sequence[Entry], shelves: Shelves, definitions: Definitions
) -> Iterator[FileEdit]:
    batches: dict[str, Batch] = {}
    held: dict[str, list[Entry]] = {}  # of tables
    for entry in content.entries:
        path = entry.source.path if entry.source else ""
        fields = incoming.changes.get((entry.kind, entry.key))
        if _is_table(path):
            held.setdefault(path, []).append(entry)
        if fields and path.lower().endswith(DOCUMENTS):
            yield from documents.edit(shelves, entry, fields, incoming.there[entry.kind, entry.key])
        elif fields:
            batches.setdefault(path, Batch([], [])).changed.append((entry, fields))
    for kind in Kind:
        its = sorted((entry for entry in new if entry.kind is kind), key=lambda entry: entry.key)
        if kind in _DOCUMENTS:
            for entry in its:
                yield from documents.create(shelves, entry, definitions)
        elif its:
            values: list[tuple[Entry, Fields]] = [
                (entry, new_values(entry, content.config, definitions)) for entry in its
            ]
            for path, portion in _shared_out(shelves, kind, values):
                batches.setdefault(path, Batch([], [])).new.extend(portion)
    for path, batch in sorted(batches.items()):
        if _is_table(path):
            yield edit_table(shelves, path, batch, held.get(path, []), incoming.there)
        else:
            yield edit_list(shelves, path, batch)


def _shared_out(
    shelves: Shelves, kind: Kind, new: list[tuple[Entry, Fields]]
) -> Iterator[tuple[str, list[tuple[Entry, Fields]]]]:
    """The new entries by the files that take them."""
    only = shelves.only_file(kind)
    if only:
        yield only, new
        return
    paths = shelves.lists(kind)
    for portion in portions(new):
        yield next(path for path in paths if _takes_more(shelves, kind, path)), portion


def _takes_more(shelves: Shelves, kind: Kind, path: str) -> bool:
    return shelves.is_free(path) or ListFile(shelves.data(path), kind, path).takes_more(MAX_LIST)


def _is_table(path: str) -> bool:
    return PurePosixPath(path).suffix.lower() in DELIMITERS
