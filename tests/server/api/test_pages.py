"""Custom pages (docs/contract.md 2.1, 3, 4.1, 10, 17)."""

from typing import Any

import pytest

from ..conftest import Api
from .answers import data, errors, is_timestamp, refused_fields, require_message

PAGE = {
    "id",
    "title",
    "slug",
    "markdown",
    "placement",
    "is_markdown",
    "is_published",
    "is_external",
    "external_url",
    "new_tab",
    "order",
    "seo",
    "page_url",
    "created_at",
    "updated_at",
}


# the record


def test_a_page_has_the_fields_of_the_contract(api: Api) -> None:
    """docs/contract.md 2.1."""
    page = api.make("pages", title="About us")
    assert page.keys() == PAGE | {"directory"}
    assert isinstance(page["id"], int)
    assert page["slug"] == "about-us"
    assert page["is_markdown"] is True
    assert is_timestamp(page["created_at"])
    assert is_timestamp(page["updated_at"])


def test_a_new_page_has_the_defaults(api: Api) -> None:
    """docs/contract.md 2.1."""
    page = api.make("pages", title="About us")
    defaults = {
        "markdown": None,
        "placement": "unlisted",
        "is_published": True,
        "is_external": False,
        "external_url": None,
        "new_tab": False,
        "order": 0,
    }
    assert {name: page[name] for name in defaults} == defaults
    assert page["seo"].keys() == {"id", "title", "description"}
    assert page["seo"]["title"] is None


def test_a_page_is_stored_as_it_is_sent(api: Api) -> None:
    """docs/contract.md 1."""
    values = {
        "title": "Forum ☕",
        "slug": "forum",
        "markdown": "# Forum\n\n日本語 <b>x</b>\n",
        "placement": "navbar",
        "is_published": False,
        "is_external": True,
        "external_url": "https://Forum.example.org/?a=1#b",
        "new_tab": True,
        "order": -3,
    }
    page = api.make("pages", **values, seo={"title": "T", "description": "D"})
    assert {name: page[name] for name in values} == values
    assert (page["seo"]["title"], page["seo"]["description"]) == ("T", "D")
    assert isinstance(page["seo"]["id"], int)
    assert api.show("pages", page["id"]) == page


def test_only_a_single_page_contains_its_directory(api: Api) -> None:
    """docs/contract.md 2.1."""
    page = api.make("pages", title="About")
    directory = {"id": api.directory_id, "name": "Tools", "slug": api.slug, "domain": None}
    assert page["directory"] == directory
    assert api.show("pages", page["id"])["directory"] == directory
    assert api.change("pages", page["id"], order=1)["directory"] == directory
    (listed,) = api.all("pages")
    assert listed.keys() == PAGE
    assert {**listed, "directory": directory} == api.show("pages", page["id"])


def test_the_public_url_of_a_page_is_on_the_site(api: Api) -> None:
    """docs/contract.md 10, 17."""
    assert api.make("pages", title="About")["page_url"] == f"{api.site}/pages/about/"


def test_the_public_url_of_a_page_uses_the_domain_if_there_is_one(api: Api) -> None:
    shops = api.service.directory("Shops", api.user, domain="pages.example.org")
    assert shops.make("pages", title="About")["page_url"] == "https://pages.example.org/pages/about/"


def test_the_public_url_does_not_depend_on_the_host_header(api: Api) -> None:
    """docs/contract.md 10."""
    page = api.make("pages", title="About")
    response = api.request("GET", f"/pages/{page['id']}", headers={"Host": "evil.example", "X-Forwarded-Host": "evil"})
    assert response.status_code in (200, 400)
    assert "evil" not in response.text


# create


def test_a_title_is_required(api: Api) -> None:
    """docs/contract.md 7.1."""
    assert errors(api.post("/pages", {}))["title"] == ["title is required"]
    assert refused_fields(api.post("/pages", {"slug": "about"})) == {"title"}
    assert api.all("pages") == []


def test_a_create_updates_a_page_with_the_same_slug(api: Api) -> None:
    """docs/contract.md 4.1.1, 11: 201 when a record was made, 200 when an upsert found one."""
    made = api.make("pages", title="About", slug="about")
    found = data(api.post("/pages", {"title": "About us", "slug": "about"}), 200)
    assert found["id"] == made["id"]
    assert found["title"] == "About us"
    assert found["slug"] == "about"
    assert len(api.all("pages")) == 1


def test_a_create_updates_a_page_with_the_same_generated_slug(api: Api) -> None:
    """docs/contract.md 10."""
    made = api.make("pages", title="About us", slug="about-us", order=3)
    found = data(api.post("/pages", {"title": "About us", "markdown": "x"}), 200)
    assert (found["id"], found["order"], found["markdown"]) == (made["id"], 3, "x")


def test_an_upsert_changes_only_the_fields_sent(api: Api) -> None:
    """docs/contract.md 10: no create default is applied."""
    values: dict[str, Any] = {
        "is_published": False,
        "placement": "footer",
        "order": 7,
        "markdown": "x",
        "new_tab": True,
    }
    made = api.make("pages", title="About", seo={"title": "T"}, **values)
    found = data(api.post("/pages", {"title": "About"}), 200)
    assert {name: found[name] for name in values} == values
    assert found["seo"] == made["seo"]


def test_an_upsert_requires_the_required_fields(api: Api) -> None:
    """docs/contract.md 10."""
    api.make("pages", title="About", slug="about")
    assert refused_fields(api.post("/pages", {"slug": "about", "order": 2})) == {"title"}
    assert api.all("pages")[0]["order"] == 0


@pytest.mark.parametrize("title", ["🎉", "---"])
def test_a_title_without_letters_requires_a_slug(api: Api, title: str) -> None:
    """docs/contract.md 17."""
    (reported,) = errors(api.post("/pages", {"title": title}))["slug"]
    assert "set slug" in reported
    assert api.make("pages", title=title, slug="party")["slug"] == "party"


@pytest.mark.parametrize("title", ["Привет", "日本語", "Ünïcode & Co."])
def test_a_slug_is_transliterated(api: Api, title: str) -> None:
    slugs = {"Привет": "privet", "日本語": "ri-ben-yu", "Ünïcode & Co.": "unicode-co"}
    assert api.make("pages", title=title)["slug"] == slugs[title]


@pytest.mark.parametrize("slug", ["About", "a b", "a_b", "a/b", "../x", "é", "", "-", "a" * 256, None, 7])
def test_a_malformed_slug_is_refused(api: Api, slug: Any) -> None:
    """docs/contract.md 2, 7.1."""
    assert refused_fields(api.post("/pages", {"title": "About", "slug": slug})) == {"slug"}
    assert api.all("pages") == []


def test_an_external_page_needs_a_valid_url(api: Api) -> None:
    """docs/contract.md 1, 4.1.4, 7, 17."""
    assert refused_fields(api.post("/pages", {"title": "Forum", "is_external": True})) == {"external_url"}
    assert refused_fields(api.post("/pages", {"title": "Forum", "external_url": "forum"})) == {"external_url"}
    page = api.make("pages", title="Forum", is_external=True, external_url="https://forum.example.org")
    assert refused_fields(api.put(f"/pages/{page['id']}", {"external_url": None})) == {"external_url"}
    assert api.show("pages", page["id"])["external_url"] == "https://forum.example.org"


# toggle, delete, list


def test_toggle_flips_the_published_flag(api: Api) -> None:
    """docs/contract.md 1, 3, 4.1."""
    page = api.make("pages", title="About")
    hidden = data(api.patch(f"/pages/{page['id']}/toggle"))
    assert hidden["is_published"] is False
    assert hidden["updated_at"] > page["updated_at"]
    assert {**hidden, "is_published": True, "updated_at": page["updated_at"]} == page
    assert data(api.patch(f"/pages/{page['id']}/toggle"))["is_published"] is True
    assert api.show("pages", page["id"])["is_published"] is True


def test_delete_returns_a_message_and_the_page_no_longer_exists(api: Api) -> None:
    """docs/contract.md 4.1, 7.2."""
    page = api.make("pages", title="About")
    assert require_message(api.delete(f"/pages/{page['id']}"), 200) == "Page deleted successfully"
    require_message(api.get(f"/pages/{page['id']}"), 404)
    require_message(api.delete(f"/pages/{page['id']}"), 404)
    assert api.all("pages") == []


def test_the_slug_of_a_deleted_page_is_free_again(api: Api) -> None:
    page = api.make("pages", title="About")
    api.delete(f"/pages/{page['id']}")
    again = api.make("pages", title="About")
    assert (again["slug"], again["markdown"]) == ("about", None)
    assert again["id"] != page["id"]


def test_pages_are_listed_by_order_and_then_by_id(api: Api) -> None:
    """docs/contract.md 4.1, 17."""
    for title, order in (("D", 5), ("B", 0), ("C", 0), ("A", -1)):
        api.make("pages", title=title, order=order)
    assert [page["title"] for page in api.all("pages")] == ["A", "B", "C", "D"]


def test_unlisted_and_unpublished_pages_can_be_managed(api: Api) -> None:
    """docs/contract.md 1, 3.2: hidden from navigation, but reachable by its URL."""
    page = api.make("pages", title="Imprint", placement="unlisted", is_published=False)
    assert page["page_url"] == f"{api.site}/pages/imprint/"
    assert [listed["id"] for listed in api.all("pages")] == [page["id"]]
    assert api.show("pages", page["id"]) == page


@pytest.mark.parametrize("path", ["/pages/999999999", "/pages/0", "/pages/-1", "/pages/99999999999999999999"])
def test_a_missing_page_is_a_404(api: Api, path: str) -> None:
    """docs/contract.md 11."""
    require_message(api.get(path), 404)
    require_message(api.put(path, {"order": 1}), 404)
    require_message(api.delete(path), 404)
    require_message(api.patch(f"{path}/toggle"), 404)
