"""Read samples of files, to guess which kind of entries folders contain, and which lists contain listings."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from ...content.config.config import Config
from ...content.config.hiding_keys import normalized_key
from ...content.config.unknown_keys import field_of
from ...content.files.file_names import DOCUMENT_SUFFIXES
from ...content.files.source_file import ContentRoot
from ...content.folder.entry_reader import EntryReader
from ...content.folder.scan import ContentFile
from ...content.folder.unit_results import ReadLog
from ...content.formats.draft import Draft
from ...content.formats.table_rows import TABLE_SUFFIXES
from ...lazy_pattern import lazy_pattern
from ...model import Kind
from ...model.urls import url_fault
from .key_evidence import are_names, has_title_word, is_title
from .nested_items import find_items, items_at

_SAMPLE = 24  # files or entries
_MAX_COUNTED = 5_000  # entries of a list; longer lists count as equally long
_DATED = lazy_pattern(r"\d{4}-\d{1,2}-\d{1,2}-")
_CONTACTS = frozenset({"url", "address", "phone_number", "email", "latitude"})  # fields of places and companies
_SOURCE_KEYS = frozenset({"href", "repo", "repository", "github", "sourcecode"})  # addresses, but not of a field
# Keys of files that programs read: an API, a package, its lock file.
_PROGRAM_KEYS = frozenset(
    {"openapi", "swagger", "asyncapi", "lockfileversion", "dependencies", "devdependencies", "apiversion"}
)


class DocumentSample(NamedTuple):
    """What a sample of documents shows: ARTICLE if they are dated, LISTING if they have contacts, else PAGE."""

    kind: Kind
    is_clear: bool  # all of them have a date
    has_front_matter: bool  # most of them


class ListSample(NamedTuple):
    """The entries of a list or table: how many have a name, and the fields or keys that most of a sample has."""

    path: str
    entries: int
    keys: frozenset[str]
    has_addresses: bool  # most of the sample has a complete address


class Sampler:
    """Reads some entries of files. The config renames no key."""

    def __init__(self, config: Config, root: ContentRoot) -> None:
        self._reader = EntryReader(config)
        self._root = root

    def documents(self, files: Sequence[str]) -> DocumentSample:
        """Return what a sample of documents shows, taken from all parts of the list."""
        dated = addressed = with_keys = 0
        chosen = files[:: max(1, len(files) // _SAMPLE)][:_SAMPLE]
        for path in chosen:
            keys = {key for entry in self._entries(Kind.PAGE, path) for key in entry.key_locations}
            with_keys += bool(keys)
            dated += bool(_DATED.match(path.rpartition("/")[2])) or any(map(_is_date, keys))
            addressed += any(map(_is_address, keys)) and any(map(is_title, keys))
        undated_kind = Kind.LISTING if addressed * 2 > len(chosen) else Kind.PAGE
        kind = Kind.ARTICLE if dated * 2 > len(chosen) else undated_kind
        return DocumentSample(kind, is_clear=dated == len(chosen), has_front_matter=with_keys * 2 > len(chosen))

    def list(self, path: str) -> ListSample | None:
        """Return the sample of a list or table; None for a file of a program, and if most entries have no name.

        In nested lists, the entries are the items. Of a table with two columns of the same name, the report names them.
        """
        values = self.only_mapping(ContentFile.at(Kind.LISTING, path))
        if values:
            if not _PROGRAM_KEYS.isdisjoint(map(normalized_key, values)):
                return None
            items_path, count = find_items(values)
            if count:
                return _sample(path, [*islice(items_at(values, items_path), _SAMPLE)], count)
        log = ReadLog()
        entries = (entry.values for entry in self._entries(Kind.LISTING, path, log))
        sample = [*islice(entries, _SAMPLE)]
        count = len(sample) + sum(1 for _ in islice(entries, _MAX_COUNTED))
        if path.lower().endswith(TABLE_SUFFIXES):
            has_equal_columns = any(problem.code == "duplicate-column" for problem in log.problems)
            return _sample(path, sample, count) if _have_names(sample) or has_equal_columns else None
        named = sum(any(map(is_title, values)) for values in sample)
        return _sample(path, sample, count) if named * 2 > len(sample) else None

    def only_mapping(self, file: ContentFile) -> Mapping[str, Any] | None:
        """Return the values of a list file that contains one mapping instead; None for all other files."""
        if file.suffix in (*TABLE_SUFFIXES, *DOCUMENT_SUFFIXES):
            return None
        first_two = [*islice(self._reader.read_unvalidated(file, self._root), 2)]
        return first_two[0].values if len(first_two) == 1 else None

    def _entries(self, kind: Kind, path: str, log: ReadLog | None = None) -> Iterator[Draft]:
        return self._reader.read_unvalidated(ContentFile.at(kind, path), self._root, log)


def _have_names(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether rows of several columns have names: by a header, or in the first column of unknown meaning."""
    if not rows or len(rows[0]) < 2:
        return False
    if any(is_title(key) or has_title_word(key) for key in rows[0]):
        return True
    first = next((key for key in rows[0] if not field_of(Kind.LISTING, key)), "")
    return are_names({str(row.get(first)) for row in rows if row.get(first)}, len(rows))


def _sample(path: str, entries: Sequence[Mapping[str, Any]], count: int) -> ListSample:
    """Return a sample; an address without its host, as in a menu, is none."""
    meanings = [
        {field_of(Kind.LISTING, key) or normalized_key(key): values[key] for key in values} for values in entries
    ]
    half = len(entries) / 2
    keys = {key for meaning in meanings for key in meaning}
    common = frozenset(key for key in keys if sum(key in meaning for meaning in meanings) > half)
    addressed = sum(any(map(_has_address, meaning.values())) for meaning in meanings)
    return ListSample(path, count, common, has_addresses=addressed > half)


def _has_address(value: Any) -> bool:
    return isinstance(value, str) and "://" in value and url_fault(value) is None


def _is_date(key: str) -> bool:
    return field_of(Kind.ARTICLE, key) == "published_at"


def _is_address(key: str) -> bool:
    return field_of(Kind.LISTING, key) in _CONTACTS or normalized_key(key) in _SOURCE_KEYS
