"""Find what the links of a folder lead to, and what to write in their place after a rename (docs/rename.md)."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from urllib.parse import quote, unquote

from ...model import Entry, EntryKey, Kind
from ...model.slug import normal_name
from ..address_index import AddressIndex, EntryAddresses
from ..body_links import path_fault
from ..config import Config
from ..entry_files import EntryFiles, entry_file_name, without_suffix
from ..file_names import INDEX_NAMES
from ..link_forms import parse_form, split_target
from ..link_rewriting import resolve_target
from ..redirects import page_path
from ..site_links import LinkChecker
from .renaming import Renaming

_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}-(?=.)")
_SPECIAL = re.compile(r"[\s()<>\"'%?#]")  # characters that end a target, or have a meaning in it


class LinkTargets:
    """What links lead to. `files` has the entry of each document and of each translation, by path."""

    def __init__(
        self,
        config: Config,
        entries: Iterable[Entry],
        files: Mapping[str, EntryKey],
        addresses: Iterable[EntryAddresses],
    ) -> None:
        self._site = config.site
        slugs: dict[Kind, set[str]] = {kind: set() for kind in Kind}
        self._by_page: dict[str, EntryKey] = {}  # of the kinds that the checks of links do not know
        for entry in entries:
            if entry.kind not in (Kind.LISTING, Kind.CATEGORY):
                slugs[entry.kind].add(entry.key)
            elif path := self._page(entry):
                self._by_page[path] = (entry.kind, entry.key)
        collections = [collection.path for collection in config.content.values()]
        self._checker = LinkChecker(
            config.site, slugs.__getitem__, EntryFiles(files, collections), lambda path: True, AddressIndex(addresses)
        )
        self.find = cache(self._find)

    def _find(self, target: str, path: str) -> EntryKey | str | None:
        """Return the entry that a link in the file `path` leads to, or the path of another file; None if neither."""
        if (entry := self._checker.target_of((target, path, 0, 0, False, "markdown", 0)).entry) is not None:
            return entry
        if parse_form(target):
            return None
        if target.startswith("/"):
            return self._by_page.get(self._below_language(split_target(target)[0]))
        return None if path_fault(target) else resolve_target(target, path)[0]

    def is_page(self, address: str, entry: Entry) -> bool:
        """Return whether an address of the site, in any language, is the present one of an entry."""
        return self._below_language(unquote(address)) == self._page(entry)

    def is_list(self, address: str) -> bool:
        """Return whether an address of the site is that of a list of listings."""
        return self._below_language(address) in ("", "listings")

    def _page(self, entry: Entry) -> str:
        return page_path(self._site, entry).strip("/")

    def _below_language(self, address: str) -> str:
        path = address.strip("/")
        language, _, below = path.partition("/")
        return below if language in self._site.locales else path


class NewTargets:
    """The targets of links after a rename. `present` is what they lead to before it."""

    def __init__(self, present: LinkTargets, renaming: Renaming) -> None:
        self._present = present
        self._renaming = renaming
        entry = renaming.entry
        self._old_path = entry.source.path if entry.source else ""
        self._new_path = renaming.moves.get(self._old_path, self._old_path)

    def find(self, target: str, path: str) -> str:
        """Return the target to write in the file that is now at `path`; it is the same if it still leads there."""
        found = self._present.find(target, path)
        form = parse_form(target)
        if form is not None:
            is_renamed = found == self._renaming.identity
            new = self._new_form(target, form.argument, form.kind) if is_renamed else None
            return new or target
        if target.startswith("/"):
            return self._new_address(target) if found == self._renaming.identity else self._new_query(target)
        return self._new_relative(target, path)

    def _new_address(self, target: str) -> str:
        """Return an address of the site with the new slug, or with the new path if it is that of the file."""
        address, rest = split_target(target)
        if unquote(address).lstrip("/") == self._old_path:
            return f"/{quote(self._new_path)}{rest}"
        body = address.rstrip("/")
        if not self._present.is_page(address, self._renaming.entry):
            return target  # a former address, which still leads to the entry
        head = body.rpartition("/")[0]
        return f"{head}/{self._renaming.key}{address[len(body) :]}{rest}"

    def _new_query(self, target: str) -> str:
        """Return the address of a list of listings with the new slug of a category or tag in its query."""
        kind, old = self._renaming.identity
        address, rest = split_target(target)
        if kind not in (Kind.CATEGORY, Kind.TAG) or not self._present.is_list(address):
            return target
        return address + re.sub(rf"(?<=[?&]{kind}=){re.escape(old)}(?=[&#]|\Z)", self._renaming.key, rest)

    def _new_relative(self, target: str, path: str) -> str:
        file, rest = resolve_target(target, path)
        at = self._renaming.moves.get(path, path)
        if file is None or path_fault(target):
            return target
        new_file = self._moved(file)
        if new_file == file and posixpath.dirname(at) == posixpath.dirname(path):
            return target
        written = target[: len(target) - len(rest)]
        slash = "/" if written.endswith("/") else ""
        if posixpath.dirname(new_file) == posixpath.dirname(file) and at == path:
            before = "".join(written.removesuffix("/").rpartition("/")[:2])  # the folders as they were written
            new = posixpath.basename(new_file)
        else:
            new = posixpath.relpath(new_file, posixpath.dirname(at) or ".")
            before = "./" if written.startswith("./") and not new.startswith("../") else ""
        if "%" in written or (_SPECIAL.search(new) and not _SPECIAL.search(written)):
            new = quote(new)
        return f"{before}{new}{slash}{rest}"

    def _moved(self, file: str) -> str:
        """Return the new path of a file, or of a folder whose files all move to one other folder."""
        moves = self._renaming.moves
        if file in moves:
            return moves[file]
        folders = {new.removesuffix(old.removeprefix(file)) for old, new in moves.items() if old.startswith(f"{file}/")}
        return folders.pop() if len(folders) == 1 else file

    def _new_form(self, target: str, argument: str, kind: str) -> str | None:
        """Return a template or wiki link with another argument; None if the form cannot name the entry any more."""
        new: str | None
        if kind == "path":
            new = self._new_address(argument)
        elif kind == "link":
            slash = "/" if argument.startswith("/") else ""
            new = f"{slash}{self._new_path}"
        else:
            new = self._new_name(unquote(argument).strip())
        if not new:
            return None
        if kind == "wiki" and target == f"[[{argument}]]" and not any(argument == old for old, _ in self._names()):
            new = f"{new}|{argument}"  # the text that readers see, such as a title
        return target.replace(argument, new, 1)

    def _new_name(self, argument: str) -> str | None:
        """Return the name or path by which a template or wiki link names the entry."""
        bare = argument.strip("/")
        suffix = bare[len(without_suffix(bare)) :]
        name = without_suffix(bare).removesuffix("/index").rpartition("/")[2]
        for old, new in self._names():
            if name == old or normal_name(name) == normal_name(old):
                folder = self._new_folder(bare, name)
                if folder is None:
                    return None
                index = "/index" if without_suffix(bare).endswith("/index") else ""
                start, end = argument[: len(argument) - len(argument.lstrip("/"))], "/" if argument[-1] == "/" else ""
                return f"{start}{folder}{new}{index}{suffix}{end}"
        return None

    def _names(self) -> Iterator[tuple[str, str]]:
        """Yield the old and the new forms of the entry's name: of its file, without the date, and its key."""
        old, new = entry_file_name(self._old_path), entry_file_name(self._new_path)
        yield old, new
        yield _DATE.sub("", old, count=1), _DATE.sub("", new, count=1)
        yield self._renaming.entry.key, self._renaming.key

    def _new_folder(self, argument: str, name: str) -> str | None:
        """Return the folders before the name in an argument; None if the new file is not below their root."""
        folders = argument.rpartition(name)[0].strip("/")
        if not folders:
            return ""
        old, new = (posixpath.dirname(_unit(path)) for path in (self._old_path, self._new_path))
        if old == new:
            return f"{folders}/"
        root = old.removesuffix(folders)
        return f"{new.removeprefix(root)}/" if old.endswith(folders) and new.startswith(root) else None


def _unit(path: str) -> str:
    """Return the path that an entry is named after: of its file, or of the folder of an `index.md`."""
    folder, _, file = path.rpartition("/")
    return folder if file.partition(".")[0] in INDEX_NAMES else path
