"""Lists of articles, and whether one exists (docs/contract.md 4.2, 17)."""

from typing import Any

import pytest

from ..conftest import Api
from .answers import data, refused_fields, require_message
from .samples import news


def test_the_exists_check_has_two_messages(api: Api) -> None:
    """docs/contract.md 4.2, 14, 11: 400 when it exists, 200 when not."""
    absent = require_message(api.post("/articles/exists", {"slug": "news"}), 200)
    assert absent == "Article does not exist in this directory"
    news(api)
    assert (
        require_message(api.post("/articles/exists", {"slug": "news"}), 400)
        == "Article already exists in this directory"
    )


@pytest.mark.parametrize("body", [{}, {"slug": None}, {"slug": 7}, {"slug": []}])
def test_the_exists_check_requires_a_slug(api: Api, body: dict[str, Any]) -> None:
    """docs/contract.md 4.2: slug (string, required)."""
    assert refused_fields(api.post("/articles/exists", body)) == {"slug"}


@pytest.mark.parametrize("slug", ["", "Not A Slug", "/blog/news", "a\0b", "é", "x" * 300, " news", "NEWS"])
def test_the_exists_check_accepts_any_text(api: Api, slug: str) -> None:
    """docs/contract.md 19."""
    news(api)
    absent = require_message(api.post("/articles/exists", {"slug": slug}), 200)
    assert absent == "Article does not exist in this directory"


def test_the_exists_check_refuses_other_keys(api: Api) -> None:
    """docs/contract.md 11."""
    assert refused_fields(api.post("/articles/exists", {"slug": "news", "slugg": "x"})) == {"slugg"}


def test_articles_are_listed_newest_first_and_then_by_id(api: Api) -> None:
    """docs/contract.md 17."""
    for title, date in (("B", "2026-02-01"), ("D", "2026-01-01"), ("A", "2026-03-01"), ("C", "2026-02-01")):
        news(api, title, published_at=date)
    assert [article["title"] for article in api.all("articles")] == ["A", "B", "C", "D"]


def test_inactive_and_future_articles_are_listed(api: Api) -> None:
    """docs/contract.md 4.2: the API manages all of them."""
    news(api, "Draft", active=False)
    news(api, "Future", published_at="2099-01-01")
    assert {article["title"] for article in api.all("articles")} == {"Draft", "Future"}


def test_articles_are_listed_by_category(api: Api) -> None:
    """docs/contract.md 4.2."""
    news(api, "One", categories=["Guides", "How to?", "CI/CD"], published_at="2026-01-01")
    news(api, "Two", categories=["Guides"], published_at="2026-02-01")
    news(api, "Three", published_at="2026-03-01")
    listed = api.get("/articles/category/Guides").json()
    assert listed.keys() == {"data", "links", "meta"}
    assert [article["title"] for article in listed["data"]] == ["Two", "One"]
    assert listed["meta"]["total"] == 2
    assert [article["title"] for article in data(api.get("/articles/category/How%20to%3F"))] == ["One"]
    assert [article["title"] for article in data(api.get("/articles/category/CI%2FCD"))] == ["One"]
    assert data(api.get("/articles/category/Guide")) == []
    assert data(api.get("/articles/category/%25")) == []


def test_the_list_of_a_category_contains_the_same_articles_as_the_list(api: Api) -> None:
    news(api, categories=["Guides"])
    assert data(api.get("/articles/category/Guides")) == api.all("articles")
