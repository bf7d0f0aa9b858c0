"""contentsync.content.entry.url_schemes: addresses that a file has without a scheme."""

from typing import Any

import pytest

from contentsync.model import Kind
from contentsync.model.suggestion import without_scheme

from ..conftest import Files, Load, only

LISTING_FIELDS = "- {name: menu, label: Menu, type: url}\n- {name: book, label: Book, type: button}\n"


def config(kind: str = "listings", scheme: str = "https") -> str:
    return f'[content.{kind}]\nurl_scheme = "{scheme}"\n'


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("www.example.org", "www.example.org"),
        ("//example.org/a?b=c", "example.org/a?b=c"),
        (" example.org/a ", "example.org/a"),
        ("example.org:8080/a", "example.org:8080/a"),
        ("mastodon.example.org/@me", "mastodon.example.org/@me"),
        ("münchen.example", "münchen.example"),
        ("//cdn.example.org/a.png", "cdn.example.org/a.png"),
        ("https://example.org", None),
        ("HTTP://example.org", None),
        ("info@example.org", None),
        ("mailto:info@example.org", None),
        ("/about", None),
        ("./about.org", None),
        ("about.md", None),
        ("1.2", None),
        ("none", None),
        ("example org.net", None),
        ("www.", None),
    ],
)
def test_an_address_without_a_scheme_is_recognised(text: str, rest: str | None) -> None:
    assert without_scheme(text) == rest


@pytest.mark.parametrize("path", ["listings/a.csv", "listings/a.json"])
def test_the_address_of_a_listing_is_completed(read: Load, path: str) -> None:
    text = "name,url\nA,www.example.org/a\n" if path.endswith("csv") else '[{"name": "A", "url": "www.example.org/a"}]'
    entry = only(read({"contentsync.toml": config(), path: text}))
    assert (entry.key, entry.fields["url"]) == ("https://www.example.org/a", "https://www.example.org/a")


def test_each_field_with_addresses_is_completed(read: Load) -> None:
    listing = (
        "- name: A\n  video_url: video.example.org\n  social_links: {github: github.example.org/a}\n"
        "  image_url: //cdn.example.org/a.png\n  additional_image_urls: [www.example.org/b.png]\n"
        "  menu: example.org/menu\n  book: //example.org/book\n"
    )
    files: Files = {"contentsync.toml": config(), "custom_fields.yaml": LISTING_FIELDS, "listings/a.yaml": listing}
    [entry] = (it for it in read(files).entries if it.kind is Kind.LISTING)
    expected: dict[str, Any] = {
        "video_url": "https://video.example.org",
        "social_links": {"github": "https://github.example.org/a"},
        "image_url": "https://cdn.example.org/a.png",
        "additional_image_urls": ["https://www.example.org/b.png"],
        "menu": "https://example.org/menu",
        "book": "https://example.org/book",
    }
    assert {name: entry.fields.get(name) for name in expected} == expected


def test_an_address_in_an_object_and_in_a_translation_is_completed(read: Load) -> None:
    article = "---\ntitle: A\npublished_at: 2026-01-01\nseo: {canonical: example.org/a}\n---\nText\n"
    files: Files = {
        "contentsync.toml": f'[site]\nname = "A"\nlocales = ["en", "fr"]\n{config("articles", "http")}',
        "articles/a.md": article,
        "articles/a.fr.md": "---\ntitle: B\nseo: {og_image: //example.org/b.png}\n---\nTexte\n",
    }
    fields = only(read(files)).fields
    assert fields["seo"]["canonical"] == "http://example.org/a"
    assert fields["translations"]["fr"]["seo"]["og_image"] == "http://example.org/b.png"


def test_a_path_of_a_picture_is_no_address(read: Load) -> None:
    table = "name,image_url,image_alt_text\nA,img.org/a.png,A\n"
    problems = [
        [
            (it.code, it.message)
            for it in read({"contentsync.toml": f"{text}[assets]\n", "listings/a.csv": table}).problems
        ]
        for text in (config(), "")
    ]
    assert problems[0] == problems[1] != []


@pytest.mark.parametrize("url", ["about us", "info@example.org", "/about"])
def test_another_text_is_still_an_error(read: Load, url: str) -> None:
    content = read({"contentsync.toml": config(), "listings/a.csv": f"name,url\nA,{url}\n"})
    assert [it.code for it in content.problems] == ["bad-url"]


def test_addresses_are_not_completed_unless_the_config_says_so(read: Load) -> None:
    content = read({"contentsync.toml": "", "listings/a.csv": "name,url\nA,www.example.org\n"})
    assert [it.code for it in content.problems] == ["bad-url"]


def test_many_rows_are_completed(read: Load) -> None:
    rows = "".join(f"N{number},{'https://' * (number % 2)}n{number}.example.org\n" for number in range(600))
    content = read({"contentsync.toml": config(), "listings/a.csv": f"name,url\n{rows}"})
    assert content.problems == ()
    assert {entry.key for entry in content.entries} == {f"https://n{number}.example.org" for number in range(600)}
