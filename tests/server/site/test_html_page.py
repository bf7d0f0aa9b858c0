"""The numbers of the pages of a list."""

import pytest

from contentsync.server.paging import Paging
from contentsync.server.site.html_page import page_numbers


@pytest.mark.parametrize(
    ("number", "pages", "shown"),
    [
        (1, 1, "1"),
        (1, 3, "1 2 3"),
        (1, 9, "1 2 … 9"),
        (3, 9, "1 2 3 4 … 9"),
        (4, 9, "1 2 3 4 5 … 9"),
        (5, 9, "1 … 4 5 6 … 9"),
        (9, 9, "1 … 8 9"),
    ],
)
def test_page_numbers_have_a_gap_for_two_or_more_pages(number: int, pages: int, shown: str) -> None:
    numbers = page_numbers(Paging(number, total=pages * 10, per_page=10))
    assert " ".join("…" if each is None else str(each) for each in numbers) == shown
