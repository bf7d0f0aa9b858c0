"""Articles (docs/contract.md 2.2, 3, 4.2, 17)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ..conftest import Api
from .answers import data, errors, is_timestamp, refused_fields, require_message
from .samples import news

ARTICLE = {
    "id",
    "title",
    "slug",
    "content",
    "markdown",
    "is_markdown",
    "active",
    "published_at",
    "thumbnail_url",
    "thumbnail_alt_text",
    "categories",
    "blog_tool_article_id",
    "seo",
    "user",
    "directory",
    "article_url",
    "created_at",
    "updated_at",
}


# the record


def test_an_article_has_the_fields_of_the_contract(api: Api) -> None:
    """docs/contract.md 2.2."""
    article = news(api)
    assert article.keys() == ARTICLE
    assert article["slug"] == "news"
    assert article["blog_tool_article_id"] is None
    assert is_timestamp(article["created_at"])
    assert is_timestamp(article["updated_at"])


def test_a_new_article_has_the_defaults(api: Api) -> None:
    """docs/contract.md 2.2, 4.2.6."""
    before = datetime.now(UTC) - timedelta(seconds=1)
    article = news(api)
    assert article["active"] is True
    assert is_timestamp(article["published_at"])
    assert before <= datetime.fromisoformat(article["published_at"]) <= datetime.now(UTC) + timedelta(seconds=1)
    assert article["content"] is None
    assert article["thumbnail_url"] is None
    assert article["categories"] == []


def test_an_article_contains_its_user_and_its_directory(api: Api) -> None:
    """docs/contract.md 2.2."""
    article = news(api)
    user, directory = article["user"], article["directory"]
    assert user.keys() == {"id", "name", "email", "created_at", "updated_at"}
    assert (user["id"], user["name"], user["email"]) == (api.user.id, "Ada", api.user.email)
    assert directory.keys() == {"id", "name", "slug", "domain", "created_at", "updated_at"}
    assert (directory["id"], directory["slug"]) == (api.directory_id, api.slug)
    assert all(is_timestamp(owner[name]) for owner in (user, directory) for name in ("created_at", "updated_at"))


@pytest.mark.parametrize("nothing", [None, ""])
def test_the_publication_date_of_a_new_article_is_the_current_time(api: Api, nothing: str | None) -> None:
    """docs/contract.md 4.2.6, 19."""
    before = datetime.now(UTC)
    article = news(api, published_at=nothing)
    assert before <= datetime.fromisoformat(article["published_at"]) <= datetime.now(UTC) + timedelta(seconds=1)


def test_an_update_can_clear_the_publication_date(api: Api) -> None:
    """docs/contract.md 19: the current time is the default only on create."""
    article = news(api)
    assert api.change("articles", article["id"], markdown="x", published_at=None)["published_at"] is None


@pytest.mark.parametrize("address", ["images/a.png", "/a.png", "../a b.png", "x" * 255])
def test_a_thumbnail_can_be_any_text_of_255_characters(api: Api, address: str) -> None:
    """docs/contract.md 2.2, 19."""
    assert news(api, thumbnail_url=address)["thumbnail_url"] == address
    assert refused_fields(api.post("/articles", {"title": "A", "markdown": "x", "thumbnail_url": "x" * 256})) == {
        "thumbnail_url"
    }


def test_an_article_is_stored_as_it_is_sent(api: Api) -> None:
    """docs/contract.md 1."""
    values = {
        "title": "Été 2026",
        "slug": "summer",
        "content": "<p>Text</p>",
        "markdown": "# Text\n",
        "active": False,
        "published_at": "2030-01-01T10:30:00.123456Z",
        "thumbnail_url": "https://example.org/a.png",
        "thumbnail_alt_text": "A lathe",
        "categories": ["Guides", "Été"],
    }
    article = api.make("articles", **values)
    assert {name: article[name] for name in values} == values
    assert api.show("articles", article["id"]) == article
    assert api.all("articles") == [article]


def test_the_public_url_of_an_article_is_in_the_blog(api: Api) -> None:
    """docs/contract.md 17."""
    assert news(api)["article_url"] == f"{api.site}/blog/news/"
    shops = api.service.directory("Shops", api.user, domain="articles.example.org")
    assert news(shops)["article_url"] == "https://articles.example.org/blog/news/"


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("2026-03-01", "2026-03-01T00:00:00.000000Z"),
        ("2026-03-01 09:00", "2026-03-01T09:00:00.000000Z"),
        ("2026-03-01T09:00:00+02:00", "2026-03-01T07:00:00.000000Z"),
    ],
)
def test_the_publication_date_is_stored_in_utc(api: Api, written: str, stored: str) -> None:
    """docs/contract.md 10."""
    assert news(api, published_at=written)["published_at"] == stored


# the content rule


@pytest.mark.parametrize("body", [{}, {"markdown": None}, {"content": None, "markdown": None}])
def test_a_new_article_requires_content_or_markdown(api: Api, body: dict[str, Any]) -> None:
    """docs/contract.md 4.2.4, 7.1."""
    assert refused_fields(api.post("/articles", {"title": "News", **body})) <= {"content", "markdown"}
    assert api.all("articles") == []


def test_an_update_requires_content_or_markdown(api: Api) -> None:
    """docs/contract.md 4.2.4, 17."""
    article = news(api)
    assert refused_fields(api.put(f"/articles/{article['id']}", {"title": "Old news"})) <= {"content", "markdown"}
    assert api.show("articles", article["id"]) == article


def test_an_upsert_requires_content_or_markdown(api: Api) -> None:
    """docs/contract.md 10."""
    news(api)
    assert refused_fields(api.post("/articles", {"title": "News", "active": False})) <= {"content", "markdown"}
    assert api.all("articles")[0]["active"] is True


@pytest.mark.parametrize(
    ("body", "is_markdown"),
    [({"markdown": "x"}, True), ({"content": "<p>x</p>"}, False), ({"markdown": "x", "content": "<p>x</p>"}, True)],
)
def test_is_markdown_shows_the_format(api: Api, body: dict[str, str], is_markdown: bool) -> None:
    """docs/contract.md 1, 4.2.5, 17."""
    article = api.make("articles", title="News", **body)
    assert article["is_markdown"] is is_markdown
    assert (article["markdown"], article["content"]) == (body.get("markdown"), body.get("content"))


def test_a_new_text_in_one_format_keeps_the_other_and_sets_is_markdown(api: Api) -> None:
    """docs/contract.md 17."""
    article = news(api, markdown="m", content="c")
    changed = api.change("articles", article["id"], content="c2")
    assert (changed["markdown"], changed["content"], changed["is_markdown"]) == ("m", "c2", False)
    changed = api.change("articles", article["id"], markdown="m2")
    assert (changed["markdown"], changed["content"], changed["is_markdown"]) == ("m2", "c2", True)


# create, update


def test_a_create_updates_an_article_with_the_same_slug(api: Api) -> None:
    """docs/contract.md 4.2.1, 10."""
    made = news(api, slug="news", active=False, categories=["A"], published_at="2020-01-01")
    found = data(api.post("/articles", {"title": "Fresh news", "slug": "news", "content": "x"}), 200)
    assert found["id"] == made["id"]
    assert (found["title"], found["active"], found["categories"]) == ("Fresh news", False, ["A"])
    assert found["published_at"] == made["published_at"]
    assert len(api.all("articles")) == 1


def test_a_create_updates_an_article_with_the_same_generated_slug(api: Api) -> None:
    """docs/contract.md 4.2.2, 10."""
    made = news(api, "Good news")
    assert data(api.post("/articles", {"title": "Good news", "markdown": "y"}), 200)["id"] == made["id"]


def test_a_title_is_required(api: Api) -> None:
    """docs/contract.md 7.1."""
    assert errors(api.post("/articles", {"markdown": "x"})) == {"title": ["title is required"]}


def test_a_new_title_generates_a_new_slug_and_url(api: Api) -> None:
    """docs/contract.md 4.2.3."""
    article = news(api)
    changed = api.change("articles", article["id"], title="Old news", markdown="x")
    assert changed["slug"] == "old-news"
    assert changed["article_url"].endswith("/blog/old-news/")


def test_a_new_title_with_an_explicit_slug_keeps_that_slug(api: Api) -> None:
    """docs/contract.md 4.2.3."""
    article = news(api)
    assert api.change("articles", article["id"], title="Old news", slug="news", markdown="x")["slug"] == "news"


def test_a_new_title_without_letters_requires_a_slug(api: Api) -> None:
    """docs/contract.md 17."""
    article = news(api)
    assert refused_fields(api.put(f"/articles/{article['id']}", {"title": "🎉", "markdown": "x"})) == {"slug"}


def test_a_slug_belongs_to_one_article(api: Api) -> None:
    """docs/contract.md 4.2.1, 17."""
    news(api)
    second = news(api, "Second")
    assert refused_fields(api.put(f"/articles/{second['id']}", {"slug": "news", "markdown": "x"})) == {"slug"}
    assert api.change("articles", second["id"], title="News", markdown="x")["slug"] == "news-2"


def test_a_page_and_an_article_can_have_the_same_slug(api: Api) -> None:
    api.make("pages", title="News")
    assert news(api)["slug"] == "news"


def test_an_update_changes_only_the_fields_sent(api: Api) -> None:
    """docs/contract.md 4.2."""
    article = news(api, categories=["A"], thumbnail_url="https://example.org/a.png", seo={"title": "T"})
    changed = api.change("articles", article["id"], markdown="x")
    seo = {**article["seo"], "updated_at": changed["seo"]["updated_at"]}
    assert changed == {**article, "markdown": "x", "seo": seo, "updated_at": changed["updated_at"]}
    assert changed["updated_at"] > article["updated_at"]


def test_categories_are_replaced_and_cleared(api: Api) -> None:
    article = news(api, categories=["A", "B"])
    assert api.change("articles", article["id"], markdown="x", categories=["C"])["categories"] == ["C"]
    assert api.change("articles", article["id"], markdown="x", categories=[])["categories"] == []
    assert refused_fields(api.put(f"/articles/{article['id']}", {"markdown": "x", "categories": None})) == {
        "categories"
    }


def test_null_clears_an_optional_field(api: Api) -> None:
    """docs/contract.md 10."""
    article = news(api, thumbnail_url="https://example.org/a.png", thumbnail_alt_text="A")
    changed = api.change("articles", article["id"], markdown="x", thumbnail_url=None, thumbnail_alt_text=None)
    assert (changed["thumbnail_url"], changed["thumbnail_alt_text"]) == (None, None)


# toggle, delete


def test_toggle_flips_the_active_flag(api: Api) -> None:
    """docs/contract.md 1, 3, 4.2."""
    article = news(api)
    hidden = data(api.patch(f"/articles/{article['id']}/toggle"))
    assert hidden["active"] is False
    assert hidden["updated_at"] > article["updated_at"]
    assert data(api.patch(f"/articles/{article['id']}/toggle"))["active"] is True


def test_an_update_sets_the_active_flag(api: Api) -> None:
    """docs/contract.md 3.1."""
    article = news(api)
    assert api.change("articles", article["id"], active=False, markdown="x")["active"] is False


def test_delete_returns_a_message_and_the_article_no_longer_exists(api: Api) -> None:
    """docs/contract.md 4.2, 7.2."""
    article = news(api)
    assert require_message(api.delete(f"/articles/{article['id']}"), 200) == "Article deleted successfully"
    require_message(api.get(f"/articles/{article['id']}"), 404)
    assert api.all("articles") == []
    assert api.post("/articles/exists", {"slug": "news"}).status_code == 200


@pytest.mark.parametrize("method", ["get", "delete"])
def test_a_missing_article_is_a_404(api: Api, method: str) -> None:
    """docs/contract.md 11."""
    require_message(getattr(api, method)("/articles/999999999"), 404)
    require_message(api.put("/articles/999999999", {"markdown": "x"}), 404)
    require_message(api.patch("/articles/999999999/toggle"), 404)
