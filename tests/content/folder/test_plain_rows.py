"""contentsync.content.folder.plain_rows: rows whose cells are all accepted; see also `test_row_blocks`."""

import sys
from collections.abc import Sequence

from contentsync.content.folder.plain_rows import Cells, PlainRows
from contentsync.content.formats.draft import Draft
from contentsync.errors import Where
from contentsync.model import Kind

COLUMNS = ("name", "url", "tags", "starts_at", "ends_at")


class Reader:
    """Finds a problem in a row with the tag `bad`, and in one that ends before it starts; counts the rows."""

    def __init__(self) -> None:
        self.count = 0

    def read(self, cells: Cells) -> Draft:
        self.count += 1
        draft = Draft(Kind.LISTING, "listings/a.csv")
        name, _, tag, start, end = cells
        if tag == "bad" or str(end) < str(start):
            draft.error("bad", f"{name} is bad", Where("listings/a.csv"))
        return draft


def recognise(reader: Reader, rows: Sequence[Cells]) -> list[bool]:
    """Return whether each row is recognised as plain."""
    found = PlainRows(COLUMNS, {}, reader.read).recognise(range(len(rows)), rows)
    return [row is not None for row in found]


def row(number: int, tag: str | None = "red", start: str = "2026-01-01", end: str = "2026-01-02") -> Cells:
    return f"Row {number}", f"https://{number}.example/", tag, start, end


def test_repeated_cells_are_validated_once() -> None:
    reader = Reader()
    assert all(recognise(reader, [row(number, "red" if number % 2 else "blue") for number in range(100)]))
    assert reader.count == 4  # the first row, both tags, and the dates


def test_only_rows_with_a_refused_cell_are_not_plain() -> None:
    rows = [row(1), row(2, "bad"), row(3), ("", *row(4)[1:]), ("a\x07", *row(5)[1:]), ("A", "b", *row(6)[2:]), row(7)]
    assert recognise(Reader(), rows) == [True, False, True, False, False, False, True]


def test_fields_that_are_compared_are_validated_together() -> None:
    early, late = row(1, start="2026-01-01", end="2026-01-02"), row(2, start="2026-03-01", end="2026-03-02")
    assert recognise(Reader(), [early, late, row(3, start="2026-03-01", end="2026-01-02")]) == [True, True, False]


def test_no_row_is_plain_if_every_row_has_a_problem() -> None:
    assert not any(recognise(Reader(), [row(number, "bad") for number in range(10)]))


def test_the_search_for_plain_rows_ends_if_cells_rarely_recur() -> None:
    reader = Reader()
    plain = PlainRows(COLUMNS, {}, reader.read)
    for block in range(0, 10_000, 500):
        plain.recognise(range(500), [row(number, f"tag-{number}") for number in range(block, block + 500)])
    assert reader.count < 2_000


def test_the_values_of_many_rows_share_their_keys_in_memory() -> None:
    plain = PlainRows(
        COLUMNS, {}, lambda cells: Draft(Kind.LISTING, "a.csv", values=dict(zip(COLUMNS, cells, strict=True)))
    )
    rows = [row(number) for number in range(100)]
    found = plain.recognise(range(len(rows)), rows, with_values=True)
    values = [each.values for each in found if each and each.values]
    assert [each["name"] for each in values] == [f"Row {number}" for number in range(100)]
    assert sys.getsizeof(values[-1]) < sys.getsizeof(dict(values[-1].items()))
