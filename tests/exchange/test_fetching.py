"""contentsync.exchange.fetching: the gates compare the rows and columns of the data with those of the file."""

from pathlib import Path

import pytest

from contentsync.content.config.config import Config, read_config
from contentsync.errors import Refused
from contentsync.exchange.fetching import DataShape, FetchOptions, looks_like_html, read_shape, refuse_losses


@pytest.fixture
def config(tmp_path: Path) -> Config:
    (tmp_path / "contentsync.toml").write_text("")
    return read_config(tmp_path)[0]


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("listings/a.csv", b'name,url\nSaw,\n\n"A\nB",x\n'),
        ("listings/a.csv", "\ufeffname;url\nSaw;1\nAxe;2\n".encode()),
        ("listings/a.tsv", b"name\turl\r\nSaw\t\r\nAxe\t\r\n"),
        ("listings/a.json", b'[{"name": "Saw", "url": "x"}, {"name": "Axe"}]'),
    ],
)
def test_rows_and_columns_are_counted_in_each_format(config: Config, path: str, data: bytes) -> None:
    assert read_shape(data, path, config) == DataShape(2, frozenset({"name", "url"}))


def refusal(before: DataShape, after: DataShape, *, fewer_rows: bool, missing_columns: bool) -> str:
    """Return the message with which data is refused; "" if it is accepted."""
    try:
        refuse_losses("x", before, after, FetchOptions(fewer_rows, missing_columns))
    except Refused as error:
        return error.message
    return ""


@pytest.mark.parametrize("rows", [0, 60, 61, 100])
def test_a_loss_of_40_percent_of_the_rows_needs_consent(rows: int) -> None:
    before, after = DataShape(100, frozenset("ab")), DataShape(rows, frozenset("ab"))
    assert bool(refusal(before, after, fewer_rows=False, missing_columns=True)) == (rows <= 60)
    # no consent to no rows at all
    assert bool(refusal(before, after, fewer_rows=True, missing_columns=False)) == (rows == 0)


def test_a_missing_column_needs_consent() -> None:
    before, after = DataShape(2, frozenset({"name", "url"})), DataShape(2, frozenset({"name"}))
    message = refusal(before, after, fewer_rows=True, missing_columns=False)
    assert message == "the source x lacks columns that the file has: url"
    assert not refusal(before, after, fewer_rows=False, missing_columns=True)


def test_missing_columns_beyond_the_first_five_are_counted() -> None:
    before, after = DataShape(2, frozenset("abcdefgh")), DataShape(2, frozenset("a"))
    message = refusal(before, after, fewer_rows=True, missing_columns=False)
    assert message == "the source x lacks columns that the file has: b, c, d, e, f and 2 more"


@pytest.mark.parametrize(
    ("data", "type_", "expected"),
    [
        (b"\xef\xbb\xbf \n<!DOCTYPE html>", "", True),
        (b"a,b", "text/html; charset=utf-8", True),
        (b"a,b", "text/csv", False),
    ],
)
def test_a_web_page_is_recognised_by_its_media_type_or_its_text(data: bytes, type_: str, expected: bool) -> None:
    assert looks_like_html(data, type_) is expected
