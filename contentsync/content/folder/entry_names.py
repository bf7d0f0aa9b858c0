"""Find the entries that a user names: by the path of their file, or by kind and key such as `page/about`."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from ...errors import UsageError
from ...model import Entry, EntryKey, Kind, did_you_mean
from ...model.entry import parse_entry_name
from ..files.file_names import INDEX_NAMES


class PathInFolder(NamedTuple):
    """A path in a content folder, and the folder that the user's text is relative to."""

    base: Path
    path: str


def path_in_folder(folder: Path, base: Path, text: str) -> str | None:
    """Return the path in the content folder that `text`, a path from `base`, names; None for one outside of it."""
    folder = folder.resolve()
    full = Path(os.path.normpath(base / text))
    return normalize("NFC", full.relative_to(folder).as_posix()) if full.is_relative_to(folder) else None


def existing_path(folder: Path, text: str, here: Path) -> PathInFolder | None:
    """Return the file or folder in the content folder that a text names; None if there is none.

    The path is relative to the folder `here`, else to the content folder.
    """
    for base in (here.resolve(), folder.resolve()):
        if os.path.lexists(base / text) and (path := path_in_folder(folder, base, text)):
            return PathInFolder(base, path)
    return None


def find_entries(folder: Path, entries: Iterable[Entry], text: str, here: Path) -> list[Entry]:
    """Return the entries of the file that a text names; a folder with an `index.md` counts as this file.

    Return [] for a text that names no file. Raise UsageError for a file without entries.
    """
    found = existing_path(folder, text, here)
    if found is None:
        return []
    by_path: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.source:
            by_path.setdefault(entry.source.path, []).append(entry)
    if os.path.isdir(folder / found.path):  # noqa: PTH112  # Path.is_dir raises OSError for a name that is too long
        return next((of_file for path, of_file in by_path.items() if _is_index(path, found.path)), [])
    if found.path not in by_path:
        hint = did_you_mean(found.path, by_path) or "name a file of an entry, or an entry such as page/about"
        raise UsageError(f"{found.path} is not the file of an entry", hint)
    return by_path[found.path]


def find_entry_key(folder: Path, entries: Iterable[Entry], text: str, here: Path) -> EntryKey:
    """Return the kind and key of the entry that a text names. Raise UsageError for a text that names no single entry.

    An existing file comes first. An entry that is named by kind and key need not exist.
    """
    found = find_entries(folder, entries, text, here)
    if len(found) > 1:
        raise several_entries_error(text, found)
    return (found[0].kind, found[0].key) if found else parse_entry_name(text)


def unknown_key_hint(kind: Kind, key: str, entries: Iterable[Entry], others: Iterable[str] = ()) -> str:
    """Return the hint for a key that no entry of the kind has: its new key, that of the entry that it was
    merged into, else the most similar key, or "".

    `others` are more keys to suggest, such as those of the last sync.
    """
    of_kind = [entry for entry in entries if entry.kind is kind]
    if renamed := next((entry for entry in of_kind if key in entry.notes.previous), None):
        return f"it was renamed: write {kind}/{renamed.key}"
    if survivor := next((entry for entry in of_kind if key in entry.notes.merged), None):
        return f"it was merged: write {kind}/{survivor.key}"
    return did_you_mean(key, [*(entry.key for entry in of_kind), *others])


def several_entries_error(path: str, entries: Sequence[Entry]) -> UsageError:
    """Return the error for a path that names several entries where one is needed."""
    hint = f"name one of them, such as {entries[0].kind}/{entries[0].key}"
    return UsageError(f"{path} has several entries, which have no files of their own", hint)


def _is_index(path: str, folder: str) -> bool:
    parent, _, name = path.rpartition("/")
    return parent == folder and name.partition(".")[0] in INDEX_NAMES
