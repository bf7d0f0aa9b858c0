"""contentsync.report.completeness: how many entries have a value of each field."""

from typing import Any

from contentsync.model import Entry, Kind
from contentsync.model.filled_fields import (
    Completeness,
    FieldCount,
    count_filled,
    measure_completeness,
    measure_kinds,
)
from contentsync.model.named_fields import FieldNames
from contentsync.report.completeness import (
    completeness_csv,
    completeness_document,
    completeness_line,
    completeness_lines,
    completeness_summaries,
)

NAMES = FieldNames(Kind.LISTING, {"price": {"type": "number"}})


def measured(*fields: dict[str, Any]) -> Completeness:
    """Return the completeness of listings with these fields."""
    entries = [Entry(Kind.LISTING, str(number), each) for number, each in enumerate(fields)]
    return measure_completeness(NAMES, count_filled(entries)[Kind.LISTING])


def test_empty_values_do_not_count_and_zero_does() -> None:
    counts = dict(measured({"email": "", "tags": [], "price": 0}, {"email": "a@example.org", "tags": ["a"]}).fields)
    assert (counts["email"], counts["tags"], counts["price"], counts["address"]) == (1, 1, 1, 0)


def test_fields_with_a_default_are_left_out_because_they_are_never_empty() -> None:
    names = dict(measured().fields)
    assert not {"is_active", "is_featured", "_key"} & names.keys()


def test_each_language_is_a_field_of_its_own() -> None:
    names = FieldNames(Kind.ARTICLE, locales=("fr", "nl"))
    article = Entry(Kind.ARTICLE, "a", {"translations": {"fr": {"title": "A"}}})
    counts = dict(measure_completeness(names, count_filled([article])[Kind.ARTICLE]).fields)
    assert (counts["translations.fr.title"], counts["translations.nl.title"]) == (1, 0)


def test_the_table_has_the_share_of_each_field() -> None:
    found = Completeness(Kind.LISTING, 300, [FieldCount("name", 300), FieldCount("email", 299), FieldCount("url", 1)])
    assert [*completeness_lines(found)] == [
        "field  filled  share",
        "name      300   100%",
        "email     299    99%",
        "url         1     1%",
        "",
        "300 listings",
    ]
    assert completeness_csv(found).splitlines() == ["field,filled,share", "name,300,100%", "email,299,99%", "url,1,1%"]
    document = completeness_document(found)
    assert document["total"] == 300
    assert document["fields"][2] == {"field": "url", "filled": 1, "share": 0.0033}


def test_a_line_names_the_fields_that_most_entries_lack() -> None:
    found = measured({"name": "A", "email": "a@example.org"}, {"name": "B"}, {"name": "C"})
    assert completeness_line(found) == "3 listings: 67% of the values of 2 fields in use; least: email 33%"
    assert completeness_line(measured({"name": "A"})) == "1 listing: 100% of the values of 1 field in use"


def test_each_kind_with_entries_is_summed_up() -> None:
    entries = [
        Entry(Kind.PAGE, "a", {"title": "A", "markdown": "Text"}),
        Entry(Kind.PAGE, "b", {"title": "B"}),
        Entry(Kind.CUSTOM_FIELD, "price", {"label": "Price"}),
    ]
    summaries = completeness_summaries(measure_kinds(count_filled(entries), {}, locales=()))
    assert summaries == {"page": {"total": 2, "share": 0.8333, "fields": {"title": 2, "slug": 2, "markdown": 1}}}


def test_no_entries_are_not_complete() -> None:
    assert completeness_document(measured())["fields"][0] == {"field": "name", "filled": 0, "share": 0}
