"""URLs of listings, and whether one exists (docs/contract.md 4.3.2, 14)."""

from typing import Any

import pytest

from ..conftest import Api
from .answers import data, refused_fields, require_message
from .samples import lathe


def test_a_create_with_an_existing_url_returns_that_listing_unchanged(api: Api) -> None:
    """docs/contract.md 2.3, 4.3.2, 14: 200."""
    made = lathe(api, url="https://example.org/lathe", description="old")
    body = {"name": "Other", "url": "https://example.org/lathe", "description": "new", "slug": "other"}
    assert data(api.post("/projects", body), 200) == made
    assert api.all("projects") == [made]


@pytest.mark.parametrize(
    "same",
    [
        "HTTPS://Example.ORG/%7ea?q=1",
        "https://example.org:443/~a?q=1",
        "https://example.org/~a?q=1#part",
    ],
)
def test_urls_are_compared_in_normalized_form(api: Api, same: str) -> None:
    """docs/contract.md 14."""
    made = lathe(api, url="https://example.org/~a?q=1")
    assert data(api.post("/projects", {"name": "Other", "url": same}), 200)["id"] == made["id"]


def test_a_url_with_and_without_the_root_slash_is_the_same(api: Api) -> None:
    """docs/contract.md 14."""
    made = lathe(api, url="https://example.org")
    assert data(api.post("/projects", {"name": "Other", "url": "https://example.org/"}), 200)["id"] == made["id"]


@pytest.mark.parametrize(
    "other", ["https://example.org/a?q=2", "http://example.org/a?q=1", "https://example.org/A?q=1"]
)
def test_urls_with_another_query_scheme_or_path_are_different(api: Api, other: str) -> None:
    """docs/contract.md 14."""
    lathe(api, url="https://example.org/a?q=1")
    assert lathe(api, url=other)["url"] == other


def test_many_listings_can_have_no_url(api: Api) -> None:
    assert len({lathe(api)["id"], lathe(api)["id"], lathe(api, url=None)["id"]}) == 3


def test_a_url_of_another_listing_is_refused_on_update(api: Api) -> None:
    """docs/contract.md 14."""
    lathe(api, url="https://example.org/a")
    second = lathe(api, url="https://example.org/b")
    assert refused_fields(api.put(f"/projects/{second['id']}", {"url": "https://Example.org/a#x"})) == {"url"}
    assert api.show("projects", second["id"]) == second


def test_a_listing_can_keep_respell_or_remove_its_url(api: Api) -> None:
    listing = lathe(api, url="https://example.org/a")
    assert api.change("projects", listing["id"], url="https://EXAMPLE.org/a")["url"] == "https://EXAMPLE.org/a"
    assert api.change("projects", listing["id"], url=None)["url"] is None
    assert lathe(api, url="https://example.org/a")["id"] != listing["id"]


def test_the_exists_check_has_two_messages(api: Api) -> None:
    """docs/contract.md 14, 11."""
    body = {"url": "https://example.org/a"}
    assert require_message(api.post("/projects/exists", body), 200) == "Listing does not exist in this directory"
    lathe(api, url="https://Example.org:443/a#x")
    assert require_message(api.post("/projects/exists", body), 400) == "Listing already exists in this directory"


def test_an_exists_check_with_too_many_keys_is_one_error(api: Api) -> None:
    """AU-17."""
    keys = {f"url{number}": 1 for number in range(1001)}
    assert refused_fields(api.post("/projects/exists", keys)) == {"body"}


@pytest.mark.parametrize("body", [{}, {"url": None}, {"url": 7}, {"url": "not a url"}, {"url": ""}])
def test_the_exists_check_requires_a_valid_url(api: Api, body: dict[str, Any]) -> None:
    """docs/contract.md 10: the url of a check takes no null."""
    assert refused_fields(api.post("/projects/exists", body)) == {"url"}
