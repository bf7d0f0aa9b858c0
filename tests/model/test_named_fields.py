"""contentsync.model.named_fields: the fields of a kind by dotted name."""

from zoneinfo import ZoneInfo

import pytest

from contentsync.errors import UsageError
from contentsync.model import RECORDS, Entry, Kind, Source
from contentsync.model.named_fields import FieldNames, ValueType, is_filled, sort_entries

PRICE = {"price": {"type": "number"}, "opened": {"type": "date"}, "free": {"type": "checkbox"}}
LISTINGS = FieldNames(Kind.LISTING, PRICE)


@pytest.mark.parametrize("kind", Kind)
def test_each_field_of_a_kind_has_a_name(kind: Kind) -> None:
    names = {field.name.partition(".")[0] for field in FieldNames(kind, locales=("fr",))}
    assert names == {*RECORDS[kind].rules(), "_key", "_file"}


@pytest.mark.parametrize(
    ("name", "type_"),
    [
        ("name", ValueType.TEXT),
        ("categories", ValueType.TEXT),
        ("latitude", ValueType.NUMBER),
        ("is_featured", ValueType.FLAG),
        ("starts_at", ValueType.TIME),
        ("schema", ValueType.OBJECT),
        ("social_links", ValueType.OBJECT),
        ("social_links.github", ValueType.TEXT),
        ("price", ValueType.NUMBER),
        ("opened", ValueType.DAY),
        ("free", ValueType.FLAG),
    ],
)
def test_a_field_has_the_type_of_its_values(name: str, type_: ValueType) -> None:
    assert LISTINGS.find(name).type is type_


def test_the_choices_of_a_field_are_texts() -> None:
    assert FieldNames(Kind.PAGE).find("placement").type is ValueType.TEXT


def test_a_dotted_name_leads_into_objects_and_languages() -> None:
    fields = {"seo": {"title": "A"}, "translations": {"fr": {"title": "B", "seo": {"title": "C"}}}}
    article = Entry(Kind.ARTICLE, "a", fields)
    names = FieldNames(Kind.ARTICLE, locales=("fr",))
    found = [names.find(name).value(article) for name in ("seo.title", "translations.fr.title")]
    assert found == ["A", "B"]
    assert names.find("translations.fr.seo.title").value(article) == "C"
    assert names.find("seo.description").value(article) is None


def test_a_slug_that_is_not_set_is_the_key() -> None:
    page = Entry(Kind.PAGE, "about", {"title": "About"})
    assert FieldNames(Kind.PAGE).find("slug").value(page) == "about"
    listing = Entry(Kind.LISTING, "https://example.org", {"name": "A"})
    assert LISTINGS.find("slug").value(listing) is None


def test_each_entry_has_a_key_and_a_file() -> None:
    page = Entry(Kind.PAGE, "about", {}, Source("pages/about.md"))
    names = FieldNames(Kind.PAGE)
    assert [names.find(name).value(page) for name in ("_key", "_file")] == ["about", "pages/about.md"]
    assert [field.name for field in names if not field.is_authored] == ["_key", "_file"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("prise", "did you mean 'price'?"),
        ("nam", "did you mean 'name'?"),
        ("zzz", "the fields are name, slug, "),
    ],
)
def test_an_unknown_name_is_an_error_with_the_nearest_field(name: str, hint: str) -> None:
    with pytest.raises(UsageError, match=f"^here: listings have no field '{name}'$") as caught:
        LISTINGS.find(name, "here: ")
    assert caught.value.hint.startswith(hint)


def test_an_object_is_named_by_its_parts() -> None:
    with pytest.raises(UsageError) as caught:
        FieldNames(Kind.PAGE).find("seo")
    assert caught.value.hint == "write a part of it, such as seo.title"


def test_zero_and_false_are_values_and_an_empty_list_is_not() -> None:
    assert [*map(is_filled, (0, False, "a", [0]))] == [True] * 4
    assert [*map(is_filled, (None, "", [], {}))] == [False] * 4


def test_values_are_shown_as_an_author_would_write_them() -> None:
    values = ("2026-03-01T09:00:00.000000Z", True, 4.5, {"a": "é"}, None)
    shown = ["2026-03-01T09:00:00.000000Z", "true", "4.5", '{"a": "é"}', ""]
    assert [LISTINGS.find("name").text(value) for value in values] == shown


@pytest.mark.parametrize(
    ("wire_time", "shown"),
    [
        ("2026-02-28T23:00:00.000000Z", "2026-03-01 00:00"),
        ("2026-03-01T22:59:59.000000Z", "2026-03-01 23:59:59"),
        ("0001-01-01T00:00:00.000000Z", "0001-01-01 00:09:21"),
        ("soon", "soon"),
    ],
)
def test_a_time_is_shown_in_the_zone_of_the_site(wire_time: str, shown: str) -> None:
    names = FieldNames(Kind.LISTING, zone=ZoneInfo("Europe/Paris"))
    assert names.find("starts_at").text(wire_time) == shown


def sorted_keys(name: str, *, descending: bool = False) -> str:
    """Return the keys of three listings, sorted by a field."""
    values = {"b": {"price": 10, "name": "b"}, "A": {"price": 9.5, "name": "A"}, "c": {}}
    entries = [Entry(Kind.LISTING, key, fields) for key, fields in values.items()]
    return "".join(entry.key for entry in sort_entries(entries, LISTINGS.find(name), descending=descending))


def test_numbers_are_sorted_as_numbers_and_texts_in_any_letter_case() -> None:
    assert (sorted_keys("price"), sorted_keys("name")) == ("Abc", "Abc")


def test_entries_without_a_value_are_last_in_both_directions() -> None:
    assert sorted_keys("price", descending=True) == "bAc"


def test_entries_with_the_same_value_stay_in_their_order() -> None:
    assert sorted_keys("is_active") == sorted_keys("is_active", descending=True) == "bAc"
