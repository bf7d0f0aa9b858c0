"""Read a whole list of the service, consistent as far as the service shows it, or raise an error."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import ServerError
from .http_client import Service
from .response import Answer
from .wire import id_of, parse_id_number

PASSES = 3  # tries to read a list that changes meanwhile
PARALLEL_PAGES = 8  # requests at a time, once the number of pages is known

CountCallback = Callable[[int], None]  # called after each answer with the number of records so far


def ignore_count(count: int) -> None:
    """Do nothing: the default CountCallback."""


@dataclass(frozen=True, slots=True)
class RecordList:
    """All records of a list, and its ETag if the service has one for the whole list."""

    etag: str | None
    records: list[dict[str, Any]]
    translated: bool = False  # whether each record has its translations
    count: int | None = None  # the number of records, if `records` is empty to save memory

    @property
    def total(self) -> int:
        """Return the number of records in the list."""
        return len(self.records) if self.count is None else self.count

    def pop_records(self) -> Iterator[dict[str, Any]]:
        """Yield each record and remove it, which saves memory while 100,000 entries are made of them."""
        self.records.reverse()
        while self.records:
            yield self.records.pop()


async def read_list(
    service: Service,
    path: str,
    params: Mapping[str, str],
    *,
    paginated: bool,
    cached: RecordList | None = None,
    on_count: CountCallback = ignore_count,
) -> RecordList:
    """Return the whole list, or `cached` itself if its ETag is still current.

    If the pages contradict each other (a record occurs twice, a count or the ETag differs), read them again. Raise
    RemoteError, and ServerError if the list changes during each of PASSES tries.
    """
    list_pass = _Pass(service, path, params, paginated, on_count)
    for _ in range(PASSES):
        try:
            return await list_pass.run(cached)
        except _Inconsistent as inconsistent:
            reason, cached = inconsistent, None
            list_pass = _Pass(service, path, params, paginated, on_count, previous_etag=list_pass.etag)
    raise ServerError(f"{path} {reason}", "it may have changed while it was read: run again")


async def search_list(service: Service, path: str, matches: Callable[[dict[str, Any]], bool]) -> dict[str, Any] | None:
    """Return a record that matches; search the first page, then the others backwards from the last page.

    None does not prove that no record matches: the list may change during the search.
    """
    list_pass = _Pass(service, path, {}, True, ignore_count)
    first = await list_pass.fetch_page(1)
    for number in (1, *range(list_pass.page_and_record_counts(first)[0], 1, -1)):
        answer = first if number == 1 else await list_pass.fetch_page(number)
        for record in list_pass.records_of(answer):
            if matches(record):
                return record
    return None


class _Inconsistent(Exception):
    """The pages come from different states of the list."""


class _Pass:
    """One try to read all pages of a list."""

    def __init__(
        self,
        service: Service,
        path: str,
        params: Mapping[str, str],
        paginated: bool,
        on_count: CountCallback,
        previous_etag: str | None = None,  # of the first page in the previous pass
    ) -> None:
        self._service = service
        self._path = path
        self._params = params
        self._paginated = paginated
        self._on_count = on_count
        self._previous_etag = previous_etag
        self.etag: str | None = None
        self._records: dict[int, dict[str, Any]] = {}

    async def run(self, cached: RecordList | None) -> RecordList:
        """Return the whole list, or `cached` if the service reports it as current. Raise _Inconsistent."""
        first = await self.fetch_page(1, cached.etag if cached else None)
        if cached and first.unchanged:
            if first.total not in (None, cached.total):
                raise _Inconsistent(f"has {first.total} records, and {cached.total} were cached")
            self._on_count(cached.total)
            return cached
        self.etag = first.etag
        last, total = extent = self.page_and_record_counts(first)
        self._add(first)
        etags = [_strong(first.etag)]
        for start in range(2, last + 1, PARALLEL_PAGES):
            for answer in await self._fetch_pages(range(start, min(start + PARALLEL_PAGES, last + 1))):
                if self.page_and_record_counts(answer) != extent:
                    raise _Inconsistent("changes its length")
                self._add(answer)
                etags.append(_strong(answer.etag))
        if len(self._records) != total:
            raise _Inconsistent(f"lists {len(self._records)} of {total} records")
        return RecordList(self.etag if self._is_list_etag(etags) else None, list(self._records.values()))

    def _is_list_etag(self, etags: Sequence[str | None]) -> bool:
        """Return whether the pages share the list's ETag; False if each has its own. Else raise _Inconsistent."""
        distinct = len(set(etags))
        if distinct == 1:
            return True
        if distinct == len(etags) > 2 or etags[0] == _strong(self._previous_etag):
            return False  # some servers have an ETag for each page
        raise _Inconsistent("changes")

    async def _fetch_pages(self, numbers: Sequence[int]) -> list[Answer]:
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self.fetch_page(number)) for number in numbers]
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
        return [task.result() for task in tasks]

    async def fetch_page(self, number: int, known_etag: str | None = None) -> Answer:
        params: dict[str, str | int] = dict(self._params)
        if self._paginated or number > 1:
            params["page"] = number
        return await self._service.get(self._path, params, known_etag=known_etag)

    def page_and_record_counts(self, answer: Answer) -> tuple[int, int]:
        """Return the number of pages and the number of records in the whole list."""
        meta = answer.document.get("meta")
        if isinstance(meta, dict):
            last, total = parse_id_number(meta.get("last_page")), parse_id_number(meta.get("total"))
            if last is not None and total is not None:
                return last, total
        if self._paginated:
            raise ServerError(f"{self._path} was answered without saying how many pages there are")
        return 1, len(self.records_of(answer))

    def _add(self, answer: Answer) -> None:
        records = self.records_of(answer)
        by_id = {_require_id(record): record for record in records}
        if len(by_id) < len(records) or self._records.keys() & by_id.keys():
            raise _Inconsistent("lists a record twice")
        if not by_id and self._records:
            raise _Inconsistent("has an empty page in the middle")
        self._records |= by_id
        self._on_count(len(self._records))

    def records_of(self, answer: Answer) -> list[dict[str, Any]]:
        records = answer.document.get("data")
        if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
            raise ServerError(f"{self._path} was answered without a list of records")
        return records


def _require_id(record: Mapping[str, Any]) -> int:
    identity = id_of(record)
    if identity is None:
        raise ServerError("the server listed a record without an id")
    return identity


def _strong(etag: str | None) -> str | None:
    """Return the ETag without the `W/` prefix that proxies add when they compress an answer."""
    return None if etag is None else etag.removeprefix("W/")
