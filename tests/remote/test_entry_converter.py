"""contentsync.remote.entry_converter: what the lists of a directory have shown is used for the records after them."""

from collections.abc import Mapping
from typing import Any

import pytest

from contentsync.model import Entry, Kind, Reference
from contentsync.remote.entry_converter import EntryConverter

SIZE = {"id": 1, "name": "size", "fieldable_type": "listing", "type": "number"}
TRANSLATED = [Kind.ORGANIZER, Kind.ARTICLE]
LISTING = {"id": 7, "name": "A", "url": "https://example.org", "size": "5"}


def convert(converter: EntryConverter, kind: Kind, record: Mapping[str, Any]) -> Entry:
    return converter.entry(kind, record, conditional=False)


def define(converter: EntryConverter, **changed: str) -> list[Kind]:
    """Add the definition of a number with some changes; return the kinds whose values may have other types."""
    return converter.add_definitions([convert(converter, Kind.CUSTOM_FIELD, SIZE | changed)])


def test_a_reference_has_the_key_that_was_read_last() -> None:
    converter = EntryConverter()
    converter.add_keys(Kind.TAG, [{"id": 3, "slug": "old"}])
    converter.add_keys(Kind.TAG, [{"id": 3, "slug": "new"}])
    assert convert(converter, Kind.LISTING, {**LISTING, "tags": [{"id": 3}]}).fields["tags"] == ["new"]


def test_only_another_key_of_a_known_record_is_reported() -> None:
    converter = EntryConverter()
    old, new = (Entry(Kind.TAG, key, {}, id=3) for key in ("old", "new"))
    assert [converter.add_key(entry) for entry in (old, old, new)] == [False, False, True]
    assert converter.keys[Kind.TAG] == {3: "new"}


def test_equal_texts_of_an_alike_entry_are_kept_once() -> None:
    name, other = "".join(["Ada", "'s"]), "x"
    alike = Entry(Kind.LISTING, "https://example.org", {"name": name, "address": other})
    record = {**LISTING, "name": "".join(["Ada", "'s"]), "address": "y"}
    entry = EntryConverter().entry(Kind.LISTING, record, conditional=False, alike={alike.key: alike})
    assert entry.fields["name"] is name
    assert entry.fields["address"] == "y"
    assert entry.key is alike.key


def test_a_reference_is_not_replaced_by_an_equal_text() -> None:
    converter = EntryConverter()
    converter.add_keys(Kind.CATEGORY, [{"id": 3, "slug": "tools"}])
    alike = Entry(Kind.CATEGORY, "saws", {"slug": "saws", "parent_id": "tools"})
    record = {"id": 4, "slug": "saws", "parent_id": 3}
    entry = converter.entry(Kind.CATEGORY, record, conditional=False, alike={"saws": alike})
    assert isinstance(entry.fields["parent_id"], Reference)
    assert entry.fields["parent_id"].id == 3


def test_an_entry_without_an_id_has_no_key_for_references() -> None:
    converter = EntryConverter()
    assert not converter.add_key(Entry(Kind.TAG, "a", {}))
    assert converter.keys[Kind.TAG] == {}


def test_a_definition_gives_values_their_type() -> None:
    converter = EntryConverter()
    assert not converter.has_definitions
    assert define(converter) == []
    assert converter.has_definitions
    assert convert(converter, Kind.LISTING, LISTING).fields["size"] == 5


def test_a_definition_with_another_type_reports_its_kind() -> None:
    converter = EntryConverter()
    define(converter)
    assert define(converter, type="text") == [Kind.LISTING]


@pytest.mark.parametrize("type_", ["text", "number", "rating", "checkbox", "url"])
def test_a_definition_with_the_same_type_reports_no_kind(type_: str) -> None:
    converter = EntryConverter()
    define(converter, type=type_)
    assert define(converter, type=type_, label="Another label") == []


def test_missing_languages_replace_those_that_were_missing_before() -> None:
    converter = EntryConverter()
    converter.unknown[Kind.ARTICLE] = frozenset({"seo"})
    assert converter.set_missing_locales(["fr"]) == converter.set_missing_locales(["de"]) == TRANSLATED
    assert converter.unknown[Kind.ARTICLE] == {"seo", "translations.de"}
    assert converter.set_missing_locales(["de"]) == []
