"""An index of a folder's content files, to find the files to edit and unused names for new files."""

import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ...content.config.config import Config
from ...content.config.replacement import is_replaced
from ...content.files.file_names import (
    DOCUMENT_SUFFIXES,
    is_below,
    is_hidden,
    name_fault,
    parse_file_name,
    path_in,
    shown_path,
    visible_names,
)
from ...content.files.file_text import UnreadableFile
from ...content.files.slug_pattern import SlugSource
from ...content.files.source_file import MAX_TABLE_BYTES, ContentRoot
from ...content.folder.folder_links import RewrittenLinks
from ...content.folder.scan import SUFFIXES, ContentFile, scan
from ...content.folder.translations import document_name, group_files, read_translation_keys
from ...content.formats.draft import BODY_FIELDS, is_html_field
from ...content.formats.mdx_modules import is_mdx, without_modules
from ...content.pictures.asset_files import PublishedPaths
from ...content.pictures.picture_fields import PICTURE_FIELDS
from ...content.pictures.published_names import PublishedFile
from ...errors import ContentError, Refused
from ...model import Entry, Kind
from ...model.slug import is_slug, make_slug
from .field_values import LinkRestorer, as_written, picture_as_written

MAX_LIST_LENGTH = 16 * 1024 * 1024  # characters; longer lists take no new entries

PULLED = "pulled.yaml"  # the list for new entries of a kind whose config names no other file

_MAX_NUMBER = 10_000  # behind a name, exclusive
_MAX_STEM = 200  # characters, so that a language and a suffix fit behind the name


class FolderIndex:
    """The content files of a folder that has no errors: the files to edit, and unused paths for new files."""

    def __init__(
        self,
        folder: Path,
        config: Config,
        rewritten_links: RewrittenLinks | None = None,
        published: Mapping[str, PublishedFile] = MappingProxyType({}),
    ) -> None:
        """Index the files of a content folder; `rewritten_links` and `published` are attributes of its `Content`.

        `rewritten_links` has the address that a load put in place of a link in a text, by file and link. `published`
        are the files of the folder that belong in the asset store, by name.
        """
        self.folder = folder
        asset_folder = config.assets.path if config.assets else ""
        store = config.store_base
        self._published = PublishedPaths(folder, store, asset_folder, published) if store else None
        self._file_addresses = config.file_addresses
        self._rewritten_links = rewritten_links or {}
        self.config = config
        self._layouts = {kind: config.layout(kind) for kind in config.content}
        files = scan(folder, config).files
        self.files: Mapping[str, ContentFile] = {file.path: file for file in files}  # by path
        keys = read_translation_keys(folder, config, files)
        units = group_files(files, config, keys)
        self._units = {unit.files[0].path: unit for unit in units}  # by the path of the entry's main file
        self.replaced: dict[str, tuple[bytes, bytes]] = {}  # by path: the bytes on disk, and those to edit further
        self._names: dict[str, set[str]] = {}  # by folder: the names on disk, without upper case
        # The `_base` of each used path; `new_document` adds those of new files.
        self._used_bases = {self._base(file.kind, file.path) for file in files}

    def translation_files(self, path: str) -> dict[str, ContentFile]:
        """Return the translation files of the entry whose main file is `path`, by language."""
        files = self._units[path].files[1:] if path in self._units else ()
        names_and_files = ((document_name(file, self._layouts), file) for file in files)
        return {name.locale: file for name, file in names_and_files if name and name.locale}

    def entry_files(self, entry: Entry) -> list[str]:
        """Return the paths of the files that an entry is in: its own, and those of its translations."""
        path = entry.source.path if entry.source else ""
        return [path, *(file.path for file in self.translation_files(path).values())]

    def location(self, path: str) -> str:
        """Return the path of a file with links resolved, relative to the folder; a new file's path is unchanged."""
        return self.files[path].location if path in self.files else path

    def read_bytes(self, path: str) -> bytes:
        """Return the bytes of an existing file. Raises ContentError, which names `path`, if it can no longer be read.

        The limit of its size is that of tables, because it may be one. Return the bytes of `replace_bytes`, if set.
        """
        if path in self.replaced:
            return self.replaced[path][1]
        try:
            with ContentRoot(self.folder) as root:
                location_without_links = self.location(path)
                data, _stamp = root.read_bytes(location_without_links, path, limit=MAX_TABLE_BYTES)
                return data
        except UnreadableFile as error:
            raise ContentError(error.problems, self.folder) from error

    def replace_bytes(self, path: str, data: bytes) -> None:
        """Set the bytes that `read_bytes` returns from then on; the file stays as it is."""
        self.replaced[path] = self.original_bytes(path), data

    def original_bytes(self, path: str) -> bytes:
        """Return the bytes of an existing file as it is on disk. Raises ContentError as `read_bytes`."""
        return self.replaced[path][0] if path in self.replaced else self.read_bytes(path)

    def is_free(self, path: str) -> bool:
        """Return whether a new file can be created at a path."""
        return path not in self.files and not os.path.lexists(self.folder / path)

    def written_value(self, kind: Kind, path: str, name: str, value: Any, old_value: Any) -> Any:
        """Return a field's value as it is written in the file `path`; links and pictures as in the old value, if there.

        `name` is the last part of the field's dotted name. Raises Refused (`_check_replaceable`).
        """
        self._check_replaceable(kind, path, name, value, old_value)
        # A custom field may have the name that a picture has in another kind.
        is_picture = any(field[-1] == name for field in PICTURE_FIELDS.get(kind, ()))
        if is_picture and self._published:  # addresses in the asset store
            return self._published.as_written(value, old_value, path)
        if is_picture and self.config.assets:
            return picture_as_written(value, old_value, path, self._file_addresses, self.folder)
        if name not in BODY_FIELDS or not isinstance(value, str):
            return as_written(name, value)
        rewritten = self._rewritten_links.get(path, {})
        restorer = LinkRestorer(path, self.folder, self._file_addresses, rewritten, self._published)
        old_text = old_value if isinstance(old_value, str) else ""
        return restorer.restore(value, old_text, html=is_html_field(kind, name))

    def _check_replaceable(self, kind: Kind, path: str, name: str, value: Any, old_value: Any) -> None:
        """Raise Refused for a body in which `[[markdown.replace]]` replaces something, before or after the edit.

        The author's syntax would be lost, or the new text would be read as another one. The same is true of MDX.
        """
        if name not in BODY_FIELDS or is_html_field(kind, name):
            return
        hint = "change it by hand, or leave the entry out with --only"
        for text, verb in ((old_value, "contains"), (value, "would contain")):
            if isinstance(text, str) and is_replaced(text, self.config.replacements):
                raise Refused(f"{path}: {name} {verb} syntax that [[markdown.replace]] replaces", hint)
            if isinstance(text, str) and is_mdx(path) and without_modules(text) != text:
                raise Refused(
                    f"{path}: {name} {verb} an import, export or comment of MDX, which is not read as text", hint
                )

    def new_document(self, kind: Kind, slug: str, suffix: str) -> tuple[str, bool]:
        """Reserve a path for the new file of an entry; return it, and whether the file must contain the slug.

        The path is possible on every operating system, contains no date or language, and differs from all other paths
        in more than case. Raises Refused if there is no such path.
        """
        folder = self.config.new_path(kind, self.folder)
        layout = self._layouts[kind]
        if folder.lower().endswith(SUFFIXES[kind]):  # a file, which contains one entry
            raise Refused(f"all {kind.plural} are in {folder}, which holds one", "name a folder in the config")
        for stem in self._stems(kind, slug):
            path = path_in(folder, f"{stem}{suffix}")
            name = parse_file_name(path, layout.locales)
            is_misread = bool(name.date or name.locale)  # a part of the slug looks like a date or a language
            base = self._base(kind, path)
            if is_misread or is_hidden(stem) or name_fault(path) or base in self._used_bases:
                continue
            if self.config.excludes(kind, path) or not self.is_free(path) or self._has_file_alike(path):
                continue
            self._used_bases.add(base)
            slug_of_path = SlugSource(layout.parse(path)).make(layout.slug_pattern)
            return path, slug_of_path != slug
        raise self._no_path_error(kind)

    def _has_file_alike(self, path: str) -> bool:
        """Return whether a file or folder has this path in upper or lower case, such as `README.md` for `readme.md`."""
        folder, _, name = path.rpartition("/")
        if folder not in self._names:
            self._names[folder] = {each.rstrip("/").casefold() for each in visible_names(self.folder / folder)}
        return name.casefold() in self._names[folder]

    def only_file(self, kind: Kind) -> str | None:
        """Return the path of the file that gets all new entries of a kind; None if the first path is a folder."""
        path = self.config.new_path(kind, self.folder)
        return path if path.lower().endswith(SUFFIXES[kind]) else None

    def must_exist(self, kind: Kind, path: str) -> bool:
        """Return whether the config names a file as the path of a kind, so that the file must not be deleted."""
        return path in self.config.paths(kind)

    def emptied_paths(
        self, kind: Kind, leaving: Collection[str], arriving: Collection[str]
    ) -> Iterator[tuple[str, str]]:
        """Yield each path of the config that loses its last file, and so its folder in git, and the first such file.

        `leaving` are the files that are deleted or get another path, `arriving` the paths of new ones.
        """
        for folders in self.config.alternative_paths(kind):
            lost = [path for path in leaving if any(is_below(path, folder) for folder in folders)]
            is_refilled = any(is_below(path, folder) for path in arriving for folder in folders)
            remaining = (path for folder in folders for path in files_below(self.folder, folder))
            if lost and not is_refilled and all(path in leaving for path in remaining):
                yield folders[0], lost[0]

    def paths_of_lists(self, kind: Kind, file_name: str = PULLED) -> Iterator[str]:
        """Yield paths of lists or tables for new entries, in the order to try them: `pulled.yaml`, `pulled-2.yaml`.

        They are existing content files, or free; the config excludes none of them. Raises Refused if the caller needs
        more paths than there are.
        """
        stem, _, suffix = path_in(self.config.new_path(kind, self.folder), file_name).rpartition(".")
        for number in range(1, _MAX_NUMBER):
            name = f"{stem}{f'-{number}' if number > 1 else ''}.{suffix}"
            if not self.config.excludes(kind, name) and (name in self.files or self.is_free(name)):
                yield name
        raise self._no_path_error(kind)

    def _stems(self, kind: Kind, slug: str) -> Iterator[str]:
        """Yield file names without suffix for a slug, in the order to try them."""
        if not is_slug(slug):  # from another service; the path must stay inside the folder
            slug = make_slug(slug)
        if slug and len(slug) <= _MAX_STEM:
            yield slug
        stem = f"{kind}-{slug[:_MAX_STEM]}"
        yield stem
        yield from (f"{stem}-{number}" for number in range(2, _MAX_NUMBER))

    def _no_path_error(self, kind: Kind) -> Refused:
        """Return the error that no path is left. Its text names `exclude`: so many names are not all in use."""
        path = shown_path(self.config.content[kind].paths[0])
        message = f"{path} takes no new {kind.plural}: the config excludes every name"
        setting = "include or exclude" if self.config.content[kind].include else "exclude"
        return Refused(message, f"correct {setting} in the config, or leave them out with --only")

    def has_language_folders(self, kind: Kind) -> bool:
        """Return whether the files of a kind in other languages are in folders of their own."""
        return self._layouts[kind].in_folders

    def translation_path(self, kind: Kind, path: str, locale: str, suffix: str) -> str:
        """Return the path of a new file with a translation of the entry at `path`."""
        return self._layouts[kind].translation_path(path, locale, suffix)

    def _base(self, kind: Kind, path: str) -> str:
        """Return the path in lower case, without language and suffix: no two entries may have the same one."""
        name = self._layouts[kind].parse(path) if path.lower().endswith(DOCUMENT_SUFFIXES) else None
        return (name.base if name else path).casefold()


def files_below(folder: Path, path: str) -> Iterator[str]:
    """Yield the paths, relative to `folder`, of all files below a path in it."""
    for parent, subfolders, names in os.walk(folder / path):
        subfolders.sort()  # in place: the order in which `os.walk` continues
        yield from (Path(parent, name).relative_to(folder).as_posix() for name in sorted(names))
