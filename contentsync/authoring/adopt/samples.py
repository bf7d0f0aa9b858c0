"""Read samples of files, to guess which kind of entries they contain, and where the entries are in nested lists."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from ...content.config.config import Config
from ...content.config.hiding_keys import normalized_key
from ...content.config.unknown_keys import content_table
from ...content.files.file_names import DOCUMENT_SUFFIXES
from ...content.files.source_file import ContentRoot
from ...content.folder.entry_reader import EntryReader
from ...content.folder.scan import ContentFile
from ...content.folder.unit_results import ReadLog
from ...content.formats.draft import Draft
from ...content.formats.table_rows import TABLE_DELIMITERS
from ...model import Kind
from .proposed_settings import ProposedSetting

TITLE_KEYS = frozenset({"name", "title", "label", "tool", "company", "resource", "project"})

_SAMPLE = 24  # files or entries
_DATED = re.compile(r"\d{4}-\d{1,2}-\d{1,2}-")
_DATE_KEYS = frozenset({"date", "pubdate", "publishdate", "publishedat", "published", "createdat", "created"})
_ADDRESS_KEYS = frozenset({"url", "website", "websiteurl", "homepage", "link", "href", "repo", "github"})
_CATEGORY_KEYS = frozenset({"category", "categories", "categoryid", "type", "section", "topic"})
_MAX_DEPTH = 6  # lists around an entry
_STEP = re.compile(r"[^.\[\]\s]+\Z")  # a key that a path can contain


class Sampler:
    """Reads some entries of files. The config renames no key."""

    def __init__(self, config: Config, root: ContentRoot) -> None:
        self._reader = EntryReader(config)
        self._root = root

    def kind_of_documents(self, files: Sequence[str]) -> Kind:
        """Return ARTICLE if most of the files have a date, LISTING if most have a name and an address, else PAGE."""
        with_date = with_address = 0
        chosen = files[:: max(1, len(files) // _SAMPLE)][:_SAMPLE]  # from all parts of the list
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
        """Return how many listings a file may contain: all items of nested lists, or those in a sample of other files.

        Return 0 if most of the sample have no name. A table with two or more columns counts as a whole sample, also if
        two of them have the same name, so that the report names them.
        """
        values = self.only_mapping(ContentFile.at(Kind.LISTING, path))
        if values:
            _path, count = find_items(values)
            if count:
                return count
        log = ReadLog()
        entries = [*islice(self._entries(Kind.LISTING, path, log), _SAMPLE)]
        if path.lower().endswith((*TABLE_DELIMITERS,)):
            has_equal_columns = any(problem.code == "duplicate-column" for problem in log.problems)
            has_columns = entries and len(entries[0].values) > 1
            return _SAMPLE if has_columns or has_equal_columns else 0
        named = sum(not _keys(entry).isdisjoint(TITLE_KEYS) for entry in entries)
        return len(entries) if named * 2 > len(entries) else 0

    def only_mapping(self, file: ContentFile) -> Mapping[str, Any] | None:
        """Return the values of a list file that contains one mapping instead; None for all other files."""
        if file.suffix in (*TABLE_DELIMITERS, *DOCUMENT_SUFFIXES):
            return None
        first_two = [*islice(self._reader.read_unvalidated(file, self._root), 2)]
        return first_two[0].values if len(first_two) == 1 else None

    def _entries(self, kind: Kind, path: str, log: ReadLog | None = None) -> Iterator[Draft]:
        return self._reader.read_unvalidated(ContentFile.at(kind, path), self._root, log)


def _keys(draft: Draft) -> set[str]:
    return {normalized_key(key) for key in draft.values}


def find_items(values: Mapping[str, Any]) -> tuple[str, int]:
    """Return the path of the entries in a mapping, such as `groups[].entries[]`, and their number; ("", 0) without any.

    Of several lists whose items have names, the one with the most items has the entries. Only lists directly in the
    mapping, or in items of such lists, are searched.
    """
    counts: Counter[str] = Counter()  # by path of a list
    level: list[tuple[str, Mapping[str, Any]]] = [("", values)]
    for _depth in range(_MAX_DEPTH):
        next_level: list[tuple[str, Mapping[str, Any]]] = []
        for outer_path, mapping in level:
            next_level += _items_of_lists(outer_path, mapping)
        level = next_level
        counts.update(path for path, item in level if _title_key(item))
    return max(counts.items(), key=lambda path_and_count: path_and_count[1], default=("", 0))


def propose_items(folder: Path, config: Config, files: list[ContentFile]) -> Iterator[ProposedSetting]:
    """Yield the path of the entries in nested lists, and that of the names that they inherit as categories.

    Yield nothing if the config has a path of entries.
    """
    lists = [file for file in files if file.kind is Kind.LISTING]
    table = content_table(Kind.LISTING)
    if config.content[Kind.LISTING].item_path:
        return
    with ContentRoot(folder) as root:
        sampler = Sampler(config, root)
        for values in filter(None, map(sampler.only_mapping, lists)):
            path, _count = find_items(values)
            if path:
                yield ProposedSetting(table, "items", path)
                if category := _category_path(values, path):
                    yield ProposedSetting(table, "inherit", category, "categories")
                return


def _items_of_lists(outer_path: str, mapping: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each mapping in the lists of the mapping at a path, with the path of its list."""
    for key, value in mapping.items():
        if isinstance(value, list) and _STEP.match(key):
            path = f"{outer_path}.{key}[]" if outer_path else f"{key}[]"
            yield from ((path, item) for item in value if isinstance(item, dict))


def _title_key(item: Mapping[str, Any]) -> str:
    """Return the first key of an item that has its name; "" without one."""
    for key, value in item.items():
        if normalized_key(key) in TITLE_KEYS and isinstance(value, str):
            return key
    return ""


def _category_path(values: Mapping[str, Any], path: str) -> str:
    """Return the path of the names of the groups of entries, such as `groups[].name` for `groups[].entries[]`.

    Of groups in groups, the innermost ones with names count. Return "" without names, or if entries have categories.
    """
    name_path = ""
    list_path = ""
    items = [values]
    for step in path.split("."):  # each is a key with []
        key = step.removesuffix("[]")
        if list_path:
            title_keys = {_title_key(item) for item in items}
            if len(title_keys) == 1 and (title_key := title_keys.pop()) and _STEP.match(title_key):
                name_path = f"{list_path}.{title_key}"
        lists = (item.get(key) for item in items)
        items = [item for value in lists if isinstance(value, list) for item in value if isinstance(item, dict)]
        list_path = f"{list_path}.{step}" if list_path else step
    has_category = any(normalized_key(key) in _CATEGORY_KEYS for item in items for key in item)
    return "" if has_category else name_path
