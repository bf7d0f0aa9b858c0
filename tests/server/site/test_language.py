"""Languages: texts that are translated, words that the program speaks, and one address for each."""

from datetime import UTC
from string import Formatter
from typing import Any

import pytest

from contentsync.server.site.language import MONTHS, WORDS, Language, language_name

from ..conftest import Api, Service
from .conftest import Reader
from .html_document import Document


@pytest.fixture(scope="module")
def atelier(service: Service) -> Reader:
    """Return a site with an article and an organizer in two languages, and with an article in one."""
    api = service.directory("Ateliers", service.user("Ada"), locales=("en", "fr"))
    api.make("categories", title="Saws")
    api.make(
        "articles",
        title="The saw",
        slug="saw",
        markdown="It cuts.",
        published_at="2026-03-01T00:00:00Z",
        translations={
            "fr": {"title": "La scie", "markdown": "Elle [coupe](/blog/plane/).", "seo": {"description": "Scie"}}
        },
    )
    api.make("articles", title="The plane", slug="plane", markdown="It planes.")
    api.make("organizers", name="Guild", translations={"fr": {"name": "Guilde", "content": "**Bonjour**"}})
    api.make("organizers", name="Club", content="Hello")
    api.make("projects", name="Adze", description="An axe")
    api.make("pages", title="About", placement="navbar", markdown="Us")
    return Reader(api)


def test_a_translated_article_can_be_read_in_both_languages(atelier: Reader) -> None:
    english, french = atelier.read("/blog/saw/"), atelier.speaking("fr").read("/blog/saw/")
    assert [page.one("h1").text for page in (english, french)] == ["The saw", "La scie"]
    assert [page.one("main").one(class_="prose").text for page in (english, french)] == ["It cuts.", "Elle coupe."]
    assert [page.one("html")["lang"] for page in (english, french)] == ["en", "fr"]
    assert french.meta("description") == "Scie"
    assert "Publié le 1er mars 2026" in french.text
    assert "Published on 1 March 2026" in english.text
    assert "lang" not in french.one("h1").attributes


@pytest.mark.parametrize(
    ("timezone", "instant", "day"),
    [
        ("Europe/Paris", "2026-02-28T23:00:00Z", "1 March 2026"),
        ("America/Los_Angeles", "2026-01-01T04:00:00Z", "31 December 2025"),
        ("UTC", "2026-02-28T23:00:00Z", "28 February 2026"),
    ],
)
def test_the_day_of_an_article_is_in_the_time_zone_of_the_directory(
    service: Service, timezone: str, instant: str, day: str
) -> None:
    api = service.directory("Days", service.user("Ada"), timezone=timezone)
    api.make("articles", title="News", slug="news", markdown="New.", published_at=instant)
    assert f"Published on {day}" in Reader(api).read("/blog/news/").text


def test_each_language_has_its_own_address_with_links_to_the_others(atelier: Reader) -> None:
    base = f"{atelier.site}/blog/saw/"
    languages = {"en": base, "fr": f"{base}?locale=fr", "x-default": base}
    for reader, canonical in (
        (atelier, base),
        (atelier.speaking("en"), base),
        (atelier.speaking("fr"), languages["fr"]),
    ):
        page = reader.read("/blog/saw/")
        assert page.link("canonical") == page.meta("og:url") == canonical
        assert page.languages == languages


def test_an_article_without_a_translation_has_one_address(atelier: Reader) -> None:
    """Its text is in the default language, and is marked as such inside a French page."""
    page = atelier.speaking("fr").read("/blog/plane/")
    assert page.link("canonical") == f"{atelier.site}/blog/plane/"
    assert page.languages == {}
    assert page.one("h1").text == "The plane"
    assert page.one("h1")["lang"] == page.one("main").one(class_="prose")["lang"] == "en"
    assert page.one("html")["lang"] == "fr"


def test_an_organizer_is_translated_too(atelier: Reader) -> None:
    page = atelier.speaking("fr").read("/organizers/guild/")
    assert page.one("h1").text == "Guilde"
    assert page.one("main").one("strong").text == "Bonjour"
    assert set(page.languages) == {"en", "fr", "x-default"}
    assert page.json_ld("Organization")["url"] == f"{atelier.site}/organizers/guild/?locale=fr"
    assert atelier.speaking("fr").names("/organizers/") == ["Guilde", "Club"]


def test_listings_and_pages_are_shown_in_the_default_language(atelier: Reader) -> None:
    for path in ("/listings/adze/", "/pages/about/"):
        page = atelier.speaking("fr").read(path)
        assert page.link("canonical") == f"{atelier.site}{path}"
        assert page.languages == {}


def test_lists_are_available_in_every_language(atelier: Reader) -> None:
    for path in ("/", "/categories/", "/categories/saws/", "/blog/", "/organizers/"):
        page = atelier.speaking("fr").read(path)
        assert page.link("canonical") == f"{atelier.site}{path}?locale=fr"
        assert page.languages["en"] == page.languages["x-default"] == f"{atelier.site}{path}"
    assert atelier.speaking("fr").names("/blog/") == ["The plane", "La scie"]


@pytest.mark.parametrize(
    ("path", "parameters", "query"),
    [
        ("/", {"q": "axe", "category": "saws", "unknown": "x"}, "category=saws&q=axe"),
        ("/blog/saw/", {"unknown": "x"}, ""),
    ],
)
def test_the_language_switch_keeps_the_page_and_only_known_parameters(
    atelier: Reader, path: str, parameters: dict[str, str], query: str
) -> None:
    page = atelier.read(path, **parameters)
    links = {each["hreflang"]: each for each in page.one("nav", class_="locales").all("a")}
    address = f"{atelier.mount}{path}"
    assert {locale: (each.text, each["href"]) for locale, each in links.items()} == {
        "en": ("English", f"{address}?{query}" if query else address),
        "fr": ("Français", f"{address}?{query}&locale=fr" if query else f"{address}?locale=fr"),
    }
    assert links["en"]["aria-current"] == "true"


def test_every_link_keeps_the_language(atelier: Reader) -> None:
    for path in ("/", "/blog/", "/blog/saw/", "/organizers/", "/listings/adze/", "/nothing/"):
        page = atelier.speaking("fr").ask(path).text
        links = [each["href"] for each in Document(page).one("body").all("a") if "hreflang" not in each.attributes]
        own = [link for link in links if link.startswith(atelier.mount)]
        assert own
        assert all("locale=fr" in link for link in own), path
    form = atelier.speaking("fr").read("/").one("form", class_="filters")
    assert form.one("input", type="hidden").attributes == {"type": "hidden", "name": "locale", "value": "fr"}


@pytest.mark.parametrize("locale", ["de", "FR", "fr-FR", "", "fr'", "../fr", "\0"])
def test_an_unknown_language_is_a_404(atelier: Reader, locale: str) -> None:
    assert atelier.speaking(locale).status("/") == 404


def test_a_directory_with_one_language_has_no_language_switch(api: Api, reader: Reader) -> None:
    page = reader.read()
    assert page.all("nav", class_="locales") == []
    assert page.languages == {}


def test_feeds_are_in_the_requested_language(atelier: Reader) -> None:
    assert "La scie" in atelier.speaking("fr").ask("/feed.xml").text
    assert "The saw" in atelier.ask("/feed.xml").text


def test_untranslated_interface_texts_are_english(api: Api) -> None:
    reader = Reader(api.service.directory("Werkstatt", api.user, locales=("de",)))
    page = reader.read()
    assert page.one("html")["lang"] == "en"
    assert page.one("a", class_="skip").text == "Skip to the content"


def test_every_language_has_all_interface_texts() -> None:
    assert {frozenset(words) for words in WORDS.values()} == {frozenset(WORDS["en"])}
    assert {len(months.split()) for months in MONTHS.values()} == {12}
    for word, english in WORDS["en"].items():
        forms = {words[word].count("|") for words in WORDS.values()}
        assert forms == {english.count("|")}, word


def test_a_text_has_the_same_placeholders_in_every_language() -> None:
    for word, english in WORDS["en"].items():
        found = {frozenset(_placeholders(words[word])) for words in WORDS.values()}
        assert found == {frozenset(_placeholders(english))}, word


def _placeholders(text: str) -> list[str]:
    return [
        f"{form}.{name}"
        for form, part in enumerate(text.split("|"))
        for _, name, _, _ in Formatter().parse(part)
        if name
    ]


@pytest.mark.parametrize(
    ("key", "values", "english", "french"),
    [
        ("more_than_n_listings", {"n": 10_000}, "More than 10000 listings", "Plus de 10000 fiches"),
        ("more_than_n_listings", {"n": 1}, "More than 1 listing", "Plus de 1 fiche"),
        (
            "shown_instead",
            {"text": "swa", "other": "saw"},
            "Nothing has “swa”. These are the results for “saw”.",
            "Rien ne contient « swa ». Voici les résultats pour « saw ».",
        ),
        ("articles", {}, "Articles", "Articles"),
    ],
)
def test_a_text_contains_its_values(key: str, values: dict[str, Any], english: str, french: str) -> None:
    assert [Language(locale, UTC)(key, **values) for locale in ("en", "fr")] == [english, french]


@pytest.mark.parametrize(
    ("locale", "n", "text"),
    [
        ("en", 0, "0 listings"),
        ("en", 1, "1 listing"),
        ("en", 2, "2 listings"),
        ("fr", 0, "0 fiche"),
        ("fr", 1, "1 fiche"),
        ("fr-CA", 2, "2 fiches"),
    ],
)
def test_a_number_has_the_plural_of_its_language(locale: str, n: int, text: str) -> None:
    assert Language(locale, UTC)("n_listings", n=n) == text


@pytest.mark.parametrize(
    ("locale", "label", "several"),
    [
        ("en", "Organizer", "Organizers"),
        ("en", "Agency", "Agencies"),
        ("en", "Bay", "Bays"),
        ("en", "Studios", "Studios"),
        ("en", "会社", "会社"),
        ("fr", "Atelier", "Atelier"),
        ("fr", "Organizer", "Organisateurs"),
        ("fr", "Organiser", "Organisateurs"),
    ],
)
def test_a_label_has_an_english_plural_only_in_english(locale: str, label: str, several: str) -> None:
    assert Language(locale, UTC).label(label, plural=True) == several


def test_the_default_label_of_organizers_is_translated(atelier: Reader) -> None:
    menu = atelier.speaking("fr").read().one("nav", class_="site-nav")
    assert [each.text for each in menu.all("a")] == ["Catégories", "Blog", "Organisateurs", "About"]
    assert atelier.speaking("fr").read("/organizers/").one("h1").text == "Organisateurs"


def test_a_language_is_named_in_that_language() -> None:
    assert [language_name(each) for each in ("fr", "pt-BR", "tlh")] == ["Français", "Português (BR)", "tlh"]


def test_right_to_left_texts_are_marked(api: Api) -> None:
    reader = Reader(api.service.directory("Suq", api.user, locales=("en", "ar")))
    reader.api.make(
        "articles", title="Saw", markdown="It cuts.", translations={"ar": {"title": "منشار", "markdown": "يقطع"}}
    )
    page = reader.speaking("ar").read("/blog/saw/")
    assert (page.one("html")["lang"], page.one("html")["dir"]) == ("en", "ltr")
    for part in (page.one("h1"), page.one("main").one(class_="prose")):
        assert (part["lang"], part["dir"]) == ("ar", "rtl")


def test_seo_texts_are_not_used_in_another_language(polyglot: Reader) -> None:
    seo = {
        "title": "English for engines",
        "description": "English description",
        "og_title": "English card",
        "og_image": "https://img.example.org/og.png",
    }
    french = {"title": "Titre", "markdown": "Corps"}
    polyglot.api.make("articles", title="Saw", markdown="Body", seo=seo, translations={"fr": french})
    page = polyglot.speaking("fr").read("/blog/saw/")
    assert (page.title, page.meta("og:title")) == ("Titre · Ateliers", "Titre")
    assert page.meta("description") == page.meta("og:description") == "Corps"
    assert page.meta("og:image") == seo["og_image"]
    assert polyglot.speaking("fr").read("/blog/").one("li", class_="post").one(class_="summary").text == "Corps"
    assert polyglot.read("/blog/saw/").title == "English for engines"
