"""Find what the links of a folder lead to, and what to write in their place after a rename (docs/rename.md)."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from urllib.parse import quote, unquote

from ...content.config.config import Config
from ...content.files.file_names import INDEX_NAMES, is_below, spelled_locale
from ...content.formats.draft import Link
from ...content.links.body_links import leads_elsewhere, path_fault
from ...content.links.former_addresses import AddressIndex, EntryAddresses, page_path
from ...content.links.link_forms import (
    FILE_DATE,
    EntryFiles,
    entry_file_name,
    escaped,
    parse_form,
    split_target,
    unescaped,
    without_suffix,
)
from ...content.links.link_resolver import LinkResolver
from ...content.links.link_rewriting import resolve_target
from ...lazy_pattern import lazy_pattern
from ...model import Entry, EntryKey, Kind
from ...model.slug import normal_name
from .renaming import Renaming

_QUERY = lazy_pattern(r"(?<=[?&])(?P<kind>category|tag)=(?P<key>[^&#]*+)")
_SPECIAL = lazy_pattern(r"[\s()<>\"'%?#]")  # characters that end a target, or have a meaning in it


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
        self._listings: dict[str, EntryKey] = {}  # by slug
        for entry in entries:
            if entry.kind is Kind.LISTING:
                if address := self.page(entry):
                    self._listings[address.rpartition("/")[2]] = (entry.kind, entry.key)
            else:
                slugs[entry.kind].add(entry.key)
        collections = [path for collection in config.content.values() for path in collection.paths]
        self._checker = LinkResolver(
            config.site,
            slugs=slugs.__getitem__,
            files=EntryFiles(files, collections),
            exists=lambda path: True,  # `_find` asks only for entries, and needs no problems of missing files
            addresses=AddressIndex(addresses),
            has_listing=self._listings.__contains__,
        )
        self.find = cache(self._find)

    def _find(self, target: str, path: str) -> EntryKey | str | None:
        """Return the entry that a link in the file `path` leads to, or the path of another file; None if neither."""
        # Only the target and the path matter here, not where the link is, and whether a load rewrites it.
        link = Link(target, path, line=0, column=0, field="markdown")
        entry = self._checker.target_of(link).entry
        if entry is not None:
            kind, slug = entry
            return self._listings[slug] if kind is Kind.LISTING else entry
        target = unescaped(target)
        # A form, such as a wiki link, and an address of the site lead to nothing but an entry.
        if parse_form(target) or target.startswith("/") or path_fault(target):
            return None
        file, _query_and_fragment = resolve_target(target, path)
        return file

    def is_page(self, address: str, entry: Entry) -> bool:
        """Return whether an address of the site, in any language, is the present one of an entry."""
        return self._below_language(address) == self.page(entry)

    def is_list(self, address: str) -> bool:
        """Return whether an address of the site, in any language, is that of a list of listings."""
        return self._below_language(address) in ("", "listings")

    def page(self, entry: Entry) -> str:
        """Return the address of an entry's page in the default language, without slashes around it; "" without one."""
        return page_path(self._site, entry).strip("/")

    def _below_language(self, address: str) -> str:
        """Return an address without the slashes around it, and without a language at its start.

        Percent-encoding, `./` and doubled slashes make no difference, as for LinkResolver.
        """
        path = posixpath.normpath(f"/{unquote(address).strip('/')}").strip("/")
        language, _, below = path.partition("/")
        return below if spelled_locale(language, self._site.locales) else path


class NewTargets:
    """The targets of links after a rename; `present` has what links lead to before the rename."""

    def __init__(self, present: LinkTargets, renamings: Sequence[Renaming]) -> None:
        self._present = present
        self._renaming_of: dict[object, Renaming] = {renaming.identity: renaming for renaming in renamings}
        self._new_paths = {old: new for renaming in renamings for old, new in renaming.new_paths.items()}

    def find(self, target: str, path: str) -> str:
        """Return the target of a link after the rename, perhaps unchanged; `path` is the present path of its file."""
        plain = unescaped(target)
        new = self._find(plain, path)
        return target if new == plain else escaped(new, target)

    def _find(self, target: str, path: str) -> str:
        """Return the same as `find`, for a target without escapes."""
        if leads_elsewhere(target):  # such as `https://example.org/` or `#prices`, which are no paths of files
            return target
        renaming = self._renaming_of.get(self._present.find(target, path))
        form = parse_form(target)
        if form is not None:
            new_form = self._new_form(renaming, target, form.argument, form.kind) if renaming else None
            return new_form or target
        if target.startswith("/"):
            return self._new_address(renaming, target) if renaming else self._new_query(target)
        return self._new_relative(target, path)

    def _new_address(self, renaming: Renaming, target: str) -> str:
        """Return an address of the site with the new key; the new path if the address is the path of the file."""
        address, query_and_fragment = split_target(target)
        if unquote(address).lstrip("/") == renaming.path:
            return f"/{quote(renaming.new_path)}{query_and_fragment}"
        has_url = renaming.key_field == "url"  # of a listing, whose slug and address stay as they are
        if has_url or not self._present.is_page(address, renaming.entry):
            return target  # such as a former address, which still leads to the entry
        without_slash = address.rstrip("/")
        slash = address[len(without_slash) :]
        parent, _, last = without_slash.rpartition("/")  # the address of a page ends with the key of its entry
        if unquote(last) != self._present.page(renaming.entry).rpartition("/")[2]:  # such as `/pages/about/.`
            return target
        return f"{parent}/{renaming.key}{slash}{query_and_fragment}"

    def _new_query(self, target: str) -> str:
        """Return the address of a list with the new slug in its query, such as `/blog?tag=new`; others unchanged."""
        address, query_and_fragment = split_target(target)
        if not query_and_fragment or not self._present.is_list(address):
            return target

        def new_value(old: re.Match[str]) -> str:
            renaming = self._renaming_of.get((Kind(old["kind"]), unquote(old["key"])))
            return f"{old['kind']}={renaming.key}" if renaming else old[0]

        return address + _QUERY.sub(new_value, query_and_fragment)

    def _new_relative(self, target: str, path: str) -> str:
        """Return a relative target after the moves of its file, and of the file `path` in which it is."""
        file, query_and_fragment = resolve_target(target, path)
        new_path = self._new_paths.get(path, path)
        if file is None or path_fault(target):  # no path of a file: a mistake such as an e-mail address
            return target
        new_file = self._moved(file)
        if resolve_target(target, new_path)[0] == new_file:  # as written, such as `./` in a folder that moves
            return target
        written = target.removesuffix(query_and_fragment)
        slash = "/" if written.endswith("/") else ""
        if posixpath.dirname(new_file) == posixpath.dirname(file) and new_path == path:
            prefix = "".join(written.removesuffix("/").rpartition("/")[:2])  # the folders as they were written
            new_target = posixpath.basename(new_file)
        else:
            new_target = posixpath.relpath(new_file, posixpath.dirname(new_path) or ".")
            prefix = "./" if written.startswith("./") and not new_target.startswith("../") else ""
        # Escape the target if its author did, or if only the new one needs it.
        if "%" in written or (_SPECIAL.search(new_target) and not _SPECIAL.search(written)):
            new_target = quote(new_target)
        return f"{prefix}{new_target}{slash}{query_and_fragment}"

    def _moved(self, file: str) -> str:
        """Return the new path of a file, or of a folder whose files all move to one other folder."""
        if file in self._new_paths:
            return self._new_paths[file]
        new_folders: set[str] = set()
        for old, new in self._new_paths.items():
            if is_below(old, file):  # such as `a/x.md` for `a`; if the new path is `b/x.md`, `a` becomes `b`
                path_in_folder = old.removeprefix(file)
                new_folders.add(new.removesuffix(path_in_folder))
        return new_folders.pop() if len(new_folders) == 1 else file

    def _new_form(self, renaming: Renaming, target: str, argument: str, kind: str) -> str | None:
        """Return the target, a link form, with a new argument; None if the form cannot name the entry any more."""
        new_argument: str | None
        if kind == "path":  # the address of a page, as in `{{ "/about/" | relative_url }}`
            new_argument = self._new_address(renaming, argument)
        elif kind == "link":  # the path of a file, as in `{% link about.md %}`
            slash = "/" if argument.startswith("/") else ""
            new_argument = f"{slash}{renaming.new_path}"
        else:  # a name, as in `[[about]]`
            new_argument = _new_name(renaming, unquote(argument).strip())
        if not new_argument:
            return None
        new_target = target.replace(argument, new_argument, 1)
        if kind == "wiki" and "|" not in target and new_argument != argument:
            return f"{new_target.removesuffix(']]')}|{argument}]]"  # readers see the same text as before
        return new_target


def _new_name(renaming: Renaming, argument: str) -> str | None:
    """Return a name, with its folders, suffix and slashes, after the rename; None if it cannot name the entry."""
    bare = argument.strip("/")
    stem = without_suffix(bare)
    suffix = bare[len(stem) :]
    index = "/index" if stem.endswith("/index") else ""
    _, _, name = stem.removesuffix(index).rpartition("/")
    for old, new in _names(renaming):
        if name == old or normal_name(name) == normal_name(old):
            folder = _new_folder(renaming, bare, name)
            if folder is None:
                return None
            start = argument[: len(argument) - len(argument.lstrip("/"))]
            end = "/" if argument[-1] == "/" else ""
            return f"{start}{folder}{new}{index}{suffix}{end}"
    return None


def _names(renaming: Renaming) -> Iterator[tuple[str, str]]:
    """Yield each name of the entry with the new one: the name of its file, this without the date, and its key."""
    old, new = entry_file_name(renaming.path), entry_file_name(renaming.new_path)
    yield old, new
    yield FILE_DATE.sub("", old, count=1), FILE_DATE.sub("", new, count=1)
    yield renaming.entry.key, renaming.key


def _new_folder(renaming: Renaming, argument: str, name: str) -> str | None:
    """Return the new folders before the name in an argument, with a slash behind them; "" if it has none.

    Return None if the new path is not in the folder at which the argument begins.
    """
    folders = argument.rpartition(name)[0].strip("/")
    if not folders:
        return ""
    old_folder = posixpath.dirname(_named_path(renaming.path))
    new_folder = posixpath.dirname(_named_path(renaming.new_path))
    if old_folder == new_folder:
        return f"{folders}/"
    if not old_folder.endswith(folders):
        return None
    root = old_folder.removesuffix(folders)  # the folder at which the argument begins
    return f"{new_folder.removeprefix(root)}/" if new_folder.startswith(root) else None


def _named_path(path: str) -> str:
    """Return the path whose last part names an entry: that of its file, or for an `index.md` that of its folder."""
    folder, _, file = path.rpartition("/")
    return folder if folder and file.partition(".")[0] in INDEX_NAMES else path
