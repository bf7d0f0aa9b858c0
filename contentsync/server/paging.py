"""Numbered pages of a list, for the API and the site."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paging:
    """One page, counted from 1, of a list with a known total."""

    number: int
    total: int
    per_page: int

    @property
    def offset(self) -> int:
        """The number of entries before the page."""
        return (self.number - 1) * self.per_page

    @property
    def last(self) -> int:
        """The number of the last page; an empty list has one page."""
        return max(1, -(-self.total // self.per_page))

    @property
    def previous(self) -> int | None:
        """The number of the previous page."""
        return min(self.number - 1, self.last) or None

    @property
    def next(self) -> int | None:
        """The number of the next page."""
        return self.number + 1 if self.number < self.last else None
