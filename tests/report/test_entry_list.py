"""contentsync.report.entry_list: chosen fields of entries as text, CSV and JSON."""

from typing import Any

from contentsync.model import Entry, Kind, Source
from contentsync.model.named_fields import FieldNames
from contentsync.report.entry_list import (
    EntryList,
    aligned_lines,
    entry_list_csv,
    entry_list_document,
    entry_list_lines,
)

NAMES = FieldNames(Kind.LISTING, {"price": {"type": "number"}})


def shown(*fields: dict[str, Any], columns: str = "name description", total: int | None = None) -> EntryList:
    """Return the list of listings with these fields."""
    entries = [
        Entry(Kind.LISTING, f"k{number}", values, Source("listings/a.csv", number + 2))
        for number, values in enumerate(fields)
    ]
    total = len(entries) if total is None else total
    return EntryList(Kind.LISTING, entries, [NAMES.find(name) for name in columns.split()], total)


def lines(list_: EntryList, *, full: bool = False) -> list[str]:
    return [*entry_list_lines(list_, full=full)]


def test_columns_are_aligned_also_below_wide_characters() -> None:
    listed = shown({"name": "工具", "description": "a"}, {"name": "Saw", "description": "b"})
    assert lines(listed) == ["name  description", "工具  a", "Saw   b", "", "2 listings"]


def test_a_text_is_cut_and_control_characters_are_escaped_unless_all_is_shown() -> None:
    listed = shown({"name": "x" * 50, "description": "a\nb\x1b[31m"})
    assert lines(listed)[1] == f"{'x' * 39}…  a\\nb\\x1b[31m"
    assert lines(listed, full=True)[1].startswith("x" * 50)


def test_no_entry_is_a_number_alone() -> None:
    assert lines(shown(total=3)) == ["0 of 3 listings"]


def test_lists_objects_and_booleans_are_shown_as_text() -> None:
    fields = {"tags": ["a", "b"], "is_featured": True, "social_links": {"x": "https://x.example"}, "price": 4.5}
    listed = shown(fields, columns="tags is_featured social_links price email")
    assert lines(listed)[1].split() == ["a,", "b", "true", '{"x":', '"https://x.example"}', "4.5"]
    csv = entry_list_csv(listed)
    assert csv.splitlines()[1] == 'a|b,yes,"{""x"": ""https://x.example""}",\'4.5,'


def test_no_cell_of_a_csv_is_a_formula_or_gets_converted() -> None:
    csv = entry_list_csv(shown({"name": "=cmd|x", "description": 'say "a",\nb'}, {"name": "007", "description": "-1"}))
    assert csv == 'name,description\n\'=cmd|x,"say ""a"",\nb"\n\'007,\'-1\n'


def test_the_document_has_the_location_and_the_values_of_each_entry() -> None:
    document = entry_list_document(shown({"name": "Saw", "price": 5}, columns="price email", total=9))
    (entry,) = document.pop("entries")
    assert document == {"version": 1, "kind": "listing", "total": 9, "columns": ["price", "email"]}
    location = {"kind": "listing", "key": "k0", "title": "Saw", "path": "listings/a.csv", "line": 2}
    assert entry == {**location, "fields": {"price": 5, "email": None}}


def test_numbers_are_aligned_to_the_right() -> None:
    assert [*aligned_lines([["a", "5"], ["bc", "10"]], right=[1])] == ["a    5", "bc  10"]
