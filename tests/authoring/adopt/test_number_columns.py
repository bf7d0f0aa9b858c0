"""contentsync.authoring.adopt.number_columns: the style of a table's numbers, and its row of sums."""

from pathlib import Path

import pytest

from contentsync.authoring.adopt.adoption import propose_adoption
from contentsync.authoring.adopt.number_columns import number_style, sums_row
from contentsync.authoring.adopt.proposed_settings import DefaultAnswers
from contentsync.content.folder.load import load_content
from contentsync.content.formats.table_rows import NumberStyle

from .repositories import NOW, write


def rows(*columns: str) -> list[list[str | None]]:
    """Return rows with these columns, whose cells have spaces between them; `-` is an empty cell."""
    cells = [[None if cell == "-" else cell for cell in column.split()] for column in columns]
    return [[*row] for row in zip(*cells, strict=True)]


@pytest.mark.parametrize(
    ("columns", "style"),
    [
        (["1.201 2.500", "150,00 9,50"], "1.234,56"),
        (["1.201 150,00"], "1.234,56"),
        (["1.201,5 -"], "1.234,56"),
        (["1,201 2,500", "150.00 9.50"], "1,234.56"),
        (["1,201.50 7"], "1,234.56"),
        (["1.201 2.500"], "1234.56"),  # two readings
        (["1,201 2,500"], "1234.56"),
        (["48.2 16.37"], "1234.56"),
        (["48.2 16.37", "150,00 9,50"], "1234.56"),  # two styles
        (["1,5 a", "1.201 2.500"], "1234.56"),  # not a column of numbers
        (["3,4,5 1,2"], "1234.56"),
        ([], "1234.56"),
    ],
)
def test_a_column_with_one_reading_shows_the_style_of_the_table(columns: list[str], style: NumberStyle) -> None:
    assert number_style(rows(*columns)) == style


@pytest.mark.parametrize(
    ("columns", "name"),
    [
        (["A B Total", "1 2 3"], "Total"),
        (["A B Summe:", "1,50 2,25 3,75", "- 2 2"], None),  # one number is no sum
        (["A B Summe:", "1,50 2,25 3,75", "1.000 2 1.002"], "Summe:"),
        (["A B Total", "1 2 4"], None),
        (["A B Total", "1 x 1"], None),
        (["A B Total", "- - -"], None),
        (["A B C", "1 2 3"], None),
        (["A Total Total", "1 2 3"], None),  # another row would be skipped too
        (["A Total", "1 1"], None),
    ],
)
def test_the_last_row_is_of_sums_if_its_numbers_prove_it(columns: list[str], name: str | None) -> None:
    assert sums_row(rows(*columns), "1.234,56") == name


def test_an_adopted_table_has_the_numbers_that_its_author_meant(tmp_path: Path) -> None:
    table = "Name;Betrag;Menge\nLeiter;150,00;1.201\nBohrer;9,50;12\nHobel;20,00;7\nSumme;179,50;1.220\n"
    adoption = propose_adoption(write(tmp_path, {"geraete.csv": table}), DefaultAnswers(), NOW)
    write(tmp_path, {"contentsync.toml": adoption.config, **adoption.files})
    content = load_content(tmp_path)
    assert content.problems == ()
    listings = [it.fields for it in content.entries if it.kind == "listing"]
    assert [(fields["name"], fields["betrag"], fields["menge"]) for fields in listings] == [
        ("Bohrer", 9.5, 12),
        ("Hobel", 20, 7),
        ("Leiter", 150, 1201),
    ]
