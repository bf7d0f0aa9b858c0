"""contentsync.content.entry.near_duplicates: warnings of listings whose URLs are nearly equal, and their notes."""

import pytest

from contentsync.content.entry.near_duplicates import NearDuplicates
from contentsync.content.formats.draft import Draft
from contentsync.model import Kind, Notes

from ...growth import grows_evenly
from ..conftest import CONFIG, Load, spots

HEADER = "name,url,slug,sync.distinct\n"
ONE, NEAR, THIRD = "https://a.example/About", "http://www.a.example/about/", "https://a.example/about?utm_source=x"


def test_a_listing_with_nearly_the_url_of_another_is_a_warning_with_both_places(read: Load) -> None:
    content = read({"listings/a.csv": f"{HEADER}A,{ONE},,\n", "listings/b.md": f"---\nname: B\nurl: {NEAR}\n---\n"})
    assert spots(content) == [("listings/b.md", 3, 6, "near-duplicate")]
    (problem,) = content.problems
    assert not problem.is_error
    assert problem.message == f"another listing has nearly the same URL, '{ONE}': listings/a.csv, line 2"
    assert problem.hint == f"merge them, or if they are different listings, add '{ONE}' to sync.distinct"
    assert (problem.kind, problem.key) == ("listing", NEAR)
    assert len(content.entries) == 2


@pytest.mark.parametrize(
    "rows",
    [
        f"A,{ONE},one,{NEAR}\nB,{NEAR},,\n",
        f"A,{ONE},one,\nB,{NEAR},,{ONE}\n",
        f"A,{ONE},one,\nB,{NEAR},,one\n",
        f"A,{ONE},one,{NEAR}|{THIRD}\nB,{NEAR},,HTTPS://A.example/about?utm_source=x#part\nC,{THIRD},,\n",
    ],
    ids=["the first names the second", "by the URL", "by the slug", "three"],
)
def test_a_note_of_one_of_them_silences_a_pair(read: Load, rows: str) -> None:
    assert read({"listings/a.csv": HEADER + rows}).problems == ()


def test_each_listing_is_reported_once_with_the_first_that_no_note_names(read: Load) -> None:
    content = read({"listings/a.csv": f"{HEADER}A,{ONE},,\nB,{NEAR},,{ONE}\nC,{THIRD},,{ONE}\n"})
    assert spots(content) == [("listings/a.csv", 4, 3, "near-duplicate")]
    assert f"'{NEAR}'" in content.problems[0].message


def test_an_equal_url_is_only_an_error(read: Load) -> None:
    content = read({"listings/a.csv": f"{HEADER}A,{ONE},,\nB,{ONE},,\nC,{NEAR},s,\nD,https://d.example,s,\n"})
    found = [(spot.line, spot.code) for spot in spots(content)]
    assert found == [(3, "duplicate-identity"), (4, "near-duplicate"), (5, "duplicate-identity")]


@pytest.mark.parametrize(
    ("name", "column"),
    [("https://a.example/other", 14), ("https://d.example", 14), ("missing", 14), ("https://b.example/b", 14)],
    ids=["no listing", "not nearly equal", "no slug", "itself"],
)
def test_a_name_that_silences_nothing_is_a_warning(read: Load, name: str, column: int) -> None:
    listing = f"---\nname: B\nurl: https://b.example/b\nsync:\n  distinct: [{name}]\n---\n"
    content = read({"listings/a.csv": f"{HEADER}A,{ONE},,\nD,https://d.example,,\n", "listings/b.md": listing})
    assert spots(content) == [("listings/b.md", 5, column, "unused-distinct")]
    assert f"'{name}'" in content.problems[0].message


def test_a_note_of_a_listing_without_a_url_silences_nothing(read: Load) -> None:
    content = read({"listings/a.csv": f"{HEADER}A,,one,two\nB,,two,\n"})
    assert spots(content) == [("listings/a.csv", 2, 8, "unused-distinct")]


@pytest.mark.parametrize("other", ["B,http:/www.a.example,,\n", "B,https://b.example,,,surplus\n"])
def test_a_name_is_not_reported_while_a_listing_has_an_error(read: Load, other: str) -> None:
    """The name may be that of the faulty one."""
    content = read({"listings/a.csv": f"{HEADER}A,{ONE},,{NEAR}\n", "listings/b.csv": HEADER + other})
    assert not {"unused-distinct", "near-duplicate"} & {spot.code for spot in spots(content)}
    assert content.problems


def test_the_warnings_can_be_ignored(read: Load) -> None:
    config = f'{CONFIG}[warnings]\nignore = ["near-duplicate", "unused-distinct"]\n'
    rows = f"{HEADER}A,{ONE},,\nB,{NEAR},,b\n"
    assert read({"contentsync.toml": config, "listings/a.csv": rows}).problems == ()


def test_many_listings_with_nearly_one_url_take_time_in_proportion() -> None:
    def compare(count: int) -> None:
        duplicates = NearDuplicates()
        for number in range(count):
            key = f"https://a.example?utm_id={number}"
            notes = Notes(distinct=("https://a.example?utm_id=0",))
            duplicates.add(Draft(Kind.LISTING, "listings/a.csv", number, key=key, notes=notes))
        assert len([*duplicates.problems(all_known=True)]) == count - 1

    assert grows_evenly(compare, 300)
