from typing import Any

import pytest

from contentsync.model import Kind
from contentsync.server.store.record_drafts import merge_seo, merge_translations, with_translation

Stored = dict[str, dict[str, Any]]


def test_seo_is_merged_by_key() -> None:
    stored = merge_seo(Kind.PAGE, None, {"title": "T"})
    assert stored == {"title": "T", "description": None}
    assert merge_seo(Kind.PAGE, stored, {"description": "D"}) == {"title": "T", "description": "D"}
    assert merge_seo(Kind.PAGE, stored, {}) == stored
    assert merge_seo(Kind.PAGE, stored, None) == {"title": None, "description": None}


def test_translations_are_merged_by_text() -> None:
    stored: Stored = {"fr": {"title": "Un", "seo": {"title": "S", "description": "D"}}, "de": {"title": "Eins"}}
    translations: dict[str, Any] = {"fr": {"title": "Une", "seo": {"title": None}}}
    assert merge_translations(stored, translations) == {
        "fr": {"title": "Une", "seo": {"description": "D"}},
        "de": {"title": "Eins"},
    }
    assert stored["fr"]["title"] == "Un"


def test_null_removes_a_text_and_a_language() -> None:
    stored: Stored = {"fr": {"title": "Un", "seo": {"title": "S"}}, "de": {"title": "Eins"}}
    assert merge_translations(stored, {"de": None, "fr": {"seo": None}}) == {"fr": {"title": "Un"}}
    assert merge_translations(stored, {"de": {"title": None}}) == {"fr": stored["fr"]}


@pytest.mark.parametrize(
    ("default", "french", "is_markdown"),
    [
        ({"content": "<p>x</p>", "is_markdown": False}, {"markdown": "x"}, True),
        ({"markdown": "x", "is_markdown": True}, {"content": "<p>x</p>"}, False),
        ({"markdown": "x", "is_markdown": True}, {"content": "<p>x</p>", "markdown": "x"}, True),
        ({"content": "<p>x</p>", "is_markdown": False}, {"title": "Un"}, False),
    ],
    ids=["translated in Markdown", "translated in HTML", "Markdown wins over HTML", "untranslated"],
)
def test_the_format_of_a_body_depends_on_its_language(
    default: dict[str, Any], french: dict[str, Any], is_markdown: bool
) -> None:
    values, _seo = with_translation(Kind.ARTICLE, default, seo={}, texts=french)
    assert values["is_markdown"] is is_markdown


def test_an_untranslated_text_is_in_the_default_language() -> None:
    values = {"title": "One", "markdown": "text"}
    seo = {"title": "S", "description": "D"}
    in_french = with_translation(Kind.ARTICLE, values, seo, texts={"title": "Un", "seo": {"title": "T"}})
    assert in_french == ({"title": "Un", "markdown": "text"}, {"title": "T", "description": "D"})
