"""The pages of the site's lists."""

from starlette.datastructures import QueryParams

from ..paging import Paging, parse_page_number
from .page_request import PageNotFound, PageRequest

PER_PAGE = 20  # whole rows of two, four and five cards, and a page below 50 KB
MAX_PAGE = 999_999  # no list has more pages, and the database accepts their offsets


def require_page(request: PageRequest, total: int) -> Paging:
    """Return the requested page of a list of `total` rows; raise PageNotFound if there is no such page."""
    paging = Paging(_requested_number(request.query), total, PER_PAGE)
    if not 1 <= paging.number <= paging.last:
        raise PageNotFound
    return paging


def requested_rows(query: QueryParams) -> dict[str, int]:
    """Return `limit` and `offset` of the rows on the requested page, even if the list has no such page."""
    page = Paging(max(1, _requested_number(query)), total=0, per_page=PER_PAGE)  # the offset needs no total
    return {"limit": PER_PAGE, "offset": page.offset}


def page_parameter(number: int) -> int | None:
    """Return the number of a page for its address; None for the first page, whose address has no number."""
    return number if number > 1 else None


def page_numbers(paging: Paging) -> list[int | None]:
    """Return the pages to link to: the first, the last and those around the current page; None stands for a gap."""
    wanted = {1, paging.last, paging.number - 1, paging.number, paging.number + 1}
    numbers: list[int | None] = []
    previous = 0
    for number in sorted(number for number in wanted if 1 <= number <= paging.last):
        if number == previous + 2:
            numbers.append(number - 1)  # a gap of one page takes as much room as the page
        elif number > previous + 2:
            numbers.append(None)
        numbers.append(number)
        previous = number
    return numbers


def _requested_number(query: QueryParams) -> int:
    """Return the number in the query; 0 for a text that is no number of a page."""
    number = parse_page_number(query.get("page", "1"))
    return number if number <= MAX_PAGE else 0
