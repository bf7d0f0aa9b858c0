"""Entries and their source, and the seven kinds (docs/contract.md 1, 4, 14)."""

from contentsync.errors import Where
from contentsync.model import RECORDS, Entry, Kind, Source

SOURCE = Source("pages/about.md", 1, {"title": ("pages/about.md", (2, 8)), "seo": ("pages/about.md", (4, 1))})


def test_a_field_has_its_own_location() -> None:
    assert SOURCE.where("title") == Where("pages/about.md", 2, 8)


def test_a_nested_field_without_a_location_has_that_of_its_parent() -> None:
    assert SOURCE.where("seo.title") == Where("pages/about.md", 4, 1)


def test_a_field_without_a_location_has_that_of_the_entry() -> None:
    assert SOURCE.where("order") == SOURCE.where() == Where("pages/about.md", 1, 1)


def test_a_field_can_be_located_in_another_file() -> None:
    french = Source("articles/a.md", 1, {"translations.fr": ("articles/a.fr.md", (1, 1))})
    assert french.where("translations.fr.title") == Where("articles/a.fr.md", 1, 1)


def test_the_text_of_an_entry_is_its_kind_and_key() -> None:
    assert str(Entry(Kind.PAGE, "about", {})) == "page about"


def test_the_collection_names_are_those_of_the_contract() -> None:
    """docs/contract.md 4.3."""
    assert {str(kind): kind.collection for kind in Kind} == {
        "category": "categories",
        "tag": "tags",
        "custom_field": "custom-fields",
        "organizer": "organizers",
        "listing": "projects",
        "page": "pages",
        "article": "articles",
    }


def test_referenced_kinds_come_first() -> None:
    order = list(Kind)
    for kind, model in RECORDS.items():
        for referred in model.references.values():
            assert referred is kind or order.index(referred) < order.index(kind)
    assert order.index(Kind.CUSTOM_FIELD) < order.index(Kind.ORGANIZER)
