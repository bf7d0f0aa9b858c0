"""Where an entry of the folder stands (docs/architecture.md)."""

from contentsync.errors import Where
from contentsync.model import Entry, Kind, Source

SOURCE = Source("pages/about.md", 1, {"title": ("pages/about.md", (2, 8)), "seo": ("pages/about.md", (4, 1))})


def test_a_field_has_its_place() -> None:
    assert SOURCE.where("title") == Where("pages/about.md", 2, 8)


def test_a_nested_field_without_a_place_has_that_of_the_field_around_it() -> None:
    assert SOURCE.where("seo.title") == Where("pages/about.md", 4, 1)


def test_anything_else_stands_where_the_entry_stands() -> None:
    assert SOURCE.where("order") == SOURCE.where() == Where("pages/about.md", 1, 1)


def test_a_field_may_stand_in_another_file() -> None:
    french = Source("articles/a.md", 1, {"translations.fr": ("articles/a.fr.md", (1, 1))})
    assert french.where("translations.fr.title") == Where("articles/a.fr.md", 1, 1)


def test_an_entry_is_called_by_its_kind_and_key() -> None:
    assert str(Entry(Kind.PAGE, "about", {})) == "page about"
