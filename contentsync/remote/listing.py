"""A list of the service: all of it, of one moment as far as can be told, or an error."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import ServerError
from .answer import Answer
from .service import Service
from .wire import id_of, number_of

PASSES = 3  # before a list that keeps changing is given up
ABREAST = 8  # pages that are asked for together, once it is known how many there are

Counted = Callable[[int], None]  # told after each answer: how many records are there


def unheard(count: int) -> None:
    """Nobody is told."""


@dataclass(frozen=True, slots=True)
class Listed:
    """All records of a list; its ETag where the service has one that stands for the whole."""

    etag: str | None
    records: list[dict[str, Any]]
    translated: bool = False  # whether each record holds its translations
    count: int | None = None  # of the records, where they are not here

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
    seen: Listed | None = None,
    counted: Counted = unheard,
) -> Listed:
    """The whole list, or `seen` itself where its ETag still stands for the list.

    A pass over the pages in which a record comes twice, a number disagrees or the ETag changes is repeated, from the
    start. Raises RemoteError; of a list that does not come to rest, ServerError.
    """
    reading = _Pass(service, path, params, paginated, counted)
    for _ in range(PASSES):
        try:
            return await reading.run(seen)
        except _Inconsistent as inconsistent:
            reason, seen = inconsistent, None
            reading = _Pass(service, path, params, paginated, counted, before=reading.etag)
    raise ServerError(f"{path} {reason}", "it may have changed while it was read: run again")


async def search_list(service: Service, path: str, matches: Callable[[dict[str, Any]], bool]) -> dict[str, Any] | None:
    """A record that matches, on the first page or from the last one backwards; None proves nothing."""
    reading = _Pass(service, path, {}, True, unheard)
    first = await reading.page(1)
    for number in (1, *range(reading.extent(first)[0], 1, -1)):
        answer = first if number == 1 else await reading.page(number)
        for record in reading.found(answer):
            if matches(record):
                return record
    return None


class _Inconsistent(Exception):
    """The pages of a pass are not of one moment."""


class _Pass:
    """One way over the pages."""

    def __init__(
        self,
        service: Service,
        path: str,
        params: Mapping[str, str],
        paginated: bool,
        counted: Counted,
        before: str | None = None,  # the ETag of the first page in the pass before
    ) -> None:
        self._service = service
        self._path = path
        self._params = params
        self._paginated = paginated
        self._counted = counted
        self._before = before
        self.etag: str | None = None
        self._records: dict[int, dict[str, Any]] = {}

    async def run(self, seen: Listed | None) -> Listed:
        first = await self.page(1, seen.etag if seen else None)
        if seen and first.unchanged:
            if first.total not in (None, seen.total):
                raise _Inconsistent(f"has {first.total} records, and {seen.total} were cached")
            self._counted(seen.total)
            return seen
        self.etag = first.etag
        last, total = extent = self.extent(first)
        self._take(first)
        etags = [_bare(first.etag)]
        for start in range(2, last + 1, ABREAST):
            for answer in await self._pages(range(start, min(start + ABREAST, last + 1))):
                if self.extent(answer) != extent:
                    raise _Inconsistent("changes its length")
                self._take(answer)
                etags.append(_bare(answer.etag))
        if len(self._records) != total:
            raise _Inconsistent(f"lists {len(self._records)} of {total} records")
        return Listed(self.etag if self._is_whole(etags) else None, list(self._records.values()))

    def _is_whole(self, etags: Sequence[str | None]) -> bool:
        """Whether the ETag stands for the list, and not for its page alone."""
        different = len(set(etags))
        if different == 1:
            return True
        if different == len(etags) > 2 or etags[0] == _bare(self._before):
            return False  # some servers have one for each answer
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
        """How many pages and records there are."""
        meta = answer.document.get("meta")
        if isinstance(meta, dict):
            last, total = number_of(meta.get("last_page")), number_of(meta.get("total"))
            if last is not None and total is not None:
                return last, total
        if self._paginated:
            raise ServerError(f"{self._path} was answered without saying how many pages there are")
        return 1, len(self.found(answer))

    def _take(self, answer: Answer) -> None:
        found = self.found(answer)
        fresh = {_id(record): record for record in found}
        if len(fresh) < len(found) or self._records.keys() & fresh.keys():
            raise _Inconsistent("lists a record twice")
        if not fresh and self._records:
            raise _Inconsistent("has an empty page in its midst")
        self._records |= fresh
        self._counted(len(self._records))

    def found(self, answer: Answer) -> list[dict[str, Any]]:
        found = answer.document.get("data")
        if not isinstance(found, list) or not all(isinstance(record, dict) for record in found):
            raise ServerError(f"{self._path} was answered without a list of records")
        return found


def _id(record: Mapping[str, Any]) -> int:
    found = id_of(record)
    if found is None:
        raise ServerError("the server listed a record without an id")
    return found


def _bare(etag: str | None) -> str | None:
    """Without the mark of an answer that was compressed on the way."""
    return None if etag is None else etag.removeprefix("W/")
