"""Find the files that a renamed entry moves: its own, its translations, and those beside an `index.md`."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from ...errors import Refused
from ...model import Entry, Kind
from ...model.slug import make_slug
from ..collection_layout import CollectionLayout
from ..config import Config
from ..edit.folder_index import FolderIndex
from ..file_names import INDEX_NAMES
from ..scan import DOCUMENT_SUFFIXES
from ..slug_pattern import SlugSource

NAMED_BY_FILE = (Kind.PAGE, Kind.ARTICLE, Kind.ORGANIZER)  # kinds whose slugs may be made from the names of files

IsContent = Callable[[str], bool]


def path_for_slug(config: Config, entry: Entry, slug: str) -> str | None:
    """Return a path like that of the entry's file, whose name makes the slug; None if there is no such path."""
    layout, path = config.layout(entry.kind), _path(entry)
    name = layout.parse(path)
    made = SlugSource(name, entry.fields.get("published_at")).make(layout.slug_pattern)
    before, _, after = made.rpartition(make_slug(name.stem))
    stems = [slug]
    if slug.startswith(before) and slug.endswith(after):
        stems.append(slug[len(before) : len(slug) - len(after)])
    for stem in filter(None, stems):
        new = _with_stem(layout, path, name.stem, stem)
        if new and SlugSource(layout.parse(new), entry.fields.get("published_at")).make(layout.slug_pattern) == slug:
            return new
    return None


def slug_at(config: Config, entry: Entry, path: str) -> str:
    """Return the slug that the name of a file makes."""
    layout = config.layout(entry.kind)
    return SlugSource(layout.parse(path), entry.fields.get("published_at")).make(layout.slug_pattern)


def find_moves(index: FolderIndex, entry: Entry, new: str, is_content: IsContent) -> dict[str, str]:
    """Return the new path of each file that moves if the file of the entry moves to the path `new`.

    A translation with a name of its own stays. If an `index.md` gets another folder, the other files of its folder move
    too. Raises Refused if these include other entries, or if a new path exists.
    """
    layout, path = index.config.layout(entry.kind), _path(entry)
    files = {path: new}
    for locale, file in index.translation_files(path).items():
        if moved := _translation_path(layout, path, new, file.path, locale):
            files[file.path] = moved
    moves = {}
    for old, moved in files.items():
        moves[index.location(old)] = moved
        if old != index.location(old):
            raise Refused(
                f"{old} is a symbolic link, or its name is encoded in another form (NFD)", "rename it by hand"
            )
    for old, moved in files.items():
        folder, new_folder = bundle_folder(layout, old), bundle_folder(layout, moved)
        if folder and new_folder and folder != new_folder:
            moves |= _folder_moves(index.folder, folder, new_folder, {*files}, is_content)
    moves = {old: moved for old, moved in moves.items() if old != moved}
    if taken := next((moved for moved in moves.values() if os.path.lexists(index.folder / moved)), None):
        raise Refused(f"{taken} exists already", "choose another name, or move that file first")
    return moves


def bundle_folder(layout: CollectionLayout, path: str) -> str | None:
    """Return the folder that an `index.md` is named after; None for other files, and in the collection's own folder."""
    name = layout.parse(path)
    is_index = name.base.rpartition("/")[2] in INDEX_NAMES
    return path.rpartition("/")[0] if is_index and "/" in name.inner else None


def other_entries(folder: Path, bundle: str, own: Mapping[str, object], is_content: IsContent) -> list[str]:
    """Return the files of other entries in a folder that an `index.md` is named after."""
    return [path for path in _files_below(folder, bundle) if path not in own and is_content(path)]


def _folder_moves(folder: Path, old: str, new: str, own: set[str], is_content: IsContent) -> Iterator[tuple[str, str]]:
    others = other_entries(folder, old, dict.fromkeys(own), is_content)
    if others:
        hint = "set slug in its front matter, or move the others first"
        raise Refused(f"{old} contains other entries: {', '.join(others[:3])}", hint)
    for path in _files_below(folder, old):
        if (folder / path).is_symlink():  # a relative one would lead elsewhere, or nowhere
            raise Refused(f"{path} is a symbolic link", "replace it by the file itself, or rename the folder by hand")
        if path not in own:
            yield path, f"{new}{path.removeprefix(old)}"


def _files_below(folder: Path, path: str) -> Iterator[str]:
    for at, folders, names in os.walk(folder / path):
        folders.sort()
        inner = Path(at).relative_to(folder).as_posix()
        yield from (f"{inner}/{name}" for name in sorted(names))


def _with_stem(layout: CollectionLayout, path: str, stem: str, new: str) -> str | None:
    """Return the path with another stem: in the name of the file, or in that of the folder of an `index.md`."""
    folder, _, file = path.rpartition("/")
    if bundle := bundle_folder(layout, path):
        outer, _, name = bundle.rpartition("/")
        return f"{outer}/{_replaced(name, stem, new)}/{file}" if stem in name else None
    base, _, suffix = file.rpartition(".")
    return f"{folder}/{_replaced(base, stem, new)}.{suffix}" if stem in base else None


def _replaced(text: str, old: str, new: str) -> str:
    head, _, tail = text.rpartition(old)
    return f"{head}{new}{tail}"


def _translation_path(layout: CollectionLayout, main: str, new: str, path: str, locale: str) -> str | None:
    """Return the path of a translation after its entry has moved; None if its name does not depend on the entry's."""
    suffix = path[path.rindex(".") :]
    if path == layout.translation_path(main, locale, suffix):
        return layout.translation_path(new, locale, suffix)
    if path == f"{main.rpartition('.')[0]}.{locale}{suffix}":  # beside its entry, although languages have folders
        return f"{new.rpartition('.')[0]}.{locale}{suffix}"
    return None


def _path(entry: Entry) -> str:
    return entry.source.path if entry.source else ""


def is_document(entry: Entry) -> bool:
    """Return whether an entry has a file of its own, which can move."""
    return _path(entry).lower().endswith(DOCUMENT_SUFFIXES)
