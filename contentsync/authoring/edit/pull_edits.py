"""Plan the file edits of a pull, and apply them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...content.config.collection_settings import CATEGORY, ListingSettings
from ...content.entry.identity import NAMED_BY_FILE
from ...content.files.file_names import DOCUMENT_SUFFIXES, name_fault, suffix_of
from ...content.files.file_text import UnreadableFile
from ...content.folder.confirmation import confirm_files
from ...content.folder.index_use import IndexUse
from ...content.folder.load import Content, load_content
from ...content.formats.table_rows import TABLE_SUFFIXES
from ...errors import ContentError, Refused
from ...file_writes import swap_files
from ...model import RECORDS, Entry, EntryKey, Kind
from ...model.custom_field import Definitions, definitions_of
from ...model.references import references_in
from ...model.slug import make_slug
from .collection_edits import Fields, FileChanges, ImpliedSlugs, edit_list, edit_table, split_by_size, split_by_table
from .document_edits import create_document, delete_document, edit_document
from .field_values import new_values
from .file_edits import FileEdit, Refusals, RemoteChanges, WrittenFields
from .folder_index import MAX_LIST_LENGTH, PULLED, FolderIndex
from .list_file import ListFile
from .new_names import find_new_names, rename_in_files


class Dependencies:
    """The entries of the server that the folder lacks, and without which pulled values are not valid there.

    A value needs the entries that it refers to; the value of a custom field also needs the custom field. Such entries
    are added even if the pull did not select them, and so are the entries that they need.
    """

    def __init__(self, content: Content, remote_changes: RemoteChanges) -> None:
        self.definitions = definitions_of(content.entries, remote_changes.actual)
        renamed = remote_changes.renamed
        present = {renamed.get((entry.kind, entry.key), (entry.kind, entry.key)) for entry in content.entries}
        remote = {(entry.kind, entry.key): entry for entry in remote_changes.actual}
        self._missing = {key: entry for key, entry in remote.items() if key not in present}

    def of(self, kind: Kind, fields: Mapping[str, Any]) -> dict[EntryKey, Entry]:
        """Return the entries that the fields of an entry need, by key."""
        needed = [*_dependencies(kind, fields, self.definitions)]
        found: dict[EntryKey, Entry] = {}
        while needed:
            key = needed.pop()
            if key in self._missing and key not in found:
                entry = found[key] = self._missing[key]
                needed += _dependencies(entry.kind, entry.fields, self.definitions)
        return found


def with_dependencies(remote_changes: RemoteChanges, dependencies: Dependencies) -> list[Entry]:
    """Return the entries to add to the folder: the new ones, and those that changed and new entries need."""
    new = {(entry.kind, entry.key): entry for entry in remote_changes.new}
    for (kind, _), fields in remote_changes.changes.items():
        new |= dependencies.of(kind, fields)
    for entry in remote_changes.new:
        new |= dependencies.of(entry.kind, entry.fields)
    return list(new.values())


def _dependencies(kind: Kind, fields: Mapping[str, Any], definitions: Definitions) -> Iterator[EntryKey]:
    """Yield the entries to which the fields refer, and the custom fields that have a value."""
    yield from references_in(kind, fields)
    for name in definitions.get(kind, ()):
        if fields.get(name) not in (None, "", [], {}):
            yield Kind.CUSTOM_FIELD, name


UNCATEGORIZED = "uncategorized"  # in the names of files for listings without a category
MAX_CATEGORY = 200  # characters of a slug in the name of a file


def plan_edits(content: Content, remote_changes: RemoteChanges) -> tuple[FileEdit, ...]:
    """Return the file edits that write the server's changes into a folder without errors, and change nothing else.

    Entries of the folder are changed or removed in place. Each new page, article and organizer gets a file. New
    listings are added to the file that `pull_to` names, by default `listings/pulled.yaml`: one list is easier to read,
    move and compare than a thousand files. A listing that a table could not store is added to that list too. New
    entries of other kinds are added to the file of their kind. Missing entries to which changes refer are added too.

    Raises Refused if a value would be read back as another one; RefusedEntries if it is known of which entries. Raises
    ContentError if a file can no longer be read, and IndexDiffers if one that is edited is not as the index has it.
    """
    index = FolderIndex(content.folder, content.config, content.rewritten_links, content.published)
    dependencies = Dependencies(content, remote_changes)
    new = with_dependencies(remote_changes, dependencies)
    names = find_new_names(content.entries, replace(remote_changes, new=new))
    renamed = remote_changes.renamed
    with Refusals(renamed) as refusals:
        for entry in new:
            with refusals.of(entry):
                _require_key(entry)
    try:
        referring = rename_in_files(index, content.entries, names)
        with Refusals(renamed) as refusals:
            edits = _edits(content, remote_changes, new, index, dependencies.definitions, refusals)
            written = tuple(_with_new_names(edits, index, referring))
            confirm_files(content, {edit.path for edit in written})
            return (*written, *_placeholders(index, written))
    except UnreadableFile as error:
        raise ContentError(error.problems, content.folder) from error


_PLACEHOLDER = ".gitkeep"  # hidden, so it has no entries


def _placeholders(index: FolderIndex, edits: Sequence[FileEdit]) -> Iterator[FileEdit]:
    """Yield the edits that create an empty file in each folder of the config that loses its last one.

    git has no empty folders, so a clone would lack the path, and nothing would be synced. A usual path may be missing.
    """
    deleted = [edit.path for edit in edits if edit.after is None]
    written = [edit.path for edit in edits if edit.after is not None]
    for kind in index.config.content if deleted else ():
        if not index.config.has_default_path(kind):
            for folder, _path in index.emptied_paths(kind, deleted, written):
                path = f"{folder}/{_PLACEHOLDER}"
                yield FileEdit(path, path, None, b"")


def _with_new_names(
    edits: Iterable[FileEdit], index: FolderIndex, referring: Mapping[str, Sequence[WrittenFields]]
) -> Iterator[FileEdit]:
    """Yield the edits with the bytes on disk before them, and one for each other file in which only names change.

    `referring` are the entries in which names have changed, by path.
    """
    remaining = dict(index.replaced)
    for edit in edits:
        if edit.before is not None and edit.path in index.replaced:
            before, _after = remaining.pop(edit.path)
            written = {(entry.kind, entry.key) for entry in edit.written}
            referred = referring[edit.path] if edit.after is not None else ()
            others = [entry for entry in referred if (entry.kind, entry.key) not in written]
            edit = replace(edit, before=before, written=(*edit.written, *others))
        yield edit
    for path, (before, after) in sorted(remaining.items()):
        yield FileEdit(path, index.location(path), before, after, tuple(referring[path]))


def _require_key(entry: Entry) -> None:
    """Raise Refused for an entry of the server without a key."""
    if not entry.key:
        hint = "give it one there, or leave its kind out with --only"
        raise Refused(f"a {entry.kind} of the server has no {RECORDS[entry.kind].key_field}", hint)


def _edits(
    content: Content,
    remote_changes: RemoteChanges,
    new: Sequence[Entry],
    index: FolderIndex,
    definitions: Definitions,
    refusals: Refusals,
) -> Iterator[FileEdit]:
    """Yield the edits of all files: first of documents, then of tables and lists, with changed and new entries."""
    changes_by_file: dict[str, FileChanges] = defaultdict(lambda: FileChanges([], [], []))
    table_entries: dict[str, list[Entry]] = {}  # by path: all entries of a table
    deleted = {*remote_changes.deleted}
    for entry in content.entries:
        path = entry.source.path if entry.source else ""
        fields = remote_changes.changes.get((entry.kind, entry.key))
        if suffix_of(path) in TABLE_SUFFIXES:
            table_entries.setdefault(path, []).append(entry)
        if (entry.kind, entry.key) in deleted:
            if path.lower().endswith(DOCUMENT_SUFFIXES):
                with refusals.of(entry):
                    yield from delete_document(index, entry)
            else:
                changes_by_file[path].removed.append(entry)
        elif fields and path.lower().endswith(DOCUMENT_SUFFIXES):
            with refusals.of(entry):
                yield from edit_document(index, entry, fields, remote_changes.server_entries[entry.kind, entry.key])
        elif fields:
            changes_by_file[path].changed.append((entry, fields))
    for kind in Kind:
        new_of_kind = sorted((entry for entry in new if entry.kind is kind), key=lambda entry: entry.key)
        if kind in NAMED_BY_FILE:
            for entry in new_of_kind:
                with refusals.of(entry):
                    yield from create_document(index, entry, definitions)
        elif new_of_kind:
            values: list[tuple[Entry, Fields]] = [
                (entry, new_values(entry, content.config, definitions)) for entry in new_of_kind
            ]
            for path, portion in _assign_files(index, kind, values, refusals):
                changes_by_file[path].new.extend(portion)
    listings = (entry for entry in (*content.entries, *remote_changes.actual) if entry.kind is Kind.LISTING)
    slugs = ImpliedSlugs(listings, has_pattern=bool(content.config.listing_slug_fields))
    for path, file_changes in sorted(changes_by_file.items()):
        if suffix_of(path) in TABLE_SUFFIXES:
            entries = table_entries.get(path, [])
            yield edit_table(index, path, file_changes, entries, remote_changes.server_entries, slugs, refusals)
        else:
            yield edit_list(index, path, file_changes, refusals)


def _assign_files(
    index: FolderIndex, kind: Kind, new: list[tuple[Entry, Fields]], refusals: Refusals
) -> Iterator[tuple[str, list[tuple[Entry, Fields]]]]:
    """Yield the path of each file that gets new entries of a kind, and these entries.

    Entries that no file can get are added to `refusals`.
    """
    only_file = index.only_file(kind)
    if only_file:
        yield only_file, new
        return
    by_name: dict[str, list[tuple[Entry, Fields]]] = defaultdict(list)
    for entry, fields in new:
        by_name[_file_name(index, entry)].append((entry, fields))
    # Tables first: entries that do not fit into one are added to a list.
    for name in sorted(name for name in by_name if suffix_of(name) in TABLE_SUFFIXES):
        entries_of_file = by_name.pop(name)
        with refusals.of(*(entry for entry, _ in entries_of_file)):
            path = next(index.paths_of_lists(kind, name))
            fitting, others = split_by_table(index, kind, path, entries_of_file)
            if fitting:
                yield path, fitting
            if others:
                by_name[PULLED].extend(others)
    for name, entries_of_file in sorted(by_name.items()):
        with refusals.of(*(entry for entry, _ in entries_of_file)):
            yield from _assign_lists(index, kind, name, entries_of_file)


def _file_name(index: FolderIndex, entry: Entry) -> str:
    """Return the name of the file for a new entry: `pull_to` with the slug of its first category, or PULLED."""
    settings = index.config.content[entry.kind]
    pattern = settings.pull_to if isinstance(settings, ListingSettings) else None
    if pattern is None:
        return PULLED
    first_category = str(next(iter(entry.fields.get("categories") or ()), ""))
    slug = make_slug(first_category)[:MAX_CATEGORY] or UNCATEGORIZED
    name = pattern.replace(CATEGORY, slug)
    if name_fault(name):  # such as con.yaml, which Windows does not allow
        return pattern.replace(CATEGORY, f"category-{slug}")
    return name


def _assign_lists(
    index: FolderIndex, kind: Kind, name: str, new: list[tuple[Entry, Fields]]
) -> Iterator[tuple[str, list[tuple[Entry, Fields]]]]:
    """Yield the path of each list that gets new entries, and these entries; further lists are used if one is full."""
    items = index.config.content[kind].item_path
    paths = (
        path
        for path in index.paths_of_lists(kind, name)
        if index.is_free(path)
        or ListFile(index.read_bytes(path), kind, path, items).takes_new_entries(max_length=MAX_LIST_LENGTH)
    )
    by_key = sorted(new, key=lambda entry_and_fields: entry_and_fields[0].key)
    for portion in split_by_size(by_key):
        yield next(paths), portion


def apply_edits(folder: Path, edits: Sequence[FileEdit], index: IndexUse | None = None) -> Content:
    """Apply all edits to the folder, and return its content afterwards. Files without edits are read from the index.

    Raises Unwritable if a file cannot be written, and ContentError if the edited folder has errors, except of house
    rules. In both cases, no file is changed.
    """
    swap_files(folder, {edit.location: (edit.before, edit.after) for edit in edits})
    content = load_content(folder, index=index, may_break_rules=True)
    if content.breaks_contract:
        undo_edits(folder, edits)
        raise ContentError(content.problems, content.folder)
    return content


def undo_edits(folder: Path, edits: Sequence[FileEdit]) -> None:
    """Undo edits that were applied, at most one of each file. Raises Unwritable if a file has changed since."""
    swap_files(folder, {edit.location: (edit.after, edit.before) for edit in edits})
