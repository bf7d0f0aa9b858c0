"""Numbered pages of a list, for the API and the site."""

import re
from dataclasses import dataclass

from ..lazy_pattern import lazy_pattern

_NUMBER = lazy_pattern(r"[1-9][0-9]{0,99}\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Paging:
    """One page of a list with a known total."""

    number: int  # from 1; may be greater than `last`
    total: int  # entries of the whole list
    per_page: int

    @property
    def offset(self) -> int:
        """Return the number of entries before the page."""
        return (self.number - 1) * self.per_page

    @property
    def last(self) -> int:
        """Return the number of the last page; an empty list has one page."""
        return max(1, -(-self.total // self.per_page))

    @property
    def previous(self) -> int | None:
        """Return the number of the previous existing page; None on the first page."""
        return min(self.number - 1, self.last) or None

    @property
    def next(self) -> int | None:
        """Return the number of the next page; None if there is no page after this one."""
        return self.number + 1 if self.number < self.last else None


def parse_page_number(text: str) -> int:
    """Return the page number that the text contains; 0 if it is not a whole number from 1."""
    return int(text) if _NUMBER.match(text) else 0
