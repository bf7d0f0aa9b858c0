"""docs/contract.md has every sentence of the contract, and a test for each that names its section."""

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

# How many sentences each section has: the two pages are no part of the project, so they were counted once.
SENTENCES = {
    "service-api.md": {
        "Introduction": 5,
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
    },
    "resolved.md": {
        "Introduction": 3,
        "Transport": 22,
        "Errors": 14,
        "Rate limit": 6,
        "Account": 18,
        "Listings": 44,
        "Categories, tags, custom fields": 22,
        "Organizers": 6,
        "Articles and pages": 24,
        "HTTP conditionals": 8,
        "Amendments": 16,
    },
}
RULES = {"3": 4, "4.1": 4, "4.2": 7, "4.3": 7, "4.4": 7, "5": 3, "7": 3}  # numbered in service-api.md
FIELDS = {"2.1": Kind.PAGE, "2.2": Kind.ARTICLE, "2.4": Kind.ORGANIZER}  # tables of a row a field
REASON = re.compile(
    r"(binds the client|decided in resolved\.md, |says how the (?:two pages are|page is) read|nothing is |held by ).+"
)


class Row(NamedTuple):
    """A sentence of the contract: where it stands, and what shows it."""

    page: str
    section: str
    number: int
    sentence: str
    shown_by: str

    @property
    def place(self) -> str:
        """The number of the section, of a page that has such numbers, else its title."""
        match = re.match(r"[\d.]*\d", self.section)
        return match[0] if match else self.section

    @property
    def tests(self) -> list[tuple[str, str]]:
        """File and function of each test; none where a reason stands instead."""
        if REASON.fullmatch(self.shown_by):
            return []
        return [(path, name) for path, name in re.findall(r"`([\w/.]+)::(\w+)`", self.shown_by)]


def rows() -> Iterator[Row]:
    page = section = ""
    for line in PAGE.splitlines():
        if line.startswith("## "):
            page = line.removeprefix("## ")
        elif line.startswith("### "):
            section = line.removeprefix("### ")
        elif match := re.fullmatch(r"\| (\d+) \| (.+) \| (.+) \|", line):
            yield Row(page, section, int(match[1]), match[2], match[3])


ROWS = list(rows())


def in_section(page: str, place: str) -> list[Row]:
    return [row for row in ROWS if row.page == page and row.place == place]


@cache
def docstrings(path: str) -> dict[str, str]:
    """What each test of a file says of itself, together with what the file says."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    told = ast.get_docstring(tree) or ""
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return {test.name: " ".join(f"{told}; {ast.get_docstring(test) or ''}".split()) for test in tests}


def names(told: str, row: Row) -> bool:
    """Whether a docstring names the section of the row, or a part of it."""
    if row.section == "Introduction":
        return row.page in told
    if row.page == "resolved.md":
        return any(row.section in cited for cited in re.findall(r"resolved\.md, ([^;:.)]+)", told))
    cited = re.findall(r"service-api\.md ((?:[\d.]+(?:, | and )?)+)", told)
    numbers = re.findall(r"\d+(?:\.\d+)*", " ".join(cited))
    return any(f"{number}.".startswith(f"{row.place}.") for number in numbers)


def test_every_section_has_all_its_sentences_in_order() -> None:
    found: dict[str, dict[str, list[int]]] = {}
    for row in ROWS:
        found.setdefault(row.page, {}).setdefault(row.section, []).append(row.number)
    assert found == {
        page: {section: list(range(1, count + 1)) for section, count in sections.items()}
        for page, sections in SENTENCES.items()
    }


@pytest.mark.parametrize(("place", "count"), RULES.items())
def test_every_numbered_rule_is_there(place: str, count: int) -> None:
    told = [re.match(r"Rule (\d+): ", row.sentence) for row in in_section("service-api.md", place)]
    assert sorted({int(match[1]) for match in told if match}) == list(range(1, count + 1))


@pytest.mark.parametrize(("place", "kind"), FIELDS.items())
def test_every_field_of_a_table_is_there(place: str, kind: Kind) -> None:
    named = {name for row in in_section("service-api.md", place) for name in re.findall(r"`(\w+)`", row.sentence)}
    assert named >= RECORDS[kind].rules().keys() - {"translations"}


def test_every_field_of_a_listing_is_there() -> None:
    """Its table is in two parts."""
    places = [("service-api.md", "2.3"), ("resolved.md", "Listings")]
    named = {name for place in places for row in in_section(*place) for name in re.findall(r"`(\w+)`", row.sentence)}
    assert named >= RECORDS[Kind.LISTING].rules().keys()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.page}-{row.place}-{row.number}")
def test_a_sentence_is_shown_by_tests_that_name_its_section(row: Row) -> None:
    if REASON.fullmatch(row.shown_by):
        assert "not shown" not in row.shown_by
    else:
        assert row.tests, "neither a test nor a reason"
        assert row.shown_by == "<br>".join(f"`{path}::{name}`" for path, name in row.tests)
    for path, name in row.tests:
        told = docstrings(path)
        assert name in told, f"{path} has no {name}"
        assert names(told[name], row), f"{name} does not name {row.page} {row.section}"


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.shown_by.startswith("decided in")], ids=lambda row: row.sentence
)
def test_what_service_api_leaves_open_is_decided_in_resolved(row: Row) -> None:
    assert row.page == "service-api.md"
    assert row.shown_by.removeprefix("decided in resolved.md, ") in SENTENCES["resolved.md"]
