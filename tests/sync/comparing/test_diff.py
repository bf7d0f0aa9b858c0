from collections.abc import Mapping
from typing import Any

from contentsync.model import Entry, Kind
from contentsync.sync.applying.writer import request_body
from contentsync.sync.comparing.change import Action, Change
from contentsync.sync.comparing.diff import FieldChange, compare, new_fields

from ..entries import actual, desired


def diff(here: Entry, there: Entry) -> Mapping[str, FieldChange]:
    return compare(here, there, None).changes


def sent(here: Entry, changes: Mapping[str, FieldChange]) -> dict[str, Any]:
    return request_body(
        Change(Action.UPDATE, here, actual(here.kind, here.key, 1), changes), ids={}, social_names="card"
    )


def test_only_fields_of_the_entry_are_compared() -> None:
    page = desired(Kind.PAGE, "about", title="About")
    there = actual(Kind.PAGE, "about", 1, title="About", order=7, markdown="text")
    assert diff(page, there) == {}


def test_a_change_has_the_old_and_the_new_value() -> None:
    page = desired(Kind.PAGE, "about", title="New", order=7)
    there = actual(Kind.PAGE, "about", 1, title="Old", order=7)
    assert diff(page, there) == {"title": FieldChange("Old", "New")}


def test_every_field_of_a_new_entry_is_a_change() -> None:
    page = desired(Kind.PAGE, "about", title="About", markdown="Text", seo={"title": "T"})
    listing = desired(Kind.LISTING, "https://a.example", name="A", categories=["b"])
    assert {**new_fields(page)} == {
        "title": FieldChange(None, "About"),
        "markdown": FieldChange(None, "Text"),
        "seo.title": FieldChange(None, "T"),
    }
    assert {**new_fields(listing)} == {"name": FieldChange(None, "A"), "categories": FieldChange(None, ["b"])}


def test_seo_is_compared_by_key() -> None:
    page = desired(Kind.PAGE, "about", title="About", seo={"title": "New"})
    there = actual(Kind.PAGE, "about", 1, title="About", seo={"title": "Old", "description": "kept"})
    assert diff(page, there) == {"seo.title": FieldChange("Old", "New")}


def test_clearing_seo_clears_the_keys_on_the_server() -> None:
    page = desired(Kind.PAGE, "about", title="About", seo=None)
    there = actual(Kind.PAGE, "about", 1, title="About", seo={"title": "Old", "description": None})
    assert diff(page, there) == {"seo.title": FieldChange("Old", None)}


def test_translations_are_compared_by_field() -> None:
    article = desired(
        Kind.ARTICLE, "a", title="A", markdown="text", translations={"fr": {"title": "Un", "seo": {"title": "S"}}}
    )
    there = actual(
        Kind.ARTICLE, "a", 1, title="A", markdown="text", translations={"fr": {"title": "Une", "markdown": "texte"}}
    )
    assert diff(article, there) == {
        "translations.fr.title": FieldChange("Une", "Un"),
        "translations.fr.seo.title": FieldChange(None, "S"),
    }


def test_a_translation_equal_to_the_default_text_needs_no_change() -> None:
    translations = {"fr": {"title": "A", "seo": {"title": "S"}}}
    article = desired(Kind.ARTICLE, "a", title="A", markdown="text", seo={"title": "S"}, translations=translations)
    there = actual(Kind.ARTICLE, "a", 1, title="A", markdown="text", seo={"title": "S"}, translations={})
    assert diff(article, there) == {}
    there = actual(
        Kind.ARTICLE, "a", 1, title="A", markdown="text", seo={"title": "S"}, translations={"fr": {"title": "Un"}}
    )
    assert diff(article, there) == {"translations.fr.title": FieldChange("Un", "A")}


def test_an_article_changed_back_to_markdown_is_a_change() -> None:
    article = desired(Kind.ARTICLE, "a", title="A", markdown="text")
    there = actual(Kind.ARTICLE, "a", 1, title="A", markdown="text", content="<p>text</p>", is_markdown=False)
    changes = diff(article, there)
    assert changes == {"is_markdown": FieldChange(False, True)}
    assert sent(article, changes) == {"markdown": "text"}


def test_a_changed_title_is_sent_with_the_slug() -> None:
    page = desired(Kind.PAGE, "about", title="New", slug="about", order=1)
    assert sent(page, {"title": FieldChange("Old", "New")}) == {"title": "New", "slug": "about"}


def test_a_changed_article_is_sent_with_its_body() -> None:
    article = desired(Kind.ARTICLE, "a", title="A", slug="a", markdown="text", active=False)
    assert sent(article, {"active": FieldChange(True, False)}) == {"markdown": "text", "active": False}


def test_only_the_changed_languages_are_sent() -> None:
    organizer = desired(Kind.ORGANIZER, "o", name="O", translations={"fr": {"name": "X"}, "de": {"name": "Y"}})
    assert sent(organizer, {"translations.de.name": FieldChange(None, "Y")}) == {"translations": {"de": {"name": "Y"}}}
