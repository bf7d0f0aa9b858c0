"""Check the links of a folder when all its entries are known, and rewrite those to entries (docs/content.md 6)."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from unicodedata import normalize

from ...errors import Problem
from ...model import Entry, EntryKey, Kind
from ..config.config import Config
from ..entry.identity import EntryRef
from ..formats.draft import Draft, Link
from ..links.former_addresses import AddressIndex, EntryAddresses
from ..links.fragments import shown_ids, translated_text
from ..links.link_forms import EntryFiles
from ..links.link_resolver import LinkResolver
from ..links.link_rewriting import LinkReplacement, replace_targets
from .scan import ContentFile
from .translations import Layouts, Unit, document_name

# The address of each rewritten target, by the path of the file with the link.
RewrittenLinks = Mapping[str, Mapping[str, str]]


class CollectedLinks:
    """The links of all entries, and their former addresses, until all entries are known."""

    def __init__(self) -> None:
        self.links: list[Link] = []
        self.addresses: list[EntryAddresses] = []
        self.rewritten: RewrittenLinks = {}  # by `replace_in`
        self.renamed: dict[EntryKey, str] = {}  # the present key of each entry that notes a former one
        self._replaceable: dict[EntryRef, tuple[Sequence[Link], Sequence[LinkReplacement]]] = {}

    def __bool__(self) -> bool:
        return bool(self.links or self.addresses or self._replaceable)

    def add_replaceable(self, ref: EntryRef, links: Sequence[Link], files: Sequence[LinkReplacement]) -> None:
        """Add the links of an entry with values. Those with a body field, and `files`, may be replaced by addresses."""
        if files or any(link.field for link in links):
            self._replaceable[ref] = links, files

    def replace_in(self, entries: dict[EntryRef, Entry], links: "FolderLinks") -> None:
        """Replace the entries whose links lead to other entries or to published files."""
        for ref, (own_links, files) in self._replaceable.items():
            if ref in entries:
                entries[ref] = links.rewrite(entries[ref], own_links, files)
        self.rewritten = links.rewritten


class EntryDocuments:
    """The entries in documents, with their files. `keys` has their keys, and `read` reads a unit again, by its number.

    Listings are left out, because a link to the file of a listing leads to no page.
    """

    def __init__(
        self, units: Sequence[Unit], keys: Mapping[int, str], read: Callable[[int], Iterable[Draft]], layouts: Layouts
    ) -> None:
        self.files: dict[EntryKey, Sequence[ContentFile]] = {}
        self.entries: dict[str, EntryKey] = {}  # by the path of each document and translation
        self.locales: dict[str, str] = {}  # the language of each file with a translation, by path
        self._numbers: dict[EntryKey, int] = {}
        self._read = read
        for number, key in keys.items():
            unit = units[number]
            if unit.kind is Kind.LISTING:
                continue
            self.files[unit.kind, key] = (*self.files.get((unit.kind, key), ()), *unit.files)
            for file in unit.files:
                self.entries[file.path] = unit.kind, key
            self._numbers.setdefault((unit.kind, key), number)
            for file in unit.files[1:]:
                name = document_name(file, layouts)
                self.locales[file.path] = (name and name.locale) or ""

    def path(self, entry: EntryKey) -> str | None:
        """Return the path of an entry's first file, else None."""
        return self.files[entry][0].path if entry in self.files else None

    def read_again(self, entry: EntryKey) -> Draft | None:
        """Return the draft of an entry, or None if its file was deleted in the meantime."""
        return next(iter(self._read(self._numbers[entry])), None)


class FolderLinks:
    """Checks and rewrites the links of a folder.

    `documents` are the entries in documents, and `addresses` their former addresses. `categories` are the slugs of all
    categories, and `listing_path` returns the path of the file with the listing that has a slug, else None. Of the
    `incomplete_kinds`, some entries are unknown. `renamed` has the present keys of entries that note former ones.
    `looked_into` are the folders whose file names affect the result.
    """

    def __init__(
        self,
        folder: Path,
        config: Config,
        documents: EntryDocuments,
        categories: Collection[str],
        incomplete_kinds: AbstractSet[Kind],
        addresses: Iterable[EntryAddresses],
        listing_path: Callable[[str], str | None],
        renamed: Mapping[EntryKey, str],
    ) -> None:
        self.looked_into: set[str] = set()
        self.rewritten: dict[str, dict[str, str]] = {}  # by file and target: the new address
        self._folder = folder
        self._config = config
        self._ids: dict[EntryKey, dict[str, frozenset[str]]] = {}  # on the pages of entries, by language
        self._shown_in: dict[str, Sequence[str]] = {}  # languages of texts, by file
        self._documents = documents
        self._categories = categories
        self._incomplete_kinds = incomplete_kinds
        self._listing_path = cache(listing_path)
        self._addresses = AddressIndex(addresses)
        collections = [path for collection in config.content.values() for path in collection.paths]
        self._checker = LinkResolver(
            config.site,
            slugs=self._slugs,
            files=EntryFiles(documents.entries, collections),
            exists=self._exists,
            addresses=self._addresses,
            page_ids=self._page_ids,
            file_addresses=config.file_addresses,
            has_listing=lambda slug: self._listing_path(slug) is not None,
            renamed=renamed,
        )

    def problems(self, links: Iterable[Link]) -> Iterator[Problem]:
        """Yield the problems of former addresses and of links."""
        yield from self._addresses.problems(self._present_entry)
        yield from self._checker.problems(links)

    def rewrite(self, entry: Entry, links: Iterable[Link], files: Iterable[LinkReplacement] = ()) -> Entry:
        """Return the entry with its links to entries and to published files rewritten; add them to `rewritten`."""
        new_links = [*files]
        for link in links:
            address = self._checker.target_of(link).address if link.field else ""  # only links in texts are rewritten
            if address and address != link.target:
                new_links.append(LinkReplacement(link.target, link.path, link.field, link.offset, address))
        replacements: dict[str, list[tuple[int, str, str]]] = {}  # by body field: offset, target and address
        for target, path, field, offset, address in new_links:
            replacements.setdefault(field, []).append((offset, target, address))
            self.rewritten.setdefault(path, {})[target] = address
        fields: Mapping[str, Any] = entry.fields
        for field, replacements_in_field in replacements.items():
            fields = _with_text(fields, field.split("."), replacements_in_field)
        return replace(entry, fields=fields) if replacements else entry

    def _present_entry(self, address: str) -> tuple[EntryKey, str] | None:
        """Return the entry that has an address now, with the path of its file."""
        entry = self._checker.present_entry(address)
        if entry is None:
            return None
        kind, slug = entry
        path = self._listing_path(slug) if kind is Kind.LISTING else self._documents.path(entry)
        return (entry, path) if path else None

    def _exists(self, path: str) -> bool:
        """Return whether the content folder has a file or folder at a path, in any Unicode form of its name."""
        if folder := path.rpartition("/")[0]:  # the cache compares the names in the content folder itself anyway
            self.looked_into.add(folder)
        spellings = {path, normalize("NFC", path), normalize("NFD", path)}
        return any(os.path.lexists(f"{self._folder}/{spelling}") for spelling in spellings)

    def _slugs(self, kind: Kind) -> Collection[str] | None:
        """Return the slugs of a kind, or None if some are unknown. Those of listings are: the service makes them."""
        if kind is Kind.LISTING or kind in self._incomplete_kinds:
            return None
        if kind is Kind.CATEGORY:
            return self._categories
        return {slug for its_kind, slug in self._documents.files if its_kind is kind}

    def _page_ids(self, entry: EntryKey, link: Link) -> Mapping[str, frozenset[str]]:
        """Return the ids on the page to which a link to an entry leads, by each language in which the link is shown.

        The language of the link's text is the first; "" is the default language. Return no language if the entry's
        files cannot be read any more.
        """
        if entry[0] in (Kind.CATEGORY, Kind.LISTING):  # a page of listings, or one that the service writes
            return {}
        if entry not in self._ids:
            draft = self._documents.read_again(entry)
            locales = ("", *self._config.site.locales[1:])
            self._ids[entry] = {locale: shown_ids(draft, locale) for locale in locales} if draft else {}
        ids = self._ids[entry]
        block, _, rest = link.field.partition(".")
        locale = rest.partition(".")[0] if block == "translations" else self._documents.locales.get(link.path, "")
        if not ids:
            return ids
        shown = {locale: ids.get(locale, ids[""])}
        if not locale and len({*ids.values()}) > 1:
            shown |= {other: ids[other] for other in self._other_languages(link.path)}
        return shown

    def _other_languages(self, path: str) -> Sequence[str]:
        """Return the languages besides the default one in which the text of a file is shown, as it has no translation.

        Return none if a file may contain the texts of several languages: where a link in it is shown is not known.
        """
        if path not in self._shown_in:
            locales = self._config.site.locales[1:]
            entry = self._documents.entries.get(path)
            draft = self._documents.read_again(entry) if entry else None
            if entry and draft:
                translated = {locale for locale in locales if translated_text(draft, locale)}
                in_files = {self._documents.locales.get(file.path) for file in self._documents.files[entry]}
                shown = [locale for locale in locales if locale not in translated]
                self._shown_in[path] = shown if translated <= in_files else ()
            else:
                is_listing = self._config.kind_at(path) is Kind.LISTING
                self._shown_in[path] = locales if is_listing else ()
        return self._shown_in[path]


def _with_text(
    fields: Mapping[str, Any], path: Sequence[str], replacements: Iterable[tuple[int, str, str]]
) -> Mapping[str, Any]:
    """Return a copy of the fields with targets replaced in the text at `path`. A cache may contain the originals."""
    name, *inner = path
    value = fields[name]
    new = _with_text(value, inner, replacements) if inner else replace_targets(value, replacements)
    return {**fields, name: new}
