"""contentsync.content.formats.synced_rows: a row is found by everything that its listing depends on."""

import pytest

from contentsync.content.formats.synced_rows import SyncedRows, row_digest
from contentsync.content.formats.table_format import TableFormat
from contentsync.content.formats.table_rows import TableRows


def digest(
    text: str, path: str = "listings/a.csv", delimiter: str = ",", names: tuple[str, ...] = ("name", "url")
) -> str:
    (row,) = TableRows([text], TableFormat(delimiter=delimiter), path)
    return row_digest(path, delimiter, names)(row)


@pytest.mark.parametrize(
    "other",
    [
        digest("A,c"),
        digest("A;b"),
        digest('A,"b"'),
        digest("A,b", path="listings/b.csv"),
        digest("A,b", delimiter=";"),
        digest("A,b", names=("url", "name")),
        digest("A,b", names=("name,url",)),
    ],
)
def test_a_row_of_another_text_table_or_header_has_another_digest(other: str) -> None:
    assert digest("A,b") == digest("A,b\n") != other


def test_the_found_rows_are_collected() -> None:
    rows = SyncedRows({digest("A,b"), digest("B,c")})
    assert [rows.find(digest(text)) for text in ("A,b", "C,d", "A,b")] == [True, False, True]
    assert rows.found == [digest("A,b")] * 2


def test_a_text_that_is_not_unicode_has_a_digest() -> None:
    assert digest("\udc80,b") != digest("\udc81,b")
