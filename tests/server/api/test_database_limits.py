"""Values and requests that only one database supports have the same answer on both databases (DB-04)."""

import pytest

from ..conftest import Api


@pytest.mark.parametrize("number", [2**31, 2**32 + 1, 2**63, 10**17, 10**30])
def test_an_id_too_large_for_a_column_is_not_found(api: Api, number: int) -> None:
    """DB-04."""
    page = api.make("pages", title="About")
    for method in ("GET", "PUT", "DELETE"):
        body = {"title": "About"} if method == "PUT" else None
        assert api.request(method, f"/pages/{number}", json=body).status_code == 404
    assert api.at(number).get("/pages").status_code == 403
    assert api.show("pages", page["id"]) == page


@pytest.mark.parametrize("kind", ["pages", "articles", "projects", "organizers", "categories", "tags"])
def test_a_slug_with_a_nul_is_refused(api: Api, kind: str) -> None:
    """DB-04: PostgreSQL cannot store such a text."""
    title = "name" if kind in ("projects", "organizers") else "title"
    answer = api.post(f"/{kind}", {title: "About", "slug": "a\0b"})
    assert answer.status_code == 422
    assert "slug" in answer.json()["errors"]


def test_a_category_with_a_nul_in_its_name_has_no_articles(api: Api) -> None:
    """DB-04."""
    api.make("articles", title="About", markdown="Text", categories=["News"])
    answer = api.get("/articles/category/News%00")
    assert (answer.status_code, answer.json()["data"]) == (200, [])


def test_a_url_too_long_for_an_index_is_still_unique(api: Api) -> None:
    """DB-04: percent-encoded it has ten times the letters."""
    url = f"https://example.org/{'語' * 2000}"
    made = api.make("projects", name="Lathe", url=url)
    again = api.post("/projects", {"name": "Another", "url": url})
    assert (again.status_code, again.json()["data"]["id"]) == (200, made["id"])
    assert api.post("/projects/exists", {"url": url}).status_code == 400
    other = api.make("projects", name="Another", url=f"{url}語")
    assert api.put(f"/projects/{other['id']}", {"url": url}).status_code == 422
    bulk = api.post("/projects/bulk", {"listings": [{"name": "Third", "url": url}]}).json()
    assert [listing["id"] for listing in bulk["data"]] == [made["id"]]
