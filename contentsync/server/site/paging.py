"""One page of a long list."""

import re
from dataclasses import dataclass
from typing import Self

from starlette.datastructures import QueryParams

from .language import Language
from .visit import NotFound

PER_PAGE = 18  # of which a page weighs less than 50 KB

_NUMBER = re.compile(r"[1-9][0-9]{0,5}\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Paging:
    """A page, counted from 1, of a list with a known total."""

    number: int
    total: int

    @classmethod
    def of(cls, query: QueryParams, total: int) -> Self:
        """The page that the query asks for; raises NotFound for one that the list does not have."""
        paging = cls(number_of(query.get("page", "1")), total)
        if not 1 <= paging.number <= paging.last:
            raise NotFound
        return paging

    @property
    def offset(self) -> int:
        """How many entries stand before the page."""
        return _offset(self.number)

    @property
    def last(self) -> int:
        """The number of the last page; an empty list has one."""
        return max(1, -(-self.total // PER_PAGE))

    @property
    def previous(self) -> int | None:
        """The number of the page before."""
        return self.number - 1 if self.number > 1 else None

    @property
    def next(self) -> int | None:
        """The number of the page after."""
        return self.number + 1 if self.number < self.last else None

    def numbered(self, title: str, words: Language) -> str:
        """The title of the list, with the number of a page that is not the first."""
        return f"{title}, {words('page', number=self.number)}" if self.parameter else title

    @property
    def parameter(self) -> int | None:
        """The number as it stands in addresses; that of the first page does not."""
        return in_address(self.number)


def window(query: QueryParams) -> dict[str, int]:
    """The `limit` and `offset` of the page that a query asks for, whether it exists or not."""
    return {"limit": PER_PAGE, "offset": _offset(max(1, number_of(query.get("page", "1"))))}


def _offset(number: int) -> int:
    return (number - 1) * PER_PAGE


def number_of(text: str) -> int:
    """The number of a page as addresses have it; 0 for what is none."""
    return int(text) if _NUMBER.match(text) else 0


def in_address(number: int) -> int | None:
    """A page's number, unless it is the first."""
    return number if number > 1 else None
