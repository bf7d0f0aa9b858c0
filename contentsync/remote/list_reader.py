"""Read a whole list of the service, consistent as far as the service shows it, or raise an error."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import ServerError
from .http_client import Service
from .response import Answer
from .wire import id_of, number_of

PASSES = 3  # over a list that keeps changing
PARALLEL_PAGES = 8  # requests at a time, once the number of pages is known

CountCallback = Callable[[int], None]  # called after each answer with the number of records so far


def ignore_count(count: int) -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class RecordList:
    """All records of a list, and its ETag if the service has one for the whole list."""

    etag: str | None
    records: list[dict[str, Any]]
    translated: bool = False  # whether each record has its translations
    count: int | None = None  # of the records, if they are left out here

    @property
    def total(self) -> int:
        """Return how many records the list has."""
        return len(self.records) if self.count is None else self.count


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

    A pass over the pages starts again if a record occurs twice, a count disagrees or the ETag changes. Raise
    RemoteError; ServerError if the list keeps changing.
    """
    reading = _Pass(service, path, params, paginated, on_count)
    for _ in range(PASSES):
        try:
            return await reading.run(cached)
        except _Inconsistent as inconsistent:
            reason, cached = inconsistent, None
            reading = _Pass(service, path, params, paginated, on_count, before=reading.etag)
    raise ServerError(f"{path} {reason}", "it may have changed while it was read: run again")


async def search_list(service: Service, path: str, matches: Callable[[dict[str, Any]], bool]) -> dict[str, Any] | None:
    """Return a record that matches, from the first page or from the last one backwards.

    None does not prove that there is none: the list may change meanwhile.
    """
    reading = _Pass(service, path, {}, True, ignore_count)
    first = await reading.page(1)
    for number in (1, *range(reading.extent(first)[0], 1, -1)):
        answer = first if number == 1 else await reading.page(number)
        for record in reading.records_of(answer):
            if matches(record):
                return record
    return None


class _Inconsistent(Exception):
    """The pages of a pass do not belong to one state of the list."""


class _Pass:
    """One pass over the pages."""

    def __init__(
        self,
        service: Service,
        path: str,
        params: Mapping[str, str],
        paginated: bool,
        on_count: CountCallback,
        before: str | None = None,  # the ETag of the first page in the previous pass
    ) -> None:
        self._service = service
        self._path = path
        self._params = params
        self._paginated = paginated
        self._on_count = on_count
        self._before = before
        self.etag: str | None = None
        self._records: dict[int, dict[str, Any]] = {}

    async def run(self, cached: RecordList | None) -> RecordList:
        first = await self.page(1, cached.etag if cached else None)
        if cached and first.unchanged:
            if first.total not in (None, cached.total):
                raise _Inconsistent(f"has {first.total} records, and {cached.total} were cached")
            self._on_count(cached.total)
            return cached
        self.etag = first.etag
        last, total = extent = self.extent(first)
        self._add(first)
        etags = [_bare(first.etag)]
        for start in range(2, last + 1, PARALLEL_PAGES):
            for answer in await self._pages(range(start, min(start + PARALLEL_PAGES, last + 1))):
                if self.extent(answer) != extent:
                    raise _Inconsistent("changes its length")
                self._add(answer)
                etags.append(_bare(answer.etag))
        if len(self._records) != total:
            raise _Inconsistent(f"lists {len(self._records)} of {total} records")
        return RecordList(self.etag if self._is_whole(etags) else None, list(self._records.values()))

    def _is_whole(self, etags: Sequence[str | None]) -> bool:
        """Return whether the ETag is that of the list, and not of its page alone."""
        different = len(set(etags))
        if different == 1:
            return True
        if different == len(etags) > 2 or etags[0] == _bare(self._before):
            return False  # some servers have an ETag for each answer
        raise _Inconsistent("changes")

    async def _pages(self, numbers: Sequence[int]) -> list[Answer]:
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self.page(number)) for number in numbers]
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
        return [task.result() for task in tasks]

    async def page(self, number: int, unless: str | None = None) -> Answer:
        params: dict[str, str | int] = dict(self._params)
        if self._paginated or number > 1:
            params["page"] = number
        return await self._service.get(self._path, params, unless=unless)

    def extent(self, answer: Answer) -> tuple[int, int]:
        """Return the number of pages and of records."""
        meta = answer.document.get("meta")
        if isinstance(meta, dict):
            last, total = number_of(meta.get("last_page")), number_of(meta.get("total"))
            if last is not None and total is not None:
                return last, total
        if self._paginated:
            raise ServerError(f"{self._path} was answered without saying how many pages there are")
        return 1, len(self.records_of(answer))

    def _add(self, answer: Answer) -> None:
        records = self.records_of(answer)
        fresh = {_id(record): record for record in records}
        if len(fresh) < len(records) or self._records.keys() & fresh.keys():
            raise _Inconsistent("lists a record twice")
        if not fresh and self._records:
            raise _Inconsistent("has an empty page in the middle")
        self._records |= fresh
        self._on_count(len(self._records))

    def records_of(self, answer: Answer) -> list[dict[str, Any]]:
        records = answer.document.get("data")
        if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
            raise ServerError(f"{self._path} was answered without a list of records")
        return records


def _id(record: Mapping[str, Any]) -> int:
    identity = id_of(record)
    if identity is None:
        raise ServerError("the server listed a record without an id")
    return identity


def _bare(etag: str | None) -> str | None:
    """Remove the mark of a compressed answer."""
    return None if etag is None else etag.removeprefix("W/")
