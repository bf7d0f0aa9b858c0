"""contentsync.authoring.adopt.table_formats: the changes that a spreadsheet made to a table are recognised."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from contentsync.authoring.adopt.key_survey import Survey
from contentsync.authoring.adopt.proposed_settings import Ask, DefaultAnswers, merged_config
from contentsync.authoring.adopt.table_formats import find_formats, propose_formats, propose_separator
from contentsync.content.config.config import read_config
from contentsync.content.formats.draft import Draft
from contentsync.model import Kind

from .repositories import NOW, write

ROWS = "Name;Site\nA, B;https://a.example.org/\nC, D;https://c.example.org/\n"


@pytest.mark.parametrize(
    ("name", "data", "found"),
    [
        ("a.csv", "Name,Site\nA,https://a.example.org/\n", {}),
        ("a.csv", ROWS, {"delimiter": ";"}),
        ("a.csv", f"sep=;\n{ROWS}", {}),  # the table itself says so
        ("a.tsv", ROWS.replace(";", "\t"), {}),
        ("a.csv", ROWS.replace(";", "\t"), {"delimiter": "\t"}),
        ("a.csv", "Name,Tags\nA,x; y\nB,x; z\n", {}),
        ("a.csv", ROWS.encode("utf-16"), {"delimiter": ";"}),
        ("a.csv", "Name,Ort\nCafé,Köln\n".encode("cp1252"), {"encoding": "windows-1252"}),
        ("a.csv", "Name,Ort\nCafé,Köln\n".encode() + b"Caf\xe9,Bonn\n", {}),  # UTF-8 with one damaged character
        ("a.csv", b"Name,Ort\nCaf\x81\xe9,Bonn\n", {}),  # not Windows-1252 either
        ("a.csv", f"Places;\n;\nAs of today;\n{ROWS}", {"delimiter": ";", "header_row": 4}),
        ("a.csv", "Name,Size\nA,\nB,\n", {}),
        ("a.csv", "Name;Fee\nA;150,00\nB;1.201\n", {"delimiter": ";", "numbers": "1.234,56"}),
        ("a.csv", "List;\n;\nName;Fee\nA;1,5\nTotal;1,5\n", {"delimiter": ";", "header_row": 3, "numbers": "1.234,56"}),
        ("a.tsv", "Name\tFee\nA\t3\nB\t4\nTotal\t7\n", {"skip_rows": ("Total",)}),
        ("a.csv", "A,B,C\n,,\n1,2,3\n", {}),
        ("a.csv", '"A\nB",C\n"x', {}),
        ("a.csv", 'A;B\n1;2\n"x', {"delimiter": ";"}),  # the rows before a syntax error show it
        # With commas, only the first row could be read.
        ("a.csv", 'Report, 2026\n"Name";"Site"\n"A";"b"\n"C";"d"\n', {"delimiter": ";", "header_row": 2}),
        ("a.csv", 'Name;Place (city, street, country)\n"A";"b"\n"C";"d"\n', {"delimiter": ";"}),
        ("a.csv", b"\0\1\2", {}),
        ("a.csv", "", {}),
    ],
)
def test_a_format_is_recognised(name: str, data: str | bytes, found: dict[str, Any], tmp_path: Path) -> None:
    write(tmp_path, {name: data})
    formats = find_formats(tmp_path, [name, "none.csv", "other.md"])
    assert {path: table.model_dump(exclude_defaults=True) for path, table in formats.items()} == (
        {name: found} if found else {}
    )


def proposed(folder: Path, files: dict[str, str | bytes], ask: Ask, config: str = "") -> str:
    """Return the config that gets the formats of these tables, below `data`."""
    write(folder, {f"data/{name}": data for name, data in files.items()})
    paths = [f"data/{name}" for name in files]
    text = config or '[content.listings]\npath = "data"\n'
    formats = find_formats(folder, paths)
    data = text.encode()
    return merged_config(data, propose_formats(read_config(folder, data)[0], paths, formats, ask))[0].decode()


def test_tables_of_the_same_format_share_one_setting(tmp_path: Path) -> None:
    text = proposed(tmp_path, {"a.csv": ROWS, "b.csv": ROWS}, DefaultAnswers())
    assert text.endswith('\n\n[[content.listings.tables]]\ndelimiter = ";"\n')
    assert proposed(tmp_path, {"a.csv": ROWS, "b.csv": ROWS}, DefaultAnswers(), text) == text


def test_a_table_of_another_format_is_named_by_its_path(tmp_path: Path) -> None:
    text = proposed(tmp_path, {"a.csv": ROWS, "b[1].csv": ROWS.replace(";", ",")}, DefaultAnswers())
    assert '[[content.listings.tables]]\npath = "a.csv"\ndelimiter = ";"\n' in text


def test_the_user_is_asked_for_the_encoding(tmp_path: Path) -> None:
    table = "Name;Ort\nCafé;Köln\n".encode("cp1252")
    answers = DefaultAnswers()
    assert 'encoding = "windows-1252"' in proposed(tmp_path, {"a.csv": table}, answers)
    assert answers.guesses == ["data/a.csv is not UTF-8. Is it Windows-1252, as spreadsheets save it? yes"]
    assert "encoding" not in proposed(tmp_path, {"a.csv": table}, lambda question: "no")


@pytest.mark.parametrize(
    ("field", "cells", "separator"),
    [
        ("tags", ["a, b", "b, c", "a, c"], ","),
        ("tags", ["a; b", "c", "d; e"], ";"),
        ("tags", ["a", "b"], ""),
        ("categories", ["Food, Drinks", "Bars", "Shops", "Food, Drinks"], ""),
        ("categories", ["Food, Bars", "Bars, Shops", "Shops, Food"], ","),
        ("description", ["a, b", "b, c", "a, c"], ""),
    ],
)
def test_items_that_recur_in_cells_show_the_list_separator(field: str, cells: list[str], separator: str) -> None:
    survey = Survey(Kind.LISTING, NOW)
    for cell, count in Counter(cells).items():
        for _ in range(3 * count):
            survey.add(Draft(Kind.LISTING, "a.csv", values={"x": cell}))
    config, _ = read_config(Path(), b"")
    found = [*propose_separator(config, ["a.csv"], survey, {"x": field}, DefaultAnswers())]
    assert [it.value for it in found] == ([{"list_separator": separator}] if separator else [])
    assert [*propose_separator(config, [], survey, {"x": field}, DefaultAnswers())] == []


@pytest.mark.parametrize(
    ("cells", "separators"),
    [
        (["notes, markdown", "notes"], [","]),
        (["notes, markdown", "tasks"], []),
        (["notes, markdown"], []),
    ],
)
def test_a_tag_that_also_occurs_in_a_list_shows_the_separator(cells: list[str], separators: list[str]) -> None:
    survey = Survey(Kind.LISTING, NOW)
    for cell in cells:
        survey.add(Draft(Kind.LISTING, "a.csv", values={"Tags": cell}))
    config, _ = read_config(Path(), b"")
    found = propose_separator(config, ["a.csv"], survey, {"Tags": "tags"}, DefaultAnswers())
    assert [setting.value for setting in found] == [{"list_separator": separator} for separator in separators]
