"""Read the keys of some files, to guess which kind of entries a folder or a table contains."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from ...model import Kind
from ..config import Config
from ..draft import Draft
from ..entry_reader import EntryReader
from ..file_names import DOCUMENT_SUFFIXES
from ..formats.table_rows import TABLE_DELIMITERS
from ..scan import ContentFile
from ..source_file import ContentRoot

SAMPLE = 24  # files or entries

_DATED = re.compile(r"\d{4}-\d{1,2}-\d{1,2}-")
_DATE_KEYS = frozenset({"date", "pubdate", "publishdate", "publishedat", "published", "createdat", "created"})
_ADDRESS_KEYS = frozenset({"url", "website", "homepage", "link", "href", "repo", "github"})
CATEGORY_KEYS = frozenset({"category", "categories", "categoryid", "type", "section", "topic"})
TITLE_KEYS = frozenset({"name", "title", "label", "tool", "company", "resource", "project"})


def normalized_key(key: str) -> str:
    """Return a key without case, spaces and punctuation: the same for `Web site`, `web_site` and `website`."""
    return "".join(character for character in key.casefold() if character.isalnum())


class Sampler:
    """Reads some entries of files. The config renames no key."""

    def __init__(self, config: Config, root: ContentRoot) -> None:
        self._reader = EntryReader(config)
        self._root = root

    def kind_of_documents(self, files: Sequence[str]) -> Kind:
        """Return ARTICLE if most of the files have a date, LISTING if most have a name and an address, else PAGE."""
        with_date = with_address = 0
        chosen = files[:: max(1, len(files) // SAMPLE)][:SAMPLE]  # from all parts of the list
        for path in chosen:
            keys = {key for entry in self._entries(Kind.PAGE, path) for key in _keys(entry)}
            if _DATED.match(path.rpartition("/")[2]) or keys & _DATE_KEYS:
                with_date += 1
            if keys & _ADDRESS_KEYS and keys & TITLE_KEYS:
                with_address += 1
        if with_date * 2 > len(chosen):
            return Kind.ARTICLE
        return Kind.LISTING if with_address * 2 > len(chosen) else Kind.PAGE

    def count_listings(self, path: str) -> int:
        """Return how many of the first entries of a table or list may be listings; 0 if most of them have no name.

        A table with two or more columns counts as SAMPLE listings, whatever its columns are.
        """
        entries = [*islice(self._entries(Kind.LISTING, path), SAMPLE)]
        if path.lower().endswith((*TABLE_DELIMITERS,)):
            return SAMPLE if entries and len(entries[0].values) > 1 else 0
        named = sum(not _keys(entry).isdisjoint(TITLE_KEYS) for entry in entries)
        return len(entries) if named * 2 > len(entries) else 0

    def only_mapping(self, file: ContentFile) -> Mapping[str, Any] | None:
        """Return the values of a list file that contains one mapping instead; None for all other files."""
        if file.suffix in (*TABLE_DELIMITERS, *DOCUMENT_SUFFIXES):
            return None
        first_two = [*islice(self._reader.read_unvalidated(file, self._root), 2)]
        return first_two[0].values if len(first_two) == 1 else None

    def _entries(self, kind: Kind, path: str) -> Iterator[Draft]:
        return self._reader.read_unvalidated(ContentFile.at(kind, path), self._root)


def _keys(draft: Draft) -> set[str]:
    return {normalized_key(key) for key in draft.values}
