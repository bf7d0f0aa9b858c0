"""contentsync.authoring.edit.table_file: cells of tables in any format, and nothing else, are changed."""

from pathlib import Path
from typing import Any

import pytest

from contentsync.authoring.edit.file_edits import RefusedEntries
from contentsync.authoring.edit.pull_edits import plan_edits
from contentsync.authoring.edit.table_file import TableFile
from contentsync.content.folder.load import load_content
from contentsync.content.formats.table_rows import TableFormat
from contentsync.errors import Refused
from contentsync.file_writes import swap_files
from contentsync.model import Kind

from ...content.conftest import Files, write
from .pulls import Changes, entry, incoming

CSV = "listings/a.csv"
LISTING = (Kind.LISTING, "a")
SETTINGS = """\
[[content.listings.tables]]
encoding = "{encoding}"
header_row = 3
list_separator = "/"
"""
TABLE = 'Export, of tools\r\n"""";;\r\nname;slug;"tags"\r\nÄ ;a;x / y\r\n"B";"b";"x"\r\n'


def pulled_bytes(folder: Path, table: bytes, config: str, changes: Changes) -> bytes:
    """Return the bytes of the table after a pull into the folder."""
    files: Files = {CSV: table, "contentsync.toml": config, "tags.yaml": "- title: x\n- title: y\n"}
    content = load_content(write(folder, files))
    assert not content.errors, content.errors
    edits = plan_edits(content, incoming(content, changes, (), ()))
    swap_files(folder, {edit.location: (edit.before, edit.after) for edit in edits})
    assert not load_content(folder).errors
    return (folder / CSV).read_bytes()


@pytest.mark.parametrize("encoding", ["windows-1252", "utf-16-le", "utf-16-be", "utf-8", "utf-8-sig"])
def test_encoding_delimiter_line_ends_and_list_separator_stay(tmp_path: Path, encoding: str) -> None:
    bom = "\ufeff" if encoding.startswith("utf-16") else ""
    changes: Changes = {LISTING: {"tags": ["y", "x"]}, (Kind.LISTING, "b"): {"tags": ["y"], "name": "é; B"}}
    config = SETTINGS.format(encoding=encoding.removesuffix("-le").removesuffix("-be").removesuffix("-sig"))
    after = pulled_bytes(tmp_path, (bom + TABLE).encode(encoding), config, changes)
    expected = TABLE.replace("x / y", "y/x").replace('"B";"b";"x"', '"é; B";"b";"y"')
    assert after == (bom + expected).encode(encoding)


def test_a_recognised_delimiter_stays(tmp_path: Path) -> None:
    after = pulled_bytes(tmp_path, b"name;slug\nA;a\n", "", {LISTING: {"name": "B, C", "description": "D; E"}})
    assert after == b'name;slug;description\nB, C;a;"D; E"\n'


def test_a_character_missing_in_the_encoding_is_refused(tmp_path: Path) -> None:
    table = "\n\nname;slug\nÄ;a\n".encode("cp1252")
    with pytest.raises(RefusedEntries, match="windows-1252 has no '😀'") as refused:
        pulled_bytes(tmp_path, table, SETTINGS.format(encoding="windows-1252"), {LISTING: {"name": "Lathe 😀"}})
    assert [*refused.value.by_entry] == [LISTING]
    assert (tmp_path / CSV).read_bytes() == table


def test_an_item_with_the_list_separator_is_refused(tmp_path: Path) -> None:
    files = {CSV: "name,slug,tags\nA,a,x\n", "contentsync.toml": "[[content.listings.tables]]\nlist_separator = '/'\n"}
    content = load_content(write(tmp_path, {**files, "tags.yaml": "- title: x\n"}))
    tag = entry(Kind.TAG, "y/z")
    with pytest.raises(Refused, match="no cell can hold the tags"):
        plan_edits(content, incoming(content, {LISTING: {"tags": ["x", "y/z"]}}, [tag], ()))


def test_rows_above_the_header_stay_and_new_rows_are_appended() -> None:
    file = TableFile(b"Export\n\nname;slug\nA;a\n", Kind.LISTING, CSV, TableFormat(header_row=3))
    assert file.edited_bytes({}, [{"name": "B", "slug": "b"}]) == b"Export\n\nname;slug\nA;a\nB;b\n"


@pytest.mark.parametrize("edit", [({2: {"name": "Total"}}, []), ({}, [{"name": "Total"}])])
def test_a_row_that_would_be_skipped_is_refused(edit: tuple[Any, Any]) -> None:
    file = TableFile(b"name,slug\nA,a\nTotal,1\n", Kind.LISTING, CSV, TableFormat(skip_rows=("Total",)))
    with pytest.raises(Refused, match="a row that begins with 'Total' is skipped"):
        file.edited_bytes(*edit)
    assert file.edited_bytes({2: {"slug": "b"}}) == b"name,slug\nA,b\nTotal,1\n"


def test_a_pull_writes_numbers_in_the_style_of_the_table(tmp_path: Path) -> None:
    config = '[[content.listings.tables]]\nnumbers = "1.234,56"\n'
    table = b"name;slug;latitude;longitude\nA;a;48,2;16,4\n"
    after = pulled_bytes(tmp_path, table, config, {LISTING: {"latitude": 47.125}})
    assert after == b"name;slug;latitude;longitude\nA;a;47,125;16,4\n"


SHORT_ROWS = TableFormat(delimiter=",", short_rows="empty")


@pytest.mark.parametrize(
    ("row", "cells", "expected"),
    [
        (b"A", {"c": "x"}, b"A,,x"),
        (b"A", {"a": "B"}, b"B"),
        (b"A,b", {"b": "x, y"}, b'A,"x, y"'),
        (b"A,b,c,,", {"c": "x"}, b"A,b,x,,"),
        (b"A,b,c,,", {"d": "x"}, b"A,b,c,x"),
        (b"A", {"d": "x"}, b"A,,,x"),
        (b"A,b,c, ,", {"c": "", "d": "x"}, b"A,b,,x"),
    ],
)
def test_a_row_with_missing_or_extra_cells_is_edited_in_its_columns(
    row: bytes, cells: dict[str, str], expected: bytes
) -> None:
    file = TableFile(b"a,b,c\n" + row + b"\nE,e,e\n", Kind.LISTING, CSV, SHORT_ROWS)
    after = file.edited_bytes({2: cells})
    assert after.split(b"\n")[1] == expected
    assert TableFile(after, Kind.LISTING, CSV, SHORT_ROWS).cell(3, "c") == "e"
