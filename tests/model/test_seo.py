"""SEO objects (docs/contract.md 2.1, 2.2, 17)."""

from typing import Any

import pytest

from contentsync.model import WIRE_FORM, Context, Kind, validate

from .judge import BILINGUAL, FILE, faults, least, violations


def seo_of(values: dict[str, Any]) -> Any:
    return validate(Kind.ARTICLE, least(Kind.ARTICLE, seo=values), WIRE_FORM)["seo"]


def test_twitter_names_are_the_card_names() -> None:
    assert seo_of({"twitter_title": "a", "twitter_description": "b", "twitter_image": "https://example.org/c"}) == {
        "card_title": "a",
        "card_description": "b",
        "card_image": "https://example.org/c",
    }


@pytest.mark.parametrize("context", [BILINGUAL, FILE], ids=["wire", "file"])
@pytest.mark.parametrize("seo", [{"twitter_title": "a", "card_title": "b"}, {"card_title": None, "twitter_title": "b"}])
def test_a_field_and_its_alias_cannot_both_be_set(context: Context, seo: dict[str, Any]) -> None:
    (violation,) = violations(Kind.ARTICLE, least(Kind.ARTICLE, seo=seo), context)
    assert (violation.field, violation.code) == ("seo.twitter_title", "given-twice")
    assert violation.message == "seo.twitter_title is another name for card_title, which is also set"


def test_a_field_and_its_alias_cannot_both_be_set_in_a_translation() -> None:
    translations = {"fr": {"seo": {"twitter_title": "a", "card_title": "b"}}}
    assert faults(Kind.ARTICLE, least(Kind.ARTICLE, translations=translations), BILINGUAL) == {
        ("translations.fr.seo.twitter_title", "given-twice")
    }


def test_an_alias_is_accepted_in_files_and_translations() -> None:
    values = least(Kind.ARTICLE, translations={"fr": {"seo": {"twitter_title": "a"}}})
    assert validate(Kind.ARTICLE, values, BILINGUAL)["translations"] == {"fr": {"seo": {"card_title": "a"}}}
    assert validate(Kind.ARTICLE, least(Kind.ARTICLE, seo={"twitter_title": "a"}), FILE)["seo"] == {"card_title": "a"}


def test_an_alias_has_the_rules_of_its_field_and_keeps_its_own_name() -> None:
    seo = {"twitter_title": "x" * 256, "twitter_image": "nowhere", "card_description": "x" * 501}
    assert {
        violation.field: violation.code for violation in violations(Kind.ARTICLE, least(Kind.ARTICLE, seo=seo))
    } == {
        "seo.twitter_title": "too-long",
        "seo.twitter_image": "bad-url",
        "seo.card_description": "too-long",
    }
    (violation,) = violations(Kind.ARTICLE, least(Kind.ARTICLE, seo={"twitter_title": 1}))
    assert violation.message == "seo.twitter_title must be text"


def test_an_empty_alias_in_a_file_clears_its_field() -> None:
    assert validate(Kind.ARTICLE, least(Kind.ARTICLE, seo={"twitter_title": None}), FILE)["seo"] == {"card_title": None}


def test_an_empty_canonical_is_null() -> None:
    assert seo_of({"canonical": ""}) == {"canonical": None}
    assert seo_of({"canonical": None}) == {"canonical": None}


@pytest.mark.parametrize("field", ["og_image", "card_image", "canonical"])
def test_images_and_the_canonical_are_urls(field: str) -> None:
    values = least(Kind.ARTICLE, seo={field: "javascript:alert(1)"})
    assert faults(Kind.ARTICLE, values) == {(f"seo.{field}", "bad-url")}


@pytest.mark.parametrize("key", ["id", "created_at", "updated_at"])
def test_seo_keys_set_by_the_service_can_be_sent_back(key: str) -> None:
    assert seo_of({key: 7, "title": "a"}) == {"title": "a"}


def test_a_page_has_two_seo_fields() -> None:
    values = {"title": "About", "seo": {"title": "a", "description": "b"}}
    assert validate(Kind.PAGE, values, WIRE_FORM) == values
    assert faults(Kind.PAGE, {"title": "About", "seo": {"keywords": "a"}}) == {("seo.keywords", "unknown-key")}


def test_an_unknown_seo_key_suggests_the_nearest_one() -> None:
    (violation,) = violations(Kind.ARTICLE, least(Kind.ARTICLE, seo={"descripton": "a"}))
    assert str(violation) == "seo.descripton is not a known key (did you mean 'description'?)"


@pytest.mark.parametrize("seo", ["title", [], 1, True])
def test_seo_must_be_an_object(seo: Any) -> None:
    assert faults(Kind.PAGE, {"title": "About", "seo": seo}) == {("seo", "not-an-object")}
