"""contentsync.content.address_index: former addresses, and the entries that had them."""

import pytest

from contentsync.content.address_index import AddressIndex, EntryAddresses, normal_address
from contentsync.errors import Where
from contentsync.model import EntryKey, Kind

A, B = (Kind.ARTICLE, "a"), (Kind.ARTICLE, "b")


def aliases(entry: EntryKey, path: str, address: str, line: int = 1) -> EntryAddresses:
    return entry, path, [], [(address, path, line, 5)]


@pytest.mark.parametrize(
    ("address", "normal"),
    [
        ("/blog/x/", "blog/x"),
        ("blog//x", "blog/x"),
        ("/Blog/X.html?a#b", "blog/x"),
        ("/blog/x/index.html", "blog/x"),
        ("/%C3%9Cber%20uns/", "uber-uns"),
        ("https://example.org/x/", "x"),
        ("https://[/x/", ""),
        ("/", ""),
        ("/x.pdf", "x-pdf"),
    ],
)
def test_spellings_of_one_address_are_equal(address: str, normal: str) -> None:
    assert normal_address(address) == normal


def test_an_entry_is_found_by_its_former_address() -> None:
    index = AddressIndex([aliases(A, "a.md", "/old/a/")])
    assert index
    assert index.find("/Old/a.html") == A
    assert index.find("/old/b/") is None
    assert not AddressIndex()


def test_of_two_entries_the_first_file_has_the_address_in_any_order_of_reading() -> None:
    entries = [aliases(A, "a.md", "/x/", 3), aliases(B, "b.md", "/x/", 4)]
    for order in (entries, entries[::-1]):
        index = AddressIndex(order)
        assert index.find("/x/") == A
        (problem,) = index.problems(lambda address: None)
        assert problem.where == Where("b.md", 4, 5)
        assert "a.md, line 3" in problem.message


def test_a_possible_address_gives_way_without_a_warning() -> None:
    entries: list[EntryAddresses] = [(A, "a.md", ["a", "x"], []), (B, "b.md", ["x"], [])]
    for order in (entries, entries[::-1]):
        index = AddressIndex(order)
        assert index.find("/x/") == B
        assert list(index.problems(lambda address: None)) == []


def test_a_former_address_that_another_entry_has_now_is_a_warning() -> None:
    index = AddressIndex([aliases(A, "a.md", "/blog/b/"), (B, "b.md", ["b", "blog/a"], [])])
    present = {"/blog/a": (A, "a.md"), "/blog/b": (B, "b.md")}
    (problem,) = index.problems(present.get)
    assert problem.message == "the former address /blog/b/ is the present address of b.md"


def test_an_entry_may_have_had_its_present_address_before() -> None:
    index = AddressIndex([aliases(A, "a.md", "/blog/a/")])
    assert list(index.problems({"/blog/a": (A, "a.md")}.get)) == []
