"""contentsync.content.pictures.picture_fields: paths in picture fields become addresses."""

import pytest

from contentsync.content.files.file_addresses import FileAddresses
from contentsync.content.formats.draft import Draft
from contentsync.content.pictures.picture_fields import (
    PICTURE_FIELDS,
    candidates,
    collect_pictures,
    is_picture_path,
    picture_paths,
    refuse_picture_paths,
)
from contentsync.model import RECORDS, Kind

from ..conftest import Load

BASE = "https://cdn.example.com/site/"


def test_every_picture_field_is_known() -> None:
    named = {(kind, field[0]) for kind, fields in PICTURE_FIELDS.items() for field in fields}
    words = ("image", "logo", "cover", "thumbnail", "icon_url")
    rules = [(kind, name) for kind, record in RECORDS.items() for name in record.rules()]
    fields = {(kind, name) for kind, name in rules if any(word in name for word in words)}
    others = {name for _, name in fields - named}
    assert named - fields == {(Kind.ARTICLE, "seo")}
    assert others == {"logo", "cover_image", "image_alt_text", "logo_alt_text", "thumbnail_alt_text"}, "no addresses"


@pytest.mark.parametrize("value", ["a.png", "/img/a.png", "../a.png", "img/ä b.png?v=2#x", "photo@2x.png"])
def test_a_path_can_name_a_picture_file(value: str) -> None:
    assert is_picture_path(value)


@pytest.mark.parametrize(
    "value",
    [
        "",
        " ",
        "https://a.example/a.png",
        "//a.example/a.png",
        "data:image/png,x",
        "www.a.example/a.png",
        "#x",
        "?x",
        "/storage/a.png",
        "{{ page.image }}",
        "/{{ page.image }}",
    ],
)
def test_addresses_uploads_and_templates_are_not_picture_paths(value: str) -> None:
    assert not is_picture_path(value)


@pytest.mark.parametrize(
    ("target", "files"),
    [
        ("/a.png", ["static/a.png"]),
        ("./a.png", ["posts/a.png"]),
        ("../a.png", ["a.png"]),
        ("img/a.png?x#y", ["posts/img/a.png", "static/img/a.png"]),
        ("a%20b.png", ["posts/a b.png", "static/a b.png"]),
        ("/../a.png", ["a.png"]),
        ("/../../a.png", []),
        ("../../a.png", []),
        ("x/../../../a.png", []),
    ],
)
def test_a_path_starts_at_the_asset_folder_or_at_the_entry_file(target: str, files: list[str]) -> None:
    assert candidates(target, "posts/hello.md", "static") == files


def test_all_picture_paths_of_an_entry_become_addresses() -> None:
    draft = Draft(
        Kind.ARTICLE,
        "posts/hello.md",
        values={
            "thumbnail_url": "/a b.png",
            "thumbnail_alt_text": "A",
            "seo": {"og_image": "og.png?v=1", "twitter_image": "https://a.example/b.png"},
            "translations": {"fr": {"seo": {"twitter_image": "fr.png"}}, "de": None},
        },
    )
    collect_pictures(draft, FileAddresses(BASE, "static"))
    assert draft.values == {
        "thumbnail_url": f"{BASE}static/a%20b.png",
        "thumbnail_alt_text": "A",
        "seo": {"og_image": f"{BASE}posts/og.png?v=1", "twitter_image": "https://a.example/b.png"},
        "translations": {"fr": {"seo": {"twitter_image": f"{BASE}posts/fr.png"}}, "de": None},
    }
    assert [(row[0], row[4]) for row in draft.pictures] == [
        ("/a b.png", "thumbnail_url"),
        ("og.png?v=1", "seo.og_image"),
        ("fr.png", "translations.fr.seo.card_image"),
    ]
    assert draft.problems == []


def test_lists_of_pictures_are_read_item_by_item() -> None:
    draft = Draft(Kind.LISTING, "l.csv", values={"additional_image_urls": ["a.png", "", "https://b.example", "c.png"]})
    collect_pictures(draft, FileAddresses(BASE, ""))
    assert draft.values["additional_image_urls"] == [f"{BASE}a.png", "", "https://b.example", f"{BASE}c.png"]
    assert [row[4] for row in draft.pictures] == ["additional_image_urls.0", "additional_image_urls.3"]


def test_a_picture_path_out_of_the_folder_is_an_error() -> None:
    draft = Draft(Kind.ORGANIZER, "o.md", values={"logo_url": "../../etc/passwd"})
    collect_pictures(draft, FileAddresses(BASE, ""))
    assert [problem.code for problem in draft.problems] == ["missing-asset"]
    assert draft.failed_fields == {"logo_url"}


def test_a_picture_without_alternative_text_is_a_warning() -> None:
    listing = Draft(Kind.LISTING, "l.csv", values={"image_url": "a.png", "logo_url": "b.png", "logo_alt_text": "B"})
    organizer = Draft(Kind.ORGANIZER, "o.md", values={"logo_url": "a.png"})
    for draft in (listing, organizer):
        collect_pictures(draft, FileAddresses(BASE, ""))
    assert [(problem.code, problem.hint) for problem in listing.problems] == [
        ("missing-alt-text", "describe the picture in image_alt_text")
    ]
    assert organizer.problems == []


ALL = {
    "articles/a.md": "---\ntitle: A\nthumbnail_url: img/x.png\nseo: {og_image: /img/x.png}\n---\nText\n",
    "listings/a.yaml": "- {name: A, url: 'https://a.example', logo_url: y.png, additional_image_urls: [/img/x.png]}\n",
}


def test_picture_fields_refuse_a_path_without_an_assets_table(read: Load) -> None:
    content = read({**ALL, "img/x.png": "x"})
    assert [(problem.code, problem.message.split()[0]) for problem in content.problems] == [
        ("bad-url", "thumbnail_url"),
        ("bad-url", "seo.og_image"),
        ("bad-url", "logo_url"),
        ("bad-url", "additional_image_urls.0"),
    ]
    assert ["[assets]" in (problem.hint or "") for problem in content.problems] == [True, True, False, True]


@pytest.mark.parametrize("value", ["https://a.example/a.png", "/storage/a.png", ""])
def test_an_address_or_an_upload_is_accepted(value: str) -> None:
    draft = Draft(Kind.ARTICLE, "x.md", values={"thumbnail_url": value})
    refuse_picture_paths(draft, picture_paths(draft), lambda path: True)
    assert draft.problems == []
