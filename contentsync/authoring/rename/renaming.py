"""Find what OLD and NEW of `contentsync mv` mean: an entry, its new key, and the files that move (docs/rename.md)."""

import os
import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unicodedata import category

from ...content.entry.identity import NAMED_BY_FILE
from ...content.files.content_folder import CONFIG
from ...content.files.file_names import DOCUMENT_SUFFIXES, INDEX_NAMES, is_below, shown_path, suffix_of
from ...content.folder.entry_names import existing_path, path_in_folder, several_entries_error, unknown_key_hint
from ...content.folder.scan import SUFFIXES
from ...errors import ContentsyncError, Refused, UsageError
from ...model import RECORDS, Entry, EntryKey, Kind, did_you_mean, key_field_of
from ...model.entry import find_kind, parse_entry_name
from ...model.slug import is_slug, make_slug
from ...model.suggestion import did_you_mean_text
from ...model.urls import url_fault, url_key
from ..edit.field_edits import with_values
from ..edit.folder_index import FolderIndex
from ..edit.new_names import NewNames
from .file_moves import bundle_folder, find_moves, is_document, other_entries, path_for_slug, slug_at

MERGEABLE = (Kind.TAG, Kind.CATEGORY, Kind.ORGANIZER)  # entries of other kinds are more than a name for others


@dataclass(frozen=True, slots=True)
class Merge:
    """The entry that is left of two, the values that it takes from the other one, and new names for references.

    `files` has the file to which links lead instead of to a file of the other one.
    """

    survivor: Entry
    fields: Mapping[str, Any]  # by dotted name
    files: Mapping[str, str]
    names: NewNames

    def applied_to(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of the survivor with the values that it takes."""
        return with_values(fields, self.fields)


@dataclass(frozen=True, slots=True)
class Renaming:
    """An entry with its new key, and the files that move; with a `merge`, the key is that of another entry.

    `written` is the value to write into the key field; None if nothing is written, because the name of the file makes
    the new slug, or because only the file moves.
    """

    entry: Entry
    key: str
    written: str | None
    moves: Mapping[str, str]  # new paths by old ones
    notes_old_key: bool = True  # False: `sync.previous` does not get the old key, because no server has it
    merge: Merge | None = None  # after which the entry no longer exists

    @property
    def identity(self) -> EntryKey:
        """The entry under its old key."""
        return self.entry.kind, self.entry.key

    @property
    def renamed(self) -> EntryKey:
        """The entry under its new key."""
        return self.entry.kind, self.key

    @property
    def path(self) -> str:
        """The present path of the entry's file."""
        return self.entry.source.path if self.entry.source else ""

    @property
    def new_paths(self) -> Mapping[str, str]:
        """The files to which links to other files lead, by the paths of these."""
        return self.merge.files if self.merge else self.moves

    @property
    def new_path(self) -> str:
        """The path of the file to which links to the entry's file lead."""
        return self.new_paths.get(self.path, self.path)

    @property
    def changes_links(self) -> bool:
        """Whether links may change: not by another URL of a listing, because the address of its page has its slug."""
        return bool(self.moves) or not has_url(self.entry)

    @property
    def key_field(self) -> str:
        """The name of the field with the key."""
        return key_field_of(self.entry)

    @property
    def previous(self) -> tuple[str, ...]:
        """The former keys to note in the entry: those that it has noted, and the old key."""
        if self.merge:  # the entry that is left claims no record of the other one
            return self.merge.survivor.notes.previous
        former = self.entry.notes.previous
        if self.key == self.entry.key:
            return former
        former = (*former, self.entry.key) if self.notes_old_key else former
        return tuple(dict.fromkeys(key for key in former if key != self.key))

    @property
    def merged(self) -> tuple[str, ...]:
        """The keys to note in the entry of those that were merged into it; after a merge also the former ones."""
        noted = self.merge.survivor.notes.merged if self.merge else self.entry.notes.merged
        if self.merge:
            former = self.entry.notes
            noted = (*noted, *former.previous, *former.merged, self.entry.key)
        return tuple(dict.fromkeys(key for key in noted if key != self.key))


def new_names(renamings: Sequence[Renaming]) -> NewNames:
    """Return the new names in references by key. After a rename, those by title stay: it is the same."""
    for renaming in renamings:
        if renaming.merge:  # which is the only one
            return renaming.merge.names
    return NewNames(
        {renaming.identity: renaming.key for renaming in renamings if renaming.renamed != renaming.identity}
    )


def moves_of(renamings: Iterable[Renaming]) -> dict[str, str]:
    """Return the new paths of all files that move, by old ones."""
    return {old: new for renaming in renamings for old, new in renaming.moves.items()}


def find_renaming(index: FolderIndex, entries: Sequence[Entry], old: str, new: str, here: Path) -> Renaming:
    """Return what to rename. `old` and `new` are both paths, or KIND/KEY and a key.

    Paths are relative to the folder `here`, or to the content folder. Raises UsageError for names that have no
    meaning, and Refused for a rename that would break something.
    """
    if any(category(character) == "Cc" for character in new):
        raise UsageError("the new name contains a line end or another control character", "write it without")
    names = _Names(index, entries, here)
    path = names.existing_path(old)
    return names.by_path(path, new) if path else names.by_key(old, new)


def find_new_urls(
    index: FolderIndex, entries: Sequence[Entry], urls: Mapping[EntryKey, str]
) -> tuple[list[Renaming], dict[EntryKey, ContentsyncError]]:
    """Return what gives listings other URLs, by their keys, and for each of the others why it keeps its own."""
    names = _Names(index, entries, index.folder)
    renamings: list[Renaming] = []
    refused: dict[EntryKey, ContentsyncError] = {}
    for key, url in urls.items():
        try:
            renaming = names.with_key(names.entries[key], url)
        except (Refused, UsageError) as error:
            refused[key] = error
        else:
            renamings.append(renaming)
            names.entries[renaming.renamed] = names.entries.pop(key)
    return renamings, refused


def find_merged(index: FolderIndex, entries: Sequence[Entry], old: str, new: str, here: Path) -> tuple[Entry, Entry]:
    """Return the entries that `old` and `new` name, of one kind: both by paths, or `old` as KIND/KEY.

    Raises UsageError if there are no two such entries.
    """
    names = _Names(index, entries, here)
    first = names.entry(old)
    word = new.partition("/")[0]
    is_path = names.existing_path(new) is not None
    survivor = names.entry(new if is_path or find_kind(word) is not None else f"{first.kind}/{new}")
    if survivor is first:
        raise UsageError(f"OLD and NEW are both {first}", "name the entry that is left as NEW")
    if survivor.kind is not first.kind:
        raise UsageError(f"{first} and {survivor} are of different kinds", "name two entries of one kind")
    return first, survivor


class _Names:
    """Finds the entry and the files that OLD and NEW name."""

    def __init__(self, index: FolderIndex, entries: Sequence[Entry], here: Path) -> None:
        self._index = index
        self._here = here
        self._base = index.folder.resolve()  # the folder that NEW is relative to, as `existing_path` finds OLD
        self.entries = {(entry.kind, entry.key): entry for entry in entries}
        self._documents = {entry.source.path: entry for entry in entries if entry.source and is_document(entry)}

    def existing_path(self, text: str) -> str | None:
        """Return the path in the content folder of the file or folder that OLD names; None if there is none.

        From then on, NEW is relative to the same folder.
        """
        found = existing_path(self._index.folder, text, self._here)
        if found is None:
            return None
        self._base = found.base
        return found.path

    def entry(self, text: str) -> Entry:
        """Return the entry whose file a text names, or that it names as KIND/KEY. Raise UsageError if there is none."""
        path = self.existing_path(text)
        if path is None:
            return self._entry(text)
        path = self._index_of(path)
        if path not in self._documents:
            raise self._not_an_entry(path)
        return self._documents[path]

    def by_path(self, path: str, new: str) -> Renaming:
        """Return the renaming that moves a file, or a folder with its `index.md`, to the path `new`.

        The entry gets a new key if its key is made from the name of its file. If `new` is an existing folder, or ends
        with a slash, the file or folder moves into it.
        """
        file_or_folder = path
        path = self._index_of(file_or_folder)
        entry = self._documents.get(path)
        if entry is None:
            raise self._not_an_entry(path)
        target = path_in_folder(self._index.folder, self._base, new)
        if target is None:
            raise Refused(f"{new} is outside of the content folder", "name a path in it")
        if self._is_folder(new, target):
            target = posixpath.normpath(
                f"{target}/{posixpath.basename(file_or_folder)}"
            )  # it may be the content folder
        if file_or_folder != path:  # a folder, whose `index.md` keeps its name
            target = f"{target}/{posixpath.basename(path)}"
        self._check_target(entry, path, target)
        key = entry.key
        if entry.kind in NAMED_BY_FILE and not _has_authored_key(entry):
            key = slug_at(self._index.config, entry, target) or key
        self._check_key(entry, key)
        moves = find_moves(self._index, entry, target, self._is_content)
        check_remaining(self._index, entry.kind, moves)
        # No key is written into the file: the new path makes the key, or the key stays.
        return Renaming(entry, key, written=None, moves=moves)

    def by_key(self, old: str, new: str) -> Renaming:
        """Return the renaming that gives the entry KIND/KEY another key, and its file a name made from this key."""
        entry = self._entry(old)
        word, _, new_key = new.partition("/")
        return self.with_key(entry, new_key if find_kind(word) is entry.kind else new)

    def with_key(self, entry: Entry, new: str) -> Renaming:
        """Return the renaming that gives an entry another key, and its file a name made from this key."""
        if entry.kind is Kind.CUSTOM_FIELD:
            hint = "rename the keys and columns of its values too, and note the old name in sync.previous"
            raise Refused("mv does not rename custom fields: their names are keys in the files of entries", hint)
        if has_url(entry):
            if fault := url_fault(new):
                raise UsageError(f"the key of {entry} is its URL, and '{new}' is not one: {fault}", "write a full URL")
            key = url_key(new)
        elif is_slug(new):
            key = new
        else:
            suggestion = make_slug(new.rpartition("/")[2].partition(".")[0])
            hint = did_you_mean_text(suggestion) or "write a slug such as about-us"
            raise UsageError(f"'{new}' is not a slug: it needs lower-case letters, digits and hyphens", hint)
        self._check_key(entry, key)
        if key == entry.key:
            raise UsageError(f"{entry} has this key already")
        target = self._path_for(entry, key)
        moves = find_moves(self._index, entry, target, self._is_content) if target else {}
        file_name_makes_key = target is not None and not _has_authored_key(entry)
        return Renaming(entry, key, written=None if file_name_makes_key else new, moves=moves)

    def _entry(self, name: str) -> Entry:
        """Return the entry KIND/KEY. Raise UsageError if there is none."""
        if "/" not in name or find_kind(name.partition("/")[0]) is None or suffix_of(name) in DOCUMENT_SUFFIXES:
            hint = did_you_mean(name, self._documents) or "name a file of the folder, or an entry such as page/about"
            raise UsageError(f"there is no file {name}", hint)
        kind, key = parse_entry_name(name)
        if entry := self.entries.get((kind, key)):
            return entry
        raise UsageError(f"the folder has no {kind} '{key}'", unknown_key_hint(kind, key, self.entries.values()))

    def _path_for(self, entry: Entry, slug: str) -> str | None:
        """Return the path for a new slug; None if the file stays where it is."""
        config = self._index.config
        if entry.kind not in NAMED_BY_FILE or entry.source is None:
            return None
        path, layout = entry.source.path, config.layout(entry.kind)
        if _has_authored_key(entry) and make_slug(layout.parse(path).stem) != entry.key:
            return None  # its name does not follow the slug
        own = {path, *(file.path for file in self._index.translation_files(path).values())}
        if (bundle := bundle_folder(layout, path)) and other_entries(self._index.folder, bundle, own, self._is_content):
            return None  # the other entries would move too
        return path_for_slug(config, entry, slug)

    def _index_of(self, path: str) -> str:
        """Return the path of the document in a folder that is named after its `index.md`; any other path itself."""
        for document in self._documents:
            folder, name = posixpath.split(document)
            if folder == path and name.partition(".")[0] in INDEX_NAMES:
                return document
        return path

    def _not_an_entry(self, path: str) -> UsageError:
        """Return the error for a path that is not the main file of an entry."""
        for main in self._documents:
            for file in self._index.translation_files(main).values():
                if file.path == path:
                    return UsageError(f"{path} is a translation of {main}", "name that file; its translations move too")
        if found := [entry for entry in self.entries.values() if entry.source and entry.source.path == path]:
            return several_entries_error(path, found)
        hint = did_you_mean(path, self._documents) or "name a file of an entry, or an entry such as page/about"
        return UsageError(f"{path} is not the file of an entry", hint)

    def _check_target(self, entry: Entry, path: str, target: str) -> None:
        """Raise UsageError or Refused if the entry's file would not be read as such an entry at its new path."""
        config, kind = self._index.config, entry.kind
        collection = " or ".join(map(shown_path, config.layout(kind).roots))
        if target == path:
            raise UsageError(f"{path} has this path already")
        if suffix_of(target) != suffix_of(path) or suffix_of(target) not in SUFFIXES[kind]:
            raise UsageError(f"{target} does not end with {suffix_of(path)}", "mv does not change the type of a file")
        root, _path_in_root = config.layout(kind).split(target)
        inner_roots = (other for other in self._other_roots(kind) if len(other) > len(root or ""))
        if root is None or any(is_below(target, inner_root) for inner_root in inner_roots):
            raise Refused(f"{target} is outside of the {kind.plural}", f"they are in {collection}")
        if config.excludes(kind, target):
            raise Refused(f"{target} would not be read: the config excludes it", "choose another name")
        layout = config.layout(kind)
        if layout.parse(target).locale != layout.parse(path).locale:
            raise Refused(f"{target} is the path of another language", "name the file of the same language")

    def _other_roots(self, kind: Kind) -> Iterable[str]:
        config = self._index.config
        return (path for other in config.content if other is not kind for path in config.paths(other))

    def _check_key(self, entry: Entry, key: str) -> None:
        other = self.entries.get((entry.kind, key))
        if other is not None and other is not entry:
            place = f", in {other.source.path}" if other.source else ""
            merge = f", or merge {entry} into it with --merge" if entry.kind in MERGEABLE else ""
            raise Refused(f"there is a {other} already{place}", f"choose another name, or rename that one first{merge}")

    def _is_content(self, path: str) -> bool:
        return path in self._documents

    def _is_folder(self, text: str, target: str) -> bool:
        # Path.is_dir would raise OSError for a name that is too long.
        return text.endswith("/") or os.path.isdir(self._index.folder / target)  # noqa: PTH112


def check_remaining(index: FolderIndex, kind: Kind, moves: Mapping[str, str]) -> None:
    """Raise Refused if a path of the config would lose its last file, and so its folder; "" is no new path."""
    for folder, path in index.emptied_paths(kind, moves, [*filter(None, moves.values())]):
        hint = f"move it by hand, and delete this path in {CONFIG}"
        raise Refused(f"{path} is the last file in {folder}, a path of the {kind.plural}", hint)


def has_url(entry: Entry) -> bool:
    """Return whether the key of an entry is its URL."""
    return key_field_of(entry) == "url"


def _has_authored_key(entry: Entry) -> bool:
    """Return whether a file has a value for the key of the entry."""
    return entry.source is not None and RECORDS[entry.kind].key_field in entry.source.locations
