"""Find entries by the paths and names of their files, as links of other generators name them (docs/content.md 6)."""

import posixpath
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from unicodedata import normalize
from urllib.parse import unquote

from ..model import EntryKey, Kind
from ..model.slug import normal_name
from .file_names import INDEX_NAMES
from .folder_signatures import with_parents
from .link_forms import LinkForm
from .scan import DOCUMENT_SUFFIXES

_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}-(?=.)")
_ENDINGS = ("", *DOCUMENT_SUFFIXES, *(f"/index{suffix}" for suffix in DOCUMENT_SUFFIXES))


class EntryFiles:
    """The entries in documents. `documents` maps paths of files to entries; `collections` are paths of collections.

    The addresses of listings are not known, so they must not be among the entries.
    """

    def __init__(self, documents: Mapping[str, EntryKey], collections: Iterable[str]) -> None:
        self._documents = documents
        self._collections = collections

    def at(self, path: str) -> EntryKey | None:
        """Return the entry in a file, by any Unicode form of its path."""
        return self._documents.get(normalize("NFC", path))

    def find(self, form: LinkForm, source: str) -> list[EntryKey]:
        """Return the entries that a link in the file `source` may mean; those of the file's own kind if there are any.

        If it returns more than one, the link is ambiguous.
        """
        argument = unquote(form.argument).strip()
        if form.kind == "link":  # always a path below the content folder
            entry = self.at(argument.lstrip("/"))
            return [entry] if entry else []
        if form.kind != "post_url":  # a path, or a name of a file that may be anywhere
            is_name = "/" not in argument.strip("/")
            if entry := self._at_path(argument, posixpath.dirname(source), only_in_folder=is_name):
                return [entry]
            if not is_name:  # only a name is searched for in other folders
                return []
        name = without_suffix(argument.strip("/").rpartition("/")[2])
        candidates = [*self._by_exact_name.get(name, ())] or [*self._by_name.get(normal_name(name), ())]
        source_kind, _slug = self.at(source) or (Kind.LISTING, "")  # no candidate is a listing
        return [entry for entry in candidates if entry[0] is source_kind] or candidates

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The name of each file without its suffix, by the form in which names are compared."""
        return {normal_name(name): name for name in map(entry_file_name, self._documents)}

    def _at_path(self, path: str, folder: str, *, only_in_folder: bool) -> EntryKey | None:
        """Return the entry at a path, with or without suffix, below `folder` or a folder of `_roots`, else None.

        A path with a slash at its start is not below `folder`. With `only_in_folder`, search only in `folder`.
        """
        roots: tuple[str, ...] = (folder,)
        if not only_in_folder:
            roots = self._roots if path.startswith("/") else (folder, *self._roots)
        candidates = (posixpath.normpath(posixpath.join(root, path.strip("/"))) for root in roots)
        entries = (self.at(candidate + ending) for candidate in candidates for ending in _ENDINGS)
        return next(filter(None, entries), None)

    @cached_property
    def _roots(self) -> tuple[str, ...]:
        """The content folder, the collections, and the folders between them: a generator's content may be in any."""
        return ("", *with_parents(self._collections))

    @cached_property
    def _by_exact_name(self) -> Mapping[str, Mapping[EntryKey, None]]:
        """The entries by the names of their files without suffix: quick to make, and enough for most links."""
        entries: dict[str, dict[EntryKey, None]] = {}
        for path, entry in self._documents.items():
            entries.setdefault(entry_file_name(path), {})[entry] = None
        return entries

    @cached_property
    def _by_name(self) -> Mapping[str, Mapping[EntryKey, None]]:
        """The entries by the names of their files, with and without a date, and by their keys; None means nothing."""
        entries: dict[str, dict[EntryKey, None]] = {}
        for path, entry in sorted(self._documents.items()):
            name = entry_file_name(path)
            for other_name in {normal_name(name), normal_name(_DATE.sub("", name, count=1)), entry[1]}:
                entries.setdefault(other_name, {})[entry] = None
        return entries


def entry_file_name(path: str) -> str:
    """Return the name of an entry's file without suffix, or of the folder that an `index.md` is named after."""
    folder, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0]
    return folder.rpartition("/")[2] if stem in INDEX_NAMES else stem


def without_suffix(name: str) -> str:
    """Return the name of a file without the suffix of a document; any other name is unchanged."""
    suffix = next((suffix for suffix in DOCUMENT_SUFFIXES if name.lower().endswith(suffix)), "")
    return name[: len(name) - len(suffix)]
