"""Find the files that a renamed entry moves: its own, its translations, and those beside an `index.md`."""

import os
import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from ...content.config.collection_layout import CollectionLayout
from ...content.config.config import Config
from ...content.files.file_names import DOCUMENT_SUFFIXES, INDEX_NAMES, path_in
from ...content.files.slug_pattern import SlugSource
from ...errors import Refused, join_first
from ...model import Entry
from ...model.slug import make_slug
from ..edit.folder_index import FolderIndex, files_below

IsContent = Callable[[str], bool]


def path_for_slug(config: Config, entry: Entry, slug: str) -> str | None:
    """Return a path like that of the entry's file, whose name makes the slug; None if there is no such path."""
    layout, path = config.layout(entry.kind), _path(entry)
    old_stem = layout.parse(path).stem
    # The pattern may add a date or folder to the stem, which `slug` may contain too.
    before, _, after = slug_at(config, entry, path).rpartition(make_slug(old_stem))
    stems = [slug]
    if slug.startswith(before) and slug.endswith(after):
        stems.append(slug[len(before) : len(slug) - len(after)])
    for stem in filter(None, stems):
        new_path = _with_stem(layout, path, old_stem, stem)
        if new_path and slug_at(config, entry, new_path) == slug:
            return new_path
    return None


def slug_at(config: Config, entry: Entry, path: str) -> str:
    """Return the slug that an entry would have if its file were at a path, and contained no slug."""
    layout = config.layout(entry.kind)
    return SlugSource(layout.parse(path), entry.fields.get("published_at")).make(layout.slug_pattern)


def find_moves(index: FolderIndex, entry: Entry, new: str, is_content: IsContent) -> dict[str, str]:
    """Return the new paths, by old ones, of all files that move if the file of the entry moves to the path `new`.

    A translation with a name of its own stays. If an `index.md` gets another folder, the other files of its folder move
    too. Raises Refused if these include other entries, or if a new path exists. `is_content` tests paths of entries.
    """
    layout, path = index.config.layout(entry.kind), _path(entry)
    new_paths = {path: new}
    for locale, file in index.translation_files(path).items():
        if new_path := _translation_path(layout, path, new, file.path, locale):
            new_paths[file.path] = new_path
    for old in new_paths:
        if old != index.location(old):
            raise Refused(
                f"{old} is a symbolic link, or its name is encoded in another form (NFD)", "rename it by hand"
            )
    moves = dict(new_paths)
    for old, new_path in new_paths.items():
        folder, new_folder = bundle_folder(layout, old), bundle_folder(layout, new_path)
        if folder and new_folder and folder != new_folder:
            moves |= _folder_moves(index.folder, folder, new_folder, {*new_paths}, is_content)
    moves = {old: new_path for old, new_path in moves.items() if old != new_path}
    for new_path in moves.values():
        if os.path.lexists(index.folder / new_path):
            raise Refused(f"{new_path} exists already", "choose another name, or move that file first")
    return moves


def bundle_folder(layout: CollectionLayout, path: str) -> str | None:
    """Return the folder that gives an `index.md` its name; None for other files, and in the collection's own folder."""
    name = layout.parse(path)
    is_index = name.base.rpartition("/")[2] in INDEX_NAMES
    is_in_subfolder = "/" in name.inner
    return path.rpartition("/")[0] if is_index and is_in_subfolder else None


def other_entries(folder: Path, bundle: str, own: Collection[str], is_content: IsContent) -> list[str]:
    """Return the files of other entries in the folder of an entry (`bundle_folder`), whose `own` files are left out."""
    return [path for path in files_below(folder, bundle) if path not in own and is_content(path)]


def _folder_moves(
    folder: Path, old: str, new: str, own: Collection[str], is_content: IsContent
) -> Iterator[tuple[str, str]]:
    """Yield the moves of the files in an entry's folder that are not its `own`. Raise Refused for entries and links."""
    others = other_entries(folder, old, own, is_content)
    if others:
        hint = "set slug in its front matter, or move the others first"
        raise Refused(f"{old} contains other entries: {join_first(others, 3)}", hint)
    for path in files_below(folder, old):
        if (folder / path).is_symlink():  # a relative one would lead elsewhere, or nowhere
            raise Refused(f"{path} is a symbolic link", "replace it by the file itself, or rename the folder by hand")
        if path not in own:
            yield path, f"{new}{path.removeprefix(old)}"


def _with_stem(layout: CollectionLayout, path: str, stem: str, new: str) -> str | None:
    """Return the path with `new` in place of `stem`, in the name of the file or of the folder of an `index.md`.

    Return None if the name does not contain `stem`.
    """
    folder, _, file = path.rpartition("/")
    if bundle := bundle_folder(layout, path):
        outer, _, name = bundle.rpartition("/")
        before, old_stem, after = name.rpartition(stem)
        return f"{path_in(outer, f'{before}{new}{after}')}/{file}" if old_stem else None
    base, _, suffix = file.rpartition(".")
    before, old_stem, after = base.rpartition(stem)
    return path_in(folder, f"{before}{new}{after}.{suffix}") if old_stem else None


def _translation_path(layout: CollectionLayout, main: str, new: str, path: str, locale: str) -> str | None:
    """Return the new path of a translation of `main`; None if its name is not made from that of the entry."""
    suffix = path[path.rindex(".") :]
    spellings = {locale, *re.split(r"[./]", path)}  # the author's, such as `FR`, is a part of the path
    for written in sorted(spelling for spelling in spellings if spelling.lower() == locale.lower()):
        if path == layout.translation_path(main, written, suffix):
            return layout.translation_path(new, written, suffix)
        if path == f"{main.rpartition('.')[0]}.{written}{suffix}":  # beside its entry, although languages have folders
            return f"{new.rpartition('.')[0]}.{written}{suffix}"
    return None


def _path(entry: Entry) -> str:
    return entry.source.path if entry.source else ""


def is_document(entry: Entry) -> bool:
    """Return whether an entry has a file of its own, which can move."""
    return _path(entry).lower().endswith(DOCUMENT_SUFFIXES)
