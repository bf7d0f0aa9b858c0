"""SEO of articles (docs/contract.md 2.2, 4.2.7, 17)."""

from ..conftest import Api
from .answers import is_timestamp
from .samples import news

SEO = {
    "title",
    "description",
    "keywords",
    "og_title",
    "og_description",
    "og_image",
    "card_title",
    "card_description",
    "card_image",
    "canonical",
}


def test_seo_values_are_stored_as_they_are_sent(api: Api) -> None:
    """docs/contract.md 1, 2.2, 4.2.7."""
    seo_values = {name: f"https://example.org/{name}" for name in SEO}
    seo = news(api, seo=seo_values)["seo"]
    assert seo.keys() == SEO | {"id", "created_at", "updated_at"}
    assert {name: seo[name] for name in SEO} == seo_values
    assert isinstance(seo["id"], int)
    assert is_timestamp(seo["created_at"])


def test_missing_seo_values_are_null(api: Api) -> None:
    """docs/contract.md 2.2."""
    seo = news(api)["seo"]
    assert seo.keys() == SEO | {"id", "created_at", "updated_at"}
    assert all(seo[name] is None for name in SEO)


def test_seo_values_can_be_updated_with_the_article(api: Api) -> None:
    """docs/contract.md 4.2.7."""
    article = news(api, seo={"title": "T", "keywords": "k"})
    seo = api.change("articles", article["id"], markdown="x", seo={"title": "New"})["seo"]
    assert (seo["title"], seo["keywords"], seo["id"]) == ("New", "k", article["seo"]["id"])


def test_twitter_names_are_accepted_and_returned_as_card_names(api: Api) -> None:
    """docs/contract.md 17."""
    seo_values = {"twitter_title": "T", "twitter_description": "D", "twitter_image": "https://example.org/a.png"}
    seo = news(api, seo=seo_values)["seo"]
    assert (seo["card_title"], seo["card_description"], seo["card_image"]) == tuple(seo_values.values())
    assert not any(name.startswith("twitter") for name in seo)


def test_an_empty_canonical_is_stored_as_null(api: Api) -> None:
    """docs/contract.md 17."""
    article = news(api, seo={"canonical": "https://example.org/a"})
    assert api.change("articles", article["id"], markdown="x", seo={"canonical": ""})["seo"]["canonical"] is None
