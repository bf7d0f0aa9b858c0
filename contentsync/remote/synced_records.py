"""Records of listings that a plan leaves out, and how they are found again in a list that has changed."""

from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping
from contextlib import aclosing, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from ..model import Entry, Kind
from .list_cache import UNREADABLE, cached_list_writer, open_cached_list
from .list_reader import Inconsistent, ListPass, RecordList, require_id
from .wire import missing_fields, reduce_record


class NotSynced(Exception):
    """The server may have changed in a way that concerns synced records: they may not be left out."""


class ListingDigests(NamedTuple):
    """A list of listings without its records: their digests by id, and the names of all their fields."""

    etag: str
    of_records: Mapping[int, str]
    names: frozenset[str]


class SyncedRecords(NamedTuple):
    """Records of listings that are left out, because they are equal to entries of the folder."""

    ids: Collection[int]
    keys: Collection[str]
    slugs: Collection[str]
    unknown: frozenset[str]  # the fields of listings that the service did not return when they were compared
    names: frozenset[str] | None = None  # of the fields of all listings; None if their list has not changed since

    def check(self, others: Iterable[Entry], custom_fields: Collection[str]) -> None:
        """Raise NotSynced if another record has one of their keys or slugs, or if `unknown` has changed."""
        if self.names is not None:
            record_with_all_fields = dict.fromkeys(self.names)  # in place of all records, which are not in memory
            if missing_fields(Kind.LISTING, [record_with_all_fields], custom_fields) != self.unknown:
                raise NotSynced
        if any(entry.key in self.keys or entry.fields.get("slug") in self.slugs for entry in others):
            raise NotSynced


def read_cached_digests(file: Path, source: str, *, unless: str | None = None) -> ListingDigests | None:
    """Return the digests of the cached list `file`; None if the file cannot be used, or its ETag is `unless`."""
    digests = _Digests()
    with suppress(*UNREADABLE), open_cached_list(file, source, Kind.LISTING) as (header, lines):
        if header["etag"] != unless:
            for line in lines:
                digests.add(orjson.loads(line), line)
            return digests.of_list(header["etag"])
    return None


async def read_digests(list_pass: ListPass, cached: RecordList, file: Path, source: str) -> ListingDigests | None:
    """Read the server's list of listings into a new `file`, and return its digests; None if it still is `cached`.

    Raise NotSynced if the list changes meanwhile, has no ETag, or cannot be cached. Raise RemoteError if a request
    fails.
    """
    try:
        async with aclosing(list_pass.pages(cached)) as pages:
            first = await anext(pages, None)
            if first is None:
                return None
            with cached_list_writer(file, source, Kind.LISTING, list_pass.first_etag, translated=False) as write:
                return await _digest_pages(list_pass, first, pages, write)
    except (Inconsistent, OSError) as error:
        raise NotSynced from error


async def _digest_pages(
    list_pass: ListPass,
    page: list[dict[str, Any]] | None,
    pages: AsyncIterator[list[dict[str, Any]]],
    write: Callable[[bytes], None],
) -> ListingDigests:
    """Write the records of `page` and of the `pages` after it, and return their digests with the ETag of the list.

    Raise Inconsistent if the service has ETags of pages only: they do not show whether the whole list is unchanged.
    """
    digests = _Digests()
    while page is not None:
        for record in (reduce_record(Kind.LISTING, each) for each in page):
            line = orjson.dumps(record)
            digests.add(record, line)
            write(line)
        page = await anext(pages, None)
    if list_pass.list_etag is None:
        raise Inconsistent("has no ETag, only one for each page")
    return digests.of_list(list_pass.list_etag)


class _Digests:
    """Collects the digests of a list, record by record."""

    def __init__(self) -> None:
        self._digests: dict[int, str] = {}
        self._names: set[str] = set()

    def add(self, record: Mapping[str, Any], line: bytes) -> None:
        """Add a record and its JSON."""
        self._names.update(record)
        self._digests[require_id(record)] = blake2b(line, digest_size=12).hexdigest()

    def of_list(self, etag: str) -> ListingDigests:
        return ListingDigests(etag, self._digests, frozenset(self._names))
