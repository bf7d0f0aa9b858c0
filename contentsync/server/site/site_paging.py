"""The pages of the site's lists."""

import re

from starlette.datastructures import QueryParams

from ..paging import Paging
from .page_request import PageNotFound, PageRequest

PER_PAGE = 18  # keeps a page below 50 KB

_NUMBER = re.compile(r"[1-9][0-9]{0,5}\Z", re.ASCII)


def require_page(request: PageRequest, total: int) -> Paging:
    """Return the requested page of a list of `total` rows; raise PageNotFound if there is no such page."""
    paging = Paging(_requested_number(request.query), total, PER_PAGE)
    if not 1 <= paging.number <= paging.last:
        raise PageNotFound
    return paging


def requested_rows(query: QueryParams) -> dict[str, int]:
    """Return `limit` and `offset` of the rows on the requested page, even if the list has no such page."""
    return {"limit": PER_PAGE, "offset": (max(1, _requested_number(query)) - 1) * PER_PAGE}


def parse_page_number(text: str) -> int:
    """Return the page number that the text contains; 0 if it is not a page number."""
    return int(text) if _NUMBER.match(text) else 0


def page_parameter(number: int) -> int | None:
    """Return the number of a page for its address; None for the first page, whose address has no number."""
    return number if number > 1 else None


def _requested_number(query: QueryParams) -> int:
    return parse_page_number(query.get("page", "1"))
