"""The `translations` object (docs/contract.md 4.4.2, 17)."""

from typing import Any

import pytest

from contentsync.model import RECORDS, Context, Kind, validate

from .judge import BILINGUAL, faults, least, violations


def translated(kind: Kind, translations: Any) -> dict[str, Any]:
    """Return the least values of a kind, with translations."""
    return least(kind, translations=translations)


def test_the_translatable_fields_of_each_kind() -> None:
    assert set(RECORDS[Kind.ARTICLE].translated) == {"title", "content", "markdown", "thumbnail_alt_text", "seo"}
    assert set(RECORDS[Kind.ORGANIZER].translated) == {"name", "description", "content", "address"}


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        (Kind.ARTICLE, {"title": "Bonjour", "markdown": "Texte", "seo": {"title": "B"}}),
        (Kind.ORGANIZER, {"name": "Atelier", "address": "Rue 1"}),
    ],
)
def test_translations_are_keyed_by_language(kind: Kind, texts: dict[str, Any]) -> None:
    assert validate(kind, translated(kind, {"fr": texts}), BILINGUAL)["translations"] == {"fr": texts}


def test_null_removes_a_text_or_a_language() -> None:
    for gone in ({"fr": {"title": None}}, {"fr": None}):
        assert validate(Kind.ARTICLE, translated(Kind.ARTICLE, gone), BILINGUAL)["translations"] == gone


def test_the_default_language_is_refused_as_a_translation() -> None:
    assert faults(Kind.ORGANIZER, translated(Kind.ORGANIZER, {"en": {"name": "Workshop"}}), BILINGUAL) == {
        ("translations.en", "default-locale")
    }


def test_a_language_of_another_directory_is_refused() -> None:
    (violation,) = violations(Kind.ORGANIZER, translated(Kind.ORGANIZER, {"fra": {"name": "Atelier"}}), BILINGUAL)
    assert (violation.code, violation.field) == ("unknown-locale", "translations.fra")
    assert violation.hint == "did you mean 'fr'?"


def test_a_directory_with_one_language_has_no_translations() -> None:
    one = Context(locales=("en",))
    assert {code for _, code in faults(Kind.ARTICLE, translated(Kind.ARTICLE, {"fr": {"title": "x"}}), one)} == {
        "not-multilingual"
    }


def test_an_untranslatable_field_is_refused() -> None:
    assert faults(Kind.ARTICLE, translated(Kind.ARTICLE, {"fr": {"slug": "bonjour"}}), BILINGUAL) == {
        ("translations.fr.slug", "unknown-key")
    }
    assert faults(Kind.ORGANIZER, translated(Kind.ORGANIZER, {"fr": {"phone": "1"}}), BILINGUAL) == {
        ("translations.fr.phone", "unknown-key")
    }


def test_an_unknown_key_in_a_translation_suggests_the_nearest_one() -> None:
    (violation,) = violations(Kind.ARTICLE, translated(Kind.ARTICLE, {"fr": {"titel": "x"}}), BILINGUAL)
    assert violation.hint == "did you mean 'title'?"


@pytest.mark.parametrize("wrong", [[], "fr", 1, {"fr": "Bonjour"}, {"fr": []}])
def test_translations_are_objects(wrong: Any) -> None:
    assert {code for _, code in faults(Kind.ARTICLE, translated(Kind.ARTICLE, wrong), BILINGUAL)} == {"not-an-object"}


def test_pages_have_no_translations() -> None:
    assert faults(Kind.PAGE, translated(Kind.PAGE, {"fr": {"title": "x"}}), BILINGUAL) == {
        ("translations", "unknown-key")
    }
