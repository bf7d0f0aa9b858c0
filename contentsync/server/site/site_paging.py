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
    return {"limit": PER_PAGE, "offset": Paging(max(1, _requested_number(query)), 0, PER_PAGE).offset}


def page_parameter(number: int) -> int | None:
    """Return the number of a page for its address; None for the first page, whose address has no number."""
    return number if number > 1 else None


def page_numbers(paging: Paging) -> list[int | None]:
    """Return the pages to link to: the first, the last and those around the current page; None stands for a gap."""
    wanted = {1, paging.last, *range(paging.number - 1, paging.number + 2)}
    numbers: list[int | None] = []
    for number in sorted(number for number in wanted if 1 <= number <= paging.last):
        previous = numbers[-1] if numbers else 0
        if previous is not None and number == previous + 2:
            numbers.append(number - 1)  # a gap of one page takes as much room as the page
        elif previous is not None and number > previous + 2:
            numbers.append(None)
        numbers.append(number)
    return numbers


def _requested_number(query: QueryParams) -> int:
    number = parse_page_number(query.get("page", "1"))
    return number if number <= MAX_PAGE else 0
