"""Updates of custom pages (docs/contract.md 4.1, 10, 17)."""

import pytest

from ..conftest import Api
from .answers import errors, refused_fields


def test_an_update_changes_only_the_fields_sent(api: Api) -> None:
    """docs/contract.md 4.1."""
    page = api.make("pages", title="About", markdown="x", placement="footer", order=3, seo={"title": "T"})
    changed = api.change("pages", page["id"], order=4)
    assert changed == {**page, "order": 4, "updated_at": changed["updated_at"]}


def test_an_update_changes_updated_at_but_not_created_at(api: Api) -> None:
    page = api.make("pages", title="About")
    changed = api.change("pages", page["id"], order=4)
    assert changed["updated_at"] > page["updated_at"]
    assert changed["created_at"] == page["created_at"]


def test_a_new_title_generates_a_new_slug(api: Api) -> None:
    """docs/contract.md 4.1.3."""
    page = api.make("pages", title="About", slug="who-we-are")
    changed = api.change("pages", page["id"], title="About us")
    assert changed["slug"] == "about-us"
    assert changed["page_url"].endswith("/pages/about-us/")


def test_an_unchanged_title_keeps_the_slug(api: Api) -> None:
    """docs/contract.md 4.1.3: when title changes."""
    page = api.make("pages", title="About", slug="who-we-are")
    assert api.change("pages", page["id"], title="About", order=2)["slug"] == "who-we-are"


def test_a_new_title_with_an_explicit_slug_gets_that_slug(api: Api) -> None:
    """docs/contract.md 4.1.3."""
    page = api.make("pages", title="About", slug="who-we-are")
    assert api.change("pages", page["id"], title="About us", slug="who-we-are")["slug"] == "who-we-are"
    assert api.change("pages", page["id"], slug="team")["slug"] == "team"


def test_a_generated_slug_that_is_taken_gets_a_number_on_update(api: Api) -> None:
    """docs/contract.md 17."""
    api.make("pages", title="About")
    team = api.make("pages", title="Team")
    crew = api.make("pages", title="Crew")
    assert api.change("pages", team["id"], title="About")["slug"] == "about-2"
    assert api.change("pages", crew["id"], title="About")["slug"] == "about-3"


def test_a_new_title_that_generates_the_same_slug_keeps_it(api: Api) -> None:
    page = api.make("pages", title="About")
    assert api.change("pages", page["id"], title="About!")["slug"] == "about"


def test_a_new_title_without_letters_requires_a_slug(api: Api) -> None:
    """docs/contract.md 4.1.3, 17."""
    page = api.make("pages", title="About")
    (reported,) = errors(api.put(f"/pages/{page['id']}", {"title": "🎉"}))["slug"]
    assert "set slug" in reported
    assert api.change("pages", page["id"], title="🎉", slug="about")["title"] == "🎉"


def test_a_slug_of_another_page_is_refused_on_update(api: Api) -> None:
    """docs/contract.md 4.1.1: a slug is one page's."""
    api.make("pages", title="About")
    team = api.make("pages", title="Team")
    assert refused_fields(api.put(f"/pages/{team['id']}", {"slug": "about"})) == {"slug"}
    assert api.show("pages", team["id"])["slug"] == "team"


def test_null_clears_an_optional_field(api: Api) -> None:
    """docs/contract.md 2.1, 10."""
    page = api.make("pages", title="Forum", markdown="x", external_url="https://example.org", seo={"title": "T"})
    changed = api.change("pages", page["id"], markdown=None, external_url=None, seo={"title": None})
    assert changed["markdown"] is None
    assert changed["external_url"] is None
    assert changed["seo"]["title"] is None


@pytest.mark.parametrize("field", ["title", "slug", "placement", "is_published", "is_external", "new_tab", "order"])
def test_null_is_refused_for_a_required_field(api: Api, field: str) -> None:
    """docs/contract.md 10."""
    page = api.make("pages", title="About")
    assert refused_fields(api.put(f"/pages/{page['id']}", {field: None})) == {field}
    assert refused_fields(api.post("/pages", {"title": "New", field: None})) == {field}
    assert api.all("pages") == [{name: value for name, value in page.items() if name != "directory"}]


def test_one_seo_value_can_be_changed(api: Api) -> None:
    page = api.make("pages", title="About", seo={"title": "T", "description": "D"})
    seo = api.change("pages", page["id"], seo={"title": "New"})["seo"]
    assert seo == {**page["seo"], "title": "New"}


def test_null_clears_all_seo_values(api: Api) -> None:
    """docs/contract.md 10."""
    page = api.make("pages", title="About", seo={"title": "T", "description": "D"})
    seo = api.change("pages", page["id"], seo=None)["seo"]
    assert (seo["title"], seo["description"]) == (None, None)


def test_an_empty_update_changes_nothing(api: Api) -> None:
    page = api.make("pages", title="About", markdown="x")
    changed = api.change("pages", page["id"])
    assert {**changed, "updated_at": page["updated_at"]} == page


def test_a_refused_update_changes_nothing(api: Api) -> None:
    page = api.make("pages", title="About")
    assert refused_fields(
        api.put(f"/pages/{page['id']}", {"title": "New", "order": "x", "seo": {"title": "x" * 256}})
    ) == {
        "order",
        "seo.title",
    }
    assert api.show("pages", page["id"]) == page


def test_a_boolean_can_be_set_by_an_update(api: Api) -> None:
    """docs/contract.md 3.1."""
    page = api.make("pages", title="About")
    assert api.change("pages", page["id"], is_published=False)["is_published"] is False
