"""The heads of pages."""

from typing import Any

import pytest

from ..conftest import Api
from .conftest import ON_ONE_DATABASE, Reader

pytestmark = ON_ONE_DATABASE

FULL = {
    "title": "Seo title",
    "description": "Seo description",
    "keywords": "saws, planes",
    "og_title": "Og title",
    "og_description": "Og description",
    "og_image": "https://img.example.org/og.png",
    "card_title": "Card title",
    "card_description": "Card description",
    "card_image": "https://img.example.org/card.png",
}
DESCRIPTIONS = (
    "description", "og:title", "og:description", "og:image", "twitter:title", "twitter:description", "twitter:image",
)  # fmt: skip


def without(*names: str) -> dict[str, Any]:
    return {name: text for name, text in FULL.items() if name not in names}


CARD, OG = ("card_title", "card_description", "card_image"), ("og_title", "og_description", "og_image")
OG_SAID = ("Og title", "Og description", FULL["og_image"])
THUMB, EXCERPT = "https://img.example.org/thumb.png", "Saws cut & planes plane."


@pytest.mark.parametrize(
    ("seo", "title", "expected"),
    [
        (FULL, "Seo title", ("Seo description", *OG_SAID, "Card title", "Card description", FULL["card_image"])),
        (without(*CARD), "Seo title", ("Seo description", *OG_SAID * 2)),
        (without(*CARD, *OG), "Seo title", ("Seo description", *("Seo title", "Seo description", THUMB) * 2)),
        ({}, "On tools · Tools", (EXCERPT, *("On tools", EXCERPT, THUMB) * 2)),
    ],
    ids=["everything", "no card", "no card and no Open Graph", "nothing"],
)  # fmt: skip
def test_the_head_of_an_article_falls_back_to_its_title_and_excerpt(
    api: Api, reader: Reader, seo: dict[str, Any], title: str, expected: tuple[str, ...]
) -> None:
    """docs/contract.md 2.2"""
    api.make("articles", title="On tools", markdown="**Saws** cut & planes\nplane.", thumbnail_url=THUMB, seo=seo)
    page = reader.read("/blog/on-tools/")
    assert page.title == title
    assert tuple(page.meta(name) for name in DESCRIPTIONS) == expected
    assert page.meta("keywords") == seo.get("keywords")
    assert page.meta("og:type") == "article"
    assert page.link("canonical") == f"{api.site}/blog/on-tools/"
    assert page.meta("twitter:card") == "summary_large_image"


def test_an_external_canonical_address_has_no_alternates(polyglot: Reader) -> None:
    """docs/contract.md 2.2, 17"""
    elsewhere = "https://elsewhere.example.org/saws"
    polyglot.api.make(
        "articles", title="Saws", markdown="x", seo={"canonical": elsewhere}, translations={"fr": {"title": "Scies"}}
    )
    page = polyglot.read("/blog/saws/")
    assert page.link("canonical") == elsewhere
    assert page.languages == {}


def test_the_structured_data_of_an_article_is_a_blog_posting(api: Api, reader: Reader) -> None:
    made = api.make(
        "articles",
        title='On "tools" </script>',
        slug="tools",
        markdown="x",
        published_at="2026-01-02T03:04:05Z",
        categories=["News"],
        thumbnail_url=THUMB,
    )
    posting = reader.read("/blog/tools/").json_ld("BlogPosting")
    publisher = {"@type": "Organization", "name": "Tools", "url": f"{api.site}/"}
    assert posting == {
        "@context": "https://schema.org",
        "@type": "BlogPosting",
        "headline": 'On "tools" </script>',
        "description": "x",
        "image": THUMB,
        "datePublished": "2026-01-02T03:04:05.000000Z",
        "dateModified": made["updated_at"],
        "inLanguage": "en",
        "articleSection": ["News"],
        "url": made["article_url"],
        "mainEntityOfPage": made["article_url"],
        "author": publisher,
        "publisher": publisher,
    }


def test_a_listing_has_its_own_structured_data(api: Api, reader: Reader) -> None:
    """XS-09: it is serialised again, never copied."""
    schema = {"@context": "https://schema.org", "@type": "Product", "name": "</script><script>alert(1)</script>"}
    made = api.make("projects", name="Adze", schema=schema, seo_title="An adze", seo_description="It hews.")
    answer = reader.ask("/listings/adze/")
    assert "</script><script>alert" not in answer.text
    page = reader.read("/listings/adze/")
    assert page.json_ld("Product") == schema
    assert page.title == "An adze"
    assert page.meta("description") == page.meta("og:description") == "It hews."
    assert page.link("canonical") == made["listing_url"]


def test_a_page_has_breadcrumbs_as_structured_data(api: Api, reader: Reader) -> None:
    tools = api.make("categories", title="Tools")["id"]
    saws = api.make("categories", title="Saws", parent_id=tools)["id"]
    api.make("projects", name="Rip saw", categories=[saws])
    page = reader.read("/listings/rip-saw/")
    assert page.json_ld("BreadcrumbList")["itemListElement"] == [
        {"@type": "ListItem", "position": 1, "name": "Home", "item": f"{api.site}/"},
        {"@type": "ListItem", "position": 2, "name": "Tools", "item": f"{api.site}/categories/tools/"},
        {"@type": "ListItem", "position": 3, "name": "Saws", "item": f"{api.site}/categories/saws/"},
        {"@type": "ListItem", "position": 4, "name": "Rip saw"},
    ]
    crumbs = page.one("nav", class_="breadcrumbs")
    assert [each["href"] for each in crumbs.all("a")] == [
        f"{reader.mount}{path}" for path in ("/", "/categories/tools/", "/categories/saws/")
    ]


def test_the_structured_data_of_an_organizer_is_an_organization(api: Api, reader: Reader) -> None:
    api.make(
        "organizers",
        name="Guild",
        description="Makers",
        logo="logos/guild one.png",
        website_url="https://guild.example.org/",
        social_links={"Mastodon": "https://social.example.org/@guild"},
        email="guild@example.org",
        phone="+44 20 7946 0000",
        address="1 Lane",
    )
    page = reader.read("/organizers/guild/")
    assert page.json_ld("Organization") == {
        "@context": "https://schema.org",
        "@type": "Organization",
        "name": "Guild",
        "url": f"{api.site}/organizers/guild/",
        "description": "Makers",
        "logo": f"{api.site}/storage/logos/guild%20one.png",
        "email": "guild@example.org",
        "telephone": "+44 20 7946 0000",
        "address": "1 Lane",
        "sameAs": ["https://guild.example.org/", "https://social.example.org/@guild"],
    }
    assert page.one("main").one("img", class_="logo")["src"] == f"{reader.mount}/storage/logos/guild%20one.png"
    assert page.one("main").one("a", href="tel:+442079460000").text == "+44 20 7946 0000"


def test_organizer_pages_have_the_configured_prefix_and_label(api: Api) -> None:
    """docs/contract.md 4.4.7, 17"""
    prefix, label = "/places/studios", "Studio"
    reader = Reader(api.service.directory("Arts", api.user, organizers_prefix=prefix, organizers_label=label))
    made = reader.api.make("organizers", name="Loft")
    reader.api.make("projects", name="Adze", organizers=[made["id"]])
    page = reader.read("/places/studios/")
    assert page.title == "Studios · Arts"
    assert page.one("main").one("h2").one("a")["href"] == f"{reader.mount}/places/studios/loft/"
    assert reader.read("/places/studios/loft/").link("canonical") == f"{reader.site}/places/studios/loft/"
    assert [each.text for each in reader.read("/listings/adze/").all("h2")][-1:] == ["Studio"]
    assert reader.status("/organizers/") == reader.status("/organizers/loft/") == 404
    assert reader.ask("/places/studios").headers["Location"] == f"{reader.mount}/places/studios/"


def test_the_home_page_links_to_the_feeds(reader: Reader) -> None:
    feeds = [each for each in reader.read().all("link", rel="alternate") if "type" in each.attributes]
    assert {each["type"] for each in feeds} == {"application/rss+xml", "application/atom+xml"}
    assert all(reader.api.service.visit("GET", each["href"]).status_code == 200 for each in feeds)


def test_the_description_of_a_site_is_on_its_home_page(api: Api) -> None:
    reader = Reader(api.service.directory("Fair", api.user, description="All *tools* & more"))
    page = reader.read()
    assert page.one("main").one(class_="lead").text == "All *tools* & more"
    assert page.meta("description") == page.meta("og:description") == "All *tools* & more"
    assert page.json_ld("WebSite")["description"] == "All *tools* & more"
    reader.api.make("projects", name="Adze")
    assert reader.read(q="adze").meta("description") is None
    assert reader.read(q="adze").one("main").all(class_="lead") == []


def test_an_uploaded_thumbnail_is_on_the_site(api: Api, reader: Reader) -> None:
    api.make("articles", title="Saw", markdown="x", thumbnail_url="/storage/saw.png")
    for path in ("/blog/", "/blog/saw/"):
        assert reader.read(path).one("main").one("img")["src"] == f"{reader.mount}/storage/saw.png"
    assert reader.read("/blog/saw/").meta("og:image") == f"{api.site}/storage/saw.png"
