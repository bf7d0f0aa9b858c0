"""docs/contract.md has every rule of the contract, and a test for each that cites its section."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from contentsync.model import RECORDS, Kind

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "contract.md").read_text(encoding="utf-8")

# How many rules each section has, so that none is lost by an edit.
RULE_COUNTS = {
    "0. Scope": 4,
    "1. What the service does": 13,
    "2. Conventions": 3,
    "2.1 Page": 16,
    "2.2 Article": 30,
    "2.3 Listing": 10,
    "2.4 Organizer": 19,
    "3. States and transitions": 14,
    "4. Endpoints": 3,
    "4.1 Custom pages": 11,
    "4.2 Articles": 19,
    "4.3 Listings": 16,
    "4.4 Organizers": 18,
    "5. Authentication": 3,
    "6. Events": 1,
    "7. Errors": 7,
    "8. Limits": 8,
    "9. Versioning": 2,
    "10. Transport": 22,
    "11. Error responses": 14,
    "12. Rate limit": 6,
    "13. Users, directories and tokens": 18,
    "14. Listings in detail": 44,
    "15. Categories, tags and custom fields": 22,
    "16. Organizers in detail": 6,
    "17. Articles and pages in detail": 24,
    "18. Conditional requests": 8,
    "19. Amendments": 16,
}
NUMBERED = {"3": 4, "4.1": 4, "4.2": 7, "4.3": 7, "4.4": 7, "5": 3, "7": 3}  # rules that are cited as 4.2.4
FIELDS = {"2.1": Kind.PAGE, "2.2": Kind.ARTICLE, "2.4": Kind.ORGANIZER}  # tables with a row for each field
REASON = re.compile(r"(a rule for the client|see section \d+|not a rule for the server).*")


class Row(NamedTuple):
    """A rule of the contract: its section, its number there, and the tests that show it."""

    section: str
    number: int
    rule: str
    shown_by: str

    @property
    def place(self) -> str:
        return re.match(r"[\d.]*\d", self.section)[0]  # type: ignore[index]  # every section has a number

    @property
    def tests(self) -> list[tuple[str, str]]:
        """File and function of each test; none if a reason stands there instead."""
        if REASON.fullmatch(self.shown_by):
            return []
        return [(path, name) for path, name in re.findall(r"`([\w/.]+)::(\w+)`", self.shown_by)]


def rows() -> Iterator[Row]:
    section = ""
    for line in PAGE.splitlines():
        if match := re.fullmatch(r"##+ (.+)", line):
            section = match[1]
        elif match := re.fullmatch(r"\| (\d+) \| (.+) \| (.+) \|", line):
            yield Row(section, int(match[1]), match[2], match[3])


ROWS = list(rows())


def in_section(place: str) -> list[Row]:
    return [row for row in ROWS if row.place == place]


@cache
def docstrings(path: str) -> dict[str, str]:
    """Return the docstring of each test of a file, after the docstring of the file."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    reported = ast.get_docstring(tree) or ""
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return {test.name: " ".join(f"{reported}; {ast.get_docstring(test) or ''}".split()) for test in tests}


def cites(docstring: str, row: Row) -> bool:
    """Return whether a docstring cites the section of the row, or a part of it."""
    cited = re.findall(r"docs/contract\.md ((?:[\d.]+(?:, | and )?)+)", docstring)
    numbers = re.findall(r"\d+(?:\.\d+)*", " ".join(cited))
    return any(f"{number}.".startswith(f"{row.place}.") for number in numbers) or (row.place == "0" and bool(cited))


def test_every_section_has_all_its_rules_in_order() -> None:
    found: dict[str, list[int]] = {}
    for row in ROWS:
        found.setdefault(row.section, []).append(row.number)
    assert found == {section: list(range(1, count + 1)) for section, count in RULE_COUNTS.items()}


@pytest.mark.parametrize(("place", "count"), NUMBERED.items())
def test_every_numbered_rule_has_a_row(place: str, count: int) -> None:
    numbers = [re.match(r"Rule (\d+): ", row.rule) for row in in_section(place)]
    assert sorted({int(match[1]) for match in numbers if match}) == list(range(1, count + 1))


@pytest.mark.parametrize(("place", "kind"), FIELDS.items())
def test_every_field_of_a_table_has_a_row(place: str, kind: Kind) -> None:
    named = {name for row in in_section(place) for name in re.findall(r"`(\w+)`", row.rule)}
    assert named >= RECORDS[kind].rules().keys() - {"translations"}


def test_every_field_of_a_listing_has_a_row() -> None:
    """Its table is in two parts."""
    named = {name for place in ("2.3", "14") for row in in_section(place) for name in re.findall(r"`(\w+)`", row.rule)}
    assert named >= RECORDS[Kind.LISTING].rules().keys()


def test_each_rule_is_shown_by_tests_or_has_a_reason() -> None:
    for row in ROWS:
        if not REASON.fullmatch(row.shown_by):
            assert row.tests, f"{row.place}, row {row.number} has neither a test nor a reason"
            assert row.shown_by == "<br>".join(f"`{path}::{name}`" for path, name in row.tests)


def test_the_tests_of_a_rule_cite_its_section() -> None:
    for row in ROWS:
        for path, name in row.tests:
            found = docstrings(path)
            assert name in found, f"{path} has no {name}"
            assert cites(found[name], row), f"{name} does not cite section {row.section}"


def test_a_section_that_a_row_refers_to_exists() -> None:
    named = {row.shown_by.removeprefix("see section ") for row in ROWS if row.shown_by.startswith("see section")}
    assert named <= {row.place for row in ROWS}
