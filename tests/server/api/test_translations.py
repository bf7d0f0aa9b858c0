"""Translations and `locale` (docs/contract.md 1, 4.2, 4.4, 17)."""

from typing import Any

import pytest

from contentsync.server.store.accounts import update_directory

from ..conftest import Api
from .answers import data, refused_fields


def make_bilingual_article(api: Api, **texts: Any) -> dict[str, Any]:
    """Create the article Hello (slug hello), in French Bonjour, in the category A; `texts` are other French ones."""
    french = {"title": "Bonjour", "markdown": "Texte", **texts}
    return api.make("articles", title="Hello", markdown="Text", categories=["A"], translations={"fr": french})


# articles


def test_an_article_is_returned_in_the_requested_language(bilingual: Api) -> None:
    """docs/contract.md 4.4.1, 4.2."""
    article = make_bilingual_article(bilingual)
    assert (article["title"], article["markdown"]) == ("Hello", "Text")
    french = bilingual.show("articles", article["id"], locale="fr")
    assert (french["title"], french["markdown"]) == ("Bonjour", "Texte")
    assert {**french, "title": "Hello", "markdown": "Text"} == article
    assert bilingual.show("articles", article["id"], locale="en") == article


def test_is_markdown_depends_on_the_language(bilingual: Api) -> None:
    """docs/contract.md 4.2.5."""
    texts = {"fr": {"markdown": "Texte"}}
    article = bilingual.make("articles", title="Hello", content="<p>Text</p>", translations=texts)
    assert article["is_markdown"] is False
    assert bilingual.show("articles", article["id"], locale="fr")["is_markdown"] is True


def test_articles_are_listed_in_the_requested_language(bilingual: Api) -> None:
    """docs/contract.md 4.2."""
    make_bilingual_article(bilingual)
    assert [article["title"] for article in bilingual.all("articles", locale="fr")] == ["Bonjour"]
    assert [article["title"] for article in bilingual.all("articles")] == ["Hello"]
    assert [article["title"] for article in data(bilingual.get("/articles/category/A", locale="fr"))] == ["Bonjour"]


def test_a_text_without_a_translation_is_returned_in_the_default_language(bilingual: Api) -> None:
    """docs/contract.md 17."""
    article = bilingual.make("articles", title="Hello", markdown="Text", translations={"fr": {"title": "Bonjour"}})
    french = bilingual.show("articles", article["id"], locale="fr")
    assert (french["title"], french["markdown"]) == ("Bonjour", "Text")


def test_every_text_of_an_article_can_be_translated(bilingual: Api) -> None:
    """docs/contract.md 17."""
    texts: dict[str, Any] = {
        "title": "Bonjour",
        "content": "<p>Texte</p>",
        "markdown": "Texte",
        "thumbnail_alt_text": "Un tour",
    }
    article = bilingual.make(
        "articles",
        title="Hello",
        markdown="Text",
        seo={"title": "T", "description": "D"},
        translations={"fr": {**texts, "seo": {"title": "Titre", "twitter_title": "Carte"}}},
    )
    french = bilingual.show("articles", article["id"], locale="fr")
    assert {name: french[name] for name in texts} == texts
    assert (french["seo"]["title"], french["seo"]["card_title"], french["seo"]["description"]) == (
        "Titre",
        "Carte",
        "D",
    )


def test_null_removes_one_translated_text(bilingual: Api) -> None:
    """docs/contract.md 4.4.2."""
    article = make_bilingual_article(bilingual)
    bilingual.change("articles", article["id"], markdown="Text", translations={"fr": {"title": None}})
    french = bilingual.show("articles", article["id"], locale="fr")
    assert (french["title"], french["markdown"]) == ("Hello", "Texte")


def test_null_for_a_language_removes_all_its_texts(bilingual: Api) -> None:
    """docs/contract.md 17."""
    article = make_bilingual_article(bilingual)
    bilingual.change("articles", article["id"], markdown="Text", translations={"fr": None})
    french = bilingual.show("articles", article["id"], locale="fr")
    assert (french["title"], french["markdown"]) == ("Hello", "Text")


def test_a_translation_that_is_not_sent_is_kept(bilingual: Api) -> None:
    """docs/contract.md 4.4.2, 10: only the fields in the request change."""
    article = make_bilingual_article(bilingual)
    bilingual.change("articles", article["id"], markdown="New text")
    bilingual.change("articles", article["id"], markdown="New text", translations={})
    bilingual.change("articles", article["id"], markdown="New text", translations={"fr": {"markdown": "Neuf"}})
    french = bilingual.show("articles", article["id"], locale="fr")
    assert (french["title"], french["markdown"]) == ("Bonjour", "Neuf")


def test_an_upsert_keeps_and_adds_translations(bilingual: Api) -> None:
    """docs/contract.md 10."""
    article = make_bilingual_article(bilingual)
    body = {"title": "Hello", "markdown": "Text", "translations": {"fr": {"markdown": "Neuf"}}}
    assert data(bilingual.post("/articles", body), 200)["id"] == article["id"]
    french = bilingual.show("articles", article["id"], locale="fr")
    assert (french["title"], french["markdown"]) == ("Bonjour", "Neuf")


def test_the_translations_are_returned_as_stored_on_request(bilingual: Api) -> None:
    """docs/contract.md 17."""
    article = make_bilingual_article(bilingual)
    assert "translations" not in article
    stored = {"fr": {"title": "Bonjour", "markdown": "Texte"}}
    assert bilingual.show("articles", article["id"], include="translations")["translations"] == stored
    assert bilingual.all("articles", include="translations")[0]["translations"] == stored


def test_texts_of_a_new_default_language_are_not_translations(bilingual: Api) -> None:
    article = make_bilingual_article(bilingual)
    bilingual.service.run(lambda connection: update_directory(connection, bilingual.directory_id, locales=("fr", "en")))
    assert bilingual.show("articles", article["id"], include="translations")["translations"] == {}


def test_a_record_without_translations_has_an_empty_object(bilingual: Api) -> None:
    """docs/contract.md 17."""
    article = make_bilingual_article(bilingual)
    bilingual.change("articles", article["id"], markdown="Text", translations={"fr": None})
    assert bilingual.show("articles", article["id"], include="translations")["translations"] == {}
    organizer = bilingual.make("organizers", name="Workshop")
    assert bilingual.show("organizers", organizer["id"], include="translations")["translations"] == {}


def test_the_slug_does_not_follow_a_translated_title(bilingual: Api) -> None:
    article = make_bilingual_article(bilingual)
    changed = bilingual.change("articles", article["id"], markdown="x", translations={"fr": {"title": "Salut"}})
    assert changed["slug"] == "hello"
    assert changed["updated_at"] > article["updated_at"]


def test_the_translations_of_a_deleted_article_are_not_restored(bilingual: Api) -> None:
    article = make_bilingual_article(bilingual)
    bilingual.delete(f"/articles/{article['id']}")
    with_same_slug = bilingual.make("articles", title="Hello", markdown="Text")  # and perhaps with the freed id
    assert with_same_slug["slug"] == article["slug"]
    assert bilingual.show("articles", with_same_slug["id"], locale="fr")["title"] == "Hello"


@pytest.mark.parametrize("include", [{}, {"include": "translations"}])
def test_each_list_and_record_of_a_translated_kind_accepts_a_locale(bilingual: Api, include: dict[str, str]) -> None:
    """docs/contract.md 4.2, 4.4, 17."""
    article = make_bilingual_article(bilingual)
    organizer = bilingual.make("organizers", name="Workshop", translations={"fr": {"name": "Atelier"}})
    for path, name, text in (
        ("/articles", "title", "Bonjour"),
        ("/articles/category/A", "title", "Bonjour"),
        (f"/articles/{article['id']}", "title", "Bonjour"),
        ("/organizers", "name", "Atelier"),
        (f"/organizers/{organizer['id']}", "name", "Atelier"),
    ):
        list_or_record = data(bilingual.get(path, locale="fr", **include))
        record = list_or_record[0] if isinstance(list_or_record, list) else list_or_record
        assert record[name] == text
        assert record.get("translations", {}).get("fr", {}).get(name) == (text if include else None)


@pytest.mark.parametrize("path", ["/articles", "/articles/category/A", "/organizers"])
def test_a_misspelt_include_is_refused(bilingual: Api, path: str) -> None:
    """docs/contract.md 17."""
    make_bilingual_article(bilingual)
    assert refused_fields(bilingual.get(path, include="translation")) == {"include"}


@pytest.mark.parametrize(("collection", "name"), [("articles", "title"), ("organizers", "name")])
def test_a_misspelt_include_of_one_record_is_refused(bilingual: Api, collection: str, name: str) -> None:
    """docs/contract.md 17."""
    record = bilingual.make(collection, **{name: "A"}, **({"markdown": "Text"} if collection == "articles" else {}))
    assert refused_fields(bilingual.get(f"/{collection}/{record['id']}", include="translation")) == {"include"}


# organizers


def test_an_organizer_is_returned_and_listed_in_the_requested_language(bilingual: Api) -> None:
    """docs/contract.md 2.4, 4.4."""
    texts = {"name": "Atelier", "description": "court", "content": "Long", "address": "Rue 1"}
    organizer = bilingual.make("organizers", name="Workshop", phone="1", translations={"fr": texts})
    assert organizer["name"] == "Workshop"
    french = bilingual.show("organizers", organizer["id"], locale="fr")
    assert {name: french[name] for name in texts} == texts
    assert french["phone"] == "1"
    assert bilingual.all("organizers", locale="fr") == [french]
    assert bilingual.show("organizers", organizer["id"], include="translations")["translations"] == {"fr": texts}


def test_null_removes_the_translation_of_an_organizer(bilingual: Api) -> None:
    """docs/contract.md 4.4.2."""
    organizer = bilingual.make(
        "organizers", name="Workshop", translations={"fr": {"name": "Atelier", "address": "Rue"}}
    )
    bilingual.change("organizers", organizer["id"], translations={"fr": {"name": None}})
    french = bilingual.show("organizers", organizer["id"], locale="fr")
    assert (french["name"], french["address"]) == ("Workshop", "Rue")
    bilingual.change("organizers", organizer["id"], translations={"fr": None})
    assert bilingual.show("organizers", organizer["id"], include="translations")["translations"] == {}


# what is refused


@pytest.mark.parametrize("path", ["/articles", "/organizers", "/articles/category/A"])
@pytest.mark.parametrize("locale", ["de", "", "FR", "fr-FR", "../fr"])
def test_an_unknown_locale_is_refused_for_a_list(bilingual: Api, path: str, locale: str) -> None:
    """docs/contract.md 17."""
    make_bilingual_article(bilingual)
    assert refused_fields(bilingual.get(path, locale=locale)) == {"locale"}


def test_an_unknown_locale_is_refused_for_a_record(bilingual: Api) -> None:
    """docs/contract.md 17."""
    article = make_bilingual_article(bilingual)
    organizer = bilingual.make("organizers", name="Workshop")
    assert refused_fields(bilingual.get(f"/articles/{article['id']}", locale="de")) == {"locale"}
    assert refused_fields(bilingual.get(f"/organizers/{organizer['id']}", locale="de")) == {"locale"}


def test_a_directory_with_one_language_accepts_only_that_locale(api: Api) -> None:
    """docs/contract.md 17."""
    api.make("articles", title="Hello", markdown="Text")
    assert [article["title"] for article in api.all("articles", locale="en")] == ["Hello"]
    assert refused_fields(api.get("/articles", locale="fr")) == {"locale"}


@pytest.mark.parametrize(
    ("translations", "field"),
    [
        ({"en": {"title": "Hello"}}, "translations.en"),
        ({"de": {"title": "Hallo"}}, "translations.de"),
        ({"fr": {"slug": "bonjour"}}, "translations.fr.slug"),
        ({"fr": {"title": "x" * 256}}, "translations.fr.title"),
        ({"fr": {"seo": {"title": "x" * 256}}}, "translations.fr.seo.title"),
        ({"fr": "Bonjour"}, "translations.fr"),
        ([], "translations"),
        (None, "translations"),
    ],
)
def test_a_wrong_translation_is_reported_by_language_and_field(bilingual: Api, translations: Any, field: str) -> None:
    """docs/contract.md 11, 17."""
    body = {"title": "Hello", "markdown": "Text", "translations": translations}
    assert refused_fields(bilingual.post("/articles", body)) == {field}
    assert bilingual.all("articles") == []


@pytest.mark.parametrize(
    ("collection", "body"), [("articles", {"title": "A", "markdown": "x"}), ("organizers", {"name": "A"})]
)
def test_a_directory_with_one_language_accepts_no_translations(api: Api, collection: str, body: dict[str, str]) -> None:
    """docs/contract.md 17."""
    response = api.post(f"/{collection}", {**body, "translations": {"fr": {}}})
    assert {name.split(".")[0] for name in refused_fields(response)} == {"translations"}
    assert api.all(collection) == []


@pytest.mark.parametrize("collection", ["pages", "projects", "categories", "tags"])
def test_other_kinds_accept_no_translations(bilingual: Api, collection: str) -> None:
    """docs/contract.md 1: articles and organizers."""
    title = "name" if collection == "projects" else "title"
    assert refused_fields(bilingual.post(f"/{collection}", {title: "A", "translations": {"fr": {}}})) == {
        "translations"
    }
