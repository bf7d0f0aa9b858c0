"""Pages of a list (docs/contract.md 4.2, pagination envelope)."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from fastapi import Request

from ...model import Invalid, Violation

PER_PAGE = 100

_NUMBER = re.compile(r"[1-9][0-9]{0,99}\Z", re.ASCII)


def page_number(request: Request) -> int:
    """The page that the request asks for, from 1; raises Invalid."""
    text = request.query_params.get("page", "1")
    if not _NUMBER.match(text):
        raise Invalid([Violation("not-an-integer", ("page",), "page must be a whole number, 1 or more")])
    return int(text)


@dataclass(frozen=True, slots=True)
class Paging:
    """One page of a list with a known total."""

    number: int
    total: int

    @property
    def offset(self) -> int:
        """How many records stand before the page."""
        return (self.number - 1) * PER_PAGE

    @property
    def last(self) -> int:
        """The number of the last page; an empty list has one."""
        return max(1, -(-self.total // PER_PAGE))

    def envelope(self, request: Request, public_url: str) -> dict[str, Any]:
        """`links`, with the request's other query parameters kept, and `meta`."""
        path = request.scope["raw_path"].decode("ascii")  # as it was asked for, still escaped
        others = urlencode([item for item in request.query_params.multi_items() if item[0] != "page"])
        base = f"{public_url}{path}?{others}{'&' if others else ''}page="

        def link(number: int | None) -> str | None:
            return None if number is None else f"{base}{number}"

        shown = max(0, min(PER_PAGE, self.total - self.offset))
        return {
            "links": {
                "first": link(1),
                "last": link(self.last),
                "prev": link(min(self.number - 1, self.last) or None),
                "next": link(self.number + 1 if self.number < self.last else None),
            },
            "meta": {
                "current_page": self.number,
                "from": self.offset + 1 if shown else None,
                "last_page": self.last,
                "per_page": PER_PAGE,
                "to": self.offset + shown if shown else None,
                "total": self.total,
            },
        }
