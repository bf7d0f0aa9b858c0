"""Read a whole list of the service, consistent as far as the service shows it, or raise an error."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from itertools import islice
from typing import Any

import orjson

from ..errors import ServerError
from .http_client import Service
from .record_lines import NO_LINES, RecordLines
from .response import Answer
from .wire import id_of, parse_id_number

PASSES = 3  # tries to read a list that changes meanwhile
PARALLEL_PAGES = 8  # requests at a time, once the number of pages is known

CountCallback = Callable[[int], None]  # called after each answer with the number of records so far


def ignore_count(count: int) -> None:
    """Do nothing: the default CountCallback."""


@dataclass(frozen=True, slots=True)
class RecordList:
    """All records of a list, perhaps reduced, and its ETag if the service has one for the whole list."""

    etag: str | None
    lines: RecordLines = NO_LINES
    translated: bool = False  # whether each record has its translations
    count: int | None = None  # the number of records, if `lines` does not have them

    @classmethod
    def of(cls, etag: str | None, records: Iterable[Mapping[str, Any]], *, translated: bool = False) -> "RecordList":
        """Return the list of these records."""
        return cls(etag, RecordLines.of(records), translated)

    @property
    def total(self) -> int:
        """Return the number of records in the list."""
        return len(self.lines) if self.count is None else self.count

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield each record; it is decoded each time."""
        return map(orjson.loads, self.lines)


async def read_list(
    service: Service,
    path: str,
    params: Mapping[str, str],
    *,
    paginated: bool,
    cached: RecordList | None = None,
    on_count: CountCallback = ignore_count,
    reduce: Callable[[dict[str, Any]], dict[str, Any]] = lambda record: record,
) -> RecordList:
    """Return the whole list, or `cached` itself if its ETag is still current.

    `reduce` is called for each record as soon as its page is read.

    If the pages contradict each other (a record occurs twice, a count or the ETag differs), read all of them again.
    Raise ServerError if they contradict each other in each of PASSES tries. Raise RemoteError if a request fails.
    """
    list_pass = ListPass(service, path, params, on_count, paginated=paginated)
    reason = ""
    for _ in range(PASSES):
        try:
            lines = RecordLines.of(())
            async for page in list_pass.pages(cached):
                lines.add(map(reduce, page))
        except Inconsistent as inconsistent:
            reason = str(inconsistent)
            cached = None  # the next pass reads all pages
            list_pass = ListPass(
                service, path, params, on_count, paginated=paginated, previous_first_etag=list_pass.first_etag
            )
        else:
            if cached and list_pass.is_unchanged:
                return cached
            return RecordList(list_pass.list_etag, lines)
    raise ServerError(f"{path} {reason}", "it may have changed while it was read: run again")


async def search_list(service: Service, path: str, matches: Callable[[dict[str, Any]], bool]) -> dict[str, Any] | None:
    """Return a record that matches; search the first page, then the others backwards from the last page.

    None does not prove that no record matches: the list may change during the search.
    """
    list_pass = ListPass(service, path, params={}, paginated=True)
    first = await list_pass.fetch_page(1)
    page_count, _record_count = list_pass.page_and_record_counts(first)
    for number in (1, *range(page_count, 1, -1)):
        answer = first if number == 1 else await list_pass.fetch_page(number)
        for record in list_pass.records_of(answer):
            if matches(record):
                return record
    return None


class Inconsistent(Exception):
    """The pages come from different states of the list."""


class ListPass:
    """One try to read all pages of a list.

    `first_etag` is the ETag of the first page, as soon as that page is read. Once all pages are read, `list_etag` is
    the ETag of the whole list; None if the service has an ETag for each page.
    """

    def __init__(
        self,
        service: Service,
        path: str,
        params: Mapping[str, str],
        on_count: CountCallback = ignore_count,
        *,
        paginated: bool,
        previous_first_etag: str | None = None,  # of the previous pass
    ) -> None:
        self._service = service
        self._path = path
        self._params = params
        self._paginated = paginated
        self._on_count = on_count
        self._previous_first_etag = previous_first_etag
        self.first_etag: str | None = None
        self.list_etag: str | None = None
        self.is_unchanged = False  # whether the service reported the cached list as current
        self._ids: set[int] = set()

    async def pages(self, cached: RecordList | None) -> AsyncGenerator[list[dict[str, Any]]]:
        """Yield the records of each page; nothing if the service reports `cached` as current. Raise Inconsistent."""
        first = await self.fetch_page(1, cached.etag if cached else None)
        if cached and first.unchanged:
            if first.total not in (None, cached.total):
                raise Inconsistent(f"has {first.total} records, and {cached.total} were cached")
            self._on_count(cached.total)
            self.is_unchanged = True
            return
        self.first_etag = first.etag
        page_count, total = self.page_and_record_counts(first)
        yield self._add(first)
        etags = [_strong(first.etag)]
        async with aclosing(self._answers(range(2, page_count + 1))) as answers:
            async for answer in answers:
                if self.page_and_record_counts(answer) != (page_count, total):
                    raise Inconsistent("changes its length")
                etags.append(_strong(answer.etag))
                yield self._add(answer)
        if len(self._ids) != total:
            raise Inconsistent(f"lists {len(self._ids)} of {total} records")
        self.list_etag = self.first_etag if self._is_list_etag(etags) else None

    def _is_list_etag(self, etags: Sequence[str | None]) -> bool:
        """Return True if the pages share the list's ETag, and False if each page has its own. Else raise Inconsistent.

        Two pages with two ETags prove nothing: the list may have changed between the two answers. So the list is read
        again. If the first page then has the same ETag as before, the list has not changed, so each page has its own.
        """
        distinct_count = len(set(etags))
        if distinct_count == 1:
            return True
        all_differ = distinct_count == len(etags)
        if (all_differ and len(etags) > 2) or etags[0] == _strong(self._previous_first_etag):
            return False
        raise Inconsistent("changes")

    async def _answers(self, numbers: Sequence[int]) -> AsyncGenerator[Answer]:
        """Yield the answers for pages, in order; PARALLEL_PAGES of them are requested at a time."""
        pending = iter(numbers)
        tasks = deque(asyncio.create_task(self.fetch_page(number)) for number in islice(pending, PARALLEL_PAGES))
        try:
            while tasks:
                yield await tasks.popleft()
                tasks += (asyncio.create_task(self.fetch_page(number)) for number in islice(pending, 1))  # the next one
                await asyncio.sleep(0)  # let the requests proceed, also if the next answer has arrived
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def fetch_page(self, number: int, known_etag: str | None = None) -> Answer:
        """Return the answer for a page, from 1; it is `unchanged` if the list's ETag is still `known_etag`."""
        params: dict[str, str | int] = dict(self._params)
        if self._paginated or number > 1:
            params["page"] = number
        return await self._service.get(self._path, params, known_etag=known_etag)

    def page_and_record_counts(self, answer: Answer) -> tuple[int, int]:
        """Return the number of pages and the number of records in the whole list. Raise ServerError without them."""
        meta = answer.document.get("meta")
        if isinstance(meta, dict):
            last, total = parse_id_number(meta.get("last_page")), parse_id_number(meta.get("total"))
            if last is not None and total is not None:
                return last, total
        if self._paginated:
            raise ServerError(f"{self._path} was answered without saying how many pages there are")
        return 1, len(self.records_of(answer))

    def _add(self, answer: Answer) -> list[dict[str, Any]]:
        """Return the records of a page, and count them. Raise Inconsistent if they contradict the earlier pages."""
        records = self.records_of(answer)
        ids = {require_id(record) for record in records}
        if len(ids) < len(records) or ids & self._ids:
            raise Inconsistent("lists a record twice")
        if not ids and self._ids:  # no service counts an empty last page
            raise Inconsistent("has an empty page in the middle")
        self._ids |= ids
        self._on_count(len(self._ids))
        return records

    def records_of(self, answer: Answer) -> list[dict[str, Any]]:
        """Return the records of a page. Raise ServerError if the answer has no list of them."""
        records = answer.document.get("data")
        if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
            raise ServerError(f"{self._path} was answered without a list of records")
        return records


def require_id(record: Mapping[str, Any]) -> int:
    """Return the id of a record. Raise ServerError if it has none."""
    identity = id_of(record)
    if identity is None:
        raise ServerError("the server listed a record without an id")
    return identity


def _strong(etag: str | None) -> str | None:
    """Return the ETag without the `W/` prefix that proxies add when they compress an answer."""
    return None if etag is None else etag.removeprefix("W/")
