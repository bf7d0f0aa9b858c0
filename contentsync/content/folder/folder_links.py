"""Check the links of a folder when all its entries are known, and rewrite those to entries (docs/content.md 6)."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from unicodedata import normalize

from ...errors import Problem
from ...model import Entry, EntryKey, Kind
from ...model.slug import make_slug, numbered_slug
from ..config.config import Config
from ..entry.identity import EntryRef
from ..files.file_text import UnreadableFile
from ..files.source_file import ContentRoot
from ..formats.draft import LinkRow
from ..links.former_addresses import AddressIndex, EntryAddresses
from ..links.link_forms import EntryFiles
from ..links.link_rewriting import FileLink, replace_targets
from ..links.site_links import LinkChecker, normal_anchor
from .scan import ContentFile

# The address of each rewritten target, by the path of the file with the link.
RewrittenLinks = Mapping[str, Mapping[str, str]]

# The parts of a text that a fragment (`#part`) may name: headings and ids.
_MAX_TITLE = 1_000  # characters of a heading
_HEADING = re.compile(rf"[ \t>]*+#{{1,6}}[ \t]++([^\n]{{1,{_MAX_TITLE}}}+)")
_UNDERLINE = re.compile(r"[ \t>]*+(?:=+|-{2,}+)[ \t]*+\Z")
_FENCE = re.compile(r"[ \t>]*+(`{3,}+|~{3,}+)")
_ID_ATTRIBUTE = re.compile(r"\b(?:id|name)[ \t]*+=[ \t]*+[\"']?+([^\s\"'<>]{1,200}+)", re.IGNORECASE)
_BRACED_ID = re.compile(r"\{:?[^{}\n#]{0,200}+#([^\s{}#]{1,200}+)[^{}\n]{0,200}+\}")  # {#id}, {: #id .class}
_LINK_DESTINATION = re.compile(r"\]\([^()\n]{0,300}+\)")  # of `[text](destination)`
_CLOSING = re.compile(r"[ \t]++#++[ \t]*+\Z")  # of `## Title ##`
_HTML_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,300}+>")


class CollectedLinks:
    """The links of all entries, and their former addresses, until all entries are known."""

    def __init__(self) -> None:
        self.rows: list[LinkRow] = []
        self.addresses: list[EntryAddresses] = []
        self._replaceable: dict[EntryRef, tuple[Sequence[LinkRow], Sequence[FileLink]]] = {}

    def __bool__(self) -> bool:
        return bool(self.rows or self.addresses or self._replaceable)

    def add_replaceable(self, ref: EntryRef, rows: Sequence[LinkRow], files: Sequence[FileLink]) -> None:
        """Add the links of an entry with values. Those with a body field, and `files`, may be replaced by addresses."""
        if files or any(field for *_, field, _offset in rows):
            self._replaceable[ref] = rows, files

    def replace_in(self, entries: dict[EntryRef, Entry], links: "FolderLinks") -> None:
        """Replace the entries whose links lead to other entries or to published files."""
        for ref, (rows, files) in self._replaceable.items():
            if ref in entries:
                entries[ref] = links.rewrite(entries[ref], rows, files)


class FolderLinks:
    """Checks and rewrites the links of a folder.

    `documents` are the entries in documents with their files, and `addresses` their former addresses. Of the
    `incomplete` kinds, some entries are unknown. `looked_into` are the folders whose file names affect the result.
    """

    def __init__(
        self,
        folder: Path,
        config: Config,
        documents: Mapping[EntryKey, Sequence[ContentFile]],
        incomplete: AbstractSet[Kind],
        addresses: Iterable[EntryAddresses],
    ) -> None:
        self.looked_into: set[str] = set()
        self.rewritten: dict[str, dict[str, str]] = {}  # by file and target: the new address
        self._folder = folder
        # A link to the file of a listing leads to no page.
        self._documents = {entry: files for entry, files in documents.items() if entry[0] is not Kind.LISTING}
        self._incomplete = incomplete
        self._addresses = AddressIndex(addresses)
        files = {file.path: entry for entry, its_files in self._documents.items() for file in its_files}
        collections = [collection.path for collection in config.content.values()]
        self._checker = LinkChecker(
            config.site,
            slugs=self._slugs,
            files=EntryFiles(files, collections),
            exists=self._exists,
            addresses=self._addresses,
            anchors=self._anchors,
            asset_base=config.asset_base,
        )

    def problems(self, links: Iterable[LinkRow]) -> Iterator[Problem]:
        """Yield the problems of former addresses and of links."""
        yield from self._addresses.problems(self._present_entry)
        yield from self._checker.problems(links)

    def rewrite(self, entry: Entry, links: Iterable[LinkRow], files: Iterable[FileLink] = ()) -> Entry:
        """Return the entry with its links to entries and to published files rewritten; add them to `rewritten`."""
        new_links = [*files]
        for link in links:
            target, path, *_, field, offset = link
            address = self._checker.target_of(link).address if field else ""  # only links in texts are rewritten
            if address and address != target:
                new_links.append((target, path, field, offset, address))
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
        return (entry, self._documents[entry][0].path) if entry in self._documents else None

    def _exists(self, path: str) -> bool:
        """Return whether the content folder has a file or folder at a path, in any Unicode form of its name."""
        if folder := path.rpartition("/")[0]:  # the cache compares the names in the content folder itself anyway
            self.looked_into.add(folder)
        spellings = {path, normalize("NFC", path), normalize("NFD", path)}
        return any(os.path.lexists(f"{self._folder}/{spelling}") for spelling in spellings)

    def _slugs(self, kind: Kind) -> set[str] | None:
        """Return the slugs of a kind, or None if some are unknown. Those of listings are: the service makes them."""
        if kind is Kind.LISTING or kind in self._incomplete:
            return None
        return {slug for its_kind, slug in self._documents if its_kind is kind}

    def _anchors(self, entry: EntryKey) -> set[str] | None:
        """Return the anchors of all texts of an entry, whose files are read again; None if a file cannot be read."""
        anchors: set[str] = set()
        try:
            with ContentRoot(self._folder) as root:
                for file in self._documents[entry]:
                    text, _stamp = root.read_text(file.location, file.path)
                    anchors |= anchors_of(text)
        except (UnreadableFile, KeyError):  # KeyError: the entry is in no document
            return None
        return anchors


def _with_text(
    fields: Mapping[str, Any], path: Sequence[str], replacements: Iterable[tuple[int, str, str]]
) -> Mapping[str, Any]:
    """Return a copy of the fields with targets replaced in the text at `path`. A cache may contain the originals."""
    name, *inner = path
    value = fields[name]
    new = _with_text(value, inner, replacements) if inner else replace_targets(value, replacements)
    return {**fields, name: new}


def anchors_of(text: str) -> set[str]:
    """Return the anchors of a Markdown or HTML text: its ids, and those that the site and GitHub give its headings.

    They are normalized as by `normal_anchor`. The text may include its front matter.
    """
    anchors = {normal_anchor(match[1]) for pattern in (_ID_ATTRIBUTE, _BRACED_ID) for match in pattern.finditer(text)}
    used_slugs: Counter[str] = Counter()  # `numbered_slug` adds to it, so that equal headings get different slugs
    for title in _headings(text):
        shown = _HTML_TAG.sub("", _BRACED_ID.sub("", title))
        shown = _LINK_DESTINATION.sub("]", shown)
        slug = make_slug(unescape(shown)) or "heading"
        anchors.add(numbered_slug(slug, used_slugs))
    return anchors


def _headings(text: str) -> Iterator[str]:
    """Yield the Markdown title of each heading: after `#`, or above a line of `=` or `-`. Skip fenced code.

    A title above a line is cut after `_MAX_TITLE` characters.
    """
    fence = ""  # the marker that opened the fenced code around this line
    previous_line = ""  # which is a title if this line underlines it
    for line in text.split("\n"):
        marker = _FENCE.match(line)
        if fence:
            if marker and marker[1].startswith(fence) and not line[marker.end() :].strip():
                fence = ""
        elif marker:
            fence, previous_line = marker[1], ""
        elif heading := _HEADING.match(line):
            yield _CLOSING.sub("", heading[1])
            previous_line = ""
        elif previous_line and _UNDERLINE.match(line):
            yield previous_line
            previous_line = ""
        else:
            previous_line = line.strip()[:_MAX_TITLE]
