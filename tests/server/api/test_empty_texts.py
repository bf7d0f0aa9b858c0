"""An empty text clears a field that can be null and is not plain text (docs/contract.md 19)."""

from typing import Any

import pytest

from ..conftest import Api
from .answers import refused_fields
from .samples import lathe, news

URL = "https://example.org/a.png"

# What each field of a kind is set to before it is cleared.
CLEARED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "pages": ({"title": "About"}, {"external_url": URL}),
    "articles": ({"title": "News", "markdown": "x"}, {"published_at": "2026-03-01", "thumbnail_url": "a.png"}),
    "organizers": ({"name": "Ada"}, {"logo_url": URL, "email": "ada@example.org", "website_url": URL, "logo": "a.png"}),
    "categories": ({"title": "Wood"}, {"custom_icon_url": URL}),
    "tags": ({"title": "Free"}, {"color": "#0a7", "text_color": "#fff"}),
    "custom-fields": (
        {"label": "Fee", "type": "text"},
        {"placement": "after_tags", "placement_on_card": "after_title"},
    ),
    "projects": (
        {"name": "Lathe"},
        {
            "url": URL,
            "image_url": URL,
            "video_url": URL,
            "email": "ada@example.org",
            "latitude": 46.9,
            "longitude": 7.4,
            "starts_at": "2026-03-01",
            "ends_at": "2026-04-01",
            "schema": {"@type": "Thing"},
        },
    ),
}


@pytest.mark.parametrize("collection", CLEARED)
def test_an_empty_text_clears_the_field(api: Api, collection: str) -> None:
    body, fields = CLEARED[collection]
    record = api.make(collection, **body, **fields)
    assert all(record[name] is not None for name in fields)
    required = {"markdown": "x"} if collection == "articles" else {}  # each update of an article needs a body
    cleared = api.change(collection, record["id"], **required, **dict.fromkeys(fields, ""))
    assert {name: cleared[name] for name in fields} == dict.fromkeys(fields)


def test_an_empty_text_clears_seo_and_link_values_too(api: Api) -> None:
    article = news(api, seo={"og_image": URL, "card_image": URL, "canonical": URL, "title": "T"})
    seo = {"og_image": "", "twitter_image": "", "canonical": "", "title": ""}
    changed = api.change("articles", article["id"], markdown="x", seo=seo)["seo"]
    assert [changed[name] for name in ("og_image", "card_image", "canonical", "title")] == [None, None, None, ""]
    assert lathe(api, social_links={"github": "", "web": URL})["social_links"] == {"web": URL}


def test_a_plain_text_field_keeps_an_empty_text(api: Api) -> None:
    texts = ("description", "content", "phone_number", "address", "seo_title", "head_html")
    listing = lathe(api, **dict.fromkeys(texts, ""))
    assert {name: listing[name] for name in texts} == dict.fromkeys(texts, "")


def test_an_empty_text_is_refused_if_the_field_must_not_be_null(api: Api) -> None:
    body = {"title": "About", "slug": "", "placement": "", "order": "", "is_published": ""}
    assert refused_fields(api.post("/pages", body)) == {"slug", "placement", "order", "is_published"}
    assert refused_fields(api.post("/projects", {"name": "", "additional_image_urls": [""]})) == {
        "name",
        "additional_image_urls.0",
    }
